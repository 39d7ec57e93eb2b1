package learnings_test

import (
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/stats"
)

// A task gets its arm and its learnings; when it has finished, they get their
// credit, and the loop learns what injection is worth.
func ExampleTrial() {
	trial := learnings.DefaultTrial()
	found := []learnings.Candidate{
		{ID: "learn_retry", Relevance: 7.1, Belief: stats.Beta{A: 8, B: 3}, Effect: 6},
		{ID: "learn_quote", Relevance: 6.9, Belief: stats.Beta{A: 3, B: 2}},
		{ID: "learn_other", Relevance: 2.2, Belief: stats.Beta{A: 9, B: 1}},
	}
	arm, propensity := trial.Arm("task-5")
	fmt.Printf("%s, with probability %.2f\n", arm, propensity)

	var arms learnings.Arms
	credits := map[string]learnings.Credit{}
	for _, c := range trial.Select("task-5", found) {
		fmt.Printf("%s: left out %t, injected with probability %.1f\n", c.ID, c.LeftOut, c.Propensity)
		credit := credits[c.ID]
		credit.Observe(learnings.Turn{LeftOut: c.LeftOut, Success: true, Beside: c.Beside})
		credits[c.ID] = credit
	}
	arms.Observe(arm, true)
	lift := learnings.LiftOf([]events.Arm{events.ArmHoldout}, learnings.ArmPeriod{Shares: trial.Shares(), Arms: arms})
	fmt.Println("is the lift known after one task?", lift.Absolute != nil)
	// Output:
	// treatment, with probability 0.90
	// learn_retry: left out false, injected with probability 0.8
	// learn_quote: left out true, injected with probability 0.8
	// is the lift known after one task? false
}
