package bus

import (
	"context"
	"errors"
	"fmt"
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

// someMsgs is how many messages MsgsFrom asks for at once.
const someMsgs = 100

// FactsFrom returns the messages of one subject of the log from a sequence on, oldest first.
func FactsFrom(ctx context.Context, js jetstream.JetStream, subject string, from uint64) (all []Entry, err error) {
	for {
		a, err := directGet{Seq: from, NextFor: subject, Batch: someMsgs}.run(ctx, js.Conn(), EventsStream)
		if errors.Is(err, ErrNotFound) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("get %s from %s: %w", subject, EventsStream, err)
		}
		all = append(all, a.entries...)
		if len(a.entries) < someMsgs {
			return all, nil
		}
		from = all[len(all)-1].Seq + 1
	}
}

func getOne(ctx context.Context, js jetstream.JetStream, stream string, request directGet) (Entry, error) {
	a, err := request.run(ctx, js.Conn(), stream)
	if err != nil {
		return Entry{}, fmt.Errorf("get from %s: %w", stream, err)
	}
	return a.entries[0], nil
}

// directGet is a request of the server's direct access; exactly one of Seq, LastFor, NextFor and MultiLast is set,
// or Seq to say from where on NextFor looks.
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

// answer is what a replica knows.
type answer struct {
	entries []Entry
	upTo    uint64 // the last sequence that it has; 0 when it does not say
}

// run collects the answer: one message, or several and an end mark.
func (g directGet) run(ctx context.Context, nc *nats.Conn, stream string) (a answer, err error) {
	request, err := json.Marshal(g)
	if err != nil {
		return a, err
	}
	arrived := make(chan *nats.Msg, g.most())
	sub, err := nc.ChanSubscribe(nc.NewInbox(), arrived)
	if err != nil {
		return a, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := nc.PublishRequest("$JS.API.DIRECT.GET."+stream, sub.Subject, request); err != nil {
		return a, err
	}
	for {
		m, err := receive(ctx, arrived)
		if err != nil {
			return a, err
		}
		if done, err := a.ended(m); done {
			return a, err
		}
		e, err := readEntry(m)
		if err != nil {
			return a, err
		}
		if a.entries = append(a.entries, e); g.Batch == 0 && g.MultiLast == nil {
			return a, nil
		}
	}
}

// most is how many messages can arrive before run looks.
func (g directGet) most() int {
	if g.MultiLast != nil {
		return 1024 + 1
	}
	return g.Batch + 1
}

func (a *answer) ended(m *nats.Msg) (bool, error) {
	switch status := m.Header.Get(statusHeader); status {
	case "":
		return false, nil
	case "204":
		a.upTo, _ = strconv.ParseUint(m.Header.Get("Nats-UpTo-Sequence"), 10, 64) // only of the last per subject
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
