package bus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"learnloop.dev/inorder"
)

// ErrBehind means that the replica that answered has not come as far as the caller knows the stream to
// be: ask again, and another one answers or it has caught up.
var ErrBehind = errors.New("replica is behind")

// Latest reads the last messages of subjects of one stream.
type Latest struct {
	js     jetstream.JetStream
	stream string
}

// NewLatest is a reader of a stream.
func NewLatest(js jetstream.JetStream, stream string) Latest { return Latest{js, stream} }

// LastPerSubject returns the last message of every subject that matches one of the filters, in log order;
// up to 1024 subjects as of one moment.
func LastPerSubject(ctx context.Context, js jetstream.JetStream, stream string, filters ...string) ([]Entry, error) {
	return NewLatest(js, stream).PerSubject(ctx, 0, filters...)
}

// PerSubject is LastPerSubject as of the sequence since or later; ErrBehind when the answer is older.
// The subject of that sequence has to be among those asked for.
func (l Latest) PerSubject(ctx context.Context, since uint64, filters ...string) ([]Entry, error) {
	a, err := directGet{MultiLast: filters}.run(ctx, l.js.Conn(), l.stream)
	switch {
	case errors.Is(err, ErrNotFound) && len(a.entries) == 0: // else one was lost on the way
		err = nil
	case errors.Is(err, errTooMany):
		a, err = l.many(ctx, filters)
	}
	if err == nil && a.upTo < since {
		err = ErrBehind
	}
	if err != nil {
		return nil, fmt.Errorf("get last per subject from %s: %w", l.stream, err)
	}
	return a.entries, nil
}

// quiet is how long a reader of many subjects waits before it asks whether there is more.
const quiet = 500 * time.Millisecond

// many reads through a consumer, where the server does not answer at once for so many subjects.
func (l Latest) many(ctx context.Context, filters []string) (a answer, err error) {
	log := ReadLog(l.js, l.stream, 1, filters...)
	log.latest = true
	defer log.Close()
	last := map[string]Entry{}
	for done := false; !done; {
		var entries []Entry
		if entries, done, err = log.upToDate(ctx); err != nil {
			return a, err
		}
		for _, e := range entries {
			last[e.Subject] = e
			a.upTo = max(a.upTo, e.Seq)
		}
	}
	bySeq := func(a, b Entry) int { return cmp.Compare(a.Seq, b.Seq) }
	a.entries = inorder.Sorted(maps.Values(last), bySeq)
	return a, nil
}

// upToDate returns what there is, and whether that was all. Entries that were announced and vanished
// before they were sent never come, so that after a while it asks the server.
func (l *Log) upToDate(ctx context.Context) (entries []Entry, all bool, err error) {
	if err := l.pull.ready(ctx); err != nil { // however long that takes
		return nil, false, err
	}
	soon, cancel := context.WithTimeout(ctx, quiet)
	defer cancel()
	entries, err = l.Next(soon)
	if err == nil {
		return entries, entries[len(entries)-1].Pending == 0, nil
	}
	switch {
	case soon.Err() == nil || ctx.Err() != nil:
		return nil, false, err
	case l.pull.sub == nil:
		return nil, false, nil // it was lost meanwhile
	}
	c, err := l.js.Consumer(ctx, l.stream, l.pull.consumer)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		l.pull.stop() // the next look makes another
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("ask whether there is more: %w", err)
	}
	i := c.CachedInfo()
	return nil, i.NumPending == 0 && i.Delivered.Consumer == l.seen, nil
}
