package api

import (
	"crypto/rand"
	"maps"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions keep the number of those bounded that clients leave open: the one that was
// not used for longest makes room.
type sessions struct {
	mu    sync.Mutex
	clock uint64
	used  map[string]uint64 // guarded by mu: when, by the clock
}

// mostSessions is how many sessions may be open at a time.
const mostSessions = 512

// open names a new session; live are those that there are.
func (s *sessions) open(live map[string]*mcp.ServerSession) (id string) {
	id, oldest := s.enter(live)
	if oldest != nil {
		_ = oldest.Close() // its client opens another when it comes back
	}
	return id
}

func (s *sessions) enter(live map[string]*mcp.ServerSession) (id string, oldest *mcp.ServerSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	maps.DeleteFunc(s.used, func(id string, at uint64) bool { // those just opened are not live yet
		return live[id] == nil && at+mostSessions < s.clock
	})
	if len(live) >= mostSessions {
		least := s.clock
		for id, session := range live {
			if at := s.used[id]; at < least {
				least, oldest = at, session
			}
		}
	}
	id = rand.Text()
	s.used[id] = s.clock
	return id, oldest
}

// use notes that something was heard of a session. A client may call itself what it
// likes: names are kept up to a bound.
func (s *sessions) use(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock++
	if _, known := s.used[id]; known || id != "" && len(s.used) < 2*mostSessions {
		s.used[id] = s.clock
	}
}

// rephrased says what the protocol's library found wrong with a request the way every
// door of ours does, and gives every write its own time, however long a stream lasts.
type rephrased struct {
	http.ResponseWriter
	control *http.ResponseController
	status  int // of what was wrong; 0: nothing
	detail  strings.Builder
}

// WriteHeader holds back what is wrong.
func (w *rephrased) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends a part.
func (w *rephrased) Write(data []byte) (int, error) {
	if w.status != 0 {
		if w.detail.Len() < mostShown {
			w.detail.Write(data)
		}
		return len(data), nil
	}
	_ = w.control.SetWriteDeadline(time.Now().Add(writeTime)) // where there is none, nothing is lost
	return w.ResponseWriter.Write(data)
}

// Flush sends what was written.
func (w *rephrased) Flush() {
	if w.status == 0 {
		_ = w.control.Flush() // who has gone hears nothing
	}
}

// end says what was wrong, if anything was.
func (w *rephrased) end() {
	if w.status == 0 {
		return
	}
	code, hint := BadRequest, "docs/mcp.md shows how clients are set up"
	switch w.status {
	case http.StatusNotFound:
		code, hint = NotFound, "initialize again: the session has ended"
	case http.StatusMethodNotAllowed:
		code = MethodNotAllowed
	case http.StatusConflict:
		code, hint = Conflict, "one stream of a session at a time"
	case http.StatusUnsupportedMediaType:
		code, hint = UnsupportedMedia, "send Content-Type: "+mediaJSON
	case http.StatusInternalServerError:
		code = Internal
	}
	problem(code, strings.TrimSpace(w.detail.String())).hint(hint).reply(w.ResponseWriter)
}
