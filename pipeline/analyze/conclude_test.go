package analyze

import (
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
)

// concluding counts fixes per rule, and concludes from the count an outcome in partition 1.
func concluding() learn.Model {
	type count struct{ N int64 }
	n := func(r learn.Rows, k learn.Key) int64 { return learn.Peek[count](r, k, "n").N }
	return learn.Define(learn.Spec[int64]{
		Name: "concluding", Version: 1, Group: events.ByRule, Kinds: []string{"rule"},
		Folds: []learn.Fold{learn.Sum(events.FeedbackFix, func(r learn.Rows, f *events.Fact[events.FixFeedback], w int64) {
			learn.At[count](r, learn.Key{Kind: "rule", ID: f.Key}, "n").N += w
		})},
		Know:   func(r learn.Rows, k learn.Key) (int64, bool) { return n(r, k), n(r, k) != 0 },
		Render: func(_ learn.Key, parts []int64) (any, bool) { return parts, true },
		Conclude: func(r learn.Rows, k learn.Key) []learn.Conclusion {
			m := &events.Measurement{Experiment: "x", UnitID: events.ID(k.ID), Value: float64(n(r, k))}
			return []learn.Conclusion{{Record: "of " + k.ID, Partition: 1, Cause: events.Head{Record: "a"}, Part: m.Parts()[0]}}
		},
	})
}

// concluded puts what was appended into the log, and returns the values.
func (b *bench) concluded() (values []float64) {
	b.t.Helper()
	for _, m := range b.appended {
		rec, err := events.ExperimentOutcome.ReadFact(m.Data)
		if err != nil || rec.Header().Cause != "a" {
			b.t.Fatalf("%s: %v", m.Data, err)
		}
		if p, kind, ok := pipeline.ParseLog(m.Subject); !ok || p != 1 || kind != events.ExperimentOutcome.Kind {
			b.t.Errorf("appended to %s", m.Subject)
		}
		b.put(1, events.ExperimentOutcome.Kind, m.Data)
		values = append(values, rec.Payload().(*events.Measurement).Value)
	}
	b.appended = nil
	return values
}

func TestAConclusionIsAppendedWhenItChangesAndNotAgain(t *testing.T) {
	b := newBench(t, concluding())
	b.say(fix("a", "r", events.Accepted))
	b.run()
	if got := b.concluded(); len(got) != 1 || got[0] != 1 {
		t.Fatalf("first: %v", got)
	}
	b.open(concluding())
	b.say(fix("a", "r", events.Accepted)) // delivered again
	b.run()
	if got := b.concluded(); len(got) > 0 {
		t.Errorf("nothing has changed: %v", got)
	}
	b.open(concluding())
	b.say(fix("b", "r", events.Accepted))
	b.run()
	if got := b.concluded(); len(got) != 1 || got[0] != 2 {
		t.Errorf("changed: %v", got)
	}
	b.dir = t.TempDir()
	b.open(concluding())
	b.head = uint64(len(b.log))
	b.run()
	if got := b.concluded(); len(got) > 0 {
		t.Errorf("folded from nothing: %v", got)
	}
}

func TestWhatIsConcludedForAnExperimentThatWentIsNotAppended(t *testing.T) {
	b := newBench(t, concluding())
	gone, err := events.Encode(order("gone", 48, &events.ExperimentExpired{Experiment: "x", Before: fix("", "", "").Recorded}))
	if err != nil {
		t.Fatal(err)
	}
	b.put(1, events.ControlExperimentExpired.Kind, gone)
	b.run()
	b.say(fix("a", "r", events.Accepted))
	b.run()
	if got := b.concluded(); len(got) > 0 {
		t.Errorf("appended %v", got)
	}
}
