package app_test

import (
	"context"
	"errors"
	"testing"

	"learnloop.dev/api"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nats.go/micro"
)

// unlicensed are the ways to have a deployment without rule feedback.
var unlicensed = []string{"entitlement.tier=writer_pro", "entitlement.learning_loop=false"}

func TestWithoutTheEntitlementRuleFeedbackIsRefusedAndTheRestWorks(t *testing.T) {
	for _, setting := range unlicensed {
		t.Run(setting, func(t *testing.T) {
			a := meet(t, t.TempDir(), setting)
			feedback := event("1", fixType, fix("r"))
			other := event("2", "dev.learnloop.exchange.recorded.v1",
				`{"exchange_id":"x","session_id":"s","user_text":"why?","agent_text":"because"}`)
			a.publish(t, batch(feedback, other))
			mistake{reason: "license_required", pointer: "/type", expected: "teams"}.check(t, a.letter(t, "ingest"))
			if got := a.post(t, structured(feedback)); got.Status != 403 || got.Code != "license_required" || got.Hint == "" {
				t.Errorf("%+v", got)
			}
			if got := a.post(t, batch(feedback, other)); got.Status != 200 || got.Accepted != 1 {
				t.Errorf("%+v", got)
			}
			a.drained(t)
			if got := a.facts(t, "exchange.recorded"); got != 2 {
				t.Errorf("%d facts of the other kind are in the log, want 2", got)
			}
			if got := a.facts(t, "feedback.fix"); got != 0 {
				t.Errorf("%d facts of rule feedback are in the log", got)
			}
			a.refusedCalls(t)
		})
	}
}

// facts counts the facts of a kind in the log.
func (a *agent) facts(t *testing.T, kind string) (n uint64) {
	t.Helper()
	stream, err := a.living.js.Stream(t.Context(), "LEARN_EVENTS")
	if err != nil {
		t.Fatal(err)
	}
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter("learn.ev.*."+kind))
	if err != nil {
		t.Fatal(err)
	}
	for _, count := range info.State.Subjects {
		n += count
	}
	return n
}

// refusedCalls checks that calls about rule feedback say what is missing and
// what to do, and that others answer.
func (a *agent) refusedCalls(t *testing.T) {
	t.Helper()
	for subject, args := range map[string]string{
		"rules.get": `{"id":"r"}`, "contexts.get": `{"key":"category.style"}`, "contexts.summary": ``,
		"statistics.get": ``, "explain": `{"key":"rule.r"}`,
	} {
		m, err := a.nc.Request("learn.svc."+subject, []byte(args), patience)
		if err != nil {
			t.Fatal(err)
		}
		if code := m.Header.Get(micro.ErrorCodeHeader); code != "license_required" {
			t.Errorf("%s: %q %s", subject, code, m.Data)
		}
	}
	for _, path := range []string{"/api/rules/r", "/api/contexts/rule/r", "/api/contexts/summary", "/api/statistics", "/api/explain/rule.r"} {
		status, body := a.ask(t, "GET "+path, message{})
		var got answer
		if decode(t, body, &got); status != 403 || got.Code != "license_required" || got.Hint == "" {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for _, path := range []string{"/api/contexts", "/api/dlq", "/readyz", "/api/status"} {
		if status, body := a.ask(t, "GET "+path, a.operator(t)); status != 200 {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

func TestTheEntitlementIsSwitchedWhileTheLoopRunsAndStays(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir, "entitlement.tier=writer_pro")
	a.set(t, "entitlement", `{"tier":"teams","learning_loop":true}`)
	a.awaitEntitled(t, true)
	a.publish(t, structured(event("1", fixType, fix("r"))))
	a.drained(t)
	a.reflected(t, 1)
	a.set(t, "entitlement", `{"tier":"teams","learning_loop":false}`)
	a.awaitEntitled(t, false)
	a.publish(t, structured(event("2", fixType, fix("r"))))
	if l := a.letter(t, "ingest"); l.Reason != "license_required" {
		t.Errorf("%s", l.raw)
	}
	a.stop()

	b := meet(t, dir) // nothing is given: what was set last is in force
	b.awaitEntitled(t, false)
	b.set(t, "entitlement", `{"tier":"enterprise","learning_loop":true}`)
	b.awaitEntitled(t, true)
	if got := b.total(t); got != 1 {
		t.Errorf("%d events count", got)
	}
}

// set changes a group of settings as an operator does.
func (a *agent) set(t *testing.T, key, value string) {
	t.Helper()
	m := nats.NewMsg("learn.in.control.settings.changed")
	m.Data = []byte(event(nats.NewInbox(), "dev.learnloop.control.settings.changed.v1", `{"key":"`+key+`","value":`+value+`}`))
	if _, err := a.living.js.PublishMsg(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

// awaitEntitled asks about a rule until the answer is or is not refused.
func (a *agent) awaitEntitled(t *testing.T, want bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		err := a.client.Call(ctx, "rules.get", map[string]any{"id": "r"}, nil)
		p, refused := errors.AsType[*api.Problem](err)
		if refused && p.Code != api.LicenseRequired || err != nil && !refused {
			t.Fatal(err)
		}
		if refused != want {
			return
		}
	}
}

func TestSettingsThatCannotBeUsedAreRefused(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir, "entitlement.tier=writer_pro")
	for _, value := range []string{
		`"` + marker + `"`, `null`, `{"text_mode":"` + marker + `","tier":"` + marker + `"}`,
		`{"max_records":[],"learning_loop":[]}`, `{"` + marker + `":1,"tier":""}`, `{"max_records":-1,"tier":null}`,
	} {
		for _, group := range []string{"privacy", "entitlement"} {
			a.set(t, group, value)
			mistake{reason: "schema", pointer: "/value", expected: "can be used"}.check(t, a.letter(t, "ingest"))
		}
	}
	a.awaitEntitled(t, false)
	a.unsaid(t, marker)
	a.stop()
	b := meet(t, dir)
	b.awaitEntitled(t, false)
}

func TestWhatWasSetIsInForceAtTheNextStartHoweverSoonItIs(t *testing.T) {
	dir := t.TempDir()
	for range 5 {
		a := meet(t, dir, "entitlement.tier=writer_pro")
		a.stop() // before or after it is folded
		b := meet(t, dir)
		b.awaitEntitled(t, false)
		b.stop()
	}
}
