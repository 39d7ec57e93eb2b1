package ingest

import (
	"fmt"
	"maps"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// The metrics that the loop measures by itself, on experiments that name them: whether a
// person was content with an answer, by session, and whether a task was completed.
const (
	positiveMetric = "explicit_positive_rate" // 003, example tests
	successMetric  = "task_success"
)

// own is what an event says about the experiments that its unit is enrolled in. It has to
// be found here: nobody else sees the raw id, and units are stored under names of their own.
func (d *Designs) own(payload events.Payload) []*events.Measurement {
	switch p := payload.(type) {
	case *events.ResponseFeedback:
		unit := p.SessionID
		if unit == "" {
			unit = p.UserID
		}
		return d.measured(positiveMetric, unit, p.FeedbackType == events.ThumbsUp || p.FeedbackType == events.Copied)
	case *events.Task:
		if p.Status == events.Completed || p.Status == events.Failed {
			return d.measured(successMetric, p.TaskID, p.Status == events.Completed)
		}
	}
	return nil
}

// measured are the outcomes of a unit in all experiments on a metric.
func (d *Designs) measured(metric string, unit events.ID, yes bool) (all []*events.Measurement) {
	if d == nil || unit == "" {
		return nil
	}
	value := 0.0
	if yes {
		value = 1
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, name := range slices.Sorted(maps.Keys(d.known)) {
		is := d.known[name]
		if is.now.External || !is.now.IsActive || !is.now.Names(metric) {
			continue
		}
		if arm := events.Assign(name, &is.now, string(unit)); arm.Variant != "" {
			all = append(all, &events.Measurement{Experiment: events.ID(name), UnitID: unit, Metric: metric, Value: value, Assigned: &arm})
		}
	}
	return all
}

// scoring is what experiments want of the score of an exchange.
type scoring struct {
	outcomes []*events.Measurement // that it is to become
	weights  *events.ScoreWeights  // of its parts; nil: the usual ones
}

// trials are the outcomes that an exchange is to have once it is scored, in all
// experiments on the scores of answers, and how it is to be scored. As with votes, a
// session is one unit.
func (d *Designs) trials(payload events.Payload) (s scoring) {
	x, ok := payload.(*events.Exchange)
	if !ok || d == nil {
		return s
	}
	unit := x.SessionID
	if unit == "" {
		unit = x.UserID
	}
	s.outcomes = append(d.measured(events.QualityMetric, unit, false), d.measured(events.EngagementMetric, unit, false)...)
	s.weights = d.weights(unit)
	return s
}

// enlist notes with an exchange where its score is to go, and under which name: who
// scores it knows neither the raw unit nor the key.
func (g *Gate) enlist(payload events.Payload, s scoring) error {
	x, ok := payload.(*events.Exchange)
	if !ok || x.Features == nil || x.Features.Unscored {
		return nil
	}
	x.Features.Weights = s.weights
	for _, m := range s.outcomes {
		if _, err := g.guard.Protect(m); err != nil {
			return fmt.Errorf("protect a unit: %w", events.Unquoted(err))
		}
		partition, rec, err := g.Address(learn.Derived{Part: m.Parts()[0]})
		if err != nil {
			return err
		}
		x.Features.Trials = append(x.Features.Trials, events.Trial{
			Experiment: m.Experiment, Metric: m.Metric, UnitID: m.UnitID, Assigned: *m.Assigned,
			Record: rec.Header().Record, Partition: partition,
		})
	}
	return nil
}

// withOwn adds the outcomes that an event means for experiments to what is kept of it.
func (g *Gate) withOwn(v Verdict, env events.Envelope, own []*events.Measurement) (Verdict, error) {
	if v.Refusal.Refused() || v.Declined != "" {
		return v, nil
	}
	env.Kind, env.Extensions = events.ExperimentOutcome.Kind, less(env.Extensions, events.ExtReplay)
	for _, m := range own {
		data, err := json.Marshal(m, json.Deterministic(true))
		if err != nil {
			return v, fmt.Errorf("encode an outcome: %w", events.Unquoted(err))
		}
		env.Data = data
		also, err := g.protect(env, m)
		if err != nil {
			return v, err
		}
		v.Messages = append(v.Messages, also.Messages...)
	}
	return v, nil
}
