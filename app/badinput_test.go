package app_test

import (
	"strings"
	"testing"
)

// marker stands where an event is wrong: only the caller may be told it again.
const marker = "Planted-Marker-0815"

// mistake is data that must be refused, and how.
type mistake struct {
	name, ceType, data        string
	reason, pointer, expected string
}

var mistakes = []mistake{
	{"broken JSON", fixType, `{"rule_id":"` + marker + `" "x"}`, "malformed", "", "valid JSON in valid UTF-8 at byte 33"},
	{"a name twice", fixType, fix("r", `"category"`, `"rule_id":"`+marker+`","category"`), "malformed", "/rule_id", "each name once"},
	{"broken UTF-8", fixType, fix("r", "was done", marker+"\xff"), "malformed", "/original_text", "valid UTF-8"},
	{"no rule", fixType, fix("r", `"rule_id":"r",`, ``), "schema", "/rule_id", "required"},
	{"a number for a text", fixType, fix("r", `"was done"`, `815`), "schema", "/original_text", "string"},
	{"an empty id", fixType, fix(""), "schema", "/rule_id", "at least 1 character"},
	{"a confidence of two", fixType, fix("r", `"category"`, `"original_confidence":2,"category"`), "schema", "/original_confidence", "at most 1"},
	{"an unknown decision", fixType, fix("r", "accepted", marker), "schema", "/decision", "accepted, rejected, modified, skipped"},
	{"an unknown field", fixType, fix("r", `"category"`, `"`+marker+`":1,"category"`), "schema", "/*", "one of the fields anonymized_user_id, category"},
	{"data that is no object", fixType, `["` + marker + `"]`, "schema", "", "object"},
	{"an unknown kind", "dev.learnloop." + marker + ".v1", fix("r"), "unknown_type", "/type", "dev.learnloop.<kind>.v1"},
	{"an unknown version", "dev.learnloop.feedback.fix.v2", fix("r"), "unknown_type", "/type", "dev.learnloop.<kind>.v1"},
	{"a kind of operators", "dev.learnloop.control.clock.tick.v1", `{"date":"2026-01-01"}`, "not_allowed", "/type", "learn.in.control.clock.tick"},
	{"a verdict of operators", "dev.learnloop.learning.archived.v1", `{"id":"learn_1"}`, "not_allowed", "/type", "learn.in.learning.archived"},
	{"an event from the future", fixType, fix("r", `"category"`, `"timestamp":"2999-01-01T00:00:00Z","category"`), "future", "/timestamp", "10 minutes"},
	{"300 KiB", fixType, fix("r", "was done", strings.Repeat(marker, 300<<10/len(marker))), "too_large", "", "262144 bytes"},
	{"a long text", fixType, fix("r", "was done", strings.Repeat(marker, 70<<10/len(marker))), "too_large", "", "65536 bytes"},
	{"100 levels", "dev.learnloop.sample.captured.v1", strings.Repeat(`{"a":`, 100) + `"` + marker + `"` + strings.Repeat("}", 100), "too_deep", "", "32 levels"},
}

// modes wrap a mistake: alone, or between two events that are right.
var modes = map[string]func(m mistake, right func() string) message{
	"binary":     func(m mistake, _ func() string) message { return binary(marker, m.ceType, m.data) },
	"structured": func(m mistake, _ func() string) message { return structured(event(marker, m.ceType, m.data)) },
	"batch": func(m mistake, right func() string) message {
		return batch(right(), event(marker, m.ceType, m.data), right())
	},
}

func TestABadEventIsRefusedWithItsPlaceAndTheRestGoesOn(t *testing.T) {
	a := meet(t, t.TempDir())
	sent := 0
	right := func() string {
		sent++
		return event("right"+strings.Repeat("x", sent), fixType, fix("right"))
	}
	for _, m := range mistakes {
		for mode, wrap := range modes {
			t.Run(m.name+"/"+mode, func(t *testing.T) {
				a.publish(t, wrap(m, right))
				m.check(t, a.letter(t, "ingest"))
				m.answered(t, a.post(t, wrap(m, right)))
				m.check(t, a.letter(t, "http"))
			})
		}
	}
	a.publish(t, structured(right()))
	a.drained(t)
	a.reflected(t, sent)
	if got := a.total(t); got != sent {
		t.Errorf("%d of the %d right events count", got, sent)
	}
	if a.nc.Stats().Reconnects > 0 || !a.nc.IsConnected() {
		t.Error("the connection was lost")
	}
	a.unsaid(t, marker)
}

// check holds a dead letter against the mistake.
func (m mistake) check(t *testing.T, l letter) {
	t.Helper()
	if l.Reason != m.reason {
		t.Errorf("%s", l.raw)
	}
	if strings.Contains(l.raw, marker) {
		t.Errorf("the dead letter tells what was in the event: %s", l.raw)
	}
	m.checkPlace(t, l.Violations)
}

func (m mistake) checkPlace(t *testing.T, found []fault) {
	t.Helper()
	if len(found) == 0 {
		t.Error("no place is told")
		return
	}
	pointer := strings.ReplaceAll(found[0].Pointer, marker, "*") // the caller is told its own name
	if pointer != m.pointer || !strings.Contains(found[0].Expected, m.expected) {
		t.Errorf("%+v, want %q at %q", found[0], m.expected, m.pointer)
	}
}

// answered holds what the HTTP door says against the mistake.
func (m mistake) answered(t *testing.T, got answer) {
	t.Helper()
	if len(got.Refused) == 1 {
		r := got.Refused[0]
		if got.Status != 200 || got.Accepted != 2 || r.Index != 1 || r.Reason != m.reason {
			t.Errorf("%+v", got)
		}
		m.checkPlace(t, r.Errors)
		return
	}
	status := map[string]int{"not_allowed": 403, "too_large": 413}[m.reason]
	if status == 0 {
		status = 422
	}
	if got.Status != status || got.Code != m.reason {
		t.Errorf("%+v, want %d", got, status)
	}
	m.checkPlace(t, got.Errors)
}

// unsaid checks that a text stands in no log line and no metric.
func (a *agent) unsaid(t *testing.T, texts ...string) {
	t.Helper()
	logged := a.log.read()
	_, metrics := a.ask(t, "GET /metrics", message{})
	for _, text := range texts {
		if strings.Contains(logged, text) {
			t.Errorf("%q is logged:\n%s", text, logged)
		}
		if strings.Contains(string(metrics), text) {
			t.Errorf("%q stands in the metrics", text)
		}
	}
	if !strings.Contains(logged, "event refused") && !strings.Contains(logged, "recording feedback") {
		t.Errorf("the log was not kept:\n%s", logged)
	}
	if !strings.Contains(string(metrics), "learnloop_received_total") {
		t.Error("the metrics were not read")
	}
}
