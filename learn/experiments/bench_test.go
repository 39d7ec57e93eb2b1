package experiments_test

import (
	"fmt"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/learn/learntest"
)

// What it takes to know an experiment with ten thousand outcomes.
func BenchmarkKnow(b *testing.B) {
	m := experiments.Model()
	l := &learntest.Loop{Models: []learn.Model{m}}
	for i := range 10_000 {
		o := events.Measurement{Experiment: "x", UnitID: events.ID(fmt.Sprint("u", i)), Value: float64(i * 7 % 2), Variant: [2]string{"control", "treatment"}[i%2]}
		if err := l.Hear(event(events.ExperimentOutcome.Kind, fmt.Sprint(i), i, o)); err != nil {
			b.Fatal(err)
		}
	}
	l.Refresh()
	table := l.Open()[0].Table
	for b.Loop() {
		m.Know(table, experiments.Key("x"))
	}
}

func BenchmarkFold(b *testing.B) {
	m := experiments.Model()
	l := &learntest.Loop{Models: []learn.Model{m}}
	n := 0
	for b.Loop() {
		n++
		f := &events.Fact[events.Measurement]{Data: events.Measurement{Experiment: "x", UnitID: "u", Value: 1, Variant: "control"}}
		f.Type, f.Group, f.Key, f.Record = events.ExperimentOutcome.Kind.Type(), events.ByExperiment, "x", fmt.Sprint(n)
		l.Fold(f)
	}
}
