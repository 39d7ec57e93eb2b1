package experiments_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/experiments"
)

// boost is an experiment on half of the units.
func boost() events.ExperimentDesign {
	return events.ExperimentDesign{
		TreatmentPercentage: 50, IsActive: true, PrimaryMetric: events.Metric{Name: "score"},
		StartDate: at(0), EndDate: at(100_000),
	}
}

func at(minute int) time.Time { return time.Date(2026, 1, 1, 9, minute, 0, 0, time.UTC) }

func (tr *trial) define(minute int, step events.ExperimentStep, d events.ExperimentDesign) {
	tr.Helper()
	tr.hear(events.ControlExperimentChanged.Kind, minute, events.ExperimentChanged{Experiment: "boost", Change: step, Definition: d})
}

// span is from which minute to which units come, one a minute.
type span struct{ from, to int }

// run has units come; each arm has its rate of success.
func (tr *trial) run(d *events.ExperimentDesign, s span, control, treatment float64) {
	tr.Helper()
	draw := rand.New(rand.NewPCG(uint64(s.from), 11))
	for i := s.from; i < s.to; i++ {
		unit := events.ID(fmt.Sprint("session-", i))
		rate, value := control, 0.0
		if events.Assign("boost", d, string(unit)).Variant == events.TreatmentArm {
			rate = treatment
		}
		if draw.Float64() < rate {
			value = 1
		}
		tr.assigned(i, d, events.Measurement{Experiment: "boost", UnitID: unit, Value: value})
	}
}

func TestABetterTreatmentIsAdoptedAndTheVerdictSticks(t *testing.T) {
	tr, d := begin(t), boost()
	tr.define(0, events.ExperimentStarted, d)
	tr.run(&d, span{1, 400}, .4, .7)
	c := tr.context("boost")
	v, decided := c.Decided()
	if !decided || v.Recommendation != events.AdoptTreatment || !c.IsSignificant || c.Status != experiments.Running {
		t.Fatalf("%+v", c)
	}
	tr.hear(events.ControlExperimentDecided.Kind, 400, v)
	tr.run(&d, span{401, 1200}, .9, .1)
	c = tr.context("boost")
	if c.Recommendation != events.AdoptTreatment || c.Decision == nil || c.Decision.TreatmentN != v.TreatmentN || c.Prompt == "" {
		t.Errorf("%+v, %+v", c.Recommendation, c.Decision)
	}
	if _, again := c.Decided(); again {
		t.Error("a verdict is given twice")
	}
}

func TestAnAdverseEffectIsNotAdopted(t *testing.T) {
	tr, d := begin(t), boost()
	d.PrimaryMetric.Direction = events.LowerIsBetter
	tr.define(0, events.ExperimentStarted, d)
	tr.run(&d, span{1, 500}, .4, .7)
	c := tr.context("boost")
	if c.Recommendation != events.KeepControl || !c.IsSignificant || !c.LowerIsBetter {
		t.Errorf("%s because %s", c.Recommendation, c.Reason)
	}
}

func TestAGuardrailThatIsMadeWorseKeepsATreatmentOut(t *testing.T) {
	tr, d := begin(t), boost()
	d.Guardrails = []events.Metric{{Name: "regenerated", Direction: events.LowerIsBetter}}
	tr.define(0, events.ExperimentStarted, d)
	tr.run(&d, span{1, 600}, .3, .7)
	for i := 1; i < 600; i++ {
		unit := events.ID(fmt.Sprint("session-", i))
		value := 0.0
		if treated := events.Assign("boost", &d, string(unit)).Variant == events.TreatmentArm; treated && i%2 == 0 {
			value = 1
		}
		tr.assigned(600+i, &d, events.Measurement{Experiment: "boost", UnitID: unit, Metric: "regenerated", Value: value})
	}
	if c := tr.context("boost"); c.Recommendation != events.ContinueTest || !c.IsSignificant {
		t.Errorf("%s because %s", c.Recommendation, c.Reason)
	}
}

func TestWhatCannotBeUsefulAnyMoreIsKeptOut(t *testing.T) {
	tr, d := begin(t), boost()
	d.SmallestUsefulEffect = new(.3)
	tr.define(0, events.ExperimentStarted, d)
	tr.run(&d, span{1, 1500}, .5, .5)
	if c := tr.context("boost"); c.Recommendation != events.KeepControl || c.IsSignificant {
		t.Errorf("%s because %s", c.Recommendation, c.Reason)
	}
}

func TestTheEndDateIsReachedWhenTheClockSaysSo(t *testing.T) {
	tr, d := begin(t), boost()
	d.EndDate = at(24 * 60 * 3)
	tr.define(0, events.ExperimentStarted, d)
	tr.run(&d, span{1, 200}, .5, .5)
	tr.hear(events.ControlTick.Kind, 24*60, events.Tick{Date: "2026-01-02"})
	if c := tr.context("boost"); c.Recommendation != events.ContinueTest {
		t.Errorf("%s because %s", c.Recommendation, c.Reason)
	}
	tr.hear(events.ControlTick.Kind, 24*60*4, events.Tick{Date: "2026-01-05"})
	if c := tr.context("boost"); c.Recommendation != events.KeepControl {
		t.Errorf("%s because %s", c.Recommendation, c.Reason)
	}
}

func TestWhatDoesNotCountIsCountedByReason(t *testing.T) {
	tr, d := begin(t), boost()
	d.StartDate, d.EndDate, d.TreatmentPercentage = at(10), at(100), 20
	d.ControlPercentage, d.PrimaryMetric.Max = new(20.0), new(1.0)
	draft := d
	draft.IsActive = false
	tr.define(5, events.ExperimentCreated, draft)
	tr.define(8, events.ExperimentStarted, d)
	in, out := unitIn(t, &d, "treatment"), unitIn(t, &d, "")
	of := func(unit string) events.Measurement {
		return events.Measurement{Experiment: "boost", UnitID: events.ID(unit), Value: 1}
	}
	tr.assigned(1, &d, of(in+"a")) // before there is anything
	tr.assigned(6, &d, of(in+"b")) // a draft
	tr.assigned(9, &d, of(in+"c")) // before the start
	tr.assigned(100, &d, of(in+"d"))
	tr.assigned(50, &d, of(out))
	tr.assigned(51, &d, of(in))
	mistaken := of(in)
	mistaken.Variant, mistaken.Metric = "control", "cost"
	tr.assigned(52, &d, mistaken)
	tr.hear(events.ExperimentOutcome.Kind, 53, of("nobody's"))
	tr.define(60, events.ExperimentStopped, d)
	tr.assigned(61, &d, of(in+"e"))
	c := tr.context("boost")
	want := map[experiments.Exclusion]int64{
		experiments.Early: 3, experiments.AfterStop: 2, experiments.NotEnrolled: 1, experiments.Mismatch: 1, experiments.Unassigned: 1,
	}
	for why, n := range want {
		if c.Excluded[why] != n {
			t.Errorf("%s: %d, want %d", why, c.Excluded[why], n)
		}
	}
	if c.TreatmentN != 1 || c.ControlN != 0 || c.ControlMean != nil || len(c.Excluded) != len(want) {
		t.Errorf("%d and %d, excluded %v", c.TreatmentN, c.ControlN, c.Excluded)
	}
}

func TestAValueThatTheMetricCannotHaveIsExcluded(t *testing.T) {
	tr, d := begin(t), boost()
	d.PrimaryMetric.Min, d.PrimaryMetric.Max = new(0.0), new(1.0)
	d.SecondaryMetrics = []events.Metric{{Name: "cost", Max: new(10.0)}}
	tr.define(0, events.ExperimentStarted, d)
	for i, m := range []events.Measurement{
		{Value: 0}, {Value: 1}, {Value: -0.001}, {Value: 1.001}, {Value: 1e300},
		{Metric: "cost", Value: -5}, {Metric: "cost", Value: 10.5}, {Metric: "unheard", Value: -1e9},
	} {
		m.Experiment, m.UnitID = "boost", events.ID(fmt.Sprint("u", i))
		tr.assigned(i+1, &d, m)
	}
	c := tr.context("boost")
	if c.Excluded[experiments.OutOfRange] != 4 || c.ControlN+c.TreatmentN != 2 {
		t.Errorf("%d and %d count, excluded %v", c.ControlN, c.TreatmentN, c.Excluded)
	}
}

// unitIn is a unit that has an arm.
func unitIn(t *testing.T, d *events.ExperimentDesign, arm string) string {
	t.Helper()
	for i := range 1000 {
		if unit := fmt.Sprint("u", i); events.Assign("boost", d, unit).Variant == arm {
			return unit
		}
	}
	t.Fatalf("nobody is in %q", arm)
	return ""
}

func TestSeveralTreatmentsShareTheError(t *testing.T) {
	tr, d := begin(t), boost()
	d.TreatmentPercentage, d.Treatments = 30, []events.Treatment{{Name: "treatment_b", Percentage: 30}}
	tr.define(0, events.ExperimentStarted, d)
	for i := range 900 {
		unit := events.ID(fmt.Sprint("session-", i))
		value := 0.0
		if events.Assign("boost", &d, string(unit)).Variant == "treatment_b" || i%3 == 0 {
			value = 1
		}
		tr.assigned(i+1, &d, events.Measurement{Experiment: "boost", UnitID: unit, Value: value})
	}
	c := tr.context("boost")
	if c.Recommendation != events.AdoptTreatment || c.Variant != "treatment_b" || c.Alpha != .025 || len(c.Metrics) != 2 {
		t.Errorf("%s %s at %g, %d comparisons", c.Recommendation, c.Variant, c.Alpha, len(c.Metrics))
	}
}

func TestTheDefinitionStandsInTheBucketOfSettings(t *testing.T) {
	tr, d := begin(t), boost()
	tr.define(0, events.ExperimentCreated, events.ExperimentDesign{TreatmentPercentage: 5, PrimaryMetric: events.Metric{Name: "score"}})
	tr.define(1, events.ExperimentStarted, d)
	all, err := tr.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(all[learn.Settings+" experiment.boost"]); got == "" || all[learn.Contexts+" experiment.boost"] != nil {
		t.Errorf("settings %s, contexts %v", got, all)
	}
}

func TestWhatATestWasPlannedForStaysWhenArmsAreAdded(t *testing.T) {
	tr, d := begin(t), boost()
	d.TreatmentPercentage, d.ControlPercentage = 30, new(30.0)
	tr.define(0, events.ExperimentStarted, d)
	tr.run(&d, span{1, 900}, .5, .6)
	before := tr.context("boost")
	wider := d
	wider.Treatments = []events.Treatment{{Name: "b", Percentage: 30}}
	if found := wider.LayOut(&d); len(found) > 0 {
		t.Fatal(found)
	}
	tr.define(900, events.ExperimentWidened, wider)
	after := tr.context("boost")
	if before.PValue >= 1 || after.Metrics[0].PValue != before.PValue || after.Alpha != .025 {
		t.Errorf("p was %g, and is %g with another arm (of %g)", before.PValue, after.Metrics[0].PValue, after.Alpha)
	}
}

func TestWhatOthersAssignedCountsByTheSharesOfItsTime(t *testing.T) {
	share := func(step int) float64 {
		tr, d := begin(t), boost()
		d.External, d.TreatmentPercentage = true, 50
		tr.define(0, events.ExperimentStarted, d)
		for i := range 400 {
			m := events.Measurement{Experiment: "boost", UnitID: events.ID(fmt.Sprint(i)), Value: float64(i % 3 % 2), Variant: [2]string{"control", "treatment"}[i%2]}
			tr.hear(events.ExperimentOutcome.Kind, i+1, m)
		}
		if step > 0 {
			d.TreatmentPercentage = 90
			tr.define(500, events.ExperimentWidened, d)
		}
		return tr.context("boost").SampleRatio.PValue
	}
	if before, after := share(0), share(1); before != after || before < .5 {
		t.Errorf("the ratio had %g, and has %g by the shares of today", before, after)
	}
}
