package api

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"learnloop.dev/access"
)

// stream opens what is told on and on.
func (h *house) stream(t *testing.T, path string, headers ...string) *bufio.Reader {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.web.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range append(headers, "Accept: "+mediaEvents) {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	res, err := h.web.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	if res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d", path, res.StatusCode)
	}
	return bufio.NewReader(res.Body)
}

func TestWhatIsToldOnAndOnEndsWithTheToken(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(book *access.Book, token access.Token){
		"revoked": func(book *access.Book, token access.Token) {
			token.Revoked = time.Now()
			book.Enter(token)
		},
		"struck": func(book *access.Book, token access.Token) { book.Strike(token.ID) },
		"run out": func(book *access.Book, token access.Token) {
			token.Expires = time.Now()
			book.Enter(token)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			book := &access.Book{}
			h := build(t, func(d *Deps) { d.Entrance.Tokens = book })
			sent := tokenOf(book, access.Read)
			token := book.All()[0]
			session := h.opened(t, sent)
			open := map[string]*bufio.Reader{"changes": h.stream(t, "/api/changes", sent), "agent": h.stream(t, "/mcp", session, sent)}
			others := h.stream(t, "/api/changes", asAdmin)
			end(book, token)
			for what, stream := range open {
				if _, err := io.ReadAll(stream); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			}
			h.put(t, "rule", "passive", passive)
			for line := ""; !strings.HasPrefix(line, "data: "); {
				var err error
				if line, err = others.ReadString('\n'); err != nil {
					t.Fatalf("another's stream: %v", err)
				}
			}
		})
	}
}

func TestWhatIsToldOnAndOnEndsWhenTheBrowserSignsOut(t *testing.T) {
	h := build(t)
	cookie, _ := h.api.porter.sessions.Open(access.Session{Name: operatorName}, time.Now())
	open := h.stream(t, "/api/changes", "Cookie: "+plainCookie+"="+cookie)
	h.api.porter.sessions.Close(cookie)
	if _, err := io.ReadAll(open); err != nil {
		t.Error(err)
	}
}
