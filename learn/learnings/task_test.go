package learnings_test

import (
	"fmt"
	"iter"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learnings"
)

// counting counts the rows that scans come by.
type counting struct {
	learn.Memory
	scanned int
}

func (c *counting) Scan(p learn.Place) iter.Seq2[string, *learn.Cell] {
	return func(yield func(string, *learn.Cell) bool) {
		for row, cell := range c.Memory.Scan(p) {
			if c.scanned++; !yield(row, cell) {
				return
			}
		}
	}
}

// Who gives all tasks the same name would else stop the loop: each fact would look
// through all that came before.
func TestManyInjectionsIntoOneTaskAreNotLookedThrough(t *testing.T) {
	const many = 200
	var table counting
	m := learnings.Model()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range many {
		at, name := start.Add(time.Duration(i)*time.Second), fmt.Sprint(i)
		m.Apply(&table, fact(events.InjectionRecorded, "i"+name, at,
			&events.Injection{TaskID: "default", Items: []events.InjectedItem{{LearningID: "learn_a"}}}))
		m.Apply(&table, fact(events.TaskFinished, "f"+name, at, &events.Task{TaskID: "default", Status: events.Completed}))
	}
	if table.scanned > 2*many {
		t.Errorf("%d facts looked at %d rows", 2*many, table.scanned)
	}
}

// Of what happened at the same time the record that sorts first counts, in whatever
// order they come and go.
func TestACourseIsTheSameInAnyOrder(t *testing.T) {
	m := learnings.Model()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	all := []events.Recorded{
		fact(events.InjectionRecorded, "a", at, &events.Injection{TaskID: "t", Arm: events.ArmHoldout}),
		fact(events.InjectionRecorded, "b", at, &events.Injection{TaskID: "t", Arm: events.ArmPlacebo}),
		fact(events.InjectionRecorded, "c", at.Add(time.Hour), &events.Injection{TaskID: "t"}),
		fact(events.TaskFinished, "d", at, &events.Task{TaskID: "t", Status: events.Completed}),
		fact(events.TaskFinished, "e", at.Add(time.Hour), &events.Task{TaskID: "t", Status: events.Failed}),
		fact(events.TaskFinished, "f", at.Add(time.Hour), &events.Task{TaskID: "t", Status: events.Completed}),
	}
	for gone := range 1 << len(all) {
		var forward, backward, never learn.Memory
		for i := range all {
			m.Apply(&forward, all[i])
			m.Apply(&backward, all[len(all)-1-i])
		}
		for i, f := range all {
			if gone&(1<<i) != 0 {
				m.Retract(&forward, f)
				m.Retract(&backward, f)
			} else {
				m.Apply(&never, f)
			}
		}
		want := armsOf(t, m, &never)
		if a, b := armsOf(t, m, &forward), armsOf(t, m, &backward); a != want || b != want {
			t.Errorf("without %06b: %+v and %+v, want %+v", gone, a, b, want)
		}
	}
}

func armsOf(t *testing.T, m learn.Model, table learn.Table) learnings.Arms {
	t.Helper()
	answer, err := m.Answers[learnings.AskBlock](learn.Question{Rows: m.Open(table)})
	if err != nil {
		t.Fatal(err)
	}
	return answer.(learnings.Block).Arms
}
