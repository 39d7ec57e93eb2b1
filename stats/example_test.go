package stats_test

import (
	"fmt"

	"learnloop.dev/stats"
)

// Ten decisions about fixes of one rule, each suggested with confidence .9.
func Example() {
	var rule, global stats.Calibration
	for i := range 10 {
		rule.Add(.9, i < 6, 1)
		global.Add(.9, i < 6, 1)
	}
	posterior := stats.BetaOf(6, 10)
	bounds := posterior.Interval(.95)
	brier, _ := rule.Brier()
	fmt.Printf("kept %.2f, between %.2f and %.2f\n", posterior.Mean(), bounds.Lower, bounds.Upper)
	fmt.Printf("a stated .90 means %.2f; brier %.2f\n", rule.Calibrate(.9, &global), brier)
	// Output:
	// kept 0.58, between 0.31 and 0.83
	// a stated .90 means 0.68; brier 0.33
}

// An experiment that is looked at after every unit, and stopped when it pleases.
func ExampleAssignment() {
	var seen stats.Assignment
	units := 0
	for seen.P() > .05 {
		unit := fmt.Sprint("user-", units)
		treated := stats.Bucket("experiment", unit) < .5
		rate := .5
		if treated {
			rate = .7
		}
		seen.Observe(treated, stats.Bucket("outcome", unit) < rate, .5)
		units++
	}
	in := stats.DifferenceSequence(seen.Treatment, seen.Control, .95)
	fmt.Printf("p = %.3f after %d units, difference between %.2f and %.2f\n", seen.P(), units, in.Lower, in.Upper)
	// Output: p = 0.048 after 572 units, difference between -0.07 and 0.31
}
