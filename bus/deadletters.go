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
	Cause  string // hash of the cause: the same one again is the same letter, for as long as letters are kept
	Data   []byte
}

const letterPrefix = "learn.dlq."

// DeadLetters writes and reads the letters in LEARN_DLQ.
type DeadLetters struct{ js jetstream.JetStream }

// NewDeadLetters uses the stream over this connection.
func NewDeadLetters(js jetstream.JetStream) *DeadLetters { return &DeadLetters{js: js} }

// Put stores the letters and returns their sequences when all are on disk: of one that was there already,
// where it is. After an error some may be stored; putting them again is harmless.
func (d *DeadLetters) Put(ctx context.Context, letters []Letter) (seqs []uint64, err error) {
	requests := make([]*nats.Msg, len(letters))
	for i, l := range letters {
		m, err := l.message()
		if err != nil {
			return nil, fmt.Errorf("put dead letter %s.%s: %w", l.Stage, l.Reason, err)
		}
		requests[i] = m
	}
	replies, err := askAll(ctx, d.js.Conn(), requests)
	if err != nil {
		return nil, fmt.Errorf("put %d dead letters: %w", len(letters), err)
	}
	seqs = make([]uint64, len(replies))
	for i, reply := range replies {
		ack, err := readAck(reply.Data)
		if err != nil {
			return nil, fmt.Errorf("put %d dead letters: %w", len(letters), err)
		}
		seqs[i] = ack.Seq
	}
	return seqs, nil
}

func (l Letter) message() (*nats.Msg, error) {
	subject := letterPrefix + l.Stage + "." + l.Reason
	if !validSubject(subject) || strings.Count(subject, ".") != 3 {
		return nil, ErrSubject
	}
	header := nats.Header{expectStream: {LettersStream}}
	if l.Cause != "" {
		header[jetstream.MsgIDHeader] = []string{l.Stage + "." + l.Reason + "." + l.Cause}
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
	letters, err = newest(ctx, d.js, LettersStream, page{limit, before})
	if err != nil {
		return nil, fmt.Errorf("list dead letters: %w", err)
	}
	return letters, nil
}

// page is a part of a stream: so many messages before a sequence, or before its end when that is 0.
type page struct {
	limit  int
	before uint64
}

// newest returns a page of a stream, the newest message first.
func newest(ctx context.Context, js jetstream.JetStream, stream string, p page) (found []Entry, err error) {
	s, err := js.Stream(ctx, stream)
	if err != nil {
		return nil, err
	}
	state, before := s.CachedInfo().State, p.before
	if before == 0 || before > state.LastSeq {
		before = state.LastSeq + 1
	}
	for before > state.FirstSeq && len(found) < p.limit && state.Msgs > 0 {
		n := uint64(min(p.limit-len(found), maxPage))
		from := max(before-min(n, before), state.FirstSeq)
		a, err := directGet{Seq: from, Batch: int(n)}.run(ctx, js.Conn(), stream)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		entries := slices.DeleteFunc(a.entries, func(e Entry) bool { return e.Seq >= before })
		slices.Reverse(entries)
		found, before = append(found, entries...), from
	}
	return found, nil
}

const maxPage = 500 // messages fetched at once
