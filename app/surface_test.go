package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// promised are the routes that the description of the product lists, each with what it is
// asked for, of the operations.
var promised = []string{
	"POST /v1/events",
	"GET /api/learnings", "POST /api/learnings", "GET /api/learnings/{id}", "PATCH /api/learnings/{id}", "DELETE /api/learnings/{id}",
	"GET /api/learnings/search", "POST /api/learnings/{id}/feedback", "POST /api/inject", "POST /api/tasks/{id}/output",
	"POST /api/feedback", "GET /api/feedback/stats", "GET /api/feedback/exchange/{id}", "GET /api/contexts/{kind}/{id}", "GET /api/rules/{id}",
	"GET /api/statistics", "GET /api/export", "POST /api/import", "POST /api/clear", "GET /api/privacy", "PUT /api/privacy",
	"GET /api/samples/export", "GET /api/samples/metrics", "GET /api/patterns", "POST /api/route", "GET /api/templates/match",
	"POST /api/prompt", "POST /api/rerank", "POST /api/calibrate",
	"GET /api/experiments", "POST /api/experiments", "POST /api/experiments/{name}/start", "POST /api/experiments/{name}/widen",
	"POST /api/experiments/{name}/stop", "POST /api/experiments/{name}/archive", "GET /api/experiments/{name}/report",
	"GET /api/preferences/{user}", "GET /api/explain/{key}", "GET /api/dlq", "GET /healthz", "GET /readyz",
}

// served are the routes beside the operations, and what they answer to an operator who
// sends nothing else.
var served = map[string]int{
	"GET /schemas": 200, "GET /openapi.json": 200, "GET /docs": 200, "GET /metrics": 200, "GET /debug/pprof/": 200, "GET /": 200,
	"POST /mcp": 400, // no message
}

// reading are promised routes that answer when there is nothing yet, and what is missing
// there.
var reading = map[string]int{
	"/api/learnings": 200, "/api/learnings/none": 404, "/api/learnings/search?q=a": 200, "/api/feedback/stats": 200, "/api/feedback/exchange/none": 404,
	"/api/contexts/rule/none": 200, "/api/contexts/category/none": 404, "/api/rules/none": 200, "/api/statistics": 200, "/api/export": 200,
	"/api/privacy": 200, "/api/samples/export": 200, "/api/samples/metrics": 200, "/api/patterns": 200, "/api/templates/match?goal=a": 200,
	"/api/experiments": 200, "/api/experiments/none/report": 404, "/api/preferences/ada": 200, "/api/explain/rule.none": 200, "/api/dlq": 200,
	"/healthz": 200, "/readyz": 200,
}

func TestEveryPromisedRouteIsDescribedAndAnswers(t *testing.T) {
	a := meet(t, t.TempDir())
	var d spec
	_, doc := a.ask(t, "GET /openapi.json", message{})
	if err := json.Unmarshal(doc, &d); err != nil {
		t.Fatal(err)
	}
	for _, line := range promised {
		method, path, _ := strings.Cut(line, " ")
		if _, described := d.Paths[path][strings.ToLower(method)]; !described {
			t.Errorf("%s is not described", line)
		}
	}
	for line, want := range served {
		if status, body := a.ask(t, line, a.operator(t)); status != want {
			t.Errorf("%s: %d %.200s", line, status, body)
		}
	}
	for path, want := range reading {
		if status, body := a.ask(t, "GET "+path, a.operator(t)); status != want {
			t.Errorf("%s: %d %.200s", path, status, body)
		}
	}
}

func TestARequestWithHugeHeadersIsRefusedAndTheLoopGoesOn(t *testing.T) {
	a := meet(t, t.TempDir())
	for _, size := range []int{65 << 10, 400 << 10, 4 << 20} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.Addresses().HTTP+"/healthz", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Padding", strings.Repeat("a", size))
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			continue // the server hung up while it was sent
		}
		_ = res.Body.Close()
		problem := res.Header.Get("Content-Type") == "application/problem+json"
		if res.StatusCode != http.StatusRequestHeaderFieldsTooLarge || size < 512<<10 && !problem {
			t.Errorf("%d bytes: %d %s", size, res.StatusCode, res.Header.Get("Content-Type"))
		}
	}
	if status, body := a.ask(t, "GET /healthz", message{}); status != http.StatusOK {
		t.Errorf("afterwards: %d %s", status, body)
	}
}
