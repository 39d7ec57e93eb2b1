package web

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// TopicLearning is what changes of learnings are called; those of contexts by their kind.
const TopicLearning = "learning"

// What pages follow besides.
const (
	topicLetter = "letter"
	topicPulse  = "pulse" // streams and readers moved
)

const (
	mostWatchers = 200                    // pages that are open at a time
	restTime     = 300 * time.Millisecond // between two tidings to one page
	aliveTime    = 20 * time.Second       // how often a quiet connection says that it is there
	writeTime    = 10 * time.Second       // how long a page may take to read one
)

// hub tells open pages what changed. Safe for concurrent use.
type hub struct {
	done    chan struct{} // closed when nothing more is told
	arrived chan struct{}

	mu       sync.Mutex
	watchers map[*watcher]struct{} // guarded by mu
	closed   bool                  // guarded by mu
}

// watcher is an open page.
type watcher struct {
	topics map[string]struct{} // guarded by the hub's mu; what changed since it was told
	wake   chan struct{}
}

func newHub() *hub {
	return &hub{done: make(chan struct{}), arrived: make(chan struct{}, 1), watchers: map[*watcher]struct{}{}}
}

// tell notes for every open page that something changed.
func (l *hub) tell(topic string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for w := range l.watchers {
		w.topics[topic] = struct{}{}
		signal(w.wake)
	}
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is known already
	}
}

// admit adds a page, unless there are too many.
func (l *hub) admit() (w *watcher, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.watchers) >= mostWatchers {
		return nil, false
	}
	w = &watcher{topics: map[string]struct{}{}, wake: make(chan struct{}, 1)}
	l.watchers[w] = struct{}{}
	signal(l.arrived)
	return w, true
}

func (l *hub) dismiss(w *watcher) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.watchers, w)
}

// watched reports whether a page is open.
func (l *hub) watched() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.watchers) > 0
}

// taken returns what changed for a page since it was told.
func (l *hub) taken(w *watcher) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	topics := slices.Sorted(maps.Keys(w.topics))
	clear(w.topics)
	return strings.Join(topics, " ")
}

func (l *hub) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		close(l.done)
	}
}

// Tell says that contexts of a kind changed, or learnings. It never waits.
func (s *Site) Tell(topic string) { s.live.tell(topic) }

// Run looks at the streams while a page is open, and lets pages go when the context ends.
func (s *Site) Run(ctx context.Context) error {
	defer s.live.close()
	tick := time.NewTicker(glance)
	defer tick.Stop()
	for {
		if !s.live.watched() {
			select {
			case <-s.live.arrived:
			case <-ctx.Done():
				return nil
			}
		}
		s.look(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// follow tells a page what changes, as server-sent events.
func (s *Site) follow(w http.ResponseWriter, r *http.Request) {
	page, ok := s.live.admit()
	if !ok {
		w.Header().Set("Retry-After", "10")
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	defer s.live.dismiss(page)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := tidings{w, http.NewResponseController(w)}
	if out.control.SetReadDeadline(time.Time{}) != nil || out.write("retry: 1000\n\n") != nil {
		return
	}
	alive := time.NewTicker(aliveTime)
	defer alive.Stop()
	for s.report(r.Context(), page, out, alive.C) == nil {
		continue
	}
}

var errOver = errors.New("the page is closed")

// report waits for something to tell, and tells it.
func (s *Site) report(ctx context.Context, page *watcher, out tidings, alive <-chan time.Time) error {
	select {
	case <-ctx.Done():
		return errOver
	case <-s.live.done:
		return errOver
	case <-alive:
		return out.write(": here\n\n")
	case <-page.wake:
	}
	if err := out.write("event: change\ndata: " + s.live.taken(page) + "\n\n"); err != nil {
		return err
	}
	rest := time.NewTimer(restTime) // more that changes meanwhile is told together
	defer rest.Stop()
	select {
	case <-rest.C:
		return nil
	case <-s.live.done:
		return errOver
	case <-ctx.Done():
		return errOver
	}
}

// tidings go to one page.
type tidings struct {
	io.Writer
	control *http.ResponseController
}

func (t tidings) write(text string) error {
	if err := t.control.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	if _, err := io.WriteString(t, text); err != nil {
		return err
	}
	return t.control.Flush()
}
