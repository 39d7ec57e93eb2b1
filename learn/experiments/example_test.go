package experiments_test

import (
	"fmt"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/learn/learntest"
)

// Thirty tasks in each arm, assigned by somebody else.
func Example() {
	loop := &learntest.Loop{Models: []learn.Model{experiments.Model()}}
	for i := range 60 {
		o := events.Measurement{Experiment: "cheatsheet", UnitID: events.ID(fmt.Sprint("task-", i)), Variant: "control"}
		if i%2 == 1 {
			o.Variant = "treatment"
		}
		if i%8 < 3 || o.Variant == "treatment" && i%8 < 6 {
			o.Value = 1
		}
		if err := loop.Hear(event(events.ExperimentOutcome.Kind, fmt.Sprint(i), i, o)); err != nil {
			panic(err)
		}
	}
	contexts, err := loop.Contexts()
	if err != nil {
		panic(err)
	}
	c, err := experiments.Read(contexts["learn_contexts experiment.cheatsheet"])
	if err != nil {
		panic(err)
	}
	fmt.Println(strings.TrimSpace(experiments.Report(c)))
	// Output:
	// cheatsheet (undeclared)
	//
	// Advice: go on, nothing is decided.
	// The smaller arm has 30 of the 100 outcomes it needs.
	//
	// outcome_score, higher is better
	//   control        ████████████████████████████             0.533333  (30)
	//   treatment      ████████████████████████████████████████ 0.766667  (30)
	//
	// treatment differs from control by +0.233333 (+43.8 %); with 95 % confidence, however often one looks, by -0.5104 to +0.7901.
	// p = 0.5788, always valid: it may be looked at any time, and decides below 0.05.
	// A test of a fixed sample says p = 0.05976; it is right once, at a size that was planned.
}
