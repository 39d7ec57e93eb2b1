package events_test

import (
	"math"
	"strconv"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/stats"

	"pgregory.net/rapid"
)

func TestHalfOfTheUnitsAreTreatedByTheirHash(t *testing.T) {
	d := &events.ExperimentDesign{TreatmentPercentage: 50}
	treated := 0
	for i := range 10_000 {
		unit := "session-" + strconv.Itoa(i)
		a := events.Assign("topic_affinity_boost", d, unit)
		if want := stats.Bucket("topic_affinity_boost", unit) < .5; want != (a.Variant == events.TreatmentArm) || a.Propensity != .5 {
			t.Fatalf("%s: %+v", unit, a)
		}
		if a.Variant == events.TreatmentArm {
			treated++
		}
	}
	if treated < 4800 || treated > 5200 {
		t.Errorf("%d of 10 000 are treated", treated)
	}
}

func TestNobodyChangesArmsWhenAnExperimentWidens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := &events.ExperimentDesign{Treatments: []events.Treatment{{Name: "treatment_b"}}, ControlPercentage: new(0.0)}
		share := func(label string, now float64) float64 { return now + float64(rapid.IntRange(0, 15).Draw(t, label)) }
		units := make([]events.Assigned, 200)
		for step := range 3 {
			d.TreatmentPercentage = share("treatment", d.TreatmentPercentage)
			d.ControlPercentage = new(share("control", *d.ControlPercentage))
			d.Treatments[0].Percentage = share("other", d.Treatments[0].Percentage)
			wider, ok := d.Widened(d.Ranges)
			if !ok {
				if sum(d.Shares()) <= stats.Whole {
					t.Fatalf("%v fit, and were refused", d.Shares())
				}
				return
			}
			d.Ranges = wider
			for i := range units {
				is := events.Assign("x", d, strconv.Itoa(i))
				if was := units[i]; was.Variant != "" && is != was {
					t.Fatalf("step %d: unit %d went from %+v to %+v", step, i, was, is)
				}
				units[i] = is
			}
		}
	})
}

func sum(shares []int64) (all int64) {
	for _, s := range shares {
		all += s
	}
	return all
}

// Whoever comes by a widening of one arm alone could not have come into the other: that
// is certain, and no evidence.
func TestTheChanceIsThatOfTheStepThatEnrolled(t *testing.T) {
	d := &events.ExperimentDesign{TreatmentPercentage: 10, ControlPercentage: new(30.0)}
	d.Ranges, _ = d.Widened(nil)
	d.TreatmentPercentage = 60
	d.Ranges, _ = d.Widened(d.Ranges)
	seen := map[events.Assigned]int{}
	for i := range 2000 {
		a := events.Assign("x", d, strconv.Itoa(i))
		a.Propensity = math.Round(a.Propensity*100) / 100
		seen[a]++
	}
	for _, want := range []events.Assigned{{"treatment", .25, 0}, {"control", .75, 0}, {"treatment", 1, 1}, {}} {
		if seen[want] == 0 {
			t.Errorf("nobody has %+v: %v", want, seen)
		}
	}
	if len(seen) != 4 {
		t.Errorf("%v", seen)
	}
}

func TestAnArmThatWouldShrinkIsNotLaidOut(t *testing.T) {
	d := &events.ExperimentDesign{TreatmentPercentage: 50}
	before, ok := d.Widened(nil)
	if !ok {
		t.Fatal("halves are refused")
	}
	for name, spoil := range map[string]func(*events.ExperimentDesign){
		"less treatment": func(d *events.ExperimentDesign) { d.TreatmentPercentage = 40 },
		"less control":   func(d *events.ExperimentDesign) { d.TreatmentPercentage = 60 },
		"more than all":  func(d *events.ExperimentDesign) { d.Treatments = []events.Treatment{{Name: "b", Percentage: 51}} },
	} {
		next := *d
		spoil(&next)
		if _, ok := next.Widened(before); ok {
			t.Errorf("%s is laid out", name)
		}
	}
	if _, ok := (&events.ExperimentDesign{}).Widened([]events.ArmRange{{Variant: "gone", From: 0, To: 5}}); ok {
		t.Error("an arm may vanish")
	}
}
