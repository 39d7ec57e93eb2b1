package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/nats-io/nats.go"
)

// mcpHTTP serves the Model Context Protocol over streamable HTTP.
type mcpHTTP struct {
	door     *mcpDoor
	porter   *porter
	sessions *sessions
	next     http.Handler
	heard    *nats.Subscription // of changed contexts
}

// sessionIdle is how long a session lasts of which nothing is heard.
const sessionIdle = 15 * time.Minute

// sessionHeader names a session.
const sessionHeader = "Mcp-Session-Id"

// mcpOverHTTP makes the door.
func (a *API) mcpOverHTTP() (m *mcpHTTP, err error) {
	here := local{a}
	m = &mcpHTTP{door: &mcpDoor{host: here, offers: here.offers(), failed: a.deps.Failed}, porter: a.porter}
	m.sessions = newSessions(m.live)
	m.door.furnish(a.deps.Version, mcp.ServerOptions{
		GetSessionID: m.sessions.open,
		SubscribeHandler: func(ctx context.Context, req *mcp.SubscribeRequest) error {
			return m.door.exists(ctx, req.Params.URI)
		},
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	m.next = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return m.door.server }, &mcp.StreamableHTTPOptions{
		JSONResponse: true, SessionTimeout: sessionIdle,
		DisableLocalhostProtection: true, // the guard stands before it
	})
	m.heard, err = m.door.listen(context.Background(), a.deps.Conn) // until the door closes
	return m, err
}

// ServeHTTP answers one request.
func (m *mcpHTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := m.refuse(w, r); p != nil {
		p.reply(w)
		return
	}
	control := http.NewResponseController(w)
	answer := &rephrased{ResponseWriter: w, control: control}
	session := r.Header.Get(sessionHeader)
	if session == "" {
		leave, ok := m.sessions.enter(r)
		if !ok {
			return
		}
		defer func() { m.sessions.own(w.Header().Get(sessionHeader), VisitorOf(r.Context()).caller()); leave() }()
	}
	m.sessions.use(session)
	if r.Method == http.MethodGet {
		_ = control.SetReadDeadline(time.Time{}) // nothing more is read; a stream lasts
		m.stand(answer, r)
	} else {
		m.next.ServeHTTP(answer, r)
	}
	answer.end()
}

// refuse finds what is wrong with a request before the protocol begins.
func (m *mcpHTTP) refuse(w http.ResponseWriter, r *http.Request) *Problem {
	if who := VisitorOf(r.Context()); len(who.Roles) == 0 {
		return unauthorized()
	}
	if origin := r.Header.Get("Origin"); origin != "" && !ownOrigin(origin, r.Host) {
		return problem(CrossSite, "").hint("call from a page of this host, or from a program")
	}
	if r.Method != http.MethodPost {
		return nil
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	large, _ := errors.AsType[*http.MaxBytesError](err)
	switch {
	case large != nil:
		return problem(TooLarge, fmt.Sprintf("at most %d bytes at once", maxBody))
	case err != nil:
		return problem(BadRequest, "the body did not come whole")
	case !jsontext.Value(data).IsValid():
		return problem(BadRequest, "the body is not JSON")
	case jsontext.Value(data).Kind() == '[': // of any length, and all of it would be worked on at once
		return problem(BadRequest, "one message at a time").hint("the protocol has no batches since its version 2025-06-18")
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	return nil
}

// ownOrigin reports whether a page comes from the host that is asked.
func ownOrigin(origin, host string) bool {
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, host)
}

// live are the sessions that there are, by their ids.
func (m *mcpHTTP) live() map[string]*mcp.ServerSession {
	all := map[string]*mcp.ServerSession{}
	for s := range m.door.server.Sessions() {
		all[s.ID()] = s
	}
	return all
}

// close ends all sessions, and waits for what is done in them.
func (m *mcpHTTP) close() {
	_ = m.heard.Unsubscribe() // fails when the connection has gone, and all is well then
	m.sessions.close()
}
