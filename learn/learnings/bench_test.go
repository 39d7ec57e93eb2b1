package learnings_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learnings"
)

// BenchmarkFold folds what a task tells: five learnings injected, two votes.
func BenchmarkFold(b *testing.B) {
	const entries, batch = 1000, 1000
	var table learn.Memory
	m := learnings.Model()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range entries {
		l := &events.Learning{ID: entryID(i), Title: "Sign the body", Action: "sign it"}
		m.Apply(&table, fact(events.LearningCreated, fmt.Sprint("l", i), start.Add(time.Duration(i-entries)*time.Minute), l))
	}
	facts, chance := 0, rand.New(rand.NewPCG(1, 2))
	for i := 0; b.Loop(); i++ {
		at, task := start.Add(time.Duration(i)*time.Second), events.ID(fmt.Sprint("task-", i))
		in := &events.Injection{TaskID: task}
		for range 5 {
			in.Items = append(in.Items, events.InjectedItem{LearningID: entryID(chance.IntN(entries))})
		}
		m.Apply(&table, fact(events.InjectionRecorded, fmt.Sprint("i", i), at, in))
		for n := range 2 {
			v := &events.Vote{LearningID: in.Items[n].LearningID, TaskID: task, Helpful: n == 0}
			m.Apply(&table, fact(events.FeedbackLearning, fmt.Sprint("v", i, n), at, v))
		}
		if facts += 3; facts%batch == 0 {
			table.Commit()
		}
	}
	b.ReportMetric(float64(facts)/b.Elapsed().Seconds(), "facts/s")
}

func entryID(i int) events.ID { return events.ID(fmt.Sprintf("learn_%012d", i)) }

func fact[P any](t *events.Type[P], record string, at time.Time, p *P) *events.Fact[P] {
	return &events.Fact[P]{Head: events.Head{Type: t.Kind.Type(), Record: record, Time: at, Group: events.Learnings}, Data: *p}
}

// BenchmarkLateEdits has thousands of edits of one entry come in the wrong order; what
// each of them costs must not grow with how many there are.
func BenchmarkLateEdits(b *testing.B) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, edits := range []int{1_000, 4_000, 16_000} {
		b.Run(fmt.Sprint(edits), func(b *testing.B) {
			for b.Loop() {
				var table learn.Memory
				m := learnings.Model()
				m.Apply(&table, fact(events.LearningCreated, "l", start, &events.Learning{ID: entryID(0), Title: "Sign the body"}))
				for i := range edits {
					text := fmt.Sprint("number ", i)
					r := &events.Revision{ID: entryID(0), Action: &text}
					m.Apply(&table, fact(events.LearningRevised, fmt.Sprint("e", i), start.Add(-time.Duration(i)*time.Minute), r))
					if i%1000 == 999 {
						table.Commit()
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*edits), "µs/edit")
		})
	}
}
