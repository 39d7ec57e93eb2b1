package learn_test

import (
	"fmt"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

func TestAModelThatForgetsToTakeAKindBackIsRefused(t *testing.T) {
	ignore := func(learn.Rows, *events.Fact[events.FixFeedback]) {}
	for name, c := range map[string]struct {
		fold  learn.Fold
		wrong bool
	}{
		"forgotten":      {learn.On(events.FeedbackFix, ignore, nil), true},
		"kept on record": {learn.On(events.FeedbackFix, ignore, ignore), false},
		"a sum":          {learn.Sum(events.FeedbackFix, func(learn.Rows, *events.Fact[events.FixFeedback], int64) {}), false},
		"a control fact": {learn.On(events.ControlTick, func(learn.Rows, *events.Fact[events.Tick]) {}, nil), false},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				said := fmt.Sprint(recover())
				if wrong := strings.Contains(said, "test cannot take feedback.fix back"); wrong != c.wrong {
					t.Errorf("Define said %q", said)
				}
			}()
			define(c.fold)
		})
	}
}

func TestAControlFactThatIsReplacedLeavesTheRowsAlone(t *testing.T) {
	var table learn.Memory
	m := define(learn.On(events.ControlTick, func(r learn.Rows, _ *events.Fact[events.Tick]) {
		*learn.At[int64](r, key, "ticks")++
	}, nil))
	tick := &events.Fact[events.Tick]{Head: events.Head{Type: events.ControlTick.Kind.Type(), Group: events.Everywhere}}
	m.Apply(&table, tick)
	m.Retract(&table, tick)
	if n := learn.Peek[int64](m.Open(&table), key, "ticks"); n != 1 {
		t.Errorf("%d ticks, want 1", n)
	}
}

func define(folds ...learn.Fold) learn.Model {
	return learn.Define(learn.Spec[int]{
		Name: "test", Version: 1, Group: events.ByRule, Folds: folds,
		Know:   func(learn.Rows, learn.Key) (int, bool) { return 0, false },
		Render: func(learn.Key, []int) (any, bool) { return nil, false },
	})
}
