package api

import (
	"context"
	"testing"

	"learnloop.dev/pipeline/ingest"
)

// silent is an issuer whose orders nobody hears.
type silent struct{}

func (silent) Issue(context.Context, ingest.Order) (map[int]uint64, error) { return nil, nil }

func TestAChangeFromAnotherStateIsRefused(t *testing.T) {
	h, _ := school(t)
	made := h.do(t, "POST /api/learnings", `{"id":"one","title":"t",`+coia+`}`)
	seen := made.header.Get("ETag")
	first := h.do(t, "PATCH /api/learnings/one", `{"title":"first"}`, asAdmin, "If-Match: "+seen)
	if first.status != 200 || seen == "" {
		t.Fatalf("%d %s", first.status, first.body)
	}
	for line, body := range map[string]string{
		"PATCH /api/learnings/one":       `{"title":"second"}`,
		"DELETE /api/learnings/one":      ``,
		"POST /api/learnings/one/review": `{"verdict":"rejected"}`,
	} {
		got := h.do(t, line, body, asAdmin, "If-Match: "+seen)
		if p := got.problem(t); p.Code != Outdated || p.Status != 412 || got.header.Get("ETag") != first.header.Get("ETag") {
			t.Errorf("%s: %d %s", line, got.status, got.body)
		}
	}
	if got := h.do(t, "PATCH /api/learnings/one", `{"title":"third"}`, asAdmin, `If-Match: "other", `+first.header.Get("ETag")); got.status != 200 {
		t.Errorf("from the present state: %s", got.body)
	}
	if got := h.do(t, "DELETE /api/learnings/one", ``, asAdmin, "If-Match: *"); got.status != 200 {
		t.Errorf("from any state: %s", got.body)
	}
}

func TestATemplateIsForgottenFromTheStateThatWasSeen(t *testing.T) {
	h := furnished(t, func(d *Deps) { d.Issuer = silent{} })
	tag := h.get(t, "/api/templates/bug%20fix").header.Get("ETag")
	if p := h.do(t, "DELETE /api/templates/bug%20fix", "", asAdmin, `If-Match: "other"`).problem(t); tag == "" || p.Code != Outdated {
		t.Errorf("%q %+v", tag, p)
	}
}
