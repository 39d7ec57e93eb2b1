package agent_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"learnloop.dev/agent"
	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/persona"

	"github.com/go-json-experiment/json"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const base = "You help people write."

// shelf is a bucket in memory.
type shelf struct{ entries map[string]kv.Context }

func (s *shelf) Get(key string) (kv.Context, bool) {
	c, ok := s.entries[key]
	return c, ok
}

func (s *shelf) put(key, value string) {
	if s.entries == nil {
		s.entries = map[string]kv.Context{}
	}
	s.entries[key] = kv.Context{Key: key, Value: []byte(value), Revision: s.entries[key].Revision + 1}
}

// brief is the context of somebody who likes answers short.
func brief(id string) string {
	return fmt.Sprintf(`{"kind":"user","id":%q,"confidence":0.9,"sample_size":45,"prompt":"x",`+
		`"advice":[{"about":"length","text":"Keep answers concise and to the point."}],`+
		`"style":{"length":{"value":0.1,"confidence":0.9,"sample_size":45,"typical":80}}}`, id)
}

// echo answers with the prompt it got.
func echo(_ context.Context, prompt string, _ agent.Turn) (agent.Answer, error) {
	return agent.Answer{Text: prompt}, nil
}

func TestThePromptFollowsThePerson(t *testing.T) {
	s := &shelf{}
	s.put("user.anna", brief("anna"))
	m := agent.New(agent.Options{Contexts: s})
	defer m.Close()
	ask := m.Wrap(echo)
	got, err := ask(t.Context(), agent.Turn{UserID: "anna", Base: base})
	if err != nil || !strings.Contains(got.Text, "concise") || len(got.Tuned.Changes) != 1 || got.ExchangeID == "" {
		t.Errorf("%v: %+v", err, got)
	}
	for _, user := range []string{"bob", ""} {
		if got, _ := ask(t.Context(), agent.Turn{UserID: user, Base: base}); got.Text != base {
			t.Errorf("%q: %q", user, got.Text)
		}
	}
}

func TestTheNextPromptFollowsWhatChanged(t *testing.T) {
	s := &shelf{}
	m := agent.New(agent.Options{Contexts: s})
	defer m.Close()
	ask := func() string { return m.Before(t.Context(), agent.Turn{UserID: "anna", Base: base}).Prompt }
	if got := ask(); got != base {
		t.Errorf("before: %q", got)
	}
	s.put("user.anna", brief("anna"))
	if got := ask(); got == base {
		t.Errorf("known: %q", got)
	}
	s.put("user.anna", `{"kind":"user","id":"anna","prompt":""}`)
	if got := ask(); got != base {
		t.Errorf("switched off: %q", got)
	}
	s.put("user.anna", brief("anna"))
	delete(s.entries, "user.anna")
	if got := ask(); got != base {
		t.Errorf("deleted: %q", got)
	}
	s.put("user.anna", `{"kind":`)
	if got := ask(); got != base {
		t.Errorf("unreadable: %q", got)
	}
}

func TestAnErrorOfTheGeneratorComesBack(t *testing.T) {
	m := agent.New(agent.Options{})
	defer m.Close()
	broken := errors.New("no model")
	_, err := m.Wrap(func(context.Context, string, agent.Turn) (agent.Answer, error) {
		return agent.Answer{}, broken
	})(t.Context(), agent.Turn{Base: base})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := m.After(agent.Turn{}, agent.Answer{}); err != nil {
		t.Error(err)
	}
	if err := m.React(agent.Turn{}, events.ThumbsUp); err != nil {
		t.Error(err)
	}
}

func TestNamesAreAskedForOnce(t *testing.T) {
	s := &shelf{}
	s.put("user.p1_anna", brief("p1_anna"))
	var asked atomic.Int64
	m := agent.New(agent.Options{Contexts: s, Patience: time.Minute, Key: func(_ context.Context, user string) (string, error) {
		asked.Add(1)
		return "user.p1_" + user, nil
	}})
	defer m.Close()
	for range 3 {
		if got := m.Before(t.Context(), agent.Turn{UserID: "anna", Base: base}); got.Prompt == base {
			t.Errorf("%+v", got)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

func TestNobodyWaitsLongForAName(t *testing.T) {
	answer, answered := make(chan struct{}), make(chan struct{})
	s := &shelf{}
	s.put("user.late", brief("late"))
	m := agent.New(agent.Options{Contexts: s, Patience: time.Millisecond, Key: func(ctx context.Context, _ string) (string, error) {
		select {
		case <-answer:
		case <-ctx.Done():
		}
		defer close(answered)
		return "user.late", nil
	}})
	defer m.Close()
	turn := agent.Turn{UserID: "anna", Base: base}
	if got := m.Before(t.Context(), turn); got.Prompt != base {
		t.Errorf("%+v", got)
	}
	close(answer)
	<-answered
	for m.Before(t.Context(), turn).Prompt == base {
		runtime.Gosched() // until the answer has been taken down
	}
}

func TestALoopThatDoesNotAnswerLeavesTheBase(t *testing.T) {
	m := agent.New(agent.Options{Contexts: &shelf{}, Key: func(context.Context, string) (string, error) { return "", kv.ErrRefused }})
	defer m.Close()
	if got := m.Before(t.Context(), agent.Turn{UserID: "anna", Base: base}); got.Prompt != base {
		t.Errorf("%+v", got)
	}
}

func TestTermsOfAnExperimentAreFollowed(t *testing.T) {
	s := &shelf{}
	s.put("user.anna", brief("anna"))
	m := agent.New(agent.Options{Contexts: s, Terms: func(string) persona.Terms { return persona.Terms{} }})
	defer m.Close()
	if got := m.Before(t.Context(), agent.Turn{UserID: "anna", Base: base}); got.Prompt != base {
		t.Errorf("%+v", got)
	}
}

func TestTheArmOfASessionIsFollowedAndSaid(t *testing.T) {
	s := &shelf{}
	s.put("user.anna", brief("anna"))
	d := events.ExperimentDesign{
		IsActive: true, TreatmentPercentage: 50, PrimaryMetric: events.Metric{Name: events.QualityMetric},
		TreatmentConfig: []byte(`{"length_weight":0}`),
	}
	m := agent.New(agent.Options{Contexts: s, Arms: func(unit string) (arms []events.Enrolment) {
		if arm, enrolled := d.Enrol("length", unit, time.Now()); enrolled {
			arms = append(arms, arm)
		}
		return arms
	}})
	defer m.Close()
	met := map[string]bool{}
	for i := range 50 {
		session := fmt.Sprint("s", i)
		arm := events.Assign("length", &d, session).Variant
		met[arm] = true
		got := m.Before(t.Context(), agent.Turn{UserID: "anna", SessionID: session, Base: base})
		if treated := arm == events.TreatmentArm; (got.Prompt == base) != treated || (len(got.Experiments) == 1) != treated {
			t.Errorf("%s in %s: %+v", session, arm, got)
		}
	}
	if len(met) != 2 {
		t.Errorf("arms %v", met)
	}
}

func TestATurnWithoutAUnitIsInNoExperiment(t *testing.T) {
	var asked []string
	m := agent.New(agent.Options{Arms: func(unit string) []events.Enrolment {
		asked = append(asked, unit)
		return []events.Enrolment{{Experiment: "length", Variant: events.TreatmentArm, Config: []byte(`{"length_weight":0}`)}}
	}})
	defer m.Close()
	if got := m.Before(t.Context(), agent.Turn{Base: base}); len(got.Experiments) > 0 || len(asked) > 0 {
		t.Errorf("without a unit: %q of %q", got.Experiments, asked)
	}
	if got := m.Before(t.Context(), agent.Turn{Base: base, UserID: "anna"}); len(got.Experiments) != 1 || asked[0] != "anna" {
		t.Errorf("of a user: %q of %q", got.Experiments, asked)
	}
}

func TestOfManyPeopleTheCacheForgetsSome(t *testing.T) {
	s := &shelf{}
	long, err := json.Marshal(strings.Repeat("x", 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	ps := agent.NewPreferences(s)
	for i := range 30 {
		key := fmt.Sprint("user.", i)
		s.put(key, fmt.Sprintf(`{"kind":"user","id":"%d","prompt":%s}`, i, long))
		for range 2 {
			if p := ps.Of(key); p == nil || p.ID != fmt.Sprint(i) {
				t.Fatalf("%d: %+v", i, p)
			}
		}
	}
}

// Source document 003 allows 5 ms.
func BenchmarkPreferencesFromMemory(b *testing.B) {
	s := &shelf{}
	s.put("user.anna", brief("anna"))
	ps := agent.NewPreferences(s)
	b.ReportAllocs()
	for b.Loop() {
		ps.Of("user.anna")
	}
}

// Source document 003 allows 10 ms.
func BenchmarkBefore(b *testing.B) {
	s := &shelf{}
	s.put("user.anna", brief("anna"))
	m := agent.New(agent.Options{Contexts: s, Key: func(context.Context, string) (string, error) { return "user.anna", nil }})
	defer m.Close()
	turn := agent.Turn{UserID: "anna", Base: base}
	b.ReportAllocs()
	for b.Loop() {
		m.Before(b.Context(), turn)
	}
}
