package bus

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const forgetReader = 2 * time.Minute // the server drops the consumer of a reader that stays away this long

// Entry is one message of a stream.
type Entry struct {
	Seq     uint64
	Subject string
	Header  map[string][]string
	Data    []byte
	Value   any // what Data says, if it came through a Tap and is known
	Stored  time.Time
	Pending uint64 // entries of the same read that were still to come when this one was sent
}

// Log reads a stream in order and without gaps. It keeps no place on the server: where to begin is the
// reader's knowledge, committed together with what it did with the entries. One goroutine uses it.
type Log struct {
	js      jetstream.JetStream
	stream  string
	filters []string
	latest  bool   // only the last entry of each subject
	last    uint64 // sequence of the last entry returned
	seen    uint64 // messages received from the present consumer
	pull    puller
}

// ReadLog reads the entries of a stream from a sequence on whose subject matches one of the filters,
// all when there is none. Close it when done.
func ReadLog(js jetstream.JetStream, stream string, from uint64, filters ...string) *Log {
	l := &Log{js: js, stream: stream, filters: filters, last: max(from, 1) - 1}
	l.pull = puller{nc: js.Conn(), stream: stream, bytes: windowBytes, batch: windowBytes, open: l.open}
	return l
}

// Next blocks until there are entries and returns what is there, at most 1000. It waits out
// disconnects; it fails when ctx is done, the stream is gone, or the connection is closed.
func (l *Log) Next(ctx context.Context) ([]Entry, error) {
	for {
		msgs, err := l.pull.next(ctx)
		if err != nil {
			return nil, err
		}
		if entries := l.entries(msgs); len(entries) > 0 {
			return entries, nil
		}
	}
}

// entries stops at a gap, from where the reader starts anew.
func (l *Log) entries(msgs []*nats.Msg) []Entry {
	entries := make([]Entry, 0, len(msgs))
	for _, m := range msgs {
		meta, err := m.Metadata()
		if err != nil || meta.Sequence.Consumer != l.seen+1 {
			l.pull.stop()
			break
		}
		l.seen, l.last = meta.Sequence.Consumer, meta.Sequence.Stream
		entries = append(entries, Entry{
			Seq: meta.Sequence.Stream, Subject: m.Subject, Header: m.Header, Data: m.Data,
			Stored: meta.Timestamp, Pending: meta.NumPending,
		})
	}
	return entries
}

// open creates a consumer behind the last entry returned.
func (l *Log) open(ctx context.Context) (string, error) {
	l.forget()
	config := jetstream.ConsumerConfig{
		Name:              rand.Text(),
		DeliverPolicy:     jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:       l.last + 1,
		FilterSubjects:    l.filters,
		AckPolicy:         jetstream.AckNonePolicy,
		InactiveThreshold: forgetReader,
		MemoryStorage:     true,
		Replicas:          1,
	}
	if len(l.filters) == 1 { // the server's permissions can tell it then
		config.FilterSubject, config.FilterSubjects = l.filters[0], nil
	}
	if l.latest {
		config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverLastPerSubjectPolicy, 0
	}
	c, err := l.js.CreateConsumer(ctx, l.stream, config)
	if err != nil {
		return "", fmt.Errorf("read %s from %d: %w", l.stream, l.last+1, err)
	}
	l.seen = 0
	return c.CachedInfo().Name, nil
}

// forget deletes the consumer of before, without waiting; the server would do it after a while.
func (l *Log) forget() {
	if l.pull.consumer != "" {
		_ = l.js.Conn().Publish("$JS.API.CONSUMER.DELETE."+l.stream+"."+l.pull.consumer, nil)
		l.pull.consumer = ""
	}
}

// Close ends the reading; the connection stays open.
func (l *Log) Close() {
	l.pull.stop()
	l.forget()
}
