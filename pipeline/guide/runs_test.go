package guide

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"learnloop.dev/kv"
	"learnloop.dev/learn/outcomes"
)

// reports are runs of which some do not say the model, or the tier.
func reports() (list []outcomes.Period) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 400 {
		list = append(list, outcomes.Period{
			Model: []string{"", "small", "large", "odd"}[rng.IntN(4)], Tier: rng.Int64N(4), Fortnight: 1400 + rng.Int64N(20),
			Runs: 1 + rng.Int64N(9), Raised: rng.Int64N(2),
		})
	}
	return list
}

func TestRunsAreAddedUpAsCandidatesMatchThem(t *testing.T) {
	r, list := noRuns(), reports()
	r.count(list, 1)
	for _, c := range []outcomes.Candidate{{Model: "small", Tier: 1}, {Model: "small"}, {Tier: 2}, {Model: "new", Tier: 1}, {Model: "new"}, {Tier: 9}} {
		want := tally{}
		for _, p := range list {
			if c.Matches(p.Model, p.Tier) {
				want.add(p, 1)
			}
			if p.Raised > 0 && p.Tier > 1 && c.Tier == p.Tier-1 {
				want.add(outcomes.Period{Fortnight: p.Fortnight, Runs: p.Raised}, 1)
			}
		}
		if got := r.of(c); !maps.Equal(want, got) {
			t.Errorf("%+v: %v, want %v", c, got, want)
		}
	}
	r.count(list, -1)
	if len(r.models)+len(r.ofModel)+len(r.ofTier)+len(r.below)+len(r.all) > 0 || r.latest != 0 {
		t.Errorf("taken out, and still there: %+v", r)
	}
}

func TestATierIsAnsweredWithTheModelThatRunsThere(t *testing.T) {
	of := func(id string, recent ...outcomes.Period) kv.Context {
		return published(t, outcomes.KindTask, id, outcomes.TypeContext{ID: id, Evidence: outcomes.Evidence{Recent: recent}})
	}
	b := board(t, desk{now: []kv.Context{
		of("lint", outcomes.Period{Model: "old", Tier: 1, Fortnight: 1400, Runs: 9}, outcomes.Period{Model: "new", Tier: 1, Fortnight: 1401, Runs: 11}),
		of("test", outcomes.Period{Model: "old", Tier: 1, Fortnight: 1401, Runs: 30}, outcomes.Period{Model: "large", Tier: 2, Fortnight: 1401, Runs: 3}),
	}})
	tiers := []outcomes.Candidate{{Tier: 1, Cost: 1}, {Tier: 2, Cost: 2}, {Tier: 3, Cost: 4}}
	a := b.Route(Ask{Request: "r", Type: "lint", Candidates: tiers})
	for i, want := range []string{"new", "large", ""} { // its own runs, those of others, none
		if o := a.Options[i]; o.Seen != want || o.Model != "" {
			t.Errorf("tier %d: model %q, %q was seen", o.Tier, o.Model, o.Seen)
		}
	}
}

func BenchmarkRouteAmongThousandsOfModels(b *testing.B) {
	var all []kv.Context
	for n := range int64(5_000) {
		all = append(all, published(b, outcomes.KindTask, fmt.Sprint("type-", n), outcomes.TypeContext{
			ID: fmt.Sprint("type-", n), Evidence: outcomes.Evidence{Recent: []outcomes.Period{{Model: fmt.Sprint("model-", n), Tier: 1, Fortnight: 1400, Runs: 9}}},
		}))
	}
	known := board(b, desk{now: all})
	for n := 0; b.Loop(); n++ {
		known.Route(Ask{Request: fmt.Sprint(n), Type: "type-1", Candidates: []outcomes.Candidate{{Model: "model-1", Tier: 1, Cost: 1}, {Tier: 1, Cost: 2}}})
	}
}
