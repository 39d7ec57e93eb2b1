package bus

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Cell is one key of a bucket: as it stands, or as it is to be.
type Cell struct {
	Key   string
	Value []byte
	// Revision is that of the key as it stands, 0 for a key that does not.
	Revision uint64
	// Keep is how long the server keeps what is put, in whole seconds; 0 for ever.
	Keep time.Duration
}

// Bucket reads and changes single keys of a bucket that is too large to be kept in memory.
type Bucket struct {
	js     jetstream.JetStream
	name   string
	append *Appender
}

// NewBucket uses the bucket of a name, which exists (see Ensure).
func NewBucket(js jetstream.JetStream, name string) *Bucket {
	return &Bucket{js: js, name: name, append: NewAppender(js.Conn(), streamOf(name))}
}

func streamOf(bucket string) string { return "KV_" + bucket }

func (b *Bucket) subject(key string) string { return "$KV." + b.name + "." + key }

// mostFound is how many keys of one pattern are returned where a search matches more than 1024.
const mostFound = 1000

// Find returns what stands under keys or patterns of keys, the oldest first. Where there is a great
// deal, these are the oldest 1000 of each pattern, or what fits into an answer; who removes what it
// found and searches again comes to the end of it.
func (b *Bucket) Find(ctx context.Context, patterns ...string) ([]Cell, error) {
	filters := make([]string, len(patterns))
	for i, p := range patterns {
		filters[i] = b.subject(p)
	}
	a, err := directGet{MultiLast: filters}.run(ctx, b.js.Conn(), streamOf(b.name))
	if errors.Is(err, errTooMany) {
		a.entries, err = b.oldest(ctx, filters)
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, fmt.Errorf("search bucket %s: %w", b.name, err)
	}
	var cells []Cell
	for _, e := range a.entries {
		if len(e.Header["KV-Operation"]) > 0 {
			continue // somebody deleted it, in the manner of a client
		}
		key := strings.TrimPrefix(e.Subject, b.subject(""))
		cells = append(cells, Cell{Key: key, Value: e.Data, Revision: e.Seq})
	}
	return cells, nil
}

func (b *Bucket) oldest(ctx context.Context, filters []string) (all []Entry, err error) {
	for _, filter := range filters {
		a, err := directGet{NextFor: filter, Batch: mostFound}.run(ctx, b.js.Conn(), streamOf(b.name))
		if err != nil && !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		all = append(all, a.entries...)
	}
	return all, nil
}

// Put changes keys, each named once, and returns when all are on disk. What fits into one atomic batch
// is put whole or not at all; after an error some batches may be there. It fails with ErrFenced when a
// key is not at its revision, and like Append.
func (b *Bucket) Put(ctx context.Context, cells []Cell) error {
	for rest := b.messages(cells); len(rest) > 0; {
		n := fitting(rest)
		if _, err := b.append.Append(ctx, rest[:n]); err != nil {
			return fmt.Errorf("put %d keys into bucket %s: %w", len(cells), b.name, err)
		}
		rest = rest[n:]
	}
	return nil
}

func (b *Bucket) messages(cells []Cell) []Message {
	msgs := make([]Message, len(cells))
	for i, c := range cells {
		msgs[i] = Message{Subject: b.subject(c.Key), Data: c.Value, ExpectLast: &c.Revision}
		if c.Keep > 0 {
			msgs[i].Header = map[string][]string{jetstream.MsgTTLHeader: {c.Keep.String()}}
		}
	}
	return msgs
}

// fitting is how many of the messages make one batch: one at least.
func fitting(msgs []Message) int {
	bytes := 0
	for i, m := range msgs {
		if bytes += m.size(); i > 0 && !fits(i+1, bytes) {
			return i
		}
	}
	return len(msgs)
}

// Remove deletes a key for good, unless it has changed since it was found. A key that is gone is fine.
func (b *Bucket) Remove(ctx context.Context, c Cell) error {
	return PurgeUpTo(ctx, b.js, Purge{streamOf(b.name), b.subject(c.Key), c.Revision})
}
