package web

import (
	"crypto/rand"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"
)

// Gate knows who looks, and lets people in.
type Gate interface {
	// Operator reports whether a request is an operator's.
	Operator(r *http.Request) bool
	// Enter lets in who shows a token, and reports whether it is one.
	Enter(w http.ResponseWriter, r *http.Request, token string) bool
	// Leave ends a visit.
	Leave(w http.ResponseWriter, r *http.Request)
}

// Sessions is a gate that remembers in a cookie who showed the token; it forgets when
// the process ends. Safe for concurrent use.
type Sessions struct {
	check func(token string) bool
	now   func() time.Time

	mu   sync.Mutex
	open map[[sha256.Size]byte]time.Time // guarded by mu; when each ends, by the digest of what the cookie holds
}

// NewSessions returns a gate for those whose token passes a check.
func NewSessions(check func(token string) bool, now func() time.Time) *Sessions {
	return &Sessions{check: check, now: now, open: map[[sha256.Size]byte]time.Time{}}
}

const (
	cookieName   = "learnloop"
	sessionTime  = 12 * time.Hour
	mostSessions = 100
)

// Operator reports whether a request brings the cookie of an open session.
func (s *Sessions) Operator(r *http.Request) bool {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now().Before(s.open[sha256.Sum256([]byte(c.Value))])
}

// Enter opens a session for who shows the token.
func (s *Sessions) Enter(w http.ResponseWriter, r *http.Request, token string) bool {
	if !s.check(token) {
		return false
	}
	secret := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.makeRoom()
	s.open[sha256.Sum256([]byte(secret))] = s.now().Add(sessionTime)
	http.SetCookie(w, cookie(r, secret, int(sessionTime/time.Second)))
	return true
}

// makeRoom ends sessions that are over, and the oldest when there are too many. It is
// called with mu held.
func (s *Sessions) makeRoom() {
	for id, end := range s.open {
		if !s.now().Before(end) {
			delete(s.open, id)
		}
	}
	for len(s.open) >= mostSessions {
		var oldest [sha256.Size]byte
		first := time.Time{}
		for id, end := range s.open {
			if first.IsZero() || end.Before(first) {
				oldest, first = id, end
			}
		}
		delete(s.open, oldest)
	}
}

// Leave ends the session of a request.
func (s *Sessions) Leave(w http.ResponseWriter, r *http.Request) {
	if c, err := r.Cookie(cookieName); err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, sha256.Sum256([]byte(c.Value)))
	}
	http.SetCookie(w, cookie(r, "", -1))
}

// cookie goes to this site alone, and not with what other sites ask for.
func cookie(r *http.Request, value string, age int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // on loopback there is no TLS
		Name: cookieName, Value: value, Path: "/", MaxAge: age,
		HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
	}
}
