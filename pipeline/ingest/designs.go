package ingest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

// DesignSubject is where one partition, and so each, hears of experiments.
func DesignSubject() string { return pipeline.LogSubject(0, events.ControlExperimentChanged.Kind) }

// Designs knows the definitions of experiments as they stand, since only ingest sees the
// raw ids that arms are assigned by. It is safe for concurrent use.
type Designs struct {
	mu    sync.RWMutex
	known map[string]design // guarded by mu; by name
}

// design is a definition and since when it is in force.
type design struct {
	at  time.Time
	now events.ExperimentDesign
}

// redesign is a definition on its way into the log.
type redesign struct {
	at time.Time
	to *events.ExperimentChanged
}

// NewDesigns knows no experiment yet.
func NewDesigns() *Designs { return &Designs{known: map[string]design{}} }

// Of is the definition of an experiment, false when nobody gave one.
func (d *Designs) Of(experiment string) (*events.ExperimentDesign, bool) {
	if d == nil {
		return nil, false
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	is, known := d.known[experiment]
	if !known {
		return nil, false
	}
	return &is.now, true
}

// Follow takes definitions in until the context ends.
func (d *Designs) Follow(ctx context.Context, log Graveyard) error {
	for {
		if _, err := d.Read(ctx, log); err != nil {
			return stopped(ctx, err)
		}
	}
}

// Read takes the next definitions in, and returns where in the log the last of them stands.
func (d *Designs) Read(ctx context.Context, log Graveyard) (last uint64, err error) {
	entries, err := log.Next(ctx)
	if err != nil {
		return 0, fmt.Errorf("read definitions of experiments: %w", err)
	}
	for _, e := range entries {
		last = e.Seq
		if fact, err := events.ControlExperimentChanged.ReadFact(e.Data); err == nil { // else the analyzer buries it
			d.know(fact.Header().Time, fact.Payload().(*events.ExperimentChanged))
		}
	}
	return last, nil
}

// know takes a definition in, unless a later one is known.
func (d *Designs) know(at time.Time, c *events.ExperimentChanged) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if is, known := d.known[string(c.Experiment)]; !known || !at.Before(is.at) {
		d.known[string(c.Experiment)] = design{at, c.Definition}
	}
}

// enrol is Designs.enrol; who defines an experiment names it so that nothing has to be
// hidden, since units are assigned by the name as it is.
func (g *Gate) enrol(payload events.Payload) events.Refusal {
	if c, ok := payload.(*events.ExperimentChanged); ok {
		switch name := string(c.Experiment); {
		case g.guard.Identifier(name) != name:
			return refuse(events.ReasonSchema, events.Violation{Pointer: "/experiment", Expected: "a name in which nothing has to be hidden"}).Refusal
		case strings.TrimSpace(name) != name || name == "":
			return refuse(events.ReasonSchema, events.Violation{Pointer: "/experiment", Expected: "a name without spaces around it"}).Refusal
		}
	}
	return g.Designs.enrol(payload)
}

// enrol derives the arm of a unit from its raw id, where the product assigns, and
// refuses what the metric cannot be. A definition is laid out, or refused.
func (d *Designs) enrol(payload events.Payload) events.Refusal {
	switch p := payload.(type) {
	case *events.ExperimentChanged:
		before, _ := d.Of(string(p.Experiment))
		if wrong := p.Definition.LayOut(before); len(wrong) > 0 {
			return refuse(events.ReasonSchema, wrong...).Refusal
		}
	case *events.Exposure:
		p.Assigned = d.assign(p.Experiment, p.UnitID)
	case *events.Measurement:
		p.Assigned = d.assign(p.Experiment, p.UnitID)
		if is, known := d.Of(string(p.Experiment)); known && !is.Metric(p.Metric).Holds(p.Value) {
			return refuse(events.ReasonSchema, events.Violation{Pointer: "/value", Expected: "a value that the metric can have"}).Refusal
		}
	}
	return events.Refusal{}
}

// assign is the arm of a unit, nil where somebody else assigns.
func (d *Designs) assign(experiment, unit events.ID) *events.Assigned {
	is, known := d.Of(string(experiment))
	if !known || is.External {
		return nil
	}
	return new(events.Assign(string(experiment), is, string(unit)))
}
