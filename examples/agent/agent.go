package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/events/capture"
	"learnloop.dev/kv"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
)

// How much is asked.
const (
	rounds   = 6
	each     = 5 // times that each phrase comes up in a round
	perRound = 60
)

// agent suggests words, to one person.
type agent struct {
	model  model
	person person
	name   string // makes rules its own, so that every run begins anew

	contexts *kv.Reader         // nil: it is told nothing
	events   *capture.Publisher // nil: it tells nothing
	told     map[string]int     // how often it told of each rule
}

// compare lets an agent with the loop and one without work side by side, for the same
// person, and tells after each round how many of their suggestions were kept.
func compare(ctx context.Context, nc *nats.Conn, tell func(round, with, without int)) error {
	contexts, err := kv.NewReader(ctx, nc, kv.ReaderOptions{Keys: []string{"rule.>"}})
	if err != nil {
		return err
	}
	defer contexts.Close()
	publisher := capture.New(nc, capture.Options{Source: "/examples/agent"})
	with := newAgent()
	with.contexts, with.events = contexts, publisher
	without := newAgent()
	for round := range rounds {
		kept, err := with.round(ctx)
		if err != nil {
			return err
		}
		other, err := without.round(ctx)
		if err != nil {
			return err
		}
		tell(round+1, kept, other)
	}
	return publisher.Close(ctx)
}

// newAgent is an agent as it is at first. Mind and mood are the same in each: what
// differs later comes from what one was told.
func newAgent() *agent {
	return &agent{
		model:  model{rand.New(rand.NewPCG(1, 2))},  //nolint:gosec // a model that is played
		person: person{rand.New(rand.NewPCG(3, 4))}, //nolint:gosec // as is the person
		name:   fmt.Sprint("agent-", time.Now().UnixNano(), "/"), told: map[string]int{},
	}
}

// round goes over all phrases, and waits until what was decided is known.
func (a *agent) round(ctx context.Context) (kept int, err error) {
	for range each {
		for at, p := range phrases {
			suggestion := a.model.suggest(p, a.prompt(p.rule))
			keeps := a.person.keeps(at, suggestion)
			if keeps {
				kept++
			}
			if err := a.report(p, suggestion, keeps); err != nil {
				return kept, err
			}
		}
	}
	return kept, a.settle(ctx)
}

// prompt is what is known about a rule.
func (a *agent) prompt(rule string) string {
	if a.contexts == nil {
		return ""
	}
	return a.contexts.Prompt("rule", a.name+rule)
}

// report tells what the person decided.
func (a *agent) report(p phrase, suggestion string, kept bool) error {
	if a.events == nil {
		return nil
	}
	decision := events.Rejected
	if kept {
		decision = events.Accepted
	}
	a.told[p.rule]++
	id := events.ID(fmt.Sprint(a.name, p.rule, "-", a.told[p.rule]))
	return capture.Publish(a.events, events.FeedbackFix, events.FixFeedback{
		SuggestionID: id, DeviationID: id, RuleID: events.ID(a.name + p.rule), Category: "wording",
		Decision: decision, OriginalText: p.text, SuggestedText: suggestion,
	})
}

// settle waits until the contexts know of everything that was told.
func (a *agent) settle(ctx context.Context) error {
	if a.events == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes := a.contexts.Changes(ctx, "rule.")
	if err := a.events.Flush(ctx); err != nil {
		return err
	}
	if a.known() {
		return nil
	}
	for range changes {
		if a.known() {
			return nil
		}
	}
	return fmt.Errorf("wait for the contexts: %w", context.Cause(ctx))
}

// known reports whether every rule counts as many decisions as were told.
func (a *agent) known() bool {
	for rule, told := range a.told {
		c, _ := a.contexts.Get(kv.Key("rule", a.name+rule))
		var counts struct {
			Samples int `json:"sample_count"`
		}
		if c.Value == nil || json.Unmarshal(c.Value, &counts) != nil || counts.Samples < told {
			return false
		}
	}
	return true
}
