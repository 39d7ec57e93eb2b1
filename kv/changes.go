package kv

import (
	"context"
	"iter"
	"strings"
	"sync"
)

// Changes yields every context under the prefix whose revision changes from now
// on, deleted ones with Gone, until ctx or the reader ends. Who is slow sees
// only the latest of a key and never holds up the reader. The sequence can be
// read once.
func (r *Reader) Changes(ctx context.Context, prefix string) iter.Seq[Context] {
	w := r.watch(prefix)
	forget := context.AfterFunc(ctx, func() { r.forget(w) })
	return func(yield func(Context) bool) {
		defer forget()
		defer r.forget(w)
		for {
			c, ok := w.next()
			if ok {
				if !yield(c) {
					return
				}
				continue
			}
			select {
			case <-w.wake:
			case <-ctx.Done():
				return
			case <-r.ended:
				return
			}
		}
	}
}

func (r *Reader) watch(prefix string) *watcher {
	w := &watcher{prefix: prefix, latest: map[string]Context{}, wake: make(chan struct{}, 1)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchers[w] = struct{}{}
	return w
}

func (r *Reader) forget(w *watcher) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.watchers, w)
}

// announce tells the watchers what changed.
func (r *Reader) announce(c Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for w := range r.watchers {
		if strings.HasPrefix(c.Key, w.prefix) {
			w.add(c)
		}
	}
}

// rouse has the watchers look, though nothing changed that they are told of.
func (r *Reader) rouse() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for w := range r.watchers {
		w.rouse()
	}
}

// watcher is what one reader of Changes has not seen yet: the latest of each key.
type watcher struct {
	prefix string
	wake   chan struct{}

	mu     sync.Mutex
	latest map[string]Context
	order  []string // keys in the order of their oldest unseen change
}

func (w *watcher) add(c Context) {
	w.mu.Lock()
	if _, waiting := w.latest[c.Key]; !waiting {
		w.order = append(w.order, c.Key)
	}
	w.latest[c.Key] = c
	w.mu.Unlock()
	w.rouse()
}

func (w *watcher) rouse() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *watcher) next() (Context, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.order) == 0 {
		return Context{}, false
	}
	key := w.order[0]
	w.order = w.order[1:]
	c := w.latest[key]
	delete(w.latest, key)
	return c, true
}
