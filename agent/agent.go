// Package agent goes around a generator: before it, the prompt is adapted to the person
// who asks; after it, what was asked and answered is captured. Neither makes the agent
// wait for the network.
package agent

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/events/capture"
	"learnloop.dev/kv"
	"learnloop.dev/learn/features"
	"learnloop.dev/persona"
)

// Contexts are the contexts as they are published, kept in memory: a *kv.Reader.
type Contexts interface {
	Get(key string) (kv.Context, bool)
}

// Options say what a Middleware works with.
type Options struct {
	Contexts Contexts           // a *kv.Reader; nil personalises nothing
	Events   *capture.Publisher // nil captures nothing
	// Key finds the key of the context of a user id: kv.KeyOfUser asks a running loop.
	// Nil takes user ids for the names that people are shown under.
	Key func(ctx context.Context, user string) (string, error)
	// Patience is how long Before waits for Key at most, 5 ms when 0; the answer then
	// counts from the next time on. What is known already nobody waits for.
	Patience time.Duration
	// Terms say how strongly the preferences of a user act, for experiments; nil: the usual ones.
	Terms func(user string) persona.Terms
	// Arms are what experiments have a unit get, the session or else the user: what
	// (*events.ExperimentDesign).Enrol gives. They go before Terms; nil: no experiment acts.
	// A turn without either is in no experiment, or all of these would share one arm.
	Arms func(unit string) []events.Enrolment
}

// Turn is one question to the agent.
type Turn struct {
	// ExchangeID names the question with its answer, for feedback about it. Wrap gives
	// one when there is none.
	ExchangeID string
	SessionID  string
	UserID     string // the raw id: the loop makes a pseudonym of it
	Position   int64  // in the session, from 1; 0 when not known
	Base       string // the system prompt as for anybody
	Question   string
}

// Answer is what a generator made of a question.
type Answer struct {
	Text        string
	Model       string        // which wrote it, if that is to be kept
	Took        time.Duration // 0: not measured; Wrap measures
	RetrievedID []string      // what was retrieved for it
}

// Generator answers a question under a system prompt: any model, any framework.
type Generator func(ctx context.Context, prompt string, t Turn) (Answer, error)

// Reply is an answer, with what was done for the person.
type Reply struct {
	Answer

	ExchangeID string
	Tuned      persona.Tuned
}

// Middleware adapts prompts and captures exchanges. Its methods may be called from any
// goroutine.
type Middleware struct {
	opts        Options
	preferences *Preferences
	names       *names
}

// New returns a Middleware; Close ends what it does in the background.
func New(opts Options) *Middleware {
	const patience = 5 * time.Millisecond
	if opts.Patience == 0 {
		opts.Patience = patience
	}
	m := &Middleware{opts: opts}
	if opts.Contexts != nil {
		m.preferences = NewPreferences(opts.Contexts)
	}
	if opts.Key != nil {
		m.names = newNames(opts.Key)
	}
	return m
}

// Close stops asking for names. The publisher and the reader stay the caller's.
func (m *Middleware) Close() {
	if m.names != nil {
		m.names.close()
	}
}

// Wrap returns a generator's answers with Before and After around it. An error of the
// generator comes back as it is, and nothing is captured. That an exchange could not be
// captured does not keep the answer back: the publisher counts it and tells OnDrop.
func (m *Middleware) Wrap(g Generator) func(ctx context.Context, t Turn) (Reply, error) {
	return func(ctx context.Context, t Turn) (Reply, error) {
		if t.ExchangeID == "" {
			t.ExchangeID = rand.Text()
		}
		r := Reply{ExchangeID: t.ExchangeID, Tuned: m.Before(ctx, t)}
		start := time.Now()
		a, err := g(ctx, r.Tuned.Prompt, t)
		if err != nil {
			return r, err
		}
		if a.Took == 0 {
			a.Took = time.Since(start)
		}
		r.Answer = a
		_ = m.After(t, a) // counted by the publisher
		return r, nil
	}
}

// Before returns the system prompt for the person who asks, the base byte for byte
// where too little is known.
func (m *Middleware) Before(ctx context.Context, t Turn) persona.Tuned {
	terms, says := m.terms(t)
	tuned := persona.Tune(t.Base, m.of(ctx, t.UserID), terms)
	tuned.Experiments = says
	return tuned
}

// Rerank orders what was retrieved for the person who asks, the best first.
func (m *Middleware) Rerank(ctx context.Context, t Turn, results []persona.Result) []persona.Ranked {
	terms, _ := m.terms(t)
	return persona.Rerank(results, m.of(ctx, t.UserID), terms)
}

// Calibrate says where an answer is not as the person who asked likes it. It changes nothing.
func (m *Middleware) Calibrate(ctx context.Context, t Turn, answer string) []persona.Finding {
	terms, _ := m.terms(t)
	return persona.Calibrate(features.Shape(answer), m.of(ctx, t.UserID), terms)
}

// After captures what was asked and answered, without waiting. The loop turns the texts
// into features and drops them.
func (m *Middleware) After(t Turn, a Answer) error {
	if m.opts.Events == nil {
		return nil
	}
	x := events.Exchange{
		ExchangeID: events.ID(t.ExchangeID), SessionID: events.ID(t.SessionID), UserID: events.ID(t.UserID),
		UserText: t.Question, AgentText: a.Text, SessionPosition: t.Position, Model: a.Model,
	}
	if a.Took > 0 {
		ms := float64(a.Took) / float64(time.Millisecond)
		x.ProcessingTimeMS = &ms
	}
	for _, id := range a.RetrievedID {
		x.RetrievedIDs = append(x.RetrievedIDs, events.ID(id))
	}
	if err := capture.Publish(m.opts.Events, events.ExchangeRecorded, x); err != nil {
		return fmt.Errorf("capture exchange: %w", err)
	}
	return nil
}

// React captures what the person made of an answer, without waiting.
func (m *Middleware) React(t Turn, sign events.ResponseSign) error {
	if m.opts.Events == nil {
		return nil
	}
	err := capture.Publish(m.opts.Events, events.FeedbackResponse, events.ResponseFeedback{
		ExchangeID: events.ID(t.ExchangeID), FeedbackType: sign,
		SessionID: events.ID(t.SessionID), UserID: events.ID(t.UserID),
	})
	if err != nil {
		return fmt.Errorf("capture feedback: %w", err)
	}
	return nil
}

// of are the preferences of a user, nil when nothing is known.
func (m *Middleware) of(ctx context.Context, user string) *persona.Preferences {
	if m.preferences == nil || user == "" {
		return nil
	}
	key := kv.Key(kindUser, user)
	if m.names != nil {
		key = m.names.of(ctx, user, m.opts.Patience)
	}
	p := m.preferences.Of(key)
	if p == nil && m.names != nil {
		m.names.doubt(user) // they may be shown under another name since
	}
	return p
}

// terms are those of a turn, and what arms of experiments have set of them.
func (m *Middleware) terms(t Turn) (persona.Terms, []string) {
	terms := persona.Usual()
	if m.opts.Terms != nil {
		terms = m.opts.Terms(t.UserID)
	}
	unit := cmp.Or(t.SessionID, t.UserID)
	if m.opts.Arms == nil || unit == "" {
		return terms, nil
	}
	return terms.Under(m.opts.Arms(unit))
}
