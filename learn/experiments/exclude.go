package experiments

import (
	"slices"

	"learnloop.dev/events"
)

// Exclusion is why a record is not counted; empty when it is.
type Exclusion string

// Why records are not counted.
const (
	Counted        Exclusion = ""
	Unknown        Exclusion = "unknown"          // nobody defined the experiment, and no variant is named
	Early          Exclusion = "early"            // before it started
	Late           Exclusion = "late"             // from its end date on
	AfterStop      Exclusion = "stopped"          // after it was stopped
	NoVariant      Exclusion = "no_variant"       // somebody else assigns, and does not say what
	UnknownVariant Exclusion = "unknown_variant"  // none of the arms
	Mismatch       Exclusion = "variant_mismatch" // the variant named is not the one the unit has
	Unassigned     Exclusion = "unassigned"       // the definition was not known where the event came in
	NotEnrolled    Exclusion = "not_enrolled"     // the unit has no arm
	BothArms       Exclusion = "both_arms"        // the unit was seen in two arms
	Repeated       Exclusion = "repeated"         // the unit has an outcome of the metric already
	OutOfRange     Exclusion = "out_of_range"     // the metric has no such value
)

// armOf is the arm that a record says its unit is in, or why it does not count.
func (s *study) armOf(p placed) (arm string, why Exclusion) {
	if why := s.covers(p.At); why != Counted {
		return "", why
	}
	switch {
	case s.external() && p.Variant == "" && s.status == Undeclared:
		return "", Unknown
	case s.external() && p.Variant == "":
		return "", NoVariant
	case s.external():
		return s.named(p.Variant)
	case !p.Derived:
		return "", Unassigned
	case p.Variant != "" && p.Variant != p.Assigned:
		return "", Mismatch
	case p.Assigned == "":
		return "", NotEnrolled
	}
	return s.named(p.Assigned)
}

// named is an arm by its name, unless there is none such.
func (s *study) named(variant string) (arm string, why Exclusion) {
	if s.status != Undeclared && !slices.Contains(s.design.Arms(), variant) {
		return "", UnknownVariant
	}
	return variant, Counted
}

// external reports whether somebody else assigns.
func (s *study) external() bool { return s.status == Undeclared || s.design.External }

// chance is the probability of a treatment where it or control is assigned: within the
// step that enrolled the unit, or where somebody else assigns, by the shares that the
// definition had when the unit was met; one half where nobody says.
func (s *study) chance(treatment string, of placed) float64 {
	a := arrival{treatment: treatment, step: of.Step}
	if s.external() {
		a = arrival{treatment: treatment, edition: s.inForce(s.arms[of.Unit].since)}
	}
	p, known := s.chances[a]
	if !known {
		p = s.share(a)
		s.chances[a] = p
	}
	return p
}

func (s *study) share(a arrival) float64 {
	in, out := s.width(a.treatment, a), s.width(events.ControlArm, a)
	if in+out == 0 {
		return 0.5
	}
	return float64(in) / float64(in+out)
}

// width is how much of the units an arm has, in millionths.
func (s *study) width(arm string, a arrival) (width int64) {
	if s.external() {
		if a.edition == nil {
			return 0
		}
		d := &a.edition.design
		if i := slices.Index(d.Arms(), arm); i >= 0 {
			return d.Shares()[i]
		}
		return 0
	}
	for _, r := range s.layout {
		if r.Variant == arm && r.Step == a.step {
			width += r.To - r.From
		}
	}
	return width
}
