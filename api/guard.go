package api

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// guard stands before every route: where nobody has to say who they are it answers to
// the names of this machine and to no others (a page elsewhere cannot reach it by
// renaming itself to our address). It refuses what another site's page would change (its
// reads are harmless: without CORS headers the browser does not show it our answers),
// finds out who calls, and turns whatever goes wrong into a problem.
type guard struct {
	mux    *http.ServeMux
	porter *porter
	sites  *http.CrossOriginProtection
	failed func(operation string, err error)
	astray *astray
}

// astray is the page for people who ask for a path that is not there; until there is one
// they are answered as programs are.
type astray struct{ page http.Handler }

// ServeHTTP answers one request.
func (g guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	harden(w.Header())
	if !g.porter.Closed && !meant(r.Host) {
		problem(Misdirected, fmt.Sprintf("this is not the host %q", r.Host)).reply(w)
		return
	}
	if err := g.sites.Check(r); err != nil {
		problem(CrossSite, "").hint("call from a page of this host, or from a program").reply(w)
		return
	}
	if len(r.RequestURI) > maxURI {
		problem(LongURI, "").hint("send less; ids are short").reply(w)
		return
	}
	if n := headerBytes(r.Header); n > maxHeaders {
		problem(LargeHeaders, fmt.Sprintf("at most %d bytes, and these have %d", maxHeaders, n)).reply(w)
		return
	}
	who, p := g.porter.receive(r)
	if p == nil && len(who.Roles) > 0 { // for nobody else it is worth the memory
		p = unpacked(w, r)
	}
	if p != nil {
		p.reply(w)
		return
	}
	g.last(w, r.WithContext(WithVisitor(r.Context(), who)))
}

// last serves a request for as long as who sent it may come in: what is told on and on
// ends when the token is revoked or runs out, and when the browser signs out. What somebody
// changes who might is done to its end.
func (g guard) last(w http.ResponseWriter, r *http.Request) {
	who := VisitorOf(r.Context())
	if who.Name == "" || changing(r.Method) {
		g.serve(w, r)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	look := func() {
		if !g.porter.still(r, who) {
			cancel()
		}
	}
	beating(look, func() { g.serve(w, r.WithContext(ctx)) })
}

// serve answers a request of somebody who is known as far as they said.
func (g guard) serve(w http.ResponseWriter, r *http.Request) {
	defer g.rescue(w, r)
	answer := &conditional{ResponseWriter: w, match: r.Header.Get("If-None-Match")}
	if g.serveSlash(answer, r) {
		return
	}
	route, pattern := g.mux.Handler(r)
	if pattern == "" {
		g.lost(w, r, route)
		return
	}
	g.mux.ServeHTTP(answer, r)
}

// maxURI is the longest path with its query, in bytes: the longest text that an event may
// hold, percent-encoded.
const maxURI = 256 << 10

// maxHeaders is how much the headers may hold, in bytes: an event in binary mode has its
// attributes there. The server itself hangs up on much more.
const maxHeaders = 64 << 10

func headerBytes(h http.Header) (n int) {
	for name, values := range h {
		for _, value := range values {
			n += len(name) + len(value)
		}
	}
	return n
}

func harden(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache") // keep it, and ask whether it changed
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
}

// rescue answers when a route without an operation panicked; the panic's value
// may hold payload text and goes no further.
func (g guard) rescue(w http.ResponseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(v)
	}
	if g.failed != nil {
		g.failed(r.Pattern, panicked(v))
	}
	problem(Internal, "").reply(w)
}

// meant reports whether the request names this machine.
func meant(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// lost says that there is no such path, or that it takes other methods.
func (g guard) lost(w http.ResponseWriter, r *http.Request, route http.Handler) {
	said := verdict{header: http.Header{}}
	route.ServeHTTP(&said, r)
	if said.status == http.StatusMethodNotAllowed {
		allow := said.header.Get("Allow")
		problem(MethodNotAllowed, "the path takes "+allow).with("Allow", allow).reply(w)
		return
	}
	if people := g.astray.page; people != nil && strings.Contains(r.Header.Get("Accept"), "text/html") {
		people.ServeHTTP(w, r)
		return
	}
	problem(NotFound, "no such path").hint("GET /openapi.json lists them; a / within an id is written %2F").reply(w)
}

// verdict listens to what a route would answer.
type verdict struct {
	header http.Header
	status int
}

func (v *verdict) Header() http.Header            { return v.header }
func (v *verdict) Write(data []byte) (int, error) { return len(data), nil }
func (v *verdict) WriteHeader(status int)         { v.status = status }

// conditional answers 304 when the caller has what it would get.
type conditional struct {
	http.ResponseWriter
	match string
	same  bool
}

// WriteHeader turns 200 into 304 for a known tag.
func (c *conditional) WriteHeader(status int) {
	tag := c.Header().Get("ETag")
	if c.same = status == http.StatusOK && tag != "" && lists(c.match, tag); c.same {
		c.Header().Del("Content-Type")
		c.Header().Del("Content-Length")
		status = http.StatusNotModified
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write drops the body of a 304.
func (c *conditional) Write(data []byte) (int, error) {
	if c.same {
		return len(data), nil
	}
	return c.ResponseWriter.Write(data)
}

// Unwrap gives http.ResponseController what it wraps.
func (c *conditional) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// reply sends the problem from outside an operation.
func (p *Problem) reply(w http.ResponseWriter) {
	for name, values := range p.header {
		w.Header().Set(name, values[0])
	}
	w.Header().Set("Content-Type", mediaProblem)
	w.WriteHeader(p.Status)
	_, _ = w.Write(p.encode()) //nolint:gosec // JSON, and said to be nothing else
}
