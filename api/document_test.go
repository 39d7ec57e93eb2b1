package api

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json/jsontext"
)

// described is as much of an OpenAPI document as is checked.
type described struct {
	OpenAPI string `json:"openapi"`
	Info    struct {
		Version string `json:"version"`
	} `json:"info"`
	Paths      map[string]map[string]route `json:"paths"`
	Components struct {
		Schemas map[string]jsontext.Value `json:"schemas"`
	} `json:"components"`
}

type route struct {
	ID         string `json:"operationId"` //nolint:tagliatelle // OpenAPI writes it so
	Summary    string `json:"summary"`
	Parameters []struct {
		Name string `json:"name"`
		In   string `json:"in"`
	} `json:"parameters"`
	Body struct {
		Content map[string]jsontext.Value `json:"content"`
	} `json:"requestBody"` //nolint:tagliatelle // OpenAPI writes it so
	Security  []map[string][]string `json:"security"`
	Responses map[string]struct {
		Content map[string]jsontext.Value `json:"content"`
	} `json:"responses"`
}

func TestTheDocumentDescribesEveryOperation(t *testing.T) {
	h := build(t)
	got := h.get(t, "/openapi.json")
	if got.header.Get("Content-Type") != "application/openapi+json" {
		t.Errorf("content type %s", got.header.Get("Content-Type"))
	}
	var doc described
	got.read(t, &doc)
	if doc.OpenAPI != "3.1.0" || doc.Info.Version != "1.2.3" {
		t.Errorf("OpenAPI %s of version %s", doc.OpenAPI, doc.Info.Version)
	}
	for _, e := range h.api.registry.entries {
		r, ok := doc.Paths[e.path][strings.ToLower(e.method)]
		if !ok || r.ID != strings.ReplaceAll(e.name, ".", "-") || r.Summary == "" {
			t.Errorf("%s is described as %+v", e.name, r)
			continue
		}
		checkRoute(t, e, r)
	}
	for name := range references(got.body) {
		if doc.Components.Schemas[name] == nil {
			t.Errorf("refers to a schema %s that is not there", name)
		}
	}
	if doc.Components.Schemas["ErrorModel"] != nil {
		t.Error("describes errors that are not ours")
	}
}

func checkRoute(t *testing.T, e entry, r route) {
	t.Helper()
	if r.Responses["default"].Content[mediaProblem] == nil {
		t.Errorf("%s: no problem among %v", e.name, slices.Collect(maps.Keys(r.Responses)))
	}
	ok := 0
	for status, answer := range r.Responses {
		if strings.HasPrefix(status, "2") && answer.Content[mediaJSON] != nil {
			ok++
		}
	}
	if ok == 0 {
		t.Errorf("%s: no answer is described", e.name)
	}
	for _, p := range r.Parameters {
		if p.In == "path" && !strings.Contains(e.path, "{"+p.Name+"}") {
			t.Errorf("%s: %s is not in the path", e.name, p.Name)
		}
	}
	if named := strings.Count(e.path, "{"); named != count(r, "path") {
		t.Errorf("%s: %d parameters of its path are described", e.name, count(r, "path"))
	}
	if closed := len(r.Security) == 1 && r.Security[0][adminScheme] != nil; closed == e.access.anonymous() {
		t.Errorf("%s of access %v: security %v", e.name, e.access, r.Security)
	}
	want := 1 // content types
	switch e.name {
	case "events.publish":
		want = 3
	case "dlq.redrive":
		want = 0
	}
	if e.in == reflect.TypeFor[NoArgs]() {
		want = 0
	}
	if e.method == http.MethodPost && len(r.Body.Content) != want {
		t.Errorf("%s takes %v", e.name, slices.Collect(maps.Keys(r.Body.Content)))
	}
}

func count(r route, in string) (n int) {
	for _, p := range r.Parameters {
		if p.In == in {
			n++
		}
	}
	return n
}

// references returns the names of the schemas a document refers to.
func references(doc string) map[string]bool {
	names := map[string]bool{}
	for _, rest := range strings.Split(doc, `"#/components/schemas/`)[1:] {
		name, _, _ := strings.Cut(rest, `"`)
		names[name] = true
	}
	return names
}

func TestEverySchemaIsServedUnderEachOfItsNames(t *testing.T) {
	h := build(t)
	var list struct {
		Schemas []listed `json:"schemas"`
	}
	h.get(t, "/schemas").read(t, &list)
	if n := len(slices.Collect(events.All())); len(list.Schemas) != n {
		t.Errorf("%d of %d schemas are listed", len(list.Schemas), n)
	}
	for _, s := range list.Schemas {
		want, _ := schemas.Kind(s.Kind)
		for _, name := range []string{s.Kind, s.Kind + ".v1", s.Kind + ".v1.json", s.Type} {
			if got := h.get(t, "/schemas/"+name); got.status != 200 || got.body != string(want) {
				t.Errorf("%s: %d", name, got.status)
			}
		}
		if s.Title == "" || h.get(t, s.Path).status != 200 {
			t.Errorf("listed as %+v", s)
		}
	}
}

func TestTheManualIsServedWithWhatItLoads(t *testing.T) {
	h := build(t)
	for path, want := range map[string]string{
		"/docs": "<h1", "/docs/": "<h1", "/docs/settings": "<table", "/docs/reference/operations": "<h1", "/docs/style.css": "main",
	} {
		got := h.get(t, path)
		if got.status != http.StatusOK || !strings.Contains(got.body, want) {
			t.Errorf("%s: %d\n%s", path, got.status, got.body)
		}
		policy := got.header.Get("Content-Security-Policy")
		if path != "/docs/style.css" && (policy != manualPolicy || got.header.Get("ETag") == "") {
			t.Errorf("%s: headers %v", path, got.header)
		}
	}
	for _, path := range []string{"/docs/none", "/docs/README", "/docs/adr/0001-record-decisions", "/docs/..%2Fgo.mod"} {
		if got := h.get(t, path); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

func TestWhatIsServedBesideTheOperationsIsGuarded(t *testing.T) {
	h := build(t)
	h.api.Handle("GET /beside", http.RedirectHandler("/docs", http.StatusSeeOther))
	got := h.get(t, "/beside")
	if got.status != http.StatusSeeOther || got.header.Get("Location") != "/docs" || got.header.Get("X-Frame-Options") != "DENY" {
		t.Errorf("it answers %d", got.status)
	}
}

func TestAnOperationIsAddedOnce(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a second one of the same name was taken")
		}
	}()
	var r Registry
	new(API).registerHealth(&r)
	new(API).registerHealth(&r)
}

func TestNoAnonymousSubjectChangesOrShowsWhatOperatorsSee(t *testing.T) {
	want := []string{"learn.svc.calibrate", "learn.svc.changes", "learn.svc.contexts.get", "learn.svc.contexts.list", "learn.svc.contexts.summary",
		"learn.svc.events.publish",
		"learn.svc.experiments.assign", "learn.svc.experiments.get", "learn.svc.experiments.list", "learn.svc.experiments.report",
		"learn.svc.explain", "learn.svc.feedback.add", "learn.svc.feedback.daily", "learn.svc.feedback.exchange", "learn.svc.feedback.stats",
		"learn.svc.health", "learn.svc.inject", "learn.svc.learnings.create", "learn.svc.learnings.feedback",
		"learn.svc.learnings.get", "learn.svc.learnings.lift", "learn.svc.learnings.list", "learn.svc.learnings.search",
		"learn.svc.patterns.get", "learn.svc.patterns.list", "learn.svc.prompt", "learn.svc.ready", "learn.svc.replays.get", "learn.svc.rerank", "learn.svc.route",
		"learn.svc.rules.get", "learn.svc.rules.list", "learn.svc.samples.metrics", "learn.svc.statistics.daily", "learn.svc.statistics.get",
		"learn.svc.tasks.output",
		"learn.svc.templates.add", "learn.svc.templates.get",
		"learn.svc.templates.list", "learn.svc.templates.match"}
	if got := slices.Sorted(slices.Values(AnonymousSubjects())); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestWhatMayBeOfAnyTypeIsDescribedAsSuch(t *testing.T) {
	var doc described
	build(t).get(t, "/openapi.json").read(t, &doc)
	var line struct {
		Properties map[string]map[string]any `json:"properties"`
	}
	response{body: string(doc.Components.Schemas["ExplainedLine"])}.read(t, &line)
	if value, ok := line.Properties["value"]; !ok || value["type"] != nil {
		t.Errorf("a bool, a number or a list does not fit %v", value)
	}
}
