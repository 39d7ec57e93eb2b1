package schemas

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// told is what a check says, without the producer's own names.
func told(t *testing.T, kind, doc string) (list []string, readable bool) {
	t.Helper()
	found, readable := Check(kind, []byte(doc))
	for _, v := range found {
		list = append(list, v.Pointer+": "+v.Expected)
	}
	return list, readable
}

const (
	required = "a value: the field is required"
	wantTime = "/timestamp: a date-time as in RFC 3339: 2006-01-02T15:04:05Z"
)

func TestAViolationNamesThePlaceAndWhatBelongsThere(t *testing.T) {
	for _, c := range []struct{ kind, doc, want string }{
		{"feedback.learning", `{"learning_id":1,"task_id":2}`, "/helpful: " + required},
		{"feedback.learning", `{"learning_id":"","task_id":2,"helpful":true}`, "/learning_id: at least 1 character(s)"},
		{"feedback.learning", `{"learning_id":1,"task_id":2,"helpful":1}`, "/helpful: boolean"},
		{"feedback.learning", `{"learning_id":1,"task_id":2,"helpful":true,"comment":5}`, "/comment: string"},
		{"feedback.learning", `{"learning_id":1,"task_id":2,"helpful":true,"timestamp":"2026-02-30T00:00:00Z"}`, wantTime},
		{"feedback.learning", `{"learning_id":1,"task_id":2,"helpful":true,"timestamp":"2026-02-01t00:00:00z"}`, wantTime},
		{"experiment.outcome", `{"experiment":1,"unit_id":2,"value":4111111111111111}`, "/value: at most 99999999999"},
		{"experiment.outcome", `{"experiment":1,"unit_id":2,"value":-1e400}`, "/value: at least -99999999999"},
		{"experiment.outcome", `{"experiment":1e999999999,"unit_id":2,"value":0}`, "/experiment: at most 18446744073709551615"},
		{"control.clock.tick", `{"date":"today"}`, "/date: text that matches ^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
		{"learning.reviewed", `{"id":1,"verdict":"fine"}`, "/verdict: one of approved, rejected"},
		{"learning.reviewed", `{"id":1,"verdict":"approved","Verdict":"approved"}`, "/*: one of the fields comment, id, timestamp, user_id, verdict"},
		{"learning.superseded", `{"id":1,"superseded_by":null}`, ": at least one of superseded_by, supersedes"},
		{"injection.recorded", `{"task_id":1,"outcome_id":1,"items":[{"learning_id":1},{"revision":1}]}`, "/items/1: at least one of learning_id, context_key"},
		{"template.added", `{"name":"n","plan":[]}`, "/plan: at least 1 item(s)"},
		{"sample.captured", `{"sample_id":1,"sample_family":"f","created_at":"2026-01-01T00:00:00Z","input":{},"output":{}}`, "/feedback: " + required},
		{"no.kind", `{}`, ": a kind that has a schema"},
	} {
		if got, readable := told(t, c.kind, c.doc); !readable || !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s %s: told %q, want %q", c.kind, c.doc, got, c.want)
		}
	}
}

func TestBrokenJSONIsToldByPlaceAlone(t *testing.T) {
	for doc, want := range map[string]string{
		``:                                 ": valid JSON in valid UTF-8 at byte 0",
		`{"comment":"hidden`:               "/comment: valid JSON in valid UTF-8 at byte 18",
		`{"comment":"a","comment":"b"}`:    "/comment: each name once",
		`{"hidden":{"hidden":NaN}}`:        "/*/*: valid JSON in valid UTF-8 at byte 20",
		`{"comment":{"1234":NaN}}`:         "/comment/*: valid JSON in valid UTF-8 at byte 19",
		"{\"comment\":\"hidden\xc0\xa0\"}": "/comment: valid JSON in valid UTF-8 at byte 18",
		`{} {}`:                            ": valid JSON in valid UTF-8 at byte 3",
	} {
		if got, readable := told(t, "feedback.learning", doc); readable || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: told %q, want %q", doc, got, want)
		}
	}
}

func TestIndexesAreToldOnlyInsideArrays(t *testing.T) {
	s := compiled.of("task.finished")
	if got := s.mask("/subtasks/7/failure_reasons/0/4111/goal/4111"); got != "/subtasks/7/failure_reasons/0/*/goal/*" {
		t.Errorf("masked as %s", got)
	}
}

func TestOnlyTheProducerLearnsItsOwnNames(t *testing.T) {
	found, _ := Check("feedback.learning", []byte(`{"learning_id":1,"task_id":2,"helpful":true,"b/c":1,"a":2}`))
	for i := range found {
		found[i].Expected = ""
	}
	if diff := cmp.Diff([]Violation{{Pointer: "/*", Sent: "/a"}, {Pointer: "/*", Sent: "/b~1c"}}, found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestHostileNumbersCostNoMoreThanTheirLength(t *testing.T) {
	doc := `{"experiment":1,"unit_id":2,"value":0.` + strings.Repeat("1", 200_000) + `e-999999999}`
	if got, readable := told(t, "experiment.outcome", doc); !readable || got != nil {
		t.Errorf("told %q", got)
	}
}
