package guide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"learnloop.dev/kv"
	"learnloop.dev/learn/outcomes"
)

// crowd are types that several models did, in many fortnights.
func crowd(tb testing.TB) (list []kv.Context) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(3, 1))
	for n := range 30 {
		var recent []outcomes.Period
		for fortnight := range int64(12) {
			for model := range 6 {
				runs := rng.Int64N(40)
				recent = append(recent, outcomes.Period{
					Model: fmt.Sprint("model-", model), Tier: int64(model%3 + 1), Fortnight: 1400 + fortnight, Runs: runs, Successes: rng.Int64N(runs + 1),
				})
			}
		}
		id := fmt.Sprint("type-", n)
		list = append(list, published(tb, outcomes.KindTask, id, outcomes.TypeContext{ID: id, Evidence: outcomes.Evidence{Recent: recent}}))
	}
	return list
}

// answers are what a board says to many requests, to the last bit of each number.
func answers(b *Board) (all []string) {
	for n := range 60 {
		for _, kind := range []string{"type-7", "type", "unheard"} {
			for _, candidates := range [][]outcomes.Candidate{nil, {{Tier: 1, Cost: 1}, {Tier: 2, Cost: 3}, {Model: "model-2", Cost: 2}}} {
				a := b.Route(Ask{Request: fmt.Sprint("request-", n), Type: kind, PlannedTier: 1, Candidates: candidates})
				all = append(all, fmt.Sprintf("%s: %+v, of %q, %d: %x", kind, a.Reason, a.Like, a.Chosen, a.Options))
			}
		}
	}
	return all
}

func agree(tb testing.TB, want []string, b *Board) {
	tb.Helper()
	for i, got := range answers(b) {
		if got != want[i] {
			tb.Fatalf("first\n%s\nand then\n%s", want[i], got)
		}
	}
}

func TestTheSameRequestGetsTheSameAnswerToTheLastBit(t *testing.T) {
	list := crowd(t)
	b := board(t, desk{now: list})
	want := answers(b)
	for range 3 {
		agree(t, want, b)
	}
	slices.Reverse(list)
	agree(t, want, board(t, desk{now: list}))
	agree(t, want, board(t, desk{now: list[:9], later: append(list[9:], list[:9]...)}))
}

func TestWhatHasGoneLeavesNoTraceInAnAnswer(t *testing.T) {
	list := crowd(t)
	want := answers(board(t, desk{now: list}))
	later := published(t, outcomes.KindTask, "paint", outcomes.TypeContext{ID: "paint", Evidence: outcomes.Evidence{
		Recent: []outcomes.Period{{Model: "brush", Tier: 1, Fortnight: 1450, Runs: 9, Successes: 4}},
	}})
	b := board(t, desk{now: append(list, later), later: []kv.Context{{Key: later.Key}}})
	agree(t, want, b)
	if len(b.runs.models) != 6 || len(b.runs.ofModel) != 6 || len(b.runs.ofTier) != 3 {
		t.Errorf("%d models are kept", len(b.runs.models))
	}
}
