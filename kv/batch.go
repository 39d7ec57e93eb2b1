package kv

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	batchSize     = 500 // messages of an atomic batch; servers take 1 000
	few           = 16  // messages that are cheaper one by one: a batch costs a dozen files, each message a flush
	commitTimeout = 10 * time.Second
)

// batchPauses come before the tries of one batch.
var batchPauses = []time.Duration{0, 25 * time.Millisecond, 100 * time.Millisecond, 400 * time.Millisecond}

// unfinished are the server's answers to a batch that did not reach it whole, or
// for which it had no room: nothing is stored, and another try may go through.
var unfinished = []jetstream.ErrorCode{10167, 10176, 10210}

// together writes the entries as one atomic batch: all of them, or none when
// one of their keys was changed.
func (w *Writer) together(ctx context.Context, entries []Entry) (taken []Change, refused []Entry, err error) {
	var last uint64
	for _, pause := range batchPauses {
		if err := rest(ctx, pause); err != nil {
			return nil, entries, err
		}
		if last, err = w.batch(ctx, entries); !isUnfinished(err) {
			break
		}
	}
	if conflict(err) {
		return nil, entries, nil
	}
	if err != nil {
		return nil, entries, err
	}
	for i, e := range entries {
		taken = append(taken, w.wrote(e, last-uint64(len(entries)-1-i)))
	}
	return taken, nil, nil
}

// batch sends the entries and returns the revision of the last one.
func (w *Writer) batch(ctx context.Context, entries []Entry) (revision uint64, err error) {
	nc, id, last := w.reader.feed.nc, rand.Text(), len(entries)-1
	for i, e := range entries[:last] {
		if err := nc.PublishMsg(w.part(e, id, i)); err != nil {
			return 0, err
		}
	}
	m := w.part(entries[last], id, last)
	m.Header.Set("Nats-Batch-Commit", "1")
	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	reply, err := nc.RequestMsgWithContext(ctx, m)
	if err != nil {
		return 0, fmt.Errorf("commit batch: %w", err)
	}
	return committed(reply.Data, len(entries))
}

// part is the entry as the i-th message of a batch.
func (w *Writer) part(e Entry, id string, i int) *nats.Msg {
	m := w.message(e)
	m.Header.Set("Nats-Batch-Id", id)
	m.Header.Set("Nats-Batch-Sequence", strconv.Itoa(i+1))
	return m
}

// committed reads the server's answer to a batch of n messages.
func committed(answer []byte, n int) (revision uint64, err error) {
	var ack struct {
		Seq   uint64              `json:"seq"`
		Count int                 `json:"count"`
		Error *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(answer, &ack); err != nil {
		return 0, fmt.Errorf("read answer to batch: %w", err)
	}
	switch {
	case ack.Error != nil:
		return 0, fmt.Errorf("commit batch: %w", ack.Error)
	case ack.Count != n:
		return 0, fmt.Errorf("commit batch: %d of %d messages acknowledged", ack.Count, n)
	}
	return ack.Seq, nil
}

func isUnfinished(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && slices.Contains(unfinished, api.ErrorCode)
}

// rest waits.
func rest(ctx context.Context, wait time.Duration) error {
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
