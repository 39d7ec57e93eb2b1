package outcomes_test

import (
	"fmt"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/outcomes"
)

// finishedTask is the i-th of tasks with two hundred kinds of goals and five steps of
// thirty types, done by two models.
func finishedTask(i int) *events.Fact[events.Task] {
	t := events.Task{
		TaskID: events.ID(fmt.Sprintf("task-%07d", i)), Status: events.Completed,
		Goal: fmt.Sprintf("Move the reports of service %d to the new format and check them", i%200),
	}
	seconds, tokens := float64(5+i%50), int64(800+i%900)
	for step := range 5 {
		tier := int64((i+step)%2 + 1)
		s := events.Subtask{
			ID: events.ID(fmt.Sprintf("step-%02d", (i+step*7)%30)), Description: "Read the old report, write the new one, compare the two",
			ModelTier: tier, VerificationTier: tier, ModelUsed: fmt.Sprintf("model-%d", tier), Success: new(i%7 != step), RetryCount: int64(i % 3 / 2),
			DurationSeconds: &seconds, TokensUsed: &tokens, PromptFeatures: []string{"examples", "schema"},
		}
		if i%7 == step {
			t.Status, s.FailureReasons = events.Failed, []string{"the numbers of the last column differ"}
		}
		if step > 0 {
			s.DependsOn = []events.ID{t.Subtasks[step-1].ID}
		}
		t.Subtasks = append(t.Subtasks, s)
	}
	return &events.Fact[events.Task]{Data: t, Head: events.Head{
		SpecVersion: "1.0", ID: string(t.TaskID), Source: "/bench", Type: events.TaskFinished.Kind.Type(), Record: fmt.Sprintf("%032x", i),
		Time: time.Unix(1_750_000_000+int64(i)*60, 0).UTC(), Group: events.Outcomes, Seq: uint64(i) + 1,
	}}
}

// What folding a finished task of five steps costs, in memory.
func BenchmarkFinishedTask(b *testing.B) {
	model, table := outcomes.Model(), &learn.Memory{}
	facts := make([]*events.Fact[events.Task], 6000)
	for i := range facts {
		facts[i] = finishedTask(i)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		model.Apply(table, facts[i%len(facts)])
		if i%1000 == 999 {
			table.Commit()
		}
	}
}
