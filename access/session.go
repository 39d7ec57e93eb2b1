package access

import (
	"crypto/rand"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	codeTime     = 15 * time.Minute // how long a link to sign in is good
	sessionTime  = 12 * time.Hour   // how long a browser stays signed in
	mostCodes    = 16               // links that are good at once; the oldest goes
	mostSessions = 256              // likewise
	mostOfToken  = 8                // sessions of one token; its oldest goes
)

// Session is a browser that somebody signed in.
type Session struct {
	Token string // the ID of the token it was opened with, "" for a link
	Name  string
	Until time.Time
}

// Sessions holds who is signed in, and the codes of links with which one may be. Only
// digests of what opens them are kept, in memory: a restart signs everybody out. It is
// safe for concurrent use; the zero value is empty.
type Sessions struct {
	mu    sync.Mutex
	codes map[string]time.Time // guarded by mu; when they end, by digest
	open  map[string]Session   // guarded by mu; by digest of the cookie
}

// Invite returns a code that signs one browser in, once, and until when.
func (s *Sessions) Invite(now time.Time) (code string, until time.Time) {
	code, until = rand.Text(), now.Add(codeTime)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.codes = put(s.codes, digest(code), until, bound[time.Time]{mostCodes, now, itself})
	return code, until
}

// Redeem takes a code, and reports whether it was good.
func (s *Sessions) Redeem(code string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	until, known := s.codes[digest(code)]
	delete(s.codes, digest(code))
	return known && now.Before(until)
}

// Open signs a browser in and returns its cookie.
func (s *Sessions) Open(session Session, now time.Time) (cookie string, _ Session) {
	cookie, session.Until = rand.Text(), now.Add(sessionTime)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.share(session.Token)
	s.open = put(s.open, digest(cookie), session, bound[Session]{mostSessions, now, Session.until})
	return cookie, session
}

// share ends the oldest of a token's sessions when it has as many as may be: nobody signs
// others out by signing in again and again. The caller holds mu.
func (s *Sessions) share(token string) {
	var own []string
	for cookie, session := range s.open {
		if token != "" && session.Token == token {
			own = append(own, cookie)
		}
	}
	if len(own) >= mostOfToken {
		delete(s.open, slices.MinFunc(own, func(x, y string) int { return s.open[x].Until.Compare(s.open[y].Until) }))
	}
}

// Find returns the session of a cookie.
func (s *Sessions) Find(cookie string, now time.Time) (session Session, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session, found = s.open[digest(cookie)]
	return session, found && now.Before(session.Until)
}

// Close signs a browser out.
func (s *Sessions) Close(cookie string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, digest(cookie))
}

func (s Session) until() time.Time { return s.Until }

func itself(until time.Time) time.Time { return until }

// bound keeps a map from growing: what has ended goes, and beyond most entries the one
// that ends first.
type bound[V any] struct {
	most  int
	now   time.Time
	until func(V) time.Time
}

func put[V any](m map[string]V, key string, value V, b bound[V]) map[string]V {
	if m == nil {
		m = map[string]V{}
	}
	maps.DeleteFunc(m, func(_ string, v V) bool { return !b.now.Before(b.until(v)) })
	if len(m) >= b.most {
		first := slices.MinFunc(slices.Collect(maps.Keys(m)), func(x, y string) int {
			return b.until(m[x]).Compare(b.until(m[y]))
		})
		delete(m, first)
	}
	m[key] = value
	return m
}
