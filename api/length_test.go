package api

import (
	"strconv"
	"testing"
)

func TestAnAnswerSaysHowLongItIs(t *testing.T) {
	h := furnished(t)
	for _, path := range []string{"/api/learnings", "/api/contexts/rule/passive"} {
		got := h.get(t, path, "Accept-Encoding: identity")
		if want := strconv.Itoa(len(got.body)); got.header.Get("Content-Length") != want {
			t.Errorf("%s: Content-Length %q, want %s", path, got.header.Get("Content-Length"), want)
		}
	}
	tag := h.get(t, "/api/contexts/rule/passive").header.Get("ETag")
	if same := h.get(t, "/api/contexts/rule/passive", "If-None-Match: "+tag); same.status != 304 || same.body != "" {
		t.Errorf("%d %q, want 304 and nothing", same.status, same.body)
	}
}
