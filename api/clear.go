package api

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/ingest"

	"github.com/danielgtaylor/huma/v2"
)

// registerErasure lists what takes records out.
func (a *API) registerErasure(r *Registry) {
	Add(r, Operation[ClearArgs, Clearing]{
		Name: "clear", Method: http.MethodPost, Path: "/api/clear", Tag: "privacy", Access: Admin,
		Summary: "Clear what was learned",
		Description: "By period of event time, rules and kind, or all. Without confirm it counts what would go and gives out a token " +
			"for exactly that request, good once and for five minutes. With it the records go, from what was learned, from the " +
			"contexts and from the log. What is sent again later counts.",
		Aliases: map[string]string{
			"clear_all": "all", "rule_ids": "rules", "start": "from", "end": "to", "confirmation_token": "confirm",
		},
		Do: a.clear,
	})
	Add(r, Operation[ForgetArgs, Forgetting]{
		Name: "forget", Method: http.MethodPost, Path: "/api/forget", Tag: "privacy", Access: Admin,
		Summary: "Forget a person",
		Description: "By raw user id or pseudonym; confirmed like clear. Every record, context and log entry of the person goes, and " +
			"what is sent again of before is declined. Ends with a search of everything that is stored.",
		Aliases: map[string]string{"user_id": "user", "confirmation_token": "confirm"},
		Do:      a.forget,
	})
	Add(r, Operation[ForgettingArgs, Forgetting]{
		Name: "forget.get", Method: http.MethodGet, Path: "/api/forget/{id}", Tag: "privacy", Access: Admin,
		Summary: "How far forgetting a person is",
		Do:      a.forgetting,
	})
}

// Erasure is what shall be cleared: all, or what meets every condition.
type Erasure struct {
	All   bool        `json:"all,omitzero" doc:"Everything; without conditions."`
	From  time.Time   `json:"from,omitzero" doc:"Event time from which on records go, RFC 3339."`
	To    time.Time   `json:"to,omitzero" doc:"Event time before which records go."`
	Rules []string    `json:"rules,omitzero" nullable:"false" doc:"Raw rule ids."`
	Kind  events.Kind `json:"kind,omitzero" doc:"Such as feedback.fix."`
}

// Erasing is an erasure and the token that confirms it.
type Erasing struct {
	Erasure
	Period  *Period `json:"period,omitzero" doc:"From and to in one."`
	Confirm string  `json:"confirm,omitzero" doc:"The token of the answer before."`
}

// Period is a time from its start to before its end; what is not given is open.
type Period struct {
	Start time.Time `json:"start,omitzero"`
	End   time.Time `json:"end,omitzero"`
}

// erasure is what shall be cleared, whichever way its time was given.
func (e Erasing) erasure() Erasure {
	if e.Period != nil {
		e.From, e.To = e.Period.Start, e.Period.End
	}
	return e.Erasure
}

// ClearArgs say what shall be cleared.
type ClearArgs struct {
	Caller `json:"-"`
	Body   Erasing `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*ClearArgs) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[Erasing](), false, "")
}

func (a *ClearArgs) check() error {
	e := a.Body.erasure()
	order := e.order("")
	switch _, known := events.Lookup(e.Kind); {
	case a.Body.Period != nil && (!a.Body.From.IsZero() || !a.Body.To.IsZero()):
		return wrong(Invalid, "/period", "nothing beside from and to")
	case e.All == order.Conditional():
		return wrong(Invalid, "", "either all, or some of from, to, rules and kind")
	case e.Kind != "" && e.Kind != events.ControlImported.Kind && (!known || e.Kind.Control()):
		return wrong(Invalid, "/kind", "a kind of events, such as feedback.fix")
	case !e.To.IsZero() && !e.From.Before(e.To):
		return wrong(Invalid, "/to", "a time after from")
	}
	for _, id := range e.Rules {
		if err := checkID("rules", id); err != nil {
			return err
		}
	}
	return nil
}

// order is the control fact that clears.
func (e Erasure) order(actor string) *events.DataCleared {
	c := &events.DataCleared{From: e.From, To: e.To, Kind: e.Kind, All: e.All, Actor: actor}
	for _, id := range e.Rules {
		c.Rules = append(c.Rules, events.ID(id))
	}
	return c
}

// Clearing is what would be cleared, or was.
type Clearing struct {
	Cleared bool                `json:"cleared" doc:"Whether it was done."`
	Records int                 `json:"records" doc:"How many records."`
	Counts  map[events.Kind]int `json:"counts" doc:"By kind."`
	Confirm *Pledge             `json:"confirm,omitzero" doc:"What confirms the request; absent when it was done."`
}

func (c *Clearing) pending() bool { return c.Confirm != nil }

func (c *Clearing) count(found analyze.Census) {
	c.Counts = found.Counts
	for _, n := range found.Counts {
		c.Records += n
	}
}

// clear counts what an erasure would take; a confirmed one takes it.
func (a *API) clear(ctx context.Context, in *ClearArgs) (*Clearing, error) {
	request, token := in.Body.erasure(), in.Body.Confirm
	at, order := a.deps.Now().UTC(), request.order(in.actor())
	found, err := a.asker.census(ctx, analyze.Survey{At: at, Cleared: order})
	if err != nil {
		return nil, err
	}
	c := &Clearing{}
	c.count(found)
	if token == "" {
		c.Confirm, err = a.pledges.issue(ctx, request)
		return c, err
	}
	if err := a.pledges.redeem(ctx, token, request); err != nil { // last: whoever got no answer asks again
		return nil, err
	}
	c.Cleared = true
	return c, a.command(ctx, ingest.Order{
		ID: "cleared/" + token, Kind: events.ControlCleared.Kind, At: at, Payload: order,
	})
}

// command issues a control fact and waits until the contexts are current with it.
func (a *API) command(ctx context.Context, o ingest.Order) error {
	if err := sound(o.Kind, o.Payload); err != nil {
		return err
	}
	heard, err := a.deps.Issuer.Issue(ctx, o)
	if err != nil {
		return outOfReach(err)
	}
	for p, seq := range heard {
		if err := a.await(ctx, p, seq); err != nil {
			return err
		}
	}
	return nil
}

// Issuer puts control facts into the log.
type Issuer interface {
	// Issue appends a control fact in every partition, and returns where in the log the
	// last fact of its kind stands in each. The same order again is the same fact.
	Issue(ctx context.Context, o ingest.Order) (map[int]uint64, error)
}

// glance is how often the positions of the contexts are looked at.
const glance = 25 * time.Millisecond

// await waits until a partition's contexts are current with a log position.
func (a *API) await(ctx context.Context, partition int, seq uint64) error {
	t := time.NewTicker(glance)
	defer t.Stop()
	for {
		at, err := a.reflected(ctx, partition)
		if err != nil {
			return err
		}
		if at >= seq {
			return a.inView(ctx)
		}
		select {
		case <-ctx.Done():
			return problem(TimedOut, "it is in the log, and being carried out").because(
				fmt.Errorf("partition %d is at %d, not %d: %w", partition, at, seq, ctx.Err()))
		case <-t.C:
		}
	}
}

// census adds up what all partitions found.
func (a asker) census(ctx context.Context, s analyze.Survey) (all analyze.Census, err error) {
	parts, err := decoded[analyze.Census](a.ask(ctx, question{Survey: &s}))
	for _, part := range parts {
		all.Merge(part)
	}
	return all, err
}
