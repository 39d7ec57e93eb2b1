package experiments_test

import (
	"fmt"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/learn/learntest"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

func TestScripts(t *testing.T) { learntest.Scripts(t, "testdata/scripts", experiments.Model()) }

func TestExperimentsKeepTheLawsOfModels(t *testing.T) {
	learntest.Laws{
		Model:         experiments.Model(),
		Events:        rapid.Custom(drawEvent),
		RowsPerRecord: 2, // itself, and the first of each experiment notes that there is one
		LongestRow:    1 << 10,
		Apart:         apart,
	}.Check(t)
}

// drawEvent draws from few values, so that experiments, units and identities repeat.
func drawEvent(t *rapid.T) learntest.Event {
	name := rapid.SampledFrom([]events.ID{"x", "dcs/a b", "x/y"}).Draw(t, "experiment")
	unit := rapid.SampledFrom([]events.ID{"1", "2", "3", "u/4", "5"}).Draw(t, "unit")
	variant := rapid.SampledFrom([]string{"control", "treatment", "control", "treatment", "b", ""}).Draw(t, "variant")
	kind, data := events.ExperimentExposed.Kind, any(events.Exposure{Experiment: name, UnitID: unit, Variant: variant})
	if rapid.IntRange(0, 4).Draw(t, "kind") > 0 {
		kind = events.ExperimentOutcome.Kind
		data = events.Measurement{
			Experiment: name, UnitID: unit, Variant: variant, Metric: rapid.SampledFrom([]string{"", "outcome_score", "cost"}).Draw(t, "metric"),
			Value: rapid.SampledFrom([]float64{0, 1, 1, 0.25, -3e9}).Draw(t, "value"),
		}
	}
	return event(kind, fmt.Sprint(rapid.IntRange(1, 60).Draw(t, "id")), rapid.IntRange(0, 400).Draw(t, "minute"), data)
}

func event(kind events.Kind, id string, minute int, data any) learntest.Event {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	at := time.Date(2026, 1, 1, 9, minute, 0, 0, time.UTC)
	return learntest.Event{Kind: kind, ID: id, Source: "test", Time: at, Data: raw}
}

// apart gives an outcome an identity of its own: another unit.
func apart(e learntest.Event, n int) learntest.Event {
	if e.Kind != events.ExperimentOutcome.Kind {
		return e
	}
	var m events.Measurement
	if err := json.Unmarshal(e.Data, &m); err != nil {
		panic(err)
	}
	m.UnitID = events.ID(fmt.Sprintf("apart-%d", n))
	e.Data, _ = json.Marshal(m)
	return e
}

func FuzzFold(f *testing.F) {
	learntest.Fuzz(f, experiments.Model(),
		`{"experiment":"x","unit_id":"u","value":1e11,"variant":"treatment","metric":"m"}`,
		`{"experiment":1,"unit_id":"","value":-0.0,"derived":{"variant":"control","propensity":2,"step":-1}}`,
		`{"experiment":"x","change":"started","definition":{"treatment_percentage":1e300,"primary_metric":{"name":""},`+
			`"is_active":true,"ranges":[{"variant":"x","from":9,"to":-9}]}}`,
		`{"experiment":"x","metric":"m","recommendation":"adopt_treatment","p_value":0,"control_n":0,"treatment_n":0}`,
		`{"date":"2026-01-01","timestamp":"9999-12-31T23:59:59-23:59"}`,
	)
}

// trial is a loop with the model of experiments alone.
type trial struct {
	*testing.T
	*learntest.Loop
	next int
}

func begin(t *testing.T) *trial {
	t.Helper()
	return &trial{T: t, Loop: &learntest.Loop{Models: []learn.Model{experiments.Model(), experiments.Designs()}, Partitions: 3}}
}

func (tr *trial) hear(kind events.Kind, minute int, data any) {
	tr.Helper()
	tr.next++
	if err := tr.Hear(event(kind, fmt.Sprint(tr.next), minute, data)); err != nil {
		tr.Fatal(err)
	}
}

// assigned hears an outcome as ingest passes it on.
func (tr *trial) assigned(minute int, d *events.ExperimentDesign, m events.Measurement) {
	tr.Helper()
	a := events.Assign(string(m.Experiment), d, string(m.UnitID))
	tr.next++
	e := event(events.ExperimentOutcome.Kind, fmt.Sprint(tr.next), minute, m)
	h := events.Head{
		SpecVersion: "1.0", ID: e.ID, Source: e.Source, Type: e.Kind.Type(), Time: e.Time, Recorded: e.Time, Stamp: e.Time,
		Record: fmt.Sprint("r", tr.next), Content: "c", Group: events.ByExperiment, Key: string(m.Experiment),
	}
	m.Assigned = &a
	tr.Fold(&events.Fact[events.Measurement]{Head: h, Data: m})
}

func (tr *trial) context(name string) (c experiments.Context) {
	tr.Helper()
	all, err := tr.Contexts()
	if err != nil {
		tr.Fatal(err)
	}
	data, ok := all[learn.Contexts+" experiment."+name]
	if !ok {
		tr.Fatalf("no context of %s", name)
	}
	if err := json.Unmarshal(data, &c); err != nil {
		tr.Fatal(err)
	}
	return c
}
