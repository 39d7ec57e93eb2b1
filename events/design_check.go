package events

import (
	"slices"
	"strconv"

	"learnloop.dev/stats"
)

// Check says what is wrong with a definition, whatever was there before.
func (d *ExperimentDesign) Check() []Violation {
	found := slices.Concat(d.checkArms(), d.checkMetrics())
	if !d.EndDate.IsZero() && !d.StartDate.IsZero() && !d.EndDate.After(d.StartDate) {
		found = append(found, Violation{Pointer: "/definition/end_date", Expected: "a time after start_date"})
	}
	if d.ConfidenceLevel < 0 || d.ConfidenceLevel >= 1 {
		found = append(found, Violation{Pointer: "/definition/confidence_level", Expected: "more than 0 and less than 1"})
	}
	if d.PrimaryMetric.Name == "" {
		found = append(found, Violation{Pointer: "/definition/primary_metric/name", Expected: "the metric that decides"})
	}
	return found
}

func (d *ExperimentDesign) checkArms() (found []Violation) {
	arms := d.Arms()
	for i, t := range d.Treatments {
		if slices.Index(arms, t.Name) < i+2 { // treatment and control come first
			found = append(found, Violation{Pointer: "/definition/treatments/" + strconv.Itoa(i) + "/name", Expected: "a name that no other arm has"})
		}
	}
	var all int64
	for _, share := range d.Shares() {
		all += max(share, 0)
	}
	if all > stats.Whole || slices.Min(d.Shares()) < 0 {
		found = append(found, Violation{Pointer: "/definition/treatment_percentage", Expected: "shares of all arms that are 100 together at most"})
	}
	return found
}

func (d *ExperimentDesign) checkMetrics() (found []Violation) {
	seen := map[string]bool{}
	check := func(at string, m Metric) {
		if seen[m.Name] {
			found = append(found, Violation{Pointer: at + "/name", Expected: "a metric that is named once"})
		}
		seen[m.Name] = true
		if m.Min != nil && m.Max != nil && *m.Min > *m.Max {
			found = append(found, Violation{Pointer: at + "/max", Expected: "at least min"})
		}
	}
	check("/definition/primary_metric", d.PrimaryMetric)
	for _, list := range []struct {
		at string
		of []Metric
	}{{"/definition/secondary_metrics/", d.SecondaryMetrics}, {"/definition/guardrails/", d.Guardrails}} {
		for i, m := range list.of {
			check(list.at+strconv.Itoa(i), m)
		}
	}
	return found
}

// LayOut gives every arm its buckets, so that no unit leaves the arm it has had since the
// experiment began; before is the former definition, nil for none. It says what is wrong
// where that cannot be.
func (d *ExperimentDesign) LayOut(before *ExperimentDesign) []Violation {
	if found := d.Check(); len(found) > 0 || d.External {
		d.Ranges = nil
		return found
	}
	d.Ranges = nil
	if before != nil {
		d.Ranges = before.Ranges
	}
	if len(d.Ranges) == 0 && !d.IsActive {
		return nil // a draft may be changed as one likes
	}
	ranges, ok := d.Widened(d.Ranges)
	if !ok {
		return []Violation{{Pointer: "/definition/treatment_percentage", Expected: "no arm of a running experiment that shrinks or goes"}}
	}
	d.Ranges = ranges
	return nil
}
