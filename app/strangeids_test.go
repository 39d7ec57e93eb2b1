package app_test

import (
	"net/url"
	"strings"
	"testing"

	"learnloop.dev/kv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
)

// strange are ids that are no words, and whether an id may be so.
var strange = map[string]bool{
	"*": true, ">": true, "*.>": true, "a.b.c": true, ".": true, "..": true, "../../etc/passwd": true,
	"two words": true, " ": true, "a/b?c#d%2F": true, "правило-ß-規則-🙂": true, "=2A": true, "=": true, "$KV.learn_settings.privacy": true,
	"$JS.API.STREAM.DELETE.LEARN_EVENTS": true, "learn.in.control.settings.changed": true, `"quoted" \ 'id'`: true,
	"a\r\nPUB learn.in.control.x 0\r\n\r\n": true, "\t\x01\x1b[31m\x7f": true, "\u2028\u202e": true,
	strings.Repeat("long.", 1000): true, strings.Repeat("я", 150): true, "summary": true, "nul\x00nul": true, "": false,
}

// everywhere is a decision of which every id is the same.
func everywhere(id string) string {
	id = quoted(id)
	return fix("r", `"r"`, id, `"s1"`, id, `"d1"`, id, `"style"`, id,
		`"decision"`, `"feedback_id":`+id+`,"user_id":`+id+`,"language":`+id+`,"model":`+id+`,"decision"`)
}

func TestAStrangeIDIsRefusedOrFoundUnderItsKey(t *testing.T) {
	a := meet(t, t.TempDir())
	taken := 0
	for id, fine := range strange {
		a.publish(t, structured(event("strange", fixType, everywhere(id))))
		if !fine {
			if l := a.letter(t, "ingest"); l.Reason != "schema" {
				t.Errorf("%q: %s", id, l.raw)
			}
			continue
		}
		taken++
	}
	a.drained(t)
	a.reflected(t, taken)
	if got := a.total(t); got != taken {
		t.Errorf("%d events count, want %d", got, taken)
	}
	for id, fine := range strange {
		if fine {
			a.found(t, id)
		}
	}
	if a.nc.Stats().Reconnects > 0 || !a.nc.IsConnected() {
		t.Error("the connection was lost")
	}
}

func TestASubjectOnlyRoutes(t *testing.T) {
	a := meet(t, t.TempDir())
	subjects := []string{"learn.in.*", "learn.in.>", "learn.in.правило", "learn.in.task.finished", "learn.in." + strings.Repeat("x", 2000)}
	for _, subject := range subjects {
		m := nats.NewMsg(subject)
		m.Data = []byte(event(subject, fixType, fix("r"))) // without headers, it is in structured mode
		if _, err := a.js.PublishMsg(t.Context(), m); err != nil {
			t.Errorf("%s: %v", subject, err)
		}
	}
	a.drained(t)
	a.reflected(t, len(subjects))
	if got := a.total(t); got != len(subjects) {
		t.Errorf("%d events count", got)
	}
}

// found checks that a rule can be read under its key and asked for by its raw id,
// through every door.
func (a *agent) found(t *testing.T, id string) {
	t.Helper()
	bucket, err := a.js.KeyValue(t.Context(), "learn_contexts")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"rule", "category"} {
		entry, err := bucket.Get(t.Context(), kv.Key(kind, id))
		if err != nil {
			t.Errorf("%s %.40q: %v", kind, id, err)
			continue
		}
		var known struct{ Kind, ID string }
		if decode(t, entry.Value(), &known); known.Kind != kind || known.ID != id {
			t.Errorf("%s %.40q: %+v", kind, id, known)
		}
		status, body := a.ask(t, "GET /api/contexts/"+kind+"/"+percent(id), message{})
		if status != 200 || string(body) != string(entry.Value()) {
			t.Errorf("%s %.40q over HTTP: %d %s", kind, id, status, body)
		}
	}
	a.explained(t, id)
}

// explained checks that the one event behind a rule is told, the same through
// both doors.
func (a *agent) explained(t *testing.T, id string) {
	t.Helper()
	var overNATS jsontext.Value
	if err := a.client.Call(t.Context(), "explain", map[string]any{"key": "rule." + id}, &overNATS); err != nil {
		t.Errorf("explain %.40q: %v", id, err)
	}
	status, overHTTP := a.ask(t, "GET /api/explain/"+percent("rule."+id), message{})
	if status != 200 || string(overHTTP) != string(overNATS) {
		t.Errorf("explain %.40q: %s over NATS, %d %s over HTTP", id, overNATS, status, overHTTP)
	}
	var got struct {
		ID    string
		Lines []struct{ Count int }
	}
	decode(t, overNATS, &got)
	if got.ID != id || len(got.Lines) == 0 || got.Lines[0].Count != 1 {
		t.Errorf("explain %.40q: %s", id, overNATS)
	}
}

// percent encodes a raw id as one part of a path, dots too: clients take a part
// of dots alone away.
func percent(id string) string { return strings.ReplaceAll(url.PathEscape(id), ".", "%2E") }
