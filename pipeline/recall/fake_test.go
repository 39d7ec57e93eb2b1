package recall

import (
	"context"
	"fmt"
	"iter"
	"testing"
	"time"

	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"

	"github.com/go-json-experiment/json"
)

// desk holds entries as a reader of their bucket does.
type desk struct {
	entries map[string]kv.Context
	changes []kv.Context
}

func (d desk) Get(key string) (kv.Context, bool) {
	c, ok := d.entries[key]
	return c, ok
}

func (d desk) All(string) iter.Seq[kv.Context] {
	return func(yield func(kv.Context) bool) {
		for _, e := range d.entries {
			if !yield(e) {
				return
			}
		}
	}
}

func (d desk) Changes(context.Context, string) iter.Seq[kv.Context] {
	return func(yield func(kv.Context) bool) {
		for _, e := range d.changes {
			d.entries[e.Key] = e
			if !yield(e) {
				return
			}
		}
	}
}

func entry(tb testing.TB, l learnings.Learning) kv.Context {
	tb.Helper()
	data, err := json.Marshal(l)
	if err != nil {
		tb.Fatal(err)
	}
	return kv.Context{Key: kv.EntryKey(l.ID), Value: data, Revision: 1}
}

// lesson is a learning about a subject.
func lesson(id, title string) learnings.Learning {
	return learnings.Learning{
		ID: id, Kind: learnings.KindLearning, Title: title, Context: "Testing", Observation: "It fails", Implication: "It will again",
		Action: "Do it otherwise", Status: learnings.Active, Confidence: 0.7, InitialConfidence: 0.7, CreatedAt: time.Unix(0, 0),
		Posterior: learnings.Posterior{Mean: 0.7}, Evidence: learnings.Evidence{Prior: 0.7},
	}
}

// shelved is a shelf with learnings.
func shelved(tb testing.TB, all ...learnings.Learning) *Shelf {
	tb.Helper()
	d := desk{entries: map[string]kv.Context{}}
	for _, l := range all {
		e := entry(tb, l)
		d.entries[e.Key] = e
	}
	s := NewShelf(d, nil)
	if err := s.Run(tb.Context(), func() {}); err != nil {
		tb.Fatal(err)
	}
	return s
}

// terms have nothing left to chance but what a test changes.
func terms(change ...func(*Terms)) Terms {
	t := Terms{Trial: learnings.Trial{Selection: learnings.ByPosterior, Most: 5}, Tokens: 2000}
	for _, f := range change {
		f(&t)
	}
	return t
}

// taskIn finds a task that chance puts into an arm.
func taskIn(t *testing.T, trial learnings.Trial, arm string) string {
	t.Helper()
	for n := range 10_000 {
		id := fmt.Sprint("task-", n)
		if got, _ := trial.Arm(id); string(got) == arm {
			return id
		}
	}
	t.Fatalf("no task is in %s", arm)
	return ""
}

// learningsPool is a pool as it is published.
func learningsPool(p learnings.Pool) ([]byte, error) {
	return json.Marshal(learnings.Pooled{Kind: learnings.KindPool, Pool: p})
}
