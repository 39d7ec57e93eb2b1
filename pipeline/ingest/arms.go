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
		if arm, enrolled := is.Enrol(name, unit, at); enrolled {
			arms = append(arms, arm)
		}
	}
	return arms
}
