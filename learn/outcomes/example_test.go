package outcomes_test

import (
	"fmt"

	"learnloop.dev/learn/outcomes"
)

func ExampleErrand_Choose() {
	small := outcomes.Experience{Runs: 120, Successes: 114}
	large := outcomes.Experience{Runs: 40, Successes: 39}
	route := outcomes.Errand{
		Request: "req-7",
		OfType:  outcomes.Experience{Runs: 160, Successes: 153},
		OfAll:   outcomes.Experience{Runs: 160, Successes: 153},
		Standings: []outcomes.Standing{
			{Candidate: outcomes.Candidate{Model: "small-1", Tier: 1, Cost: 1}, Here: small, Everywhere: small},
			{Candidate: outcomes.Candidate{Model: "large-2", Tier: 2, Cost: 5}, Here: large, Everywhere: large},
		},
	}.Choose()
	chosen := route.Options[route.Chosen]
	fmt.Printf("%s, expected to succeed in %.0f of 100 runs\n", chosen.String(), 100*chosen.Expected)
	// Output: small-1, expected to succeed in 95 of 100 runs
}
