package api

import (
	"cmp"
	"context"
	"net/http"
	"reflect"

	"learnloop.dev/events"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/pipeline/guide"
	"learnloop.dev/stats"

	"github.com/danielgtaylor/huma/v2"
)

// registerRoute lists the operation that chooses models.
func (a *API) registerRoute(r *Registry) {
	Add(r, Operation[RouteArgs, Routing]{
		Name: "route", Method: http.MethodPost, Path: "/api/route", Tag: "outcomes", Access: Capture, Unlisted: true,
		Summary: "Which model should do a step",
		Description: "By what runs of such steps taught: the candidate from which on a solved step is expected to cost least. Now and " +
			"then chance decides, so that it can be seen how the others do. The choice is recorded with its probability; asked again " +
			"under the same request_id the answer is the same as long as nothing was learned in between.",
		Aliases: map[string]string{"subtask_type": "type", "tier": "model_tier"},
		Do:      a.route,
	})
}

// RouteCandidate is a model, or any model of a tier, that could do the step.
type RouteCandidate struct {
	Model string  `json:"model,omitzero" maxLength:"1000" doc:"Any model of the tier, when there is none."`
	Tier  int64   `json:"tier,omitzero" minimum:"0" maximum:"1000"`
	Cost  float64 `json:"cost,omitzero" minimum:"0" maximum:"1000000000" doc:"Of one run, in any unit; one that doubles with each tier when not given."`
}

// RouteRequest asks for a model.
type RouteRequest struct {
	Type       string           `json:"type" minLength:"1" doc:"Of the step, such as run-tests."`
	ModelTier  int64            `json:"model_tier,omitzero" minimum:"0" maximum:"1000" doc:"The tier that the plan asks for."`
	Role       string           `json:"role,omitzero" maxLength:"1000" doc:"What the model is for, such as planner; runs are not told apart by it."`
	Candidates []RouteCandidate `json:"candidates,omitzero" maxItems:"64" nullable:"false" doc:"Those known of the step, or two tiers, when there are none."`
	RequestID  string           `json:"request_id,omitzero" maxLength:"1000" doc:"Names the choice; one is given when there is none."`
}

// RouteArgs ask for a model.
type RouteArgs struct {
	Caller `json:"-"`
	Body   RouteRequest `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*RouteArgs) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[RouteRequest](), false, "")
}

func (in *RouteArgs) check() error {
	for _, c := range in.Body.Candidates {
		if c.Model == "" && c.Tier == 0 {
			return wrong(Invalid, "/candidates", "a model or a tier of each")
		}
	}
	return checkID("type", in.Body.Type)
}

// ask is the question with the costs that callers left out.
func (in *RouteArgs) ask() guide.Ask {
	q := guide.Ask{Request: in.Body.RequestID, Type: in.Body.Type, PlannedTier: in.Body.ModelTier}
	for _, c := range in.Body.Candidates {
		q.Candidates = append(q.Candidates, outcomes.Candidate{Model: c.Model, Tier: c.Tier, Cost: cmp.Or(c.Cost, outcomes.UsualCost(c.Tier))})
	}
	return q
}

// Routing is a choice with its reasons.
type Routing struct {
	RequestID       string            `json:"request_id"`
	Type            string            `json:"type"`
	Model           *string           `json:"model" doc:"Of a tier the one that runs there; null when none was seen."`
	Tier            int64             `json:"tier" doc:"0 when nobody says."`
	ExpectedSuccess float64           `json:"expected_success"`
	Lower           float64           `json:"lower" doc:"95 % bounds of the success."`
	Upper           float64           `json:"upper"`
	CostPerSuccess  float64           `json:"expected_cost_per_success" doc:"From this candidate on, retries and stronger models included."`
	DocumentedTier  int64             `json:"documented_tier" doc:"Where the rule of source document 004 starts."`
	Propensity      float64           `json:"propensity" doc:"How likely this choice was."`
	Explored        bool              `json:"explored" doc:"Chance alone decided."`
	Reason          string            `json:"reason"`
	Recorded        bool              `json:"recorded" doc:"False where the settings of privacy stop capture."`
	Candidates      []RouteOption     `json:"candidates" nullable:"false" doc:"By rising cost."`
	Defaults        outcomes.Defaults `json:"defaults" doc:"How careful to be with such a step."`
	Like            *string           `json:"like" doc:"The known type whose runs were looked at in the place of an unknown one."`
}

// RouteOption is a candidate with what is expected of it.
type RouteOption struct {
	Model           *string `json:"model" doc:"Of a tier the one that runs there; null when none was seen."`
	Tier            int64   `json:"tier"`
	Cost            float64 `json:"cost"`
	ExpectedSuccess float64 `json:"expected_success"`
	Lower           float64 `json:"lower"`
	Upper           float64 `json:"upper"`
	RecentRuns      float64 `json:"recent_runs" doc:"With such steps; old ones count for less."`
	CostPerSuccess  float64 `json:"expected_cost_per_success"`
	Propensity      float64 `json:"propensity"`
}

func (a *API) route(ctx context.Context, in *RouteArgs) (*Routing, error) {
	if in.Body.RequestID == "" {
		in.Body.RequestID = eventID()
	}
	chosen := a.deps.Advice.Route(in.ask())
	out := routing(in, chosen)
	recorded, err := a.note(ctx, events.RouteChosen.Kind, choice(out))
	out.Recorded = recorded
	return out, err
}

func routing(in *RouteArgs, a guide.Answer) *Routing {
	out := &Routing{
		RequestID: in.Body.RequestID, Type: in.Body.Type, DocumentedTier: a.DocumentedTier, Explored: a.Explored,
		Reason: a.Reason, Candidates: []RouteOption{}, Defaults: a.Defaults,
	}
	if a.Like != "" {
		out.Like = &a.Like
	}
	for _, o := range a.Options {
		out.Candidates = append(out.Candidates, RouteOption{
			modelOf(o), o.Tier, o.Cost, six(o.Expected), six(o.Bounds.Lower), six(o.Bounds.Upper),
			six(o.Runs), six(o.CostPerSuccess), six(o.Propensity),
		})
	}
	o := out.Candidates[a.Chosen]
	out.Model, out.Tier, out.ExpectedSuccess, out.Lower, out.Upper = o.Model, o.Tier, o.ExpectedSuccess, o.Lower, o.Upper
	out.CostPerSuccess, out.Propensity = o.CostPerSuccess, o.Propensity
	return out
}

// modelOf is the model of a candidate: of a tier the one that runs there, nil when none
// was seen.
func modelOf(o outcomes.Option) *string {
	if name := cmp.Or(o.Model, o.Seen); name != "" {
		return &name
	}
	return nil
}

// six rounds to six digits.
func six(x float64) float64 { return stats.Round(x, 6) }

// choice is the event of a choice.
func choice(r *Routing) *events.RouteChoice {
	c := &events.RouteChoice{
		RequestID: events.ID(r.RequestID), Type: events.ID(r.Type), Model: said(r.Model), Tier: r.Tier, Propensity: &r.Propensity,
	}
	for _, o := range r.Candidates {
		c.Candidates = append(c.Candidates, events.Candidate{Model: said(o.Model), Tier: o.Tier, Cost: &o.Cost, Propensity: &o.Propensity})
	}
	return c
}

// said is a text that may be missing.
func said(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
