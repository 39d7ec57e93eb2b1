package kv

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Entry is what a key is to hold.
type Entry struct {
	Key     string
	Value   []byte      // canonical bytes; nil deletes the key
	Insight uint64      // stream sequence of the insight it was made from
	Header  nats.Header // what is known beside the value: times, trace context
}

// Change is a key whose value changed, and the bucket's revision of it since.
type Change struct {
	Key      string
	Revision uint64
}

const (
	attempts  = 8                    // conflicts in a row before a Put gives up
	yieldTime = 5 * time.Millisecond // before reading again what a replica may not have yet; doubled
)

// ErrContended means that other writers changed the same keys again and again;
// putting the entries again is safe.
var ErrContended = errors.New("other writers keep changing the keys")

// ErrUnfit means that no bucket can hold some of the entries; the others are written.
var ErrUnfit = errors.New("not for a bucket")

// Writer puts entries into one bucket when their bytes differ from what is
// there. Any number of writers may share a bucket: an entry made from an older
// insight never replaces one made from a newer insight.
type Writer struct {
	reader *Reader
	stream jetstream.Stream
	atomic bool // the bucket takes many keys as one batch
	lost   lost

	mu    sync.Mutex
	known map[string]state // what this writer put, read or found to be right
	// confirmed are entries that the bucket held already, made from newer insights
	// than it says: see Keep.
	confirmed map[string]Entry
	life      uint64 // of the bucket that these speak about
}

// state is what is known about a key. It may be out of date: the server checks
// the revision.
type state struct {
	revision, insight uint64
	gone              bool
	sum               [sha256.Size]byte
}

// NewWriter returns a Writer into the bucket of a Reader, from which it learns
// what others put; the Reader must keep every key. Where the bucket's stream allows
// atomic publishing, many entries are written in batches of one disk sync each.
func NewWriter(ctx context.Context, r *Reader) (*Writer, error) {
	if len(r.feed.keys) > 0 {
		return nil, fmt.Errorf("write bucket %s: the reader keeps only %q", r.feed.bucket, r.feed.keys)
	}
	stream, err := r.feed.look(ctx)
	if err != nil {
		return nil, err
	}
	return &Writer{
		reader: r, stream: stream, known: map[string]state{}, confirmed: map[string]Entry{},
		atomic: stream.CachedInfo().Config.AllowAtomicPublish,
	}, nil
}

// lost says which insights went in a crash: those above a number, which revisions
// up to another were made from.
type lost struct{ above, until uint64 }

// Distrust says that the insights above a number were lost before this writer was
// made, and that other ones will have their numbers. Call it before the first Put.
func (w *Writer) Distrust(above uint64) {
	w.lost = lost{above, w.stream.CachedInfo().State.LastSeq}
}

// Put writes the entries that differ from what the bucket holds and are not
// made from an older insight, and returns the keys that changed. Of several
// entries for one key the newest counts. After an error some may be written;
// putting them all again is safe. It fails with ErrUnfit only when nothing else is
// the matter.
func (w *Writer) Put(ctx context.Context, entries []Entry) (changed []Change, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	todo, unfit := w.newest(entries)
	if err = w.settle(ctx, todo); err == nil {
		changed, err = w.put(ctx, todo)
	}
	if err == nil {
		err = unfit
	}
	if err != nil {
		return changed, fmt.Errorf("put %d keys into %s: %w", len(entries), w.reader.feed.bucket, err)
	}
	return changed, nil
}

// settle makes what is known about the entries' keys fit to decide by: it is
// asked for while the reader does not follow the bucket.
func (w *Writer) settle(ctx context.Context, entries []Entry) error {
	live := w.reader.Live()
	w.renew()
	if live {
		return nil
	}
	return w.reread(ctx, entries, 0)
}

// renew forgets what is known about a bucket that is no longer there.
func (w *Writer) renew() {
	if life := w.reader.lives.Load(); life != w.life {
		clear(w.known)
		clear(w.confirmed)
		w.life = life
	}
}

// put writes what differs until nothing does.
func (w *Writer) put(ctx context.Context, todo []Entry) (changed []Change, err error) {
	for try := range attempts {
		todo = w.differing(todo)
		if len(todo) == 0 {
			return changed, nil
		}
		taken, contended, err := w.publish(ctx, todo)
		changed = append(changed, taken...)
		if err == nil && len(contended) > 0 {
			err = w.reread(ctx, contended, yieldTime<<try)
		}
		if err != nil {
			return changed, err
		}
		todo = contended
	}
	return changed, ErrContended
}

// newest returns the newest entry of each key, and why others are unfit.
func (w *Writer) newest(entries []Entry) (kept []Entry, unfit error) {
	const headers = 4096 // room that a message needs beside its value
	room := w.reader.feed.nc.MaxPayload() - headers
	place := make(map[string]int, len(entries))
	for _, e := range entries {
		if err := e.check(room); err != nil {
			unfit = errors.Join(unfit, err)
			continue
		}
		i, again := place[e.Key]
		switch {
		case !again:
			place[e.Key] = len(kept)
			kept = append(kept, e)
		case e.Insight >= kept[i].Insight:
			kept[i] = e
		}
	}
	return kept, unfit
}

// differing leaves out what the bucket holds already, or holds newer.
func (w *Writer) differing(entries []Entry) []Entry {
	var out []Entry
	for _, e := range entries {
		s := w.lookup(e.Key)
		switch {
		case e.Insight < s.insight:
		case s.holds(e):
			s.insight = e.Insight // older ones must not come after this one
			w.known[e.Key] = s
			w.confirm(e, s.revision)
		default:
			w.known[e.Key] = s // what was judged by is what the server has to find
			out = append(out, e)
		}
	}
	return out
}

// lookup returns the latest that this writer or its reader knows about a key.
func (w *Writer) lookup(key string) state {
	s, ok := w.known[key]
	if !ok {
		s.gone = true
	}
	if c := w.reader.last(key); c != nil && c.Revision > s.revision {
		return w.stateOf(c.stored())
	}
	return s
}

// learn remembers what the bucket holds under a key.
func (w *Writer) learn(s stored) { w.known[s.key] = w.stateOf(s) }

func (w *Writer) stateOf(s stored) state {
	insight := w.trusted(s)
	if insight > 0 { // what this writer confirmed is no older for being replaced
		insight = max(insight, w.confirmed[s.key].Insight)
	}
	return state{
		revision: s.revision, insight: insight,
		gone: s.value == nil, sum: sha256.Sum256(s.value),
	}
}

// trusted is the insight that an entry was made from; 0 when unknown or lost.
func (w *Writer) trusted(s stored) uint64 {
	if s.revision <= w.lost.until && s.insight > w.lost.above {
		return 0
	}
	return s.insight
}

// holds reports whether the key holds the entry's bytes, or neither has any.
func (s state) holds(e Entry) bool {
	if s.gone || e.Value == nil {
		return s.gone && e.Value == nil
	}
	return s.sum == sha256.Sum256(e.Value)
}
