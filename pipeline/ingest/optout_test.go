package ingest

import (
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/privacy"
)

func TestWhatTheSettingsDoNotWantIsDeclined(t *testing.T) {
	thumbs, engagement := response("1", "x", `,"user_id":"anna"`), envelope("2", `{"exchange_id":"x","session_id":"s","user_id":"anna"}`)
	engagement.Kind = "feedback.engagement"
	tick := envelope("4", `{"date":"2026-03-04"}`)
	tick.Kind = "control.clock.tick"
	all := []events.Envelope{thumbs, engagement, envelope("3", fixData), tick}
	for name, c := range map[string]struct {
		change   func(*privacy.Settings)
		declined [4]bool
	}{
		"nothing":           {func(*privacy.Settings) {}, [4]bool{}},
		"explicit feedback": {func(s *privacy.Settings) { s.EnableExplicitFeedback = false }, [4]bool{true, false, false, false}},
		"implicit tracking": {func(s *privacy.Settings) { s.EnableImplicitTracking = false }, [4]bool{false, true, false, false}},
		"everything":        {func(s *privacy.Settings) { s.Enabled = false }, [4]bool{true, true, true, false}},
	} {
		p := defaults()
		c.change(&p.Privacy)
		g := gate(t, p)
		for i, env := range all {
			v, err := g.Admit(env.Kind.Subject(), env)
			if err != nil || v.Refusal.Refused() {
				t.Fatalf("%s: %v %+v", env.Kind, err, v.Refusal)
			}
			if got := v.Declined == optOut; got != c.declined[i] || got && len(v.Messages) > 0 {
				t.Errorf("without %s: %s declined %v with %d messages, want %v", name, env.Kind, got, len(v.Messages), c.declined[i])
			}
		}
	}
}

// without is a policy under which somebody opted out.
func without(h House, user string) Policy {
	p := defaults()
	p.Choices = map[string]privacy.Choice{h.Keys.Blind("person", user): {}}
	return p
}

func TestNothingOfWhoOptedOutIsKeptAndNothingOfOthersIsLost(t *testing.T) {
	p := without(house(t, Policy{}), "u-1")
	g := gate(t, p)
	other := envelope("2", strings.Replace(fixData, "u-1", "u-2", 1))
	v, err := g.Admit("learn.in.feedback.fix", envelope("1", fixData))
	if err != nil || v.Declined != optOut || len(v.Messages) > 0 {
		t.Errorf("theirs: %v %+v", err, v)
	}
	admit(t, g, other)
}

func TestFeedbackOnAnExchangeOfWhoOptedOutIsTheirsToo(t *testing.T) {
	s := open(t, t.TempDir())
	p := without(s.House, "anna")
	s.House.Policy = func() *Policy { return &p }
	s.takeEach(t, response("early", "x", ""), exchange("x", "anna"), response("late", "x", ""), response("other", "y", ""), exchange("y", "bob"))
	*s.clock = s.clock.Add(time.Hour)
	if err := s.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if facts := s.log(t, thumb); len(facts) != 1 {
		t.Errorf("%d facts, want the one about bob's exchange", len(facts))
	}
	if facts := s.log(t, talk); len(facts) != 1 {
		t.Errorf("%d exchanges, want bob's", len(facts))
	}
	if waits := s.parked(t); len(waits) != 0 {
		t.Errorf("%d wait", len(waits))
	}
}

// takeEach takes one event after another, so that each finds what is known by then.
func (s *site) takeEach(t *testing.T, list ...events.Envelope) {
	t.Helper()
	g, err := NewGate(s.House)
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range list {
		var out outcome
		v, err := worker{s.Stage, g}.decide(env.Kind.Subject(), events.Item{Envelope: env}, origin{stage: stageName}, &out)
		if err == nil && !v.Refusal.Refused() {
			err = s.store(t.Context(), out)
		}
		if err != nil || v.Refusal.Refused() {
			t.Fatalf("take: %v %+v", err, v.Refusal)
		}
	}
}

func TestChangesAreToldOnceTheLogHasThem(t *testing.T) {
	s := open(t, t.TempDir())
	var heard []Change
	s.Changed = func(c Change) { heard = append(heard, c) }
	change := envelope("1", `{"key":"privacy","value":{"text_mode":"full"}}`)
	change.Kind = "control.settings.changed"
	out := s.outcome(t, change)
	if len(heard) > 0 {
		t.Fatal("told before it is in the log")
	}
	if err := s.store(t.Context(), out); err != nil {
		t.Fatal(err)
	}
	if len(heard) != 1 || heard[0].Key != "privacy" || string(heard[0].Value) != `{"text_mode":"full"}` || !heard[0].At.Equal(now) {
		t.Errorf("%+v", heard)
	}
}
