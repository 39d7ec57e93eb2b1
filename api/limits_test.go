package api

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// trickle is a body that never ends, and its connection.
type trickle struct {
	*httptest.ResponseRecorder
	deadline time.Time
}

func (c *trickle) SetReadDeadline(t time.Time) error {
	c.deadline = t
	return nil
}

// Read has the time run out that the door gave.
func (c *trickle) Read([]byte) (int, error) {
	if c.deadline.IsZero() {
		panic("would be read for ever")
	}
	return 0, late{}
}

type late struct{}

func (late) Error() string   { return "i/o timeout" }
func (late) Timeout() bool   { return true }
func (late) Temporary() bool { return false }

func TestABodyThatDoesNotArriveIsNotWaitedFor(t *testing.T) {
	h := build(t)
	for _, headers := range []string{"", "gzip"} {
		c := &trickle{ResponseRecorder: httptest.NewRecorder()}
		r := httptest.NewRequest(http.MethodPost, "http://localhost/v1/events", c)
		r.Header.Set("Content-Type", "application/cloudevents+json")
		r.Header.Set("Content-Encoding", headers)
		h.api.Handler().ServeHTTP(c, r)
		if p := (response{c.Code, c.Header(), c.Body.String()}).problem(t); p.Code != Slow || p.Status != 408 || c.Header().Get("Connection") != "close" {
			t.Errorf("%+v", p)
		}
	}
}

func TestAPathOverTheLimitIsRefused(t *testing.T) {
	h := build(t)
	if p := h.get(t, "/api/contexts?prefix="+strings.Repeat("x", maxURI)).problem(t); p.Status != 414 || p.Code != LongURI {
		t.Errorf("%+v", p)
	}
}

func TestALargeAnswerIsCompressedForWhoTakesItSo(t *testing.T) {
	h := build(t)
	plain := h.get(t, "/openapi.json", "Accept-Encoding: identity")
	for _, given := range []string{"gzip", "br, GZIP;q=0.5", "deflate,gzip"} {
		got := h.get(t, "/openapi.json", "Accept-Encoding: "+given)
		z, err := gzip.NewReader(bytes.NewReader([]byte(got.body)))
		if err != nil {
			t.Fatalf("%s: %v", given, err)
		}
		if whole, err := io.ReadAll(z); err != nil || string(whole) != plain.body || got.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %v", given, err)
		}
	}
	for _, given := range []string{"br", "gzip;q=0", "gzip; q=0.0"} {
		if got := h.get(t, "/openapi.json", "Accept-Encoding: "+given); got.body != plain.body || got.header.Get("Content-Encoding") != "" {
			t.Errorf("%s: compressed", given)
		}
	}
	if got := h.get(t, "/healthz", "Accept-Encoding: gzip"); got.header.Get("Content-Encoding") != "" {
		t.Error("a small answer is compressed")
	}
}

func TestOneArgumentHasOneValue(t *testing.T) {
	h := build(t)
	for path, pointer := range map[string]string{
		"/api/contexts?limit=1&limit=2":     "/limit",
		"/api/contexts?prefix=%ff":          "/prefix",
		"/api/contexts?limit=1.5":           "/limit",
		"/api/contexts?a%2Fb~c=1&limit=1":   "/a~1b~0c",
		"/api/learnings?offset=-1":          "/offset",
		"/api/statistics?exclude_bulk=what": "/exclude_bulk",
	} {
		if p := h.get(t, path).problem(t); len(p.Errors) != 1 || p.Errors[0].Pointer != pointer {
			t.Errorf("%s: %+v", path, p)
		}
	}
	if got := h.get(t, "/api/contexts?limit=%2B007&prefix="); got.status != 200 {
		t.Errorf("a number in other words: %s", got.body)
	}
}
