package learnings_test

import (
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/learn/learntest"

	"github.com/go-json-experiment/json"
)

func TestEveryFieldOfALearningTracesToRecords(t *testing.T) {
	const old, heir = "learn_a", "learn_b"
	l := &learntest.Loop{Models: []learn.Model{learnings.Model()}}
	for day, said := range []struct {
		kind events.Kind
		data any
	}{
		{events.LearningCreated.Kind, events.Learning{ID: old, Title: "t", Domain: "ui", PatternType: "gotcha",
			SourceOutcomeID: "o", SourceTaskID: "t0", SourceDiscoveryID: "d"}},
		{events.LearningRevised.Kind, events.Revision{ID: old, Tags: events.Tags{"x"}}},
		{events.InjectionRecorded.Kind, events.Injection{TaskID: "t1", OutcomeID: "o", Items: []events.InjectedItem{{LearningID: old}}}},
		{events.FeedbackLearning.Kind, events.Vote{LearningID: old, TaskID: "t1", Helpful: true}},
		{events.FeedbackLearning.Kind, events.Vote{LearningID: old, TaskID: "t2"}},
		{events.LearningProposed.Kind, events.Proposal{ID: heir, Title: "t", Domain: "ui", PatternType: "gotcha",
			SourceOutcomeID: "o", SourceTaskID: "t0", SourceDiscoveryID: "d", Reason: "five tasks"}},
		{events.LearningReviewed.Kind, events.Review{ID: heir, Verdict: events.ReviewApproved, Comment: "yes"}},
		{events.FeedbackLearning.Kind, events.Vote{LearningID: heir, TaskID: "t2"}},
		{events.LearningSuperseded.Kind, events.Succession{ID: old, SupersededBy: heir, Reason: "better"}},
	} {
		if err := l.Hear(event(said.kind, string(said.kind), day, said.data)); err != nil {
			t.Fatal(err)
		}
	}
	for id, counts := range map[string]map[string]int{
		old: {"title": 1, "tags": 2, "confidence": 4, "times_injected": 1, "times_helpful": 1, "times_not_helpful": 1,
			"evidence": 4, "status": 2, "superseded_by": 1, "created_at": 1, "last_injected_at": 1, "last_helpful_at": 1},
		heir: {"title": 1, "status": 2, "status_reason": 2, "created_at": 2, "supersedes": 2},
	} {
		checkTraced(t, l, learn.Key{Kind: learnings.KindLearning, ID: id}, counts)
	}
}

// checkTraced finds fields without a record behind them, and lines that are no field.
func checkTraced(t *testing.T, l *learntest.Loop, key learn.Key, counts map[string]int) {
	t.Helper()
	behind := map[string]int{}
	for r := range l.Open()[0].Each(learn.Select{}) {
		for _, line := range learnings.Model().Trace(key, r) {
			behind[line]++
		}
	}
	l.Refresh()
	contexts, err := l.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(contexts["learn_learnings "+key.String()], &fields); err != nil {
		t.Fatal(err)
	}
	for _, constant := range []string{"id", "kind", "schema"} {
		delete(fields, constant)
	}
	for name, value := range fields {
		if behind[name] == 0 && value != 0.0 {
			t.Errorf("%s: nothing is behind %s", key, name)
		}
	}
	for line := range behind {
		if _, is := fields[line]; !is {
			t.Errorf("%s: %s is no field", key, line)
		}
	}
	for line, want := range counts {
		if behind[line] != want {
			t.Errorf("%s: %s has %d records behind it, want %d", key, line, behind[line], want)
		}
	}
}
