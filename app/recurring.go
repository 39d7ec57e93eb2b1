package app

import (
	"context"
	"fmt"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/extract"
	"learnloop.dev/learn/rules"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go/jetstream"
)

// recurring finds what keeps coming back: in the records of tasks, and in what is
// known about rules.
type recurring struct {
	js         jetstream.JetStream
	state      *store.Store
	partitions int
	seen       uint64 // up to where in the log it was looked
}

// list lists it, and nothing when nothing came since the last time.
func (r *recurring) list(ctx context.Context) ([]extract.Recurrence, error) {
	last, err := bus.Last(ctx, r.js, bus.EventsStream)
	if err != nil || last == r.seen {
		return nil, err
	}
	all, err := r.ofTasks()
	if err != nil {
		return nil, err
	}
	more, err := r.ofRules(ctx)
	if err != nil {
		return nil, err
	}
	r.seen = r.state.Folded()
	return append(all, more...), nil
}

func (r *recurring) ofTasks() ([]extract.Recurrence, error) {
	seen := extract.NewRecurring()
	err := r.state.View(func(v *store.View) error {
		for p := range r.partitions {
			for _, kind := range []events.Kind{events.TaskCorrected.Kind, events.TaskFinished.Kind} {
				for rec := range v.Partition(p).InLogOrder(learn.Select{Kind: kind}) {
					seen.Take(rec)
				}
			}
		}
		return nil
	})
	return seen.Often(), err
}

// ofRules reads the insights that contexts are rendered from.
func (r *recurring) ofRules(ctx context.Context) (list []extract.Recurrence, err error) {
	entries, err := bus.LastPerSubject(ctx, r.js, bus.InsightsStream, pipeline.Known+"*."+rules.Name+".rule.*")
	if err != nil {
		return nil, err
	}
	model := rules.Model()
	for _, e := range entries {
		var i pipeline.Insight
		if err := json.Unmarshal(e.Data, &i); err != nil {
			return nil, fmt.Errorf("read insight %d: %w", e.Seq, events.Unquoted(err))
		}
		if i.Version != model.Version || len(i.Value) == 0 {
			continue
		}
		data, err := model.Render(i.Key(), []jsontext.Value{i.Value})
		if err != nil || data == nil {
			continue // the injector tells
		}
		var c rules.Context
		if err := json.Unmarshal(data, &c); err != nil {
			return nil, fmt.Errorf("read the context of insight %d: %w", e.Seq, events.Unquoted(err))
		}
		list = append(list, beyondDoubt(c, e)...)
	}
	return list, nil
}

// beyondDoubt are the patterns of a rule about which people are of one mind.
func beyondDoubt(c rules.Context, e bus.Entry) (list []extract.Recurrence) {
	add := func(p extract.RulePattern, tentative bool) {
		if !tentative && p.Telling() {
			list = append(list, extract.OfRule(p))
		}
	}
	for _, p := range c.AcceptedPatterns {
		add(extract.RulePattern{Rule: c.RuleID, Hash: p.Pattern, Original: p.OriginalPattern,
			Suggested: p.SuggestedPattern, Alike: p.AcceptCount, Count: p.Count, Last: e.Stored}, p.Tentative)
	}
	for _, p := range c.RejectedPatterns {
		add(extract.RulePattern{Rule: c.RuleID, Hash: p.Pattern, Original: p.OriginalPattern,
			Suggested: p.SuggestedPattern, Rejected: true, Alike: p.RejectCount, Count: p.Count, Last: e.Stored}, p.Tentative)
	}
	return list
}
