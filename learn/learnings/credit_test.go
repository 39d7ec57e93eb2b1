package learnings_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"learnloop.dev/learn/learnings"
	"learnloop.dev/stats"

	"pgregory.net/rapid"
)

func TestCreditComesInAnyOrderAndGoesExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turns := rapid.SliceOf(rapid.Custom(func(t *rapid.T) learnings.Turn {
			return learnings.Turn{
				LeftOut: rapid.Bool().Draw(t, "left_out"), Success: rapid.Bool().Draw(t, "success"),
				Beside: rapid.Int64Range(-100, 100).Draw(t, "beside"),
			}
		})).Draw(t, "turns")
		var forth, back learnings.Credit
		var pool learnings.Pool
		observe := func(c *learnings.Credit, turn learnings.Turn) {
			before := *c
			c.Observe(turn)
			pool.Move(before, *c)
		}
		for _, turn := range turns {
			observe(&forth, turn)
		}
		for _, turn := range rapid.Permutation(turns).Draw(t, "order") {
			back.Observe(turn)
		}
		if forth != back {
			t.Fatalf("%+v, in another order %+v", forth, back)
		}
		for _, turn := range turns {
			before := forth
			forth.TakeBack(turn)
			pool.Move(before, forth)
		}
		if forth != (learnings.Credit{}) || pool != (learnings.Pool{}) {
			t.Fatalf("left of nothing: %+v, %+v", forth, pool)
		}
	})
}

// group is a pair of learnings that are always selected together, of which one
// lifts the rate of success from .5 to .7.
func group(seed uint64, tasks int) (helper, passenger learnings.Credit, pool learnings.Pool) {
	rnd := rand.New(rand.NewPCG(seed, 6))
	for range tasks {
		helped, carried := rnd.Float64() < .8, rnd.Float64() < .8
		rate := .5
		if helped {
			rate = .7
		}
		success := rnd.Float64() < rate
		for _, l := range []struct {
			credit   *learnings.Credit
			injected bool
		}{{&helper, helped}, {&passenger, carried}} {
			before := *l.credit
			l.credit.Observe(learnings.Turn{LeftOut: !l.injected, Success: success})
			pool.Move(before, *l.credit)
		}
	}
	return helper, passenger, pool
}

func TestAPassengerGainsNothingFromAGroupsSuccess(t *testing.T) {
	helper, passenger, pool := group(1, 4000)
	helps, rides := pool.Effect(helper), pool.Effect(passenger)
	if math.Abs(helps.Estimate-.2) > .05 || helps.Interval.Lower <= 0 {
		t.Errorf("the one that helps: %+v", helps)
	}
	if math.Abs(rides.Estimate) > .05 || rides.Interval.Lower > 0 {
		t.Errorf("the passenger: %+v", rides)
	}
	neutral := stats.Share{}
	if b := learnings.Belief(.5, neutral, helps); b.Mean() < .8 {
		t.Errorf("belief in the one that helps: %+v", b)
	}
	if b := learnings.Belief(.5, neutral, rides); b.Below(.35) < .9 {
		t.Errorf("belief in the passenger: %+v", b)
	}
	if p := stats.PValue(helper.Evidence(.8)); p > 1e-6 {
		t.Errorf("p of the one that helps: %g", p)
	}
	if p := stats.PValue(passenger.Evidence(.8)); p < .05 {
		t.Errorf("p of the passenger: %g", p)
	}
}

func TestTheInitialConfidenceIsWorthFiveVotes(t *testing.T) {
	nothing := learnings.Pool{}.Effect(learnings.Credit{})
	for _, c := range []struct {
		initial float64
		votes   stats.Share
		want    float64
	}{
		{.7, stats.Share{}, .7},
		{.5, stats.Share{X: 4, N: 5}, (2.5 + 4) / 10},
		{.6, stats.Share{X: 0, N: 10}, 3. / 15},
		{1, stats.Share{}, .99},
	} {
		if got := learnings.Belief(c.initial, c.votes, nothing).Mean(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%g with %v: %g, want %g", c.initial, c.votes, got, c.want)
		}
	}
	if nothing.Harm() != .5 || nothing.Interval != (stats.Interval{Lower: -1, Upper: 1}) {
		t.Errorf("without tasks: %+v", nothing)
	}
}

func TestWhatIsShownToHarmRetiresWithItsEvidence(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	var bad, good learnings.Credit
	var pool learnings.Pool
	for range 400 {
		for _, l := range []struct {
			credit *learnings.Credit
			rate   float64
		}{{&bad, .3}, {&good, .7}} {
			turn := learnings.Turn{LeftOut: rnd.Float64() < .2}
			rate := l.rate
			if turn.LeftOut {
				rate = .5
			}
			turn.Success = rnd.Float64() < rate
			before := *l.credit
			l.credit.Observe(turn)
			pool.Move(before, *l.credit)
		}
	}
	why, due := learnings.Retire(bad, pool.Effect(bad))
	if !due || why.Harm < .99 || why.Effect > -.1 || why.Interval.Upper > .02 ||
		why.With.N+why.Without.N != 400 {
		t.Errorf("%+v, %t", why, due)
	}
	if why, due := learnings.Retire(good, pool.Effect(good)); due {
		t.Errorf("the one that helps: %+v", why)
	}
	if _, due := learnings.Retire(learnings.Credit{}, pool.Effect(learnings.Credit{})); due {
		t.Error("retired without a task")
	}
}

func TestNoCreditEverGivesNaN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c learnings.Credit
		var pool learnings.Pool
		for range rapid.IntRange(1, 60).Draw(t, "turns") {
			before := c
			c.Observe(learnings.Turn{
				LeftOut: rapid.Bool().Draw(t, "out"), Success: rapid.Bool().Draw(t, "success"),
				Beside: rapid.Int64Range(-500, 500).Draw(t, "beside"),
			})
			pool.Move(before, c)
		}
		e := pool.Effect(c)
		b := learnings.Belief(.5, stats.Share{}, e)
		for _, x := range []float64{e.Estimate, e.Variance, e.Believed, e.Doubt, e.Harm(), b.A, b.B, c.Evidence(.8)} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("%+v of %+v in %+v", e, c, pool)
			}
		}
		if !(b.A > 0 && b.B > 0 && (e.Variance > 0 || e.N == 0) && e.Interval.Lower <= e.Interval.Upper) {
			t.Fatalf("%+v, %+v", b, e)
		}
	})
}
