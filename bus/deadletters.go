package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Letter tells why an event was not taken. Data never holds its payload; that is up to the caller.
type Letter struct {
	Stage  string // ingest, analyzer or injector
	Reason string // a constant such as schema or too_large
	Cause  string // hash of the cause: the same one again takes the place of the letter before
	Data   []byte
}

const letterPrefix = "learn.dlq."

// DeadLetters writes and reads the letters in LEARN_DLQ.
type DeadLetters struct{ js jetstream.JetStream }

// NewDeadLetters uses the stream over this connection.
func NewDeadLetters(js jetstream.JetStream) *DeadLetters { return &DeadLetters{js: js} }

// Put stores the letters and returns when all are on disk. After an error some may be stored;
// putting them again is harmless.
func (d *DeadLetters) Put(ctx context.Context, letters []Letter) error {
	requests := make([]*nats.Msg, 0, len(letters))
	known := make(map[string]bool, len(letters))
	for _, l := range slices.Backward(letters) {
		m, err := l.message()
		if err != nil {
			return fmt.Errorf("put dead letter %s.%s: %w", l.Stage, l.Reason, err)
		}
		if l.Cause != "" && known[m.Subject] {
			continue // a later one takes its place at once
		}
		known[m.Subject] = true
		requests = append(requests, m)
	}
	slices.Reverse(requests)
	replies, err := askAll(ctx, d.js.Conn(), requests)
	if err != nil {
		return fmt.Errorf("put %d dead letters: %w", len(letters), err)
	}
	for _, reply := range replies {
		if _, err := readAck(reply.Data); err != nil {
			return fmt.Errorf("put %d dead letters: %w", len(letters), err)
		}
	}
	return nil
}

func (l Letter) message() (*nats.Msg, error) {
	subject := letterPrefix + l.Stage + "." + l.Reason
	dots := 3
	header := nats.Header{expectStream: {LettersStream}}
	if l.Cause != "" {
		subject, dots = subject+"."+l.Cause, 4
		header[jetstream.MsgRollup] = []string{jetstream.MsgRollupSubject}
	}
	if !validSubject(subject) || strings.Count(subject, ".") != dots {
		return nil, ErrSubject
	}
	return &nats.Msg{Subject: subject, Header: header, Data: l.Data}, nil
}

// Get returns one letter by its sequence, ErrNotFound when it is gone.
func (d *DeadLetters) Get(ctx context.Context, seq uint64) (Entry, error) {
	return GetMsg(ctx, d.js, LettersStream, seq)
}

// List returns up to limit letters, the newest first, older than the one with sequence before;
// 0 begins at the newest.
func (d *DeadLetters) List(ctx context.Context, limit int, before uint64) (letters []Entry, err error) {
	s, err := d.js.Stream(ctx, LettersStream)
	if err != nil {
		return nil, fmt.Errorf("list dead letters: %w", err)
	}
	state := s.CachedInfo().State
	if before == 0 || before > state.LastSeq {
		before = state.LastSeq + 1
	}
	width := uint64(min(limit, maxPage)) // of the stretch looked at: what was replaced leaves gaps
	for before > state.FirstSeq && len(letters) < limit && state.Msgs > 0 {
		from := max(before-min(width, before), state.FirstSeq)
		entries, whole, err := d.between(ctx, from, before)
		switch {
		case err != nil:
			return nil, fmt.Errorf("list dead letters: %w", err)
		case !whole:
			width /= 2
			continue
		}
		slices.Reverse(entries)
		letters, before, width = append(letters, entries...), from, 2*width
	}
	return letters[:min(limit, len(letters))], nil
}

const maxPage = 500 // letters fetched at once

// between returns the letters of a stretch, the oldest first; not whole when there are
// more than are fetched at once.
func (d *DeadLetters) between(ctx context.Context, from, before uint64) (letters []Entry, whole bool, err error) {
	a, err := directGet{Seq: from, Batch: int(min(before-from, maxPage))}.run(ctx, d.js.Conn(), LettersStream)
	if errors.Is(err, ErrNotFound) {
		return nil, true, nil
	}
	whole = before-from <= maxPage || len(a.entries) < maxPage || a.entries[len(a.entries)-1].Seq >= before-1
	return slices.DeleteFunc(a.entries, func(e Entry) bool { return e.Seq >= before }), whole, err
}
