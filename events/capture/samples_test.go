package capture

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"

	"learnloop.dev/events"
)

var booking = Plan{Intent: "Book a flight", Context: map[string]any{"domain": "airline"}, Steps: []string{"search", "book"}}

// points are all points at which samples are captured, with what has to come of each.
var points = map[string]struct {
	capture           func(p *Publisher) error
	family            string
	source            events.FeedbackSource
	verdict           events.SampleVerdict
	label             events.QualityLabel
	input, out, about string
}{
	"approved": {
		func(p *Publisher) error { return PlanApproved(p, booking) },
		"intent_resolution", "user", "approval", "good",
		`{"context":{"domain":"airline"},"intent_text":"Book a flight"}`, `{"plan_structure":["search","book"]}`, "",
	},
	"rejected": {
		func(p *Publisher) error { return PlanRejected(p, booking) },
		"intent_resolution", "user", "rejection", "poor",
		`{"context":{"domain":"airline"},"intent_text":"Book a flight"}`, `{"plan_structure":["search","book"]}`, "",
	},
	"executed unchanged": {
		func(p *Publisher) error { return PlanExecuted(p, booking, "booked") },
		"intent_resolution", "user", "approval", "good",
		`{"context":{"domain":"airline"},"intent_text":"Book a flight"}`, `{"plan_structure":["search","book"],"result":"booked"}`, "",
	},
	"modified then executed": {
		func(p *Publisher) error { return PlanModified(p, booking, []string{"book"}, nil) },
		"error_correction", "user", "correction", "acceptable",
		`{"context":{"domain":"airline"},"intent_text":"Book a flight","plan_state":{"plan_structure":["search","book"]}}`,
		`{"action_taken":"plan_modification","plan_structure":["book"]}`, "",
	},
	"delta intent": {
		func(p *Publisher) error {
			return DeltaIntent(p, Plan{Intent: "Book", State: "draft", Steps: 1},
				Delta{Changes: map[string]int{"seats": 2}, Feedback: "for two", Fields: []string{"seats"}})
		},
		"error_correction", "user", "correction", "acceptable",
		`{"intent_text":"Book","plan_state":{"plan_structure":1,"state":"draft"}}`,
		`{"action_taken":"plan_modification","result":{"seats":2}}`, `{"corrected_fields":["seats"],"user_feedback":"for two"}`,
	},
	"dialog rating": {
		func(p *Publisher) error { return DialogRated(p, Dialog{Question: "When?", Answer: "At noon."}, 0.4) },
		"dialog_response", "user", "score", "acceptable",
		`{"intent_text":"When?"}`, `{"result":"At noon."}`, `{"rating":0.4}`,
	},
	"system metric": {
		func(p *Publisher) error {
			return PlanOptimized(p, booking, []string{"book"}, Metric{Name: "seconds", Before: 9, After: 4})
		},
		"plan_optimization", "system", "score", "good",
		`{"context":{"domain":"airline"},"intent_text":"Book a flight","plan_state":{"plan_structure":["search","book"]}}`,
		`{"plan_structure":["book"]}`, `{"after":4,"before":9,"metric":"seconds"}`,
	},
}

// captured is the one sample that a publisher sends.
func captured(t *testing.T, capture func(p *Publisher) error) (*events.Sample, []byte) {
	t.Helper()
	wire := &faults{}
	p := start(wire, Options{Source: "/agents/planner"})
	if err := capture(p); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var batch []struct {
		Type string         `json:"type"`
		Data jsontext.Value `json:"data"`
	}
	if err := json.Unmarshal(wire.stored[0].Data, &batch); err != nil || batch[0].Type != events.SampleCaptured.Kind.Type() {
		t.Fatalf("%v %s", err, wire.stored[0].Data)
	}
	payload, refusal := events.Decode(events.SampleCaptured, batch[0].Data)
	if refusal.Refused() {
		t.Fatalf("%+v: %s", refusal, batch[0].Data)
	}
	return payload.(*events.Sample), batch[0].Data
}

func TestEveryPointGivesASampleThatTheLoopTakesWithItsLabel(t *testing.T) {
	for name, c := range points {
		t.Run(name, func(t *testing.T) {
			s, data := captured(t, c.capture)
			if f := s.Feedback; s.SampleFamily != c.family || f.Source != c.source || f.Type != c.verdict || f.QualityLabel != c.label {
				t.Errorf("%s", data)
			}
			if string(s.Input) != c.input || string(s.Output) != c.out || string(s.Feedback.Details) != c.about {
				t.Errorf("input %s\noutput %s\ndetails %s", s.Input, s.Output, s.Feedback.Details)
			}
			if found := s.Strict(); len(found) > 0 || s.CreatedAt.IsZero() {
				t.Errorf("strictly: %+v", found)
			}
		})
	}
}

func TestAMetricThatGotWorseOrStayedIsNotGood(t *testing.T) {
	for label, m := range map[events.QualityLabel]Metric{
		events.Poor: {Name: "seconds", Before: 4, After: 9}, events.Acceptable: {Name: "seconds", Before: 4, After: 4},
		events.Good: {Name: "hits", Before: 4, After: 9, HigherIsBetter: true},
	} {
		if s, data := captured(t, func(p *Publisher) error { return PlanOptimized(p, booking, 1, m) }); s.Feedback.QualityLabel != label {
			t.Errorf("%+v: %s", m, data)
		}
	}
}

func TestNoPointWaitsForTheServer(t *testing.T) {
	p := start(&faults{answer: func(ctx context.Context, _ *nats.Msg) error { <-ctx.Done(); return ctx.Err() }}, Options{Source: "/a", MaxEvents: 3})
	var full int
	for name, c := range points {
		switch err := c.capture(p); {
		case errors.Is(err, ErrFull):
			full++
		case err != nil:
			t.Errorf("%s: %v", name, err)
		}
	}
	if full != len(points)-3 {
		t.Errorf("%d of %d found no room for more than 3", full, len(points))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Close(ctx); err == nil {
		t.Error("nothing was lost")
	}
}

func TestWhatIsNoSampleIsRefusedWithoutItsText(t *testing.T) {
	p := start(&faults{}, Options{Source: "/a"})
	for name, err := range map[string]error{
		"a rating above 1":  DialogRated(p, Dialog{}, 1.1),
		"no rating":         DialogRated(p, Dialog{}, math.NaN()),
		"what is no JSON":   PlanApproved(p, Plan{Intent: "secret", Steps: func() {}}),
		"text that is none": PlanApproved(p, Plan{Intent: "secret\xff"}),
	} {
		if !errors.Is(err, ErrInvalid) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := p.Close(t.Context()); err != nil || p.Stats().Captured != 0 {
		t.Errorf("%v %+v", err, p.Stats())
	}
}
