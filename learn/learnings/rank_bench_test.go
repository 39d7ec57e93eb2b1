package learnings_test

import (
	"strconv"
	"testing"

	"learnloop.dev/learn/learnings"
	"learnloop.dev/stats"
)

// A search of an injection finds a hundred learnings at most.
func BenchmarkSelectAmongAHundred(b *testing.B) {
	var found []learnings.Candidate
	for i := range 100 {
		found = append(found, learnings.Candidate{
			ID: "learn_" + strconv.Itoa(i), Relevance: 1 - float64(i)/300, Belief: stats.Beta{A: 3 + float64(i%7), B: 2 + float64(i%11)},
		})
	}
	trial := learnings.DefaultTrial()
	for i := 0; b.Loop(); i++ {
		trial.Select(strconv.Itoa(i), found)
	}
}
