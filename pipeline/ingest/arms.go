package ingest

import (
	"maps"
	"slices"
	"time"

	"learnloop.dev/events"
)

// Arms are what the experiments that run at a time have a raw unit get, by their names.
// A unit that is in no arm has none: it gets what it would without the experiment.
func (d *Designs) Arms(unit string, at time.Time) (arms []events.Enrolment) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, name := range slices.Sorted(maps.Keys(d.known)) {
		is := d.known[name].now
		if is.External || !is.IsActive || at.Before(is.StartDate) || !is.EndDate.IsZero() && !at.Before(is.EndDate) {
			continue
		}
		if arm := events.Assign(name, &is, unit); arm.Variant != "" {
			arms = append(arms, events.Enrolment{Experiment: name, Variant: arm.Variant, Config: is.Config(arm.Variant)})
		}
	}
	return arms
}
