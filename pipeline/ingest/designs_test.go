package ingest

import (
	"fmt"
	"strconv"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

// laboratory is a gate that knows experiments, and nothing else of the stage.
func laboratory(t *testing.T) *Gate {
	t.Helper()
	g := gate(t, defaults())
	g.Designs = NewDesigns()
	return g
}

// admit has a gate decide about an event, and know it if it is a definition.
func (g *Gate) admit(t *testing.T, kind events.Kind, data string) Verdict {
	t.Helper()
	env := events.Envelope{ID: t.Name() + data, Source: "/test", Kind: kind, Time: now, Received: now, Data: []byte(data)}
	v, err := g.Admit(kind.Subject(), env)
	if err != nil {
		t.Fatal(err)
	}
	if r := v.redesign; r != nil {
		g.Designs.know(r.at, r.to)
	}
	return v
}

func defined(percentage string) string {
	return `{"experiment":"boost","change":"started","definition":{"is_active":true,"treatment_percentage":` + percentage +
		`,"primary_metric":{"name":"score","min":0,"max":1}}}`
}

func TestAnArmIsDerivedFromTheRawUnit(t *testing.T) {
	g := laboratory(t)
	if v := g.admit(t, events.ControlExperimentChanged.Kind, defined("50")); v.Refusal.Refused() {
		t.Fatal(v.Refusal)
	}
	is, _ := g.Designs.Of("boost")
	for i := range 20 {
		unit := fmt.Sprint("session-", i)
		v := g.admit(t, events.ExperimentOutcome.Kind, `{"experiment":"boost","unit_id":"`+unit+`","value":1}`)
		if len(v.Messages) != 1 {
			t.Fatalf("%+v", v)
		}
		rec, err := events.ExperimentOutcome.ReadFact(v.Messages[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		m := rec.Payload().(*events.Measurement)
		if want := events.Assign("boost", is, unit); m.Assigned == nil || *m.Assigned != want || string(m.UnitID) == unit {
			t.Fatalf("%s is %+v, want %+v", m.UnitID, m.Assigned, want)
		}
	}
}

func TestNobodySaysWhichArmWasDerived(t *testing.T) {
	g := laboratory(t)
	v := g.admit(t, events.ExperimentOutcome.Kind, `{"experiment":"x","unit_id":"u","value":1,"derived":{"variant":"treatment","propensity":1}}`)
	if v.Refusal.Reason != events.ReasonSchema {
		t.Errorf("%+v", v)
	}
}

func TestWhatAMetricCannotBeIsRefused(t *testing.T) {
	g := laboratory(t)
	g.admit(t, events.ControlExperimentChanged.Kind, defined("50"))
	for data, refused := range map[string]bool{
		`{"experiment":"boost","unit_id":"a","value":1.5}`:                   true,
		`{"experiment":"boost","unit_id":"a","value":-0.1,"metric":"score"}`: true,
		`{"experiment":"boost","unit_id":"a","value":NaN}`:                   true,
		`{"experiment":"boost","unit_id":"a","value":1e999}`:                 true,
		`{"experiment":"boost","unit_id":"a","value":9,"metric":"cost"}`:     false,
		`{"experiment":"other","unit_id":"a","value":9}`:                     false,
		`{"experiment":"boost","unit_id":"a","value":1}`:                     false,
	} {
		if v := g.admit(t, events.ExperimentOutcome.Kind, data); v.Refusal.Refused() != refused {
			t.Errorf("%s: %+v", data, v.Refusal)
		}
	}
}

func TestADefinitionThatCannotBeIsRefused(t *testing.T) {
	g := laboratory(t)
	if v := g.admit(t, events.ControlExperimentChanged.Kind, defined("30")); v.Refusal.Refused() {
		t.Fatal(v.Refusal)
	}
	for name, data := range map[string]string{
		"an arm shrinks":  defined("20"),
		"control shrinks": defined("40"),
		"a secret name":   `{"experiment":"of jane.roe@example.com","change":"created","definition":{"treatment_percentage":5,"primary_metric":{"name":"m"}}}`,
		"over 100 %": `{"experiment":"y","change":"created","definition":{"treatment_percentage":60,"primary_metric":{"name":"m"},
			"treatments":[{"name":"b","percentage":41}]}}`,
		"ends before it starts": `{"experiment":"y","change":"created","definition":{"treatment_percentage":5,"primary_metric":{"name":"m"},
			"start_date":"2026-03-02T00:00:00Z","end_date":"2026-03-01T00:00:00Z"}}`,
		"two of a name": `{"experiment":"y","change":"created","definition":{"treatment_percentage":5,"primary_metric":{"name":"m"},
			"treatments":[{"name":"control","percentage":1}]}}`,
		"a metric twice": `{"experiment":"y","change":"created","definition":{"treatment_percentage":5,"primary_metric":{"name":"m"},
			"guardrails":[{"name":"m"}]}}`,
		"certainty": `{"experiment":"y","change":"created","definition":{"treatment_percentage":5,"primary_metric":{"name":"m"},"confidence_level":1}}`,
		"no values": `{"experiment":"y","change":"created","definition":{"treatment_percentage":5,"primary_metric":{"name":"m","min":2,"max":1}}}`,
	} {
		if v := g.admit(t, events.ControlExperimentChanged.Kind, data); v.Refusal.Reason != events.ReasonSchema || len(v.Refusal.Violations) == 0 {
			t.Errorf("%s: %+v", name, v.Refusal)
		}
	}
}

func TestVotesAndTasksAreOutcomesOfTheExperimentsThatMeasureThem(t *testing.T) {
	g := laboratory(t)
	g.admit(t, events.ControlExperimentChanged.Kind, `{"experiment":"weights","change":"started","definition":{"is_active":true,
		"treatment_percentage":50,"primary_metric":{"name":"explicit_positive_rate"},"secondary_metrics":[{"name":"task_success"}]}}`)
	is, _ := g.Designs.Of("weights")
	for data, want := range map[string]float64{
		`{"exchange_id":"e","session_id":"s","feedback_type":"copy"}`:       1,
		`{"exchange_id":"e","session_id":"s","feedback_type":"regenerate"}`: 0,
	} {
		v := g.admit(t, events.FeedbackResponse.Kind, data)
		if len(v.Messages) != 2 {
			t.Fatalf("%s: %d messages", data, len(v.Messages))
		}
		rec, err := events.ExperimentOutcome.ReadFact(v.Messages[1].Data)
		if err != nil {
			t.Fatal(err)
		}
		m := rec.Payload().(*events.Measurement)
		if m.Value != want || m.Assigned == nil || *m.Assigned != events.Assign("weights", is, "s") || string(m.UnitID) == "s" {
			t.Errorf("%s: %+v", data, m)
		}
	}
	done := `{"task_id":"t","goal":"g","status":"completed","subtasks":[]}`
	if v := g.admit(t, events.TaskFinished.Kind, done); len(v.Messages) != 3 {
		t.Errorf("%d messages of a task", len(v.Messages))
	}
	if v := g.admit(t, events.FeedbackResponse.Kind, `{"exchange_id":"e","feedback_type":"copy"}`); len(v.Messages) > 1 {
		t.Error("nobody's vote is an outcome")
	}
}

func TestAnExchangeSaysWhereItsScoreIsToGo(t *testing.T) {
	g := laboratory(t)
	g.admit(t, events.ControlExperimentChanged.Kind, `{"experiment":"length","change":"started","definition":{"is_active":true,
		"treatment_percentage":50,"primary_metric":{"name":"overall_quality_score"},"secondary_metrics":[{"name":"engagement_score"},{"name":"cost"}]}}`)
	is, _ := g.Designs.Of("length")
	exchange := `{"exchange_id":"e","session_id":"s","user_id":"ann","user_text":"How do maps grow?","agent_text":"Maps grow by doubling."}`
	own := g.admit(t, events.ExperimentOutcome.Kind, `{"experiment":"length","unit_id":"s","value":1}`)
	v := g.admit(t, events.ExchangeRecorded.Kind, exchange)
	if len(v.Messages) != 1 {
		t.Fatalf("%d messages: a score is not known yet", len(v.Messages))
	}
	rec, err := events.ExchangeRecorded.ReadFact(v.Messages[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := events.ExperimentOutcome.ReadFact(own.Messages[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	unit := outcome.Payload().(*events.Measurement).UnitID
	trials := rec.Payload().(*events.Exchange).Features.Trials
	if len(trials) != 2 || trials[0].Record == trials[1].Record {
		t.Fatalf("%+v", trials)
	}
	for _, trial := range trials {
		if trial.Assigned != events.Assign("length", is, "s") || trial.UnitID != unit || trial.Record == outcome.Header().Record ||
			pipeline.LogSubject(trial.Partition, events.ExperimentOutcome.Kind) != own.Messages[0].Subject {
			t.Errorf("%+v, and outcomes are of %s in %s", trial, unit, own.Messages[0].Subject)
		}
	}
}

func TestAnArmSaysHowAnExchangeIsScored(t *testing.T) {
	g := laboratory(t)
	exchange := `{"exchange_id":"e","session_id":"s","user_id":"ann","user_text":"How do maps grow?","agent_text":"Maps grow by doubling."}`
	weights := func() *events.ScoreWeights {
		rec, err := events.ExchangeRecorded.ReadFact(g.admit(t, events.ExchangeRecorded.Kind, exchange).Messages[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		return rec.Payload().(*events.Exchange).Features.Weights
	}
	if w := weights(); w != nil {
		t.Errorf("without an experiment: %+v", w)
	}
	const arm = `{"weights":{"relevance":0.25,"helpfulness":0.3,"engagement":0.25,"clarity":0.1,"accuracy":0.1}}`
	define := func(change, config string) {
		g.admit(t, events.ControlExperimentChanged.Kind, `{"experiment":"w","change":"`+change+`","definition":{"is_active":`+strconv.FormatBool(change == "started")+
			`,"treatment_percentage":50,"primary_metric":{"name":"explicit_positive_rate"},"control_config":`+config+`,"treatment_config":`+config+`}}`)
	}
	define("started", `{"weights":{"relevance":"much"}}`)
	if w := weights(); w != nil {
		t.Errorf("weights that are none: %+v", w)
	}
	define("started", arm)
	if w := weights(); w == nil || *w != (events.ScoreWeights{Relevance: 250, Helpfulness: 300, Engagement: 250, Clarity: 100, Accuracy: 100}) {
		t.Errorf("%+v", w)
	}
	define("stopped", arm)
	if w := weights(); w != nil {
		t.Errorf("stopped: %+v", w)
	}
}

func TestNobodySaysWhereAScoreGoes(t *testing.T) {
	g := laboratory(t)
	v := g.admit(t, events.ExchangeRecorded.Kind, `{"exchange_id":"e","session_id":"s","user_text":"a","agent_text":"b",
		"features":{"question":{},"answer":{},"trials":[{"experiment":"x","metric":"m","unit_id":"u","assigned":{},"record":"r","partition":1}]}}`)
	if v.Refusal.Reason != events.ReasonSchema {
		t.Errorf("%+v", v)
	}
}
