package api

import (
	"cmp"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/errgroup"
)

// sessions keep the number of those bounded that clients leave open. Of the caller who has
// most the one that was not used for longest makes room, also for those that are just being
// opened: nobody ends others' sessions by opening more and more.
type sessions struct {
	live    func() map[string]*mcp.ServerSession // those that there are, by their ids
	opening chan struct{}                        // a place for each request that may open one
	ending  errgroup.Group                       // those that are closed: what is done in one is done to its end

	mu      sync.Mutex
	clock   uint64
	known   map[string]session // guarded by mu
	leaving map[string]bool    // guarded by mu: those that are closed
}

// session is what is known of one.
type session struct {
	owner string // who opened it; "" until it is open
	used  uint64 // when, by the clock
}

// Bounds of sessions.
const (
	mostSessions = 512 // open at a time
	mostOpening  = 64  // being opened
	mostEnding   = 64  // being closed; beyond it who opens one waits
)

func newSessions(live func() map[string]*mcp.ServerSession) *sessions {
	s := &sessions{live: live, opening: make(chan struct{}, mostOpening), known: map[string]session{}, leaving: map[string]bool{}}
	s.ending.SetLimit(mostEnding)
	return s
}

// enter waits for a place for a request that may open a session; leave gives it back.
func (s *sessions) enter(r *http.Request) (leave func(), ok bool) {
	select {
	case s.opening <- struct{}{}:
		return func() { <-s.opening }, true
	case <-r.Context().Done():
		return nil, false
	}
}

// open names a new session.
func (s *sessions) open() (id string) {
	id = rand.Text()
	s.end(s.note(id))
	return id
}

// note makes a session known, and returns those that make room.
func (s *sessions) note(id string) (surplus []*mcp.ServerSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	live := s.live()
	maps.DeleteFunc(s.leaving, func(id string, _ bool) bool { return live[id] == nil })
	maps.DeleteFunc(s.known, func(id string, of session) bool { // those just opened are not live yet
		return live[id] == nil && of.used+mostSessions < s.clock
	})
	s.known[id] = session{used: s.clock}
	maps.DeleteFunc(live, func(id string, _ *mcp.ServerSession) bool { return s.leaving[id] })
	for _, id := range s.first(slices.Collect(maps.Keys(live)), len(live)+len(s.opening)-mostSessions) {
		s.leaving[id] = true
		surplus = append(surplus, live[id])
	}
	return surplus
}

// first are as many sessions as make room: one after the other of who has most then. The
// caller holds mu.
func (s *sessions) first(live []string, surplus int) (out []string) {
	owner := func(id string) string { return cmp.Or(s.known[id].owner, id) }
	has := map[string]int{}
	for _, id := range live {
		has[owner(id)]++
	}
	for len(out) < surplus && len(live) > 0 {
		id := slices.MinFunc(live, func(x, y string) int {
			return cmp.Or(cmp.Compare(has[owner(y)], has[owner(x)]), cmp.Compare(s.known[x].used, s.known[y].used))
		})
		out = append(out, id)
		has[owner(id)]--
		live = slices.DeleteFunc(live, func(other string) bool { return other == id })
	}
	return out
}

// own notes who opened a session.
func (s *sessions) own(id, owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if of, known := s.known[id]; known {
		of.owner = owner
		s.known[id] = of
	}
}

// end closes sessions; their clients open others when they come back.
func (s *sessions) end(surplus []*mcp.ServerSession) {
	for _, session := range surplus {
		s.ending.Go(func() error {
			_ = session.Close() // it has ended
			return nil
		})
	}
}

// use notes that something was heard of a session.
func (s *sessions) use(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	if of, known := s.known[id]; known {
		of.used = s.clock
		s.known[id] = of
	}
}

// close ends all, and waits for what is done in them.
func (s *sessions) close() {
	s.end(slices.Collect(maps.Values(s.live())))
	_ = s.ending.Wait() // none fails
}
