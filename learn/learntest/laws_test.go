package learntest

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// The planted models count feedback per rule, each with one mistake.

type counted struct {
	N int64 `json:"n"`
}

func planted(change func(*learn.Spec[counted])) learn.Model {
	key := func(f *events.Fact[events.FixFeedback]) learn.Key {
		return learn.Key{Kind: "rule", ID: string(f.Data.RuleID)}
	}
	s := learn.Spec[counted]{
		Name:    "planted",
		Version: 1,
		Group:   events.ByRule,
		Folds: []learn.Fold{learn.Sum(events.FeedbackFix, func(r learn.Rows, f *events.Fact[events.FixFeedback], by int64) {
			*learn.At[int64](r, key(f), "n") += by
		})},
		Know: func(r learn.Rows, k learn.Key) (counted, bool) {
			n := learn.Peek[int64](r, k, "n")
			return counted{n}, n != 0
		},
		Render: func(_ learn.Key, parts []counted) (any, bool) { return parts[0], true },
	}
	change(&s)
	return learn.Define(s)
}

// on folds with the functions; without the second it takes nothing back.
func on(apply, retract func(learn.Rows, *events.Fact[events.FixFeedback])) []learn.Fold {
	if retract == nil {
		retract = func(learn.Rows, *events.Fact[events.FixFeedback]) {}
	}
	return []learn.Fold{learn.On(events.FeedbackFix, apply, retract)}
}

var rule = learn.Key{Kind: "rule", ID: "a"}

func TestLawsAcceptAModelThatKeepsThem(t *testing.T) {
	lawsOf(planted(func(*learn.Spec[counted]) {})).Check(t)
}

func TestLawsFindModelsThatBreakThem(t *testing.T) {
	if err := flag.Set("rapid.nofailfile", "true"); err != nil {
		t.Fatal(err)
	}
	calls := int64(0)
	for name, c := range map[string]struct {
		law    string
		change func(*learn.Spec[counted])
	}{
		"depends on something else": {"the same log gives the same bytes", func(s *learn.Spec[counted]) {
			s.Folds = on(func(r learn.Rows, _ *events.Fact[events.FixFeedback]) {
				calls++
				*learn.At[int64](r, rule, "n") = calls
			}, nil)
		}},
		"the last one wins": {"order, partitions and duplicates do not matter", func(s *learn.Spec[counted]) {
			s.Folds = on(func(r learn.Rows, f *events.Fact[events.FixFeedback]) { *learn.At[int64](r, rule, "n") = f.Time.Unix() }, nil)
		}},
		"takes back too much": {"what is taken back was never there", func(s *learn.Spec[counted]) {
			s.Folds = on(func(r learn.Rows, _ *events.Fact[events.FixFeedback]) { *learn.At[int64](r, rule, "n")++ },
				func(r learn.Rows, _ *events.Fact[events.FixFeedback]) { *learn.At[int64](r, rule, "n") = 0 })
		}},
		"takes nothing back": {"everything taken back leaves nothing", func(s *learn.Spec[counted]) {
			s.Folds = on(func(r learn.Rows, _ *events.Fact[events.FixFeedback]) { *learn.At[int64](r, rule, "n")++ }, nil)
		}},
		"knows from another key": {"what is published is what is known", func(s *learn.Spec[counted]) {
			s.Know = func(r learn.Rows, _ learn.Key) (counted, bool) {
				return counted{learn.Peek[int64](r, rule, "n")}, true
			}
		}},
		"takes back what a reset took": {"what is left of the log gives the same", func(s *learn.Spec[counted]) {
			s.Folds = append(s.Folds, learn.On(events.ControlReset, func(r learn.Rows, _ *events.Fact[events.DataReset]) {
				for _, id := range []string{"a", "b", "c"} {
					*learn.At[int64](r, learn.Key{Kind: "rule", ID: id}, "n") = 0
				}
			}, nil))
		}},
		"resets where it was heard again": {"partitions and duplicates do not matter to deletions", func(s *learn.Spec[counted]) {
			s.Folds = append(s.Folds, learn.On(events.ControlReset, func(r learn.Rows, _ *events.Fact[events.DataReset]) {
				*learn.At[int64](r, rule, "n") = 0
			}, nil))
			s.Know = func(r learn.Rows, _ learn.Key) (counted, bool) { return counted{learn.Peek[int64](r, rule, "n")}, true }
		}},
		"piles up": {"the state is bounded", func(s *learn.Spec[counted]) {
			s.Folds = on(func(r learn.Rows, _ *events.Fact[events.FixFeedback]) {
				for i := range 100 {
					*learn.At[int64](r, rule, fmt.Sprint(i)) = 1
				}
			}, nil)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			laws := lawsOf(planted(c.change)).all()
			i := slices.IndexFunc(laws, func(l law) bool { return l.name == c.law })
			if found := (&witness{T: t}); !found.convicts(laws[i].holds) {
				t.Errorf("%q did not find it", c.law)
			}
		})
	}
}

func lawsOf(m learn.Model) Laws {
	resets := rapid.Just(Event{Kind: events.ControlReset.Kind, Time: time.Unix(1, 0).UTC(), Data: jsontext.Value(`{"model":"planted"}`)})
	return Laws{Model: m, RowsPerRecord: 1, LongestRow: 20, Controls: resets, Events: rapid.Custom(func(t *rapid.T) Event {
		n := rapid.IntRange(0, 1000).Draw(t, "event")
		return Event{
			Kind: events.FeedbackFix.Kind, ID: fmt.Sprint(n % 50), Source: "test",
			Time: time.Unix(int64(n), 0).UTC(),
			Data: jsontext.Value(fmt.Sprintf(`{"rule_id":%q,"decision":"accepted"}`, string("abc"[n%3]))),
		}
	})}
}

// witness lets a check fail without failing the test.
type witness struct {
	*testing.T
	failed bool
}

// convicts looks several times: a short test draws few examples.
func (w *witness) convicts(holds func(*rapid.T)) bool {
	for range 50 {
		if w.looks(holds); w.failed {
			break
		}
	}
	return w.failed
}

func (w *witness) looks(holds func(*rapid.T)) {
	defer func() { _ = recover() }() // a witness cannot leave the goroutine
	rapid.Check(w, holds)
}

func (w *witness) Fail()                 { w.failed = true }
func (w *witness) FailNow()              { w.failed = true }
func (w *witness) Failed() bool          { return w.failed }
func (w *witness) Error(...any)          { w.failed = true }
func (w *witness) Errorf(string, ...any) { w.failed = true }
func (w *witness) Fatal(...any)          { w.failed = true }
func (w *witness) Fatalf(string, ...any) { w.failed = true }
func (w *witness) Log(...any)            {}
func (w *witness) Logf(string, ...any)   {}
