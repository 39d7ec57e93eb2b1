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
	s, err := d.js.Stream(ctx, LettersStream)
	if err != nil {
		return nil, fmt.Errorf("list dead letters: %w", err)
	}
	state := s.CachedInfo().State
	if before == 0 || before > state.LastSeq {
		before = state.LastSeq + 1
	}
	for before > state.FirstSeq && len(letters) < limit && state.Msgs > 0 {
		page := uint64(min(limit-len(letters), maxPage))
		from := max(before-min(page, before), state.FirstSeq)
		a, err := directGet{Seq: from, Batch: int(page)}.run(ctx, d.js.Conn(), LettersStream)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, fmt.Errorf("list dead letters: %w", err)
		}
		entries := slices.DeleteFunc(a.entries, func(e Entry) bool { return e.Seq >= before })
		slices.Reverse(entries)
		letters, before = append(letters, entries...), from
	}
	return letters, nil
}

const maxPage = 500 // letters fetched at once
