package ingest

import (
	"time"

	"learnloop.dev/events"
)

// boundary is before when a control fact has records lose their effect: what is yet
// to come must not.
func boundary(payload events.Payload) time.Time {
	switch p := payload.(type) {
	case *events.DataExpired:
		return p.Before
	case *events.ExperimentExpired:
		return p.Before
	case *events.SubjectForgotten:
		return p.Before
	}
	return time.Time{}
}

// dawn is the beginning of the day that a tick tells of.
func dawn(payload events.Payload) time.Time {
	tick, ok := payload.(*events.Tick)
	if !ok {
		return time.Time{}
	}
	day, err := time.Parse(time.DateOnly, tick.Date)
	if err != nil {
		return time.Time{} // the schema has refused it
	}
	return day
}
