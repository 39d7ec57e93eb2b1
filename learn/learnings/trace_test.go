package learnings_test

import (
	"fmt"
	"strings"
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
		{events.InjectionRecorded.Kind, tried("t3", old, true)},
		{events.InjectionRecorded.Kind, tried("t4", old, false)},
		{events.InjectionRecorded.Kind, tried("t5", old, false)}, // and never ends
		{events.TaskFinished.Kind, events.Task{TaskID: "t3", Status: events.Completed, Subtasks: []events.Subtask{}}},
		{events.TaskFinished.Kind, events.Task{TaskID: "t4", Status: events.Failed, Subtasks: []events.Subtask{}}},
		{events.TaskFinished.Kind, events.Task{TaskID: "t1", Status: events.Failed, Subtasks: []events.Subtask{}}}, // not by chance
		{events.LearningSuperseded.Kind, events.Succession{ID: old, SupersededBy: heir, Reason: "better"}},
	} {
		if err := l.Hear(event(said.kind, fmt.Sprint(said.kind, day), day, said.data)); err != nil {
			t.Fatal(err)
		}
	}
	for id, counts := range map[string]map[string]int{
		old: {"title": 1, "tags": 2, "confidence": 6, "times_injected": 3, "times_helpful": 1, "times_not_helpful": 1,
			"evidence": 6, "evidence/tasks": 4, "status": 2, "superseded_by": 1, "created_at": 1, "last_injected_at": 3, "last_helpful_at": 1},
		heir: {"title": 1, "status": 2, "status_reason": 2, "created_at": 2, "supersedes": 2},
	} {
		checkTraced(t, l, learn.Key{Kind: learnings.KindLearning, ID: id}, counts)
	}
}

// tried is an injection of which chance decided about a learning.
func tried(task, id events.ID, leftOut bool) events.Injection {
	items := []events.InjectedItem{{LearningID: id, LeftOut: leftOut, Propensity: new(0.8)}}
	return events.Injection{TaskID: task, OutcomeID: "o", Items: items}
}

// checkTraced finds fields without a record behind them, and lines that are no field.
func checkTraced(t *testing.T, l *learntest.Loop, key learn.Key, counts map[string]int) {
	t.Helper()
	behind := map[string]int{}
	p := l.Open()[0]
	for r := range p.Each(learn.Select{}) {
		for _, line := range learnings.Model().Trace(p.Table, key, r) {
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
		field, _, _ := strings.Cut(line, "/")
		if _, is := fields[field]; !is {
			t.Errorf("%s: %s is no field", key, line)
		}
	}
	for line, want := range counts {
		if behind[line] != want {
			t.Errorf("%s: %s has %d records behind it, want %d", key, line, behind[line], want)
		}
	}
}
