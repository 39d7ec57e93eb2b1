package events

import (
	"math"
	"slices"
	"time"

	"learnloop.dev/stats"

	"github.com/go-json-experiment/json/jsontext"
)

// The names of the two arms that every experiment has.
const (
	ControlArm   = "control"
	TreatmentArm = "treatment"
)

// Assigned is the arm that a unit has by its raw id, and by which chance.
type Assigned struct {
	Variant    string  `json:"variant,omitzero" privacy:"id"` // empty: the unit is not enrolled
	Propensity float64 `json:"propensity,omitzero"`           // of the variant, among units enrolled in the same step
	Step       int64   `json:"step,omitzero"`                 // the widening that enrolled the unit
}

// Enrolment is what a running experiment has a unit get.
type Enrolment struct {
	Experiment string
	Variant    string
	Config     jsontext.Value // as the definition has it; nil when it says nothing
}

// Assign is the arm of a unit: the same wherever it is computed, from the definition
// alone. A unit that is not enrolled has none, and gets what control gets.
//
// The chance is that within the step that enrolled the unit: whatever the arms had
// before or get later, the unit could not have come into it otherwise.
func Assign(experiment string, d *ExperimentDesign, unit string) Assigned {
	bucket := stats.Bucket(experiment, unit) * stats.Whole
	ranges := d.Layout()
	i := slices.IndexFunc(ranges, func(r ArmRange) bool { return float64(r.From) <= bucket && bucket < float64(r.To) })
	if i < 0 {
		return Assigned{}
	}
	at := ranges[i]
	var own, all int64
	for _, r := range ranges {
		if r.Step != at.Step {
			continue
		}
		all += r.To - r.From
		if r.Variant == at.Variant {
			own += r.To - r.From
		}
	}
	return Assigned{at.Variant, float64(own) / float64(all), at.Step}
}

// Enrol is what the experiment has a unit get at a time, false while it does not run, where
// somebody else assigns, for a unit that is in no arm, and for one without a name: all of
// those would share one arm.
func (d *ExperimentDesign) Enrol(experiment, unit string, at time.Time) (Enrolment, bool) {
	if unit == "" || d.External || !d.IsActive || at.Before(d.StartDate) || !d.EndDate.IsZero() && !at.Before(d.EndDate) {
		return Enrolment{}, false
	}
	arm := Assign(experiment, d, unit)
	if arm.Variant == "" {
		return Enrolment{}, false
	}
	return Enrolment{Experiment: experiment, Variant: arm.Variant, Config: d.Config(arm.Variant)}, true
}

// Shares are what an arm of a definition is to have of all units, in millionths, by the
// order of Arms.
func (d *ExperimentDesign) Shares() []int64 {
	shares := []int64{millionths(d.TreatmentPercentage), 0}
	left := stats.Whole - shares[0]
	for _, t := range d.Treatments {
		shares = append(shares, millionths(t.Percentage))
		left -= shares[len(shares)-1]
	}
	shares[1] = left
	if d.ControlPercentage != nil {
		shares[1] = millionths(*d.ControlPercentage)
	}
	return shares
}

func millionths(percentage float64) int64 { return int64(math.Round(percentage * stats.Whole / 100)) }

// Arms are the names of the arms: treatment, control, and further treatments.
func (d *ExperimentDesign) Arms() []string {
	arms := []string{TreatmentArm, ControlArm}
	for _, t := range d.Treatments {
		arms = append(arms, t.Name)
	}
	return arms
}

// Config is what an arm gets, as the definition has it; nil when it says nothing.
func (d *ExperimentDesign) Config(arm string) jsontext.Value {
	switch arm {
	case ControlArm:
		return d.ControlConfig
	case TreatmentArm:
		return d.TreatmentConfig
	}
	for _, t := range d.Treatments {
		if t.Name == arm {
			return t.Config
		}
	}
	return nil
}

// Layout is which buckets belong to which arm: the ranges of the definition, or where
// nobody laid them out yet, those that its shares begin with.
func (d *ExperimentDesign) Layout() []ArmRange {
	if len(d.Ranges) > 0 {
		return d.Ranges
	}
	ranges, _ := d.Widened(nil)
	return ranges
}

// Widened is a layout in which every arm has the share that the definition gives it,
// and no unit leaves its arm. It is false where that cannot be: an arm would have to
// shrink, or the shares are more than all.
func (d *ExperimentDesign) Widened(before []ArmRange) (after []ArmRange, ok bool) {
	arms := d.Arms()
	have, step := make([]stats.Ranges, len(arms)), int64(0)
	for _, r := range before {
		i := slices.Index(arms, r.Variant)
		if i < 0 {
			return nil, false
		}
		have[i] = append(have[i], stats.Range{From: r.From, To: r.To})
		step = max(step, r.Step+1)
	}
	wide, ok := stats.Widen(have, d.Shares())
	if !ok {
		return nil, false
	}
	after = slices.Clone(before)
	for i, arm := range arms {
		for _, part := range added(have[i], wide[i]) {
			after = append(after, ArmRange{arm, part.From, part.To, step})
		}
	}
	return after, true
}

// added is what the wider ranges cover that the others do not: every one of these is
// the beginning of a wider one, or one itself.
func added(before, after stats.Ranges) (more stats.Ranges) {
	for _, part := range after {
		for _, was := range before {
			if was.From == part.From {
				part.From = was.To
			}
		}
		if part.From < part.To {
			more = append(more, part)
		}
	}
	return more
}
