package learnings_test

import (
	"fmt"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learnings"
)

// nth is one of many facts about one learning, each half a day after the one before.
type nth func(n int, at time.Time) events.Recorded

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// many are the kinds of facts of which there may be any number about the same.
var many = map[string]nth{
	"injections": func(n int, at time.Time) events.Recorded {
		return fact(events.InjectionRecorded, fmt.Sprintf("r%04d", n), at, &events.Injection{
			TaskID: "t", Shares: &events.ArmShares{Holdout: 0.05}, Items: []events.InjectedItem{{LearningID: entryID(0), Propensity: new(0.8)}},
		})
	},
	"votes": func(n int, at time.Time) events.Recorded {
		v := &events.Vote{LearningID: entryID(0), TaskID: events.ID(fmt.Sprint("t", n%7)), Helpful: n%2 == 0}
		return fact(events.FeedbackLearning, fmt.Sprintf("r%04d", n), at, v)
	},
	"votes of many tasks": func(n int, at time.Time) events.Recorded {
		v := &events.Vote{LearningID: entryID(0), TaskID: events.ID(fmt.Sprint("given", n)), Helpful: n%2 == 0}
		return fact(events.FeedbackLearning, fmt.Sprintf("r%04d", n), at, v)
	},
	"ends of a task": func(n int, at time.Time) events.Recorded {
		status := []events.TaskStatus{events.Completed, events.Failed}[n%2]
		return fact(events.TaskFinished, fmt.Sprintf("r%04d", n), at, &events.Task{TaskID: "t", Status: status})
	},
	"edits": func(n int, at time.Time) events.Recorded {
		return fact(events.LearningRevised, fmt.Sprintf("r%04d", n), at, &events.Revision{ID: entryID(0), Action: new(fmt.Sprint(n))})
	},
	"further evidence": func(n int, at time.Time) events.Recorded {
		return fact(events.LearningRevised, fmt.Sprintf("r%04d", n), at, &events.Revision{ID: entryID(0), SourceTaskID: "t"})
	},
}

// cost is how many rows scans come by for each of n facts: when they are told in an
// order, and when they are taken back in it.
func cost(n int, made nth, order func(i int) int) (telling, taking int) {
	table, m := &counting{}, learnings.Model()
	m.Apply(table, fact(events.LearningCreated, "l", start, &events.Learning{ID: entryID(0), Title: "Sign the body"}))
	for i := range n { // votes of many tasks count
		in := &events.Injection{TaskID: events.ID(fmt.Sprint("given", i)), Items: []events.InjectedItem{{LearningID: entryID(0)}}}
		m.Apply(table, fact(events.InjectionRecorded, fmt.Sprint("g", i), start.Add(time.Duration(i)*12*time.Hour), in))
	}
	do := func(apply func(learn.Table, events.Recorded)) int {
		table.Commit()
		table.scanned = 0
		for i := range n {
			at := order(i)
			apply(table, made(at, start.Add(time.Duration(at)*12*time.Hour)))
			table.Commit()
		}
		return table.scanned / n
	}
	return do(m.Apply), do(m.Retract)
}

func TestNoFactLooksThroughAllThatWereBeforeIt(t *testing.T) {
	const few, more = 60, 240
	orders := map[string]func(n int) func(int) int{
		"forward":  func(int) func(int) int { return func(i int) int { return i } },
		"backward": func(n int) func(int) int { return func(i int) int { return n - 1 - i } },
		"mixed":    func(n int) func(int) int { return func(i int) int { return i * 7 % n } },
	}
	for what, made := range many {
		for how, order := range orders {
			told, taken := cost(few, made, order(few))
			moreTold, moreTaken := cost(more, made, order(more))
			if what == "injections" && how == "backward" { // nothing is taken back from the newest on
				taken, moreTaken = 0, 0
			}
			if moreTold > 2*told+10 || moreTaken > 2*taken+10 {
				t.Errorf("%s, %s: of %d each comes by %d rows and %d when it is taken back, of %d at %d and %d",
					what, how, few, told, taken, more, moreTold, moreTaken)
			}
		}
	}
}

func TestAMonthWithoutFactsAgesEachLearningOnce(t *testing.T) {
	const many = 300
	var table counting
	m := learnings.Model()
	for i := range many {
		at := start.Add(time.Duration(i) * time.Minute)
		m.Apply(&table, fact(events.LearningCreated, fmt.Sprint("l", i), at, &events.Learning{ID: entryID(i), Title: "Sign the body"}))
	}
	late := fact(events.FeedbackLearning, "v", start.AddDate(0, 0, 40), &events.Vote{LearningID: entryID(0), TaskID: "t"})
	for _, do := range []func(learn.Table, events.Recorded){m.Apply, m.Retract} {
		table.Commit()
		table.scanned = 0
		if do(&table, late); table.scanned > 3*many {
			t.Errorf("%d learnings came by %d rows", many, table.scanned)
		}
	}
}
