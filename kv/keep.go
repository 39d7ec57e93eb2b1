package kv

import (
	"context"
	"fmt"
)

// Keep keeps the bucket from going back, until ctx is done. An insight that
// changes nothing is not written, so that the bucket does not tell others of it:
// a writer that is late with an older insight replaces what is right. The writer
// that knows better puts it back here. Keep ends early with an error when the
// bucket cannot be written; call it again.
func (w *Writer) Keep(ctx context.Context) error {
	if err := w.keep(ctx); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

func (w *Writer) keep(ctx context.Context) error {
	changes := w.reader.Changes(ctx, "")
	for _, key := range w.outdated() { // while nobody kept it
		if err := w.restore(ctx, key); err != nil {
			return err
		}
	}
	for c := range changes {
		if err := w.restore(ctx, c.Key); err != nil {
			return err
		}
	}
	return nil
}

// confirm remembers an entry that the bucket holds in a revision.
func (w *Writer) confirm(e Entry, revision uint64) {
	if c := w.reader.last(e.Key); c != nil && c.Revision == revision {
		e.Value = c.Value // there is no need for a second copy
	}
	w.confirmed[e.Key] = e
}

// outdated lists the keys that hold something older than what was confirmed.
func (w *Writer) outdated() (keys []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.renew()
	for key := range w.confirmed {
		if w.older(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// older reports whether a key holds something older than what was confirmed.
func (w *Writer) older(key string) bool {
	c := w.reader.last(key)
	if c == nil || c.Revision < w.known[key].revision {
		return false // the reader has not come as far
	}
	insight := w.trusted(c.stored())
	return insight > 0 && insight < w.confirmed[key].Insight && !w.stateOf(c.stored()).holds(w.confirmed[key])
}

// restore puts back what was confirmed if the key holds something older.
func (w *Writer) restore(ctx context.Context, key string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.renew()
	if !w.older(key) {
		return nil
	}
	if _, err := w.put(ctx, []Entry{w.confirmed[key]}); err != nil {
		return fmt.Errorf("put %s back into %s: %w", key, w.reader.feed.bucket, err)
	}
	return nil
}
