package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline/ingest"

	"github.com/nats-io/nats.go/micro"
)

const (
	structured = "Content-Type: application/cloudevents+json"
	batched    = "Content-Type: application/cloudevents-batch+json; charset=utf-8"
	asAdmin    = "Authorization: Bearer " + token
)

// fix is the data of a decision, with some of its fields replaced.
func fix(replace ...string) string {
	data := `{"suggestion_id":"s1","deviation_id":"d1","rule_id":"passive","category":"style",` +
		`"decision":"accepted","original_text":"was done","suggested_text":"did"}`
	return strings.NewReplacer(replace...).Replace(data)
}

// event wraps data in an event.
func event(id, kind, data string) string {
	return fmt.Sprintf(`{"specversion":"1.0","id":%q,"source":"test","type":"dev.learnloop.%s.v1","data":%s}`, id, kind, data)
}

func TestAnEventIsTakenInWhateverItsMode(t *testing.T) {
	h := build(t)
	good := event("e1", "feedback.fix", fix())
	for name, send := range map[string]func() response{
		"structured": func() response { return h.do(t, "POST /v1/events", good, structured) },
		"binary": func() response {
			return h.do(t, "POST /v1/events", fix(), "Content-Type: application/json", "ce-specversion: 1.0",
				"ce-id: e2", "ce-source: test", "ce-type: dev.learnloop.feedback.fix.v1")
		},
	} {
		before := h.last(t, bus.EventsStream)
		if got := send(); got.status != http.StatusAccepted || got.body != `{"accepted":1,"refused":[]}` {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
		if h.last(t, bus.EventsStream) != before+1 {
			t.Errorf("%s: not in the log when it was answered", name)
		}
	}
	if got := h.do(t, "POST /v1/events", "["+good+","+good+"]", batched); got.status != http.StatusOK || got.body != `{"accepted":2,"refused":[]}` {
		t.Errorf("batched: %d %s", got.status, got.body)
	}
}

func TestARefusedEventOfABatchLeavesTheOthers(t *testing.T) {
	h := build(t)
	body := "[" + event("a", "feedback.fix", fix()) + "," + event("b", "feedback.fix", fix(`"accepted"`, `"maybe"`)) + "," +
		event("c", "feedback.fix", fix(`"rule_id":"passive",`, ``)) + "]"
	got := h.do(t, "POST /v1/events", body, batched)
	var taken Taken
	got.read(t, &taken)
	if got.status != http.StatusOK || taken.Accepted != 1 || len(taken.Refused) != 2 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	b, c := taken.Refused[0], taken.Refused[1]
	if b.Index != 1 || b.ID != "b" || b.Reason != "schema" || b.Errors[0].Pointer != "/decision" ||
		b.Errors[0].Value != "maybe" || !strings.Contains(b.Errors[0].Expected, "accepted, rejected, modified, skipped") {
		t.Errorf("b: %+v", b)
	}
	if c.Index != 2 || c.Errors[0].Pointer != "/rule_id" || c.Errors[0].Value != nil {
		t.Errorf("c: %+v", c)
	}
	if n := h.last(t, bus.LettersStream); n != 2 {
		t.Errorf("%d dead letters", n)
	}
}

// refusals are what must be refused, and how.
var refusals = []struct {
	name, body string
	headers    []string
	status     int
	code       Code
	pointer    string
}{
	{"broken JSON", `{"specversion":`, []string{structured}, 422, "malformed", ""},
	{"broken data", event("e", "feedback.fix", `{"rule_id":"a","rule_id":"b"}`), []string{structured}, 422, "malformed", "/rule_id"},
	{"no id", `{"specversion":"1.0","source":"s","type":"dev.learnloop.feedback.fix.v1","data":{}}`, []string{structured}, 422, "malformed", "/id"},
	{"unknown kind", event("e", "feedback.nothing", `{}`), []string{structured}, 422, "unknown_type", "/type"},
	{"wrong enum", event("e", "feedback.fix", fix(`"accepted"`, `"maybe"`)), []string{structured}, 422, "schema", "/decision"},
	{"unknown field", event("e", "feedback.fix", fix(`"rule_id"`, `"mood":1,"rule_id"`)), []string{structured}, 422, "schema", "/mood"},
	{"too deep", event("e", "task.corrected", strings.Repeat(`{"a":`, 100)+"1"+strings.Repeat("}", 100)), []string{structured}, 422, "too_deep", ""},
	{"too large", event("e", "feedback.fix", fix("was done", strings.Repeat("x", 300<<10))), []string{structured}, 413, "too_large", ""},
	{"future", event("e", "feedback.fix", fix(`"rule_id"`, `"timestamp":"2999-01-01T00:00:00Z","rule_id"`)), []string{structured}, 422, "future", "/timestamp"},
	{"control", event("e", "control.clock.tick", `{"date":"2026-01-01"}`), []string{structured}, 403, "not_allowed", "/type"},
	{"verdict", event("e", "learning.archived", `{"id":"learn_1"}`), []string{structured}, 403, "not_allowed", "/type"},
	{"wrong token", event("e", "feedback.fix", fix()), []string{structured, "Authorization: Bearer guess"}, 401, Unauthorized, ""},
	{"a form", "a=b", []string{"Content-Type: application/x-www-form-urlencoded"}, 415, UnsupportedMedia, ""},
	{"plain text", "hello", []string{"Content-Type: text/plain"}, 415, UnsupportedMedia, ""},
	{"nothing", "", []string{structured}, 400, BadRequest, ""},
	{"a batch of none that is right", "[" + event("e", "feedback.fix", `{}`) + "]", []string{batched}, 422, Refusal, ""},
	{"a batch of control", "[" + event("e", "control.clock.tick", `{"date":"2026-01-01"}`) + "]", []string{batched}, 403, "not_allowed", ""},
	{"no batch", event("e", "feedback.fix", fix()), []string{batched}, 422, Refusal, ""},
}

func TestWhatIsRefusedSaysWhereAndWhatWasExpected(t *testing.T) {
	h := build(t)
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			p := h.do(t, "POST /v1/events", c.body, c.headers...).problem(t)
			if p.Status != c.status || p.Code != c.code {
				t.Errorf("%d %s: %+v", p.Status, p.Code, p)
			}
			if c.pointer != "" && (len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer || p.Errors[0].Expected == "") {
				t.Errorf("errors: %+v", p.Errors)
			}
			if c.code == Refusal && len(p.Refused) == 0 {
				t.Errorf("does not say which: %+v", p)
			}
		})
	}
	if n := h.last(t, bus.EventsStream); n != 0 {
		t.Errorf("%d entries in the log", n)
	}
}

func TestOperatorsPublishWhatTheyReserve(t *testing.T) {
	h := build(t)
	body := "[" + event("a", "control.clock.tick", `{"date":"2026-01-01"}`) + "," + event("b", "learning.archived", `{"id":"learn_1"}`) +
		"," + event("c", "feedback.fix", fix()) + "," + event("d", "feedback.fix", `{}`) + "]"
	got := h.do(t, "POST /v1/events", body, batched, asAdmin)
	var taken Taken
	got.read(t, &taken)
	if taken.Accepted != 3 || len(taken.Refused) != 1 || taken.Refused[0].Index != 3 {
		t.Errorf("%d %s", got.status, got.body)
	}
	var page Letters
	if h.get(t, "/api/dlq", asAdmin).read(t, &page); len(page.Letters) != 1 || page.Letters[0].Index != 3 {
		t.Errorf("the dead letter is about another event: %+v", page.Letters)
	}
}

func TestEventsAreTakenOverNATSToo(t *testing.T) {
	h := build(t)
	nc := h.stranger(t)
	for _, c := range []struct{ data, header, code string }{
		{event("e", "feedback.fix", fix()), structured, ""},
		{"[" + event("e", "feedback.fix", fix()) + "]", batched, ""},
		{event("e", "feedback.fix", `{}`), structured, "schema"},
		{event("e", "control.clock.tick", `{"date":"2026-01-01"}`), structured, "not_allowed"},
		{"hello", "Content-Type: text/plain", "unsupported_media_type"},
	} {
		m, err := nc.RequestMsgWithContext(briefly(t), message("learn.svc.events.publish", c.data, c.header))
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Header.Get(micro.ErrorCodeHeader); got != c.code {
			t.Errorf("%s: %s %s", c.data, got, m.Data)
		}
	}
	if n := h.last(t, bus.EventsStream); n != 2 {
		t.Errorf("%d entries in the log", n)
	}
}

func TestWithoutTheLicenseRuleFeedbackIsRefusedAndTheRestWorks(t *testing.T) {
	h := furnished(t)
	h.policy = &ingest.Policy{Privacy: h.policy.Privacy}
	for _, path := range []string{"/api/rules/passive", "/api/contexts/rule/passive", "/api/contexts/category/style",
		"/api/contexts/summary", "/api/contexts?prefix=rule.", "/api/statistics", "/api/explain/rule.passive"} {
		if p := h.get(t, path).problem(t); p.Status != 403 || p.Code != LicenseRequired || p.Hint == "" {
			t.Errorf("%s: %+v", path, p)
		}
	}
	if p := h.do(t, "POST /v1/events", event("e", "feedback.fix", fix()), structured).problem(t); p.Status != 403 || p.Hint == "" {
		t.Errorf("publish: %+v", p)
	}
	var p *Problem
	if err := NewClient(h.nc).Call(briefly(t), "rules.get", RuleArgs{ID: "passive"}, nil); !errors.As(err, &p) || p.Code != LicenseRequired {
		t.Errorf("over NATS: %v", err)
	}
	for _, path := range []string{"/healthz", "/api/contexts/user/p_ANNA", "/api/dlq"} {
		if got := h.get(t, path, asAdmin); got.status != 200 {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	var list ContextList
	if h.get(t, "/api/contexts").read(t, &list); len(list.Contexts) != 1 || list.Contexts[0].Kind != kindUser {
		t.Errorf("listed %+v", list)
	}
}

// stuck is a door that cannot store.
type stuck struct{ err error }

func (s stuck) Take(context.Context, ingest.Authority, []events.Item) ([]ingest.Result, error) {
	return nil, fmt.Errorf("append: %w", s.err)
}

func TestWhoCannotStoreSaysWhenToTryAgain(t *testing.T) {
	for err, want := range map[error]struct {
		status int
		code   Code
	}{
		bus.ErrFull:              {503, Full},
		bus.ErrUnavailable:       {503, Unavailable},
		bus.ErrUnknown:           {503, Unavailable},
		bus.ErrTooLarge:          {413, TooLarge},
		context.DeadlineExceeded: {504, TimedOut},
		errors.New("anything"):   {500, Internal},
	} {
		h := build(t, func(d *Deps) { d.Door = stuck{err} })
		got := h.do(t, "POST /v1/events", event("e", "feedback.fix", fix()), structured)
		if p := got.problem(t); p.Status != want.status || p.Code != want.code || strings.Contains(got.body, "anything") {
			t.Errorf("%v: %d %s", err, got.status, got.body)
		}
		if again := got.header.Get("Retry-After"); (again != "") != (want.status == 503) {
			t.Errorf("%v: Retry-After %q", err, again)
		}
	}
}
