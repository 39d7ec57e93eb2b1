package capture

import (
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"learnloop.dev/events"
)

// Plan is a plan that an agent made of a request. What has no type here is anything
// that marshals to JSON; nil is left out.
type Plan struct {
	Intent  string // the request, in the user's own words
	Context any    // what was known of the project
	State   any    // where the plan stood
	Steps   any    // the plan
}

// Delta is how a user had a plan changed.
type Delta struct {
	Changes  any      // what was changed
	Feedback string   // what the user said about it
	Fields   []string // which fields were corrected
}

// Dialog is an answer to a question.
type Dialog struct {
	Question string
	Context  any
	Answer   string
}

// Metric is what a system measured before and after a plan was changed.
type Metric struct {
	Name           string
	Before, After  float64
	HigherIsBetter bool
}

// The functions below capture one learning sample each, at the points that source
// document 002 names in section 4, with the label that it has there. Like Capture they
// return at once.

// PlanApproved captures that a user approved a plan: good.
func PlanApproved(p *Publisher, plan Plan) error {
	return sample(p, draft{family: events.IntentResolution, in: plan.request(), out: object{"plan_structure": plan.Steps},
		by: events.ByUser, verdict: events.Approval, label: events.Good})
}

// PlanRejected captures that a user rejected a plan: poor.
func PlanRejected(p *Publisher, plan Plan) error {
	return sample(p, draft{family: events.IntentResolution, in: plan.request(), out: object{"plan_structure": plan.Steps},
		by: events.ByUser, verdict: events.Rejection, label: events.Poor})
}

// PlanExecuted captures that a user had a plan executed as it was: good.
func PlanExecuted(p *Publisher, plan Plan, result any) error {
	return sample(p, draft{family: events.IntentResolution, in: plan.request(),
		out: object{"plan_structure": plan.Steps, "result": result},
		by:  events.ByUser, verdict: events.Approval, label: events.Good})
}

// PlanModified captures that a user changed a plan and then had it executed: acceptable.
func PlanModified(p *Publisher, original Plan, executed, result any) error {
	return sample(p, draft{family: events.ErrorCorrection, in: original.revised(),
		out: object{"action_taken": modification, "plan_structure": executed, "result": result},
		by:  events.ByUser, verdict: events.Correction, label: events.Acceptable})
}

// DeltaIntent captures that a user asked for changes to a plan: acceptable.
func DeltaIntent(p *Publisher, original Plan, d Delta) error {
	details := object{}
	if d.Feedback != "" {
		details["user_feedback"] = d.Feedback
	}
	if d.Fields != nil {
		details["corrected_fields"] = d.Fields
	}
	return sample(p, draft{family: events.ErrorCorrection, in: original.revised(),
		out: object{"action_taken": modification, "result": d.Changes},
		by:  events.ByUser, verdict: events.Correction, label: events.Acceptable, details: details})
}

// DialogRated captures how a user rated an answer, from 0 to 1: good from 0.7 on,
// acceptable from 0.4 on, else poor.
func DialogRated(p *Publisher, d Dialog, rating float64) error {
	if !(rating >= 0 && rating <= 1) {
		return fmt.Errorf("capture a rating: %w: it is not from 0 to 1", ErrInvalid)
	}
	return sample(p, draft{family: events.DialogResponse, in: object{"intent_text": d.Question, "context": d.Context},
		out: object{"result": d.Answer}, details: object{"rating": rating},
		by: events.ByUser, verdict: events.Score, label: events.LabelOf(rating)})
}

// PlanOptimized captures what a changed plan did to something that is measured: good
// when it is better, acceptable when it is the same, poor when it is worse.
func PlanOptimized(p *Publisher, slow Plan, optimized any, m Metric) error {
	gain := m.After - m.Before
	if !m.HigherIsBetter {
		gain = -gain
	}
	label := events.Acceptable
	switch {
	case gain > 0:
		label = events.Good
	case gain < 0:
		label = events.Poor
	}
	return sample(p, draft{family: events.PlanOptimization, in: slow.revised(), out: object{"plan_structure": optimized},
		details: object{"metric": m.Name, "before": m.Before, "after": m.After},
		by:      events.BySystem, verdict: events.Score, label: label})
}

// modification is the action of whoever changes a plan.
const modification = "plan_modification"

// object is a JSON object; members that are nil are left out.
type object map[string]any

func (o object) encode() (jsontext.Value, error) {
	for name, value := range o {
		if value == nil {
			delete(o, name)
		}
	}
	return json.Marshal(o, json.Deterministic(true))
}

// request is what a plan was made of.
func (p Plan) request() object {
	return object{"intent_text": p.Intent, "context": p.Context, "plan_state": p.State}
}

// revised is what another plan is made of: the request, and the plan there was.
func (p Plan) revised() object {
	o := p.request()
	if p.Steps != nil {
		o["plan_state"] = object{"plan_structure": p.Steps, "state": p.State}
		if p.State == nil {
			o["plan_state"] = object{"plan_structure": p.Steps}
		}
	}
	return o
}

// draft is a sample on its way to be captured.
type draft struct {
	family  string
	in, out object
	by      events.FeedbackSource
	verdict events.SampleVerdict
	label   events.QualityLabel
	details object
}

func sample(p *Publisher, d draft) error {
	s := events.Sample{SampleID: newUUID(), SampleFamily: d.family, CreatedAt: time.Now().UTC(),
		Feedback: events.SampleFeedback{Source: d.by, Type: d.verdict, QualityLabel: d.label}}
	var in, out, details error
	s.Input, in = d.in.encode()
	s.Output, out = d.out.encode()
	if len(d.details) > 0 {
		s.Feedback.Details, details = d.details.encode()
	}
	if errors.Join(in, out, details) != nil { // whose words may quote what was in it
		return fmt.Errorf("capture a sample of %s: %w: it does not marshal to JSON", d.family, ErrInvalid)
	}
	return Publish(p, events.SampleCaptured, s)
}

// newUUID is a random id (RFC 9562, version 4).
func newUUID() events.ID {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return events.ID(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))
}
