package api

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
)

// loosely is what arguments are of which everything is loosened.
type loosely struct {
	ID    string    `json:"id"`
	Title string    `json:"title"`
	User  string    `json:"user"`
	Rules []string  `json:"rules"`
	From  time.Time `json:"from"`
	Steps []struct {
		ID    string `json:"id"`
		Count int    `json:"count"`
	} `json:"steps"`
}

func TestWholeNumbersAreIDsAndDaysAreMoments(t *testing.T) {
	known := huma.NewMapRegistry(defs, huma.DefaultSchemaNamer)
	s := known.Schema(reflect.TypeFor[loosely](), true, "")
	for given, want := range map[string]string{
		`{"id":7,"user":-1,"rules":[1,"a"]}`:                 `{"id":"7","rules":["1","a"],"user":"-1"}`,
		`{"id":123456789012345678901}`:                       `{"id":"123456789012345678901"}`,
		`{"from":"2026-01-31","title":"2026-01-31"}`:         `{"from":"2026-01-31T00:00:00Z","title":"2026-01-31"}`,
		`{"from":"2026-01-31T08:00:00Z"}`:                    `{"from":"2026-01-31T08:00:00Z"}`,
		`{"steps":[{"count":2,"id":1}]}`:                     `{"steps":[{"count":2,"id":"1"}]}`,
		`{"id":1.5,"rules":[1e3],"title":7,"user":true}`:     `{"id":1.5,"rules":[1e3],"title":7,"user":true}`,
		`{"from":"2026-02-30","id":null,"other":{"id":[1]}}`: `{"from":"2026-02-30","id":null,"other":{"id":[1]}}`,
	} {
		if got := string(loosened(known, s, "", []byte(given))); got != want {
			t.Errorf("%s\nbecomes %s\nwant    %s", given, got, want)
		}
	}
}

func TestIDsMayBeWholeNumbersThroughBothDoors(t *testing.T) {
	h := build(t)
	task := func(id string) string { return `{"task_id":` + id + `,"title":"Send the webhook","outcome_id":3}` }
	var out struct {
		TaskID  string `json:"task_id"`
		Outcome string `json:"outcome_id"`
	}
	got := h.do(t, "POST /api/inject", task("119"))
	if err := json.Unmarshal([]byte(got.body), &out); err != nil || out.TaskID != "119" || out.Outcome != "3" {
		t.Errorf("%d %s", got.status, got.body)
	}
	if err := NewClient(h.nc).Call(t.Context(), "inject", map[string]any{"task_id": 120, "title": "t"}, &out); err != nil || out.TaskID != "120" {
		t.Errorf("%+v %v", out, err)
	}
	if p := h.do(t, "POST /api/inject", task("1.5")).problem(t); p.Code != Invalid || p.Errors[0].Pointer != "/task_id" {
		t.Errorf("%+v", p)
	}
}

func TestAQueryMayNameDaysAndNoNumberThatIsNone(t *testing.T) {
	h := build(t)
	for query, pointer := range map[string]string{
		"/api/statistics?from=2026-02-01&to=2026-01-01": "/to", // read, and compared
		"/api/statistics?from=2026-02-30":               "/from",
		"/api/learnings?min_confidence=NaN":             "/min_confidence",
		"/api/learnings?minConfidence=%2BInf":           "/min_confidence",
		"/api/learnings/search?q=a&min_confidence=-inf": "/min_confidence",
		"/api/learnings?min_confidence=much":            "/min_confidence",
	} {
		if p := h.get(t, query).problem(t); p.Status != 422 || len(p.Errors) == 0 || p.Errors[0].Pointer != pointer {
			t.Errorf("%s: %+v", query, p)
		}
	}
}

func TestEventsMayComeCompressed(t *testing.T) {
	h := build(t)
	const packed = "Content-Encoding: gzip"
	body := zipped(t, "["+event("1", "feedback.fix", fix())+","+event("2", "feedback.fix", fix())+"]")
	if got := h.do(t, "POST /v1/events", body, batched, packed); got.status != http.StatusOK || !strings.Contains(got.body, `"accepted":2`) {
		t.Errorf("%d %s", got.status, got.body)
	}
	for name, c := range map[string]struct {
		body, encoding string
		status         int
	}{
		"another encoding": {body, "Content-Encoding: br", 415},
		"twice":            {body, "Content-Encoding: gzip, gzip", 415},
		"cut off":          {body[:len(body)-9], packed, 400},
		"not gzip":         {"{}", packed, 400},
		"a bomb":           {zipped(t, strings.Repeat(" ", maxBody+1)), packed, 413},
	} {
		if p := h.do(t, "POST /v1/events", c.body, structured, c.encoding).problem(t); p.Status != c.status {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if got := h.do(t, "POST /v1/events", event("3", "feedback.fix", fix()), structured, "Content-Encoding: identity"); got.status != 202 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func zipped(tb testing.TB, text string) string {
	tb.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		tb.Fatal(err)
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}
