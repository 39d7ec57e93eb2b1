package api

import (
	"strings"
	"testing"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
)

const (
	reaction = `{"exchange_id":"x","feedback_type":"copy"}`
	underKey = "Idempotency-Key: key-0815"
)

func TestTheSameRequestUnderTheSameKeyIsDoneOnce(t *testing.T) {
	h := build(t)
	first := h.do(t, "POST /api/feedback", reaction, underKey)
	before := h.last(t, bus.EventsStream)
	again := h.do(t, "POST /api/feedback", reaction, underKey)
	if first.status != 200 || again.status != 200 || first.body != again.body || !strings.Contains(first.body, "feedback_id") {
		t.Fatalf("%d %s, then %d %s", first.status, first.body, again.status, again.body)
	}
	if now := h.last(t, bus.EventsStream); first.header.Get("Content-Type") != again.header.Get("Content-Type") || now != before {
		t.Errorf("%v, then %v; the log went from %d to %d", first.header, again.header, before, now)
	}
	m, err := h.nc.RequestMsgWithContext(briefly(t), message("learn.svc.feedback.add", reaction[:len(reaction)-1]+`,"idempotency_key":"key-0815"}`))
	if err != nil || string(m.Data) == first.body {
		t.Errorf("%v: the operator is another caller, and was told %s", err, m.Data)
	}
	if other := h.do(t, "POST /api/feedback", reaction, "Idempotency-Key: another"); other.body == first.body {
		t.Errorf("another key: %s", other.body)
	}
}

func TestAnotherRequestUnderTheSameKeyIsRefused(t *testing.T) {
	h := build(t)
	h.do(t, "POST /api/feedback", reaction, underKey)
	p := h.do(t, "POST /api/feedback", strings.Replace(reaction, "copy", "thumbs_down", 1), underKey).problem(t)
	if p.Status != 422 || len(p.Errors) != 1 || p.Errors[0].Pointer != "/idempotency_key" {
		t.Errorf("%+v", p)
	}
	if p := h.do(t, "POST /api/feedback", reaction, "Idempotency-Key: "+strings.Repeat("k", 201)).problem(t); p.Status != 422 {
		t.Errorf("a key of 201 characters: %+v", p)
	}
}

func TestWhatFailedIsDoneAgainUnderItsKey(t *testing.T) {
	h := build(t)
	h.policy.Privacy.Enabled = false
	if p := h.do(t, "POST /api/feedback", reaction, underKey).problem(t); p.Code != NotAllowed {
		t.Fatalf("%+v", p)
	}
	h.policy.Privacy.Enabled = true
	if got := h.do(t, "POST /api/feedback", reaction, underKey); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

func TestAnAnswerIsKnownToAnotherProcessAndReadableByNobodyElse(t *testing.T) {
	h := build(t)
	first := h.do(t, "POST /api/feedback", reaction, underKey)
	other, err := New(h.api.deps)
	if err != nil {
		t.Fatal(err)
	}
	own := h.api
	h.api, h.web.Config.Handler = other, other.Handler()
	defer func() { h.api = own }()
	if again := h.do(t, "POST /api/feedback", reaction, underKey); again.body != first.body {
		t.Errorf("%s, then %s", first.body, again.body)
	}
	cells, err := bus.NewBucket(h.js, kv.Receipts).Find(t.Context(), "*")
	if err != nil || len(cells) != 1 {
		t.Fatalf("%v: %d answers are kept", err, len(cells))
	}
	for _, text := range []string{"feedback_id", "copy", "0815"} {
		if strings.Contains(string(cells[0].Value)+cells[0].Key, text) {
			t.Errorf("%s stands in what is kept", text)
		}
	}
}

func TestWhatIsBeingDoneIsNotDoneTwice(t *testing.T) {
	h := build(t)
	secret := secretOf("feedback.add", "", "key-0815")
	body := &ReactionArgs{Repeating: Repeating{Key: "key-0815"}, Body: Reacting{ExchangeID: "x", FeedbackType: "copy"}}
	seal, err := sealOf(string(secret), body)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.api.registry.receipts.put(t.Context(), bus.Cell{Key: slotOf(secret)}, kept{Key: tagOf(secret), Seal: seal}, patience); err != nil {
		t.Fatal(err)
	}
	got := h.do(t, "POST /api/feedback", reaction, underKey)
	if p := got.problem(t); p.Code != Conflict || got.header.Get("Retry-After") == "" {
		t.Errorf("%+v", p)
	}
}

func TestALearningWithAnIDOfItsOwnIsFoundWhenTheAnswerWasLost(t *testing.T) {
	h, _ := school(t)
	h.api.registry.receipts = nil // as when the process ended before it could keep the answer
	body := `{"id":"learn_mine","title":"Sign the body",` + coia + `}`
	first := h.do(t, "POST /api/learnings", body, underKey)
	before := h.last(t, bus.EventsStream)
	again := h.do(t, "POST /api/learnings", body, underKey)
	if first.status != 201 || again.status != 201 || first.body != again.body || h.last(t, bus.EventsStream) != before {
		t.Errorf("%d %s, then %d %s", first.status, first.body, again.status, again.body)
	}
	for name, header := range map[string]string{"another key": "Idempotency-Key: another", "no key": "X-None: 1"} {
		if got := h.do(t, "POST /api/learnings", body, header); got.status != 409 {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
}

func TestALearningHasTheSameIDUnderTheSameKey(t *testing.T) {
	r, e := Repeating{Key: "k"}, Entry{Title: "t"}
	one, _ := r.fresh("ada", e)
	two, _ := r.fresh("ada", e)
	other, _ := r.fresh("bob", e)
	changed, _ := r.fresh("ada", Entry{Title: "u"})
	if one != two || one == other || one == changed || len(one) != freshID {
		t.Errorf("%s %s %s %s", one, two, other, changed)
	}
}
