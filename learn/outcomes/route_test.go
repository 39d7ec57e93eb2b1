package outcomes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"learnloop.dev/learn/outcomes"
)

// TestOldRunsLoseWeight has the tiers change places halfway: who forgets pays less.
func TestOldRunsLoseWeight(t *testing.T) {
	const types, perDay, days, dear = 20, 40, 200, 3
	paid := map[bool]float64{}
	for _, forgets := range []bool{true, false} {
		rng := rand.New(rand.NewPCG(7, 7))
		w, after := newWorld(rng, types), newWorld(rng, types)
		l := &learner{}
		for n := range perDay * days {
			if n == perDay*days/2 {
				w = after
			}
			if forgets && n%perDay == 0 {
				l.age(math.Exp2(-1.0 / 90))
			}
			kind := rng.IntN(types)
			low := l.choose(fmt.Sprint(n), kind, dear)
			solved := rng.Float64() < w.low[kind]
			if low {
				l.note(0, kind, solved)
			}
			if !low || !solved {
				l.note(1, kind, rng.Float64() < w.high[kind])
			}
			if n >= perDay*days/2 {
				paid[forgets] += w.cost(kind, low, dear) - w.best(kind, dear)
			}
		}
	}
	if paid[true] >= paid[false] {
		t.Errorf("after the change who forgets pays %.0f too much, who does not %.0f", paid[true], paid[false])
	}
}

// twoTiers is an errand with two candidates of which so much is known.
func twoTiers(request string, small, large outcomes.Experience) outcomes.Errand {
	return outcomes.Errand{
		Request: request, OfType: sum(small, large), OfAll: sum(small, large),
		Standings: []outcomes.Standing{
			{Candidate: outcomes.Candidate{Model: "large", Tier: 2, Cost: 3}, Here: large, Everywhere: large},
			{Candidate: outcomes.Candidate{Model: "small", Tier: 1, Cost: 1}, Here: small, Everywhere: small},
		},
	}
}

func TestChoicesFollowTheirPropensities(t *testing.T) {
	const requests = 4000
	small, large := outcomes.Experience{Runs: 20, Successes: 12}, outcomes.Experience{Runs: 20, Successes: 19}
	chosen, expected := 0.0, 0.0
	for n := range requests {
		r := twoTiers(fmt.Sprint(n), small, large).Choose()
		if r.Options[r.Chosen].Model == "small" {
			chosen++
		}
		expected = r.Options[0].Propensity
		if total := r.Options[0].Propensity + r.Options[1].Propensity; math.Abs(total-1) > 1e-9 {
			t.Fatalf("propensities add up to %v", total)
		}
	}
	if share := chosen / requests; math.Abs(share-expected) > 0.04 || expected < 0.05 || expected > 0.95 {
		t.Errorf("the small model has %.3f of the choices, and a propensity of %.3f", share, expected)
	}
}

func TestTheSameRequestGetsTheSameAnswer(t *testing.T) {
	e := outcomes.Experience{Runs: 9, Successes: 6}
	for n := range 50 {
		a, b := twoTiers(fmt.Sprint(n), e, e).Choose(), twoTiers(fmt.Sprint(n), e, e).Choose()
		if a.Chosen != b.Chosen || a.Options[0] != b.Options[0] {
			t.Fatalf("%+v and then %+v", a, b)
		}
	}
}

func TestOneBadRunInAHundredDoesNotEscalateForEver(t *testing.T) {
	r := twoTiers("x", outcomes.Experience{Runs: 100, Successes: 99}, outcomes.Experience{}).Choose()
	if got := r.Options[r.Chosen].Model; got != "small" || r.Options[0].Propensity < 0.9 {
		t.Errorf("%s with %+v", got, r.Options)
	}
	documented := outcomes.DocumentedTier(1, &outcomes.RetryPattern{Escalated: 1, SkipTier: true})
	if documented != 2 {
		t.Errorf("the documented rule says %d", documented)
	}
}

func TestWhatIsNewToAStepIsExpectedToDoAsItDoesElsewhereAsFarAsTheStepIsHard(t *testing.T) {
	expected := func(everywhere, ofType outcomes.Experience) float64 {
		return outcomes.Errand{
			Request: "r", OfType: ofType, OfAll: outcomes.Experience{Runs: 2000, Successes: 1500},
			Standings: []outcomes.Standing{{Candidate: outcomes.Candidate{Model: "new", Cost: 1}, Everywhere: everywhere}},
		}.Choose().Options[0].Expected
	}
	good, bad, none := outcomes.Experience{Runs: 500, Successes: 475}, outcomes.Experience{Runs: 500, Successes: 100}, outcomes.Experience{}
	if e := expected(good, none); e < .93 || e > .96 {
		t.Errorf("a good model: %v", e)
	}
	if e := expected(none, none); e < .74 || e > .76 {
		t.Errorf("an unknown model: %v", e)
	}
	if hard, easy := expected(good, bad), expected(good, good); hard > .8 || easy < .96 {
		t.Errorf("a good model: %v with a hard step, %v with an easy one", hard, easy)
	}
}

func TestWithoutEvidenceTheChoiceIsCautious(t *testing.T) {
	blind := 0
	for n := range 200 {
		r := twoTiers(fmt.Sprint(n), outcomes.Experience{}, outcomes.Experience{}).Choose()
		if !r.Blind {
			t.Fatal("something is known")
		}
		if r.Options[r.Chosen].Model == "large" {
			blind++
		}
	}
	if blind < 190 {
		t.Errorf("%d of 200 choices are cautious", blind)
	}
}

func TestATierThatHardlyEverSolvesAStepIsNotTaken(t *testing.T) {
	r := twoTiers("x", outcomes.Experience{Runs: 400, Successes: 160}, outcomes.Experience{Runs: 400, Successes: 40}).Choose()
	if got := r.Options[r.Chosen].Model; got != "small" {
		t.Errorf("chose %s: %+v", got, r.Options)
	}
}

// The tier above was given what had failed below, and succeeds less often than it would.
func TestATierIsNotJudgedByWhatTheLowerOneLeftIt(t *testing.T) {
	r := twoTiers("x", outcomes.Experience{Runs: 100, Successes: 30}, outcomes.Experience{Runs: 70, Successes: 16}).Choose()
	if above := r.Options[1]; above.Model != "large" || above.Propensity < 0.95 {
		t.Errorf("%+v", r.Options)
	}
}

func TestOfOneTierADearerModelCountsOnlyIfItIsBetter(t *testing.T) {
	e := outcomes.Errand{Request: "x", OfType: outcomes.Experience{Runs: 80, Successes: 70}, OfAll: outcomes.Experience{Runs: 80, Successes: 70}}
	for n, successes := range []float64{36, 34} {
		x := outcomes.Experience{Runs: 40, Successes: successes}
		e.Standings = append(e.Standings, outcomes.Standing{
			Candidate: outcomes.Candidate{Model: fmt.Sprint("m", n), Tier: 1, Cost: 1 + 0.1*float64(n)}, Here: x, Everywhere: x,
		})
	}
	if worse := e.Choose().Options[1]; worse.Propensity > 0.4 {
		t.Errorf("%+v", worse)
	}
}

func BenchmarkChoose(b *testing.B) {
	e := outcomes.Errand{Request: "r", OfAll: outcomes.Experience{Runs: 900, Successes: 700}}
	for n := range 5 {
		e.Standings = append(e.Standings, outcomes.Standing{
			Candidate: outcomes.Candidate{Model: fmt.Sprint("m", n), Tier: int64(n), Cost: float64(n + 1)},
			Here:      outcomes.Experience{Runs: 100, Successes: 70}, Everywhere: outcomes.Experience{Runs: 180, Successes: 140},
		})
	}
	for b.Loop() {
		e.Choose()
	}
}
