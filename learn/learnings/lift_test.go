package learnings_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/stats"
)

var controls = []events.Arm{events.ArmHoldout, events.ArmPlacebo}

func TestLiftIsTreatmentMinusControl(t *testing.T) {
	shares := learnings.ArmShares{Holdout: .05, Placebo: .05}
	period := learnings.ArmPeriod{Shares: shares, Arms: learnings.Arms{
		Treatment: stats.Share{X: 2700, N: 4500}, Holdout: stats.Share{X: 120, N: 250}, Placebo: stats.Share{X: 130, N: 250},
	}}
	both := learnings.LiftOf(controls, period)
	if both.Control != (stats.Share{X: 250, N: 500}) || math.Abs(*both.Absolute-.1) > 1e-12 || math.Abs(*both.Relative-.2) > 1e-12 {
		t.Errorf("%+v", both)
	}
	if both.Interval.Lower <= 0 || both.P > .05 {
		t.Errorf("a lift of a tenth in 5 000 tasks is not seen: %+v", both)
	}
	placebo := learnings.LiftOf(controls[1:], period)
	if placebo.Control.N != 250 || math.Abs(*placebo.Absolute-.08) > 1e-12 {
		t.Errorf("against the placebo alone: %+v", placebo)
	}
}

func TestWithoutControlsThereIsNoLift(t *testing.T) {
	l := learnings.LiftOf(controls, learnings.ArmPeriod{Arms: learnings.Arms{Treatment: stats.Share{X: 3, N: 5}}})
	if l.Absolute != nil || l.Relative != nil || l.P != 1 || l.Interval != (stats.Interval{Lower: -1, Upper: 1}) {
		t.Errorf("%+v", l)
	}
	if l := learnings.LiftOf(controls); l.Absolute != nil || l.P != 1 {
		t.Errorf("of nothing: %+v", l)
	}
	few := learnings.LiftOf(controls, learnings.ArmPeriod{Shares: learnings.ArmShares{Holdout: .5}, Arms: learnings.Arms{
		Treatment: stats.Share{X: 9, N: 10}, Holdout: stats.Share{X: 0, N: 10},
	}})
	if few.Relative != nil || few.Interval.Lower >= 0 || few.Interval.Upper != 1 {
		t.Errorf("of a few tasks: %+v", few)
	}
}

// Half of the tasks are held out while they are hard, few when they have become
// easy: taken together that looks like a lift.
func TestOtherSharesAtOtherTimesAreNotTakenForALift(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 8))
	var periods []learnings.ArmPeriod
	for _, at := range []struct{ held, rate float64 }{{.5, .3}, {.05, .8}} {
		p := learnings.ArmPeriod{Shares: learnings.ArmShares{Holdout: at.held}}
		for range 6000 {
			arm := events.ArmTreatment
			if rnd.Float64() < at.held {
				arm = events.ArmHoldout
			}
			p.Arms.Observe(arm, rnd.Float64() < at.rate)
		}
		periods = append(periods, p)
	}
	l := learnings.LiftOf(controls, periods...)
	if math.Abs(*l.Absolute) > .05 || l.Interval.Lower > 0 || l.P < .05 {
		t.Errorf("%+v", l)
	}
	a, b := periods[0].Arms, periods[1].Arms
	naive := float64(a.Treatment.X+b.Treatment.X)/float64(a.Treatment.N+b.Treatment.N) -
		float64(a.Holdout.X+b.Holdout.X)/float64(a.Holdout.N+b.Holdout.N)
	if naive < .1 {
		t.Errorf("the example shows nothing: %g", naive)
	}
}

func TestArmsGoExactly(t *testing.T) {
	var a learnings.Arms
	for _, arm := range []events.Arm{events.ArmTreatment, events.ArmHoldout, events.ArmPlacebo, "other"} {
		a.Observe(arm, true)
		a.Observe(arm, false)
	}
	if a.Treatment != (stats.Share{X: 1, N: 2}) || a.Holdout != a.Treatment || a.Placebo != a.Treatment {
		t.Errorf("%+v", a)
	}
	for _, arm := range []events.Arm{"other", events.ArmPlacebo, events.ArmHoldout, events.ArmTreatment} {
		a.TakeBack(arm, false)
		a.TakeBack(arm, true)
	}
	if a != (learnings.Arms{}) {
		t.Errorf("left of nothing: %+v", a)
	}
}
