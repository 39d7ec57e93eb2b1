package bus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// GetMsg returns one message of a stream by its sequence, ErrNotFound when it is gone.
func GetMsg(ctx context.Context, js jetstream.JetStream, stream string, seq uint64) (Entry, error) {
	return getOne(ctx, js, stream, directGet{Seq: seq})
}

// LastMsg returns the last message of a stream whose subject matches, ErrNotFound when there is none.
func LastMsg(ctx context.Context, js jetstream.JetStream, stream, filter string) (Entry, error) {
	return getOne(ctx, js, stream, directGet{LastFor: filter})
}

func getOne(ctx context.Context, js jetstream.JetStream, stream string, request directGet) (Entry, error) {
	entries, err := request.run(ctx, js.Conn(), stream)
	if err != nil {
		return Entry{}, fmt.Errorf("get from %s: %w", stream, err)
	}
	return entries[0], nil
}

// LastPerSubject returns the last message of every subject that matches one of the filters, in log order;
// up to 1024 subjects as of one moment.
func LastPerSubject(ctx context.Context, js jetstream.JetStream, stream string, filters ...string) ([]Entry, error) {
	entries, err := directGet{MultiLast: filters}.run(ctx, js.Conn(), stream)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, nil
	case errors.Is(err, errTooMany):
		return lastOfMany(ctx, js, stream, filters)
	case err != nil:
		return nil, fmt.Errorf("get last per subject from %s: %w", stream, err)
	}
	return entries, nil
}

// lastOfMany reads through a consumer, where the server does not answer at once for so many subjects.
func lastOfMany(ctx context.Context, js jetstream.JetStream, stream string, filters []string) ([]Entry, error) {
	l := ReadLog(js, stream, 1, filters...)
	l.latest = true
	defer l.Close()
	last := map[string]Entry{}
	for pending := uint64(1); pending > 0; {
		entries, err := l.Next(ctx)
		if err != nil {
			return nil, fmt.Errorf("get last per subject from %s: %w", stream, err)
		}
		for _, e := range entries {
			last[e.Subject], pending = e, e.Pending
		}
	}
	bySeq := func(a, b Entry) int { return cmp.Compare(a.Seq, b.Seq) }
	return slices.SortedFunc(maps.Values(last), bySeq), nil
}

// directGet is a request of the server's direct access; exactly one of Seq, LastFor, NextFor and MultiLast is set.
type directGet struct {
	Seq       uint64   `json:"seq,omitzero"`
	LastFor   string   `json:"last_by_subj,omitempty"`
	NextFor   string   `json:"next_by_subj,omitempty"` // with Batch: the first messages of a subject
	MultiLast []string `json:"multi_last,omitempty"`
	Batch     int      `json:"batch,omitzero"`     // this many messages at most
	MaxBytes  int      `json:"max_bytes,omitzero"` // of the batch
}

// errTooMany means more than the 1024 subjects that the server answers for.
var errTooMany = errors.New("too many subjects")

// run collects the answer: one message, or several and an end mark.
func (g directGet) run(ctx context.Context, nc *nats.Conn, stream string) (entries []Entry, err error) {
	request, err := json.Marshal(g)
	if err != nil {
		return nil, err
	}
	arrived := make(chan *nats.Msg, g.answers())
	sub, err := nc.ChanSubscribe(nc.NewInbox(), arrived)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := nc.PublishRequest("$JS.API.DIRECT.GET."+stream, sub.Subject, request); err != nil {
		return nil, err
	}
	for {
		m, err := receive(ctx, arrived)
		if err != nil {
			return nil, err
		}
		if done, err := ended(m); done {
			return entries, err
		}
		e, err := readEntry(m)
		if err != nil {
			return nil, err
		}
		if entries = append(entries, e); g.Batch == 0 && g.MultiLast == nil {
			return entries, nil
		}
	}
}

// answers is how many messages can arrive before run looks.
func (g directGet) answers() int {
	if g.MultiLast != nil {
		return 1024 + 1
	}
	return g.Batch + 1
}

func ended(m *nats.Msg) (bool, error) {
	switch status := m.Header.Get(statusHeader); status {
	case "":
		return false, nil
	case "204":
		return true, nil
	case "404":
		return true, ErrNotFound
	case "413":
		return true, errTooMany
	default:
		return true, fmt.Errorf("server answered %s", status)
	}
}

func readEntry(m *nats.Msg) (Entry, error) {
	seq, err := strconv.ParseUint(m.Header.Get(jetstream.SequenceHeader), 10, 64)
	if err != nil {
		return Entry{}, fmt.Errorf("read sequence of an entry: %w", err)
	}
	stored, err := time.Parse(time.RFC3339Nano, m.Header.Get(jetstream.TimeStampHeaer))
	if err != nil {
		return Entry{}, fmt.Errorf("read time of entry %d: %w", seq, err)
	}
	return Entry{Seq: seq, Subject: m.Header.Get(jetstream.SubjectHeader), Header: m.Header, Data: m.Data, Stored: stored}, nil
}
