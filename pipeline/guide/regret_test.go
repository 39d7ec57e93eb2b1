package guide

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/outcomes"

	"github.com/go-json-experiment/json/jsontext"
)

// loop folds finished tasks, renders what is known of their steps, and shows it to a
// board, as the three stages do.
type loop struct {
	model learn.Model
	rows  learn.Memory
	board *Board
	tasks int
}

// finish takes in a task of one type of step: the runs in their order.
func (l *loop) finish(tb testing.TB, id string, runs ...events.Subtask) {
	tb.Helper()
	l.tasks++
	spec, _ := events.Lookup(events.TaskFinished.Kind)
	task := events.Task{TaskID: events.ID(id), Goal: "Answer", Status: events.Completed, Subtasks: runs} // ids of tasks tell nothing here
	head := events.Head{
		Type: events.TaskFinished.Kind.Type(), Group: events.Outcomes, Record: fmt.Sprint(l.tasks), Seq: uint64(l.tasks),
		Time: time.Date(2026, 5, 1, 0, 0, l.tasks, 0, time.UTC),
	}
	l.model.Apply(&l.rows, spec.Fact(head, &task))
	l.rows.Commit()
	key := learn.Key{Kind: outcomes.KindTask, ID: id}
	known, _ := l.model.Know(&l.rows, key)
	value, err := l.model.Render(key, []jsontext.Value{known})
	if err != nil {
		tb.Fatal(err)
	}
	l.board.take(kv.Context{Key: kv.Key(key.Kind, id), Value: value, Revision: uint64(l.tasks)})
}

// TestChoicesLearnFromWhatTheyLeadTo has 57 subjects of 246 tasks one after the other;
// what the lower tier fails at goes on to the higher one.
func TestChoicesLearnFromWhatTheyLeadTo(t *testing.T) {
	if testing.Short() {
		t.Skip("fourteen thousand tasks")
	}
	const subjects, tasks, dear = 57, 246, 2.0
	rng := rand.New(rand.NewPCG(11, 1))
	l := loop{model: outcomes.Model(), board: board(t, desk{})}
	candidates := []outcomes.Candidate{{Model: "small", Tier: 1, Cost: 1}, {Model: "large", Tier: 2, Cost: dear}}
	var paid, best float64
	for subject := range subjects {
		id := fmt.Sprint("subject-", subject)
		low := 1 / (1 + math.Exp(-0.85-0.8*rng.NormFloat64()))
		high := low + (1-low)*(0.2+0.5*rng.Float64())
		path := 1 + (1-low)*(1+dear)
		for n := range tasks {
			small, large := ran(id, 1, rng.Float64() < low), ran(id, 2, rng.Float64() < high)
			a := l.board.Route(Ask{Request: fmt.Sprint(id, "/", n), Type: id, PlannedTier: 1, Candidates: candidates})
			switch {
			case a.Options[a.Chosen].Model == "large":
				paid += dear
				l.finish(t, id, large)
			case *small.Success:
				paid += path
				l.finish(t, id, small)
			default:
				paid += path
				l.finish(t, id, small, large)
			}
			best += min(path, dear)
		}
	}
	if regret := paid/best - 1; regret > 0.03 {
		t.Errorf("regret %.4f", regret)
	}
}

// A step that is done above in the end may be told as two runs, or as one with two retries.
func TestAStepThatWasDoneAboveTellsOfTheTierBelow(t *testing.T) {
	candidates := []outcomes.Candidate{{Model: "small", Tier: 1, Cost: 1}, {Model: "large", Tier: 2, Cost: 2}}
	expected := func(runs ...events.Subtask) float64 {
		l := loop{model: outcomes.Model(), board: board(t, desk{})}
		for range 20 {
			l.finish(t, "convert", runs...)
		}
		a := l.board.Route(Ask{Request: "r", Type: "convert", PlannedTier: 1, Candidates: candidates})
		for _, o := range a.Options {
			if o.Model == "small" {
				return o.Expected
			}
		}
		return -1
	}
	one := ran("convert", 2, true)
	one.RetryCount = 2
	told, asOne, never := expected(ran("convert", 1, false), ran("convert", 2, true)), expected(one), expected(ran("convert", 2, true))
	if told != asOne || asOne > 0.25 || never < 0.75 {
		t.Errorf("success of the tier below is expected at %.2f told as two runs, %.2f as one, %.2f if it was never tried", told, asOne, never)
	}
}

// ran is a run of the model of a tier.
func ran(id string, tier int64, success bool) events.Subtask {
	s := events.Subtask{ID: events.ID(id), ModelTier: tier, ModelUsed: "small", Success: &success}
	if tier > 1 {
		s.ModelUsed = "large"
	}
	if tier == 1 && !success {
		s.RetryCount = 1
	}
	return s
}
