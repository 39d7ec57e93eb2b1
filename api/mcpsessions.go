package api

import (
	"cmp"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"sync"

	"learnloop.dev/inorder"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/errgroup"
)

// sessions keep the number of those bounded that clients leave open: those that were not
// used for longest make room, also for those that are just being opened.
type sessions struct {
	live    func() map[string]*mcp.ServerSession // those that there are, by their ids
	opening chan struct{}                        // a place for each request that may open one
	ending  errgroup.Group                       // those that are closed: what is done in one is done to its end

	mu      sync.Mutex
	clock   uint64
	used    map[string]uint64 // guarded by mu: when, by the clock
	leaving map[string]bool   // guarded by mu: those that are closed
}

// Bounds of sessions.
const (
	mostSessions = 512 // open at a time
	mostOpening  = 64  // being opened
	mostEnding   = 64  // being closed; beyond it who opens one waits
)

func newSessions(live func() map[string]*mcp.ServerSession) *sessions {
	s := &sessions{live: live, opening: make(chan struct{}, mostOpening), used: map[string]uint64{}, leaving: map[string]bool{}}
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
	maps.DeleteFunc(s.used, func(id string, at uint64) bool { // those just opened are not live yet
		return live[id] == nil && at+mostSessions < s.clock
	})
	s.used[id] = s.clock
	maps.DeleteFunc(live, func(id string, _ *mcp.ServerSession) bool { return s.leaving[id] })
	byUse := inorder.Sorted(maps.Keys(live), func(x, y string) int { return cmp.Compare(s.used[x], s.used[y]) })
	for _, id := range byUse[:min(len(byUse), max(0, len(live)+len(s.opening)-mostSessions))] {
		s.leaving[id] = true
		surplus = append(surplus, live[id])
	}
	return surplus
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
	if _, known := s.used[id]; known {
		s.used[id] = s.clock
	}
}

// close ends all, and waits for what is done in them.
func (s *sessions) close() {
	s.end(slices.Collect(maps.Values(s.live())))
	_ = s.ending.Wait() // none fails
}
