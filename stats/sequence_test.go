package stats

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Bisected in 40-digit arithmetic.
func TestTheSequenceOfAMeanFollowsItsDefinition(t *testing.T) {
	for _, c := range []struct {
		sum                      float64
		n                        int64
		confidence, lower, upper float64
	}{
		{0, 10, .95, 0, 0.8482566746770579},
		{5, 10, .95, 0.02672193890134877, 0.9732780610986512},
		{60, 100, .95, 0.4325511351164568, 0.7522808048390856},
		{137.25, 500, .95, 0.2165661232899074, 0.3373523468452095},
		{5, 1000, .99, 0.000326911813249004, 0.0172005524603259},
		{10, 10, .975, 0.140498522806471, 1},
		{50000, 100000, .95, 0.4942135013280459, 0.5057864986719541},
		{0, 0, .95, 0, 1},
		{3, 7, 1, 0, 1},
	} {
		got := MeanSequence(c.sum, c.n, c.confidence)
		near(t, "lower", got.Lower, c.lower)
		near(t, "upper", got.Upper, c.upper)
	}
}

func TestTheSequenceOfAMeanHoldsItAndMirrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 1e7).Draw(t, "n")
		sum := float64(rapid.Int64Range(0, n).Draw(t, "sum"))
		in, mean := MeanSequence(sum, n, .95), sum/float64(n)
		if !(0 <= in.Lower && in.Lower <= mean+1e-9 && mean-1e-9 <= in.Upper && in.Upper <= 1) {
			t.Fatalf("%v does not hold %g", in, mean)
		}
		fixed := Wilson(int64(sum), n, .95)
		if plenty := min(sum, float64(n)-sum) > 50; plenty && in.Upper-in.Lower < (fixed.Upper-fixed.Lower)*.9 {
			t.Fatalf("%v is narrower than %v, which holds at one time only", in, fixed)
		}
	})
}

// The expected values were computed in 40-digit arithmetic.
func TestAsymptoticSequencesFollowTheirDefinition(t *testing.T) {
	of := func(n int64, mean, variance float64) Moments { return Moments{n, mean, variance * float64(n)} }
	for _, c := range []struct {
		a, b               Moments
		confidence         float64
		absolute, relative Interval
	}{
		{of(100, .6, .24), of(100, .5, .25), .95,
			Interval{-0.1186645364172311, 0.3186645364172311}, Interval{-0.2839337759714864, 0.6839337759714864}},
		{of(250, .6, .24), of(250, .5, .25), .95,
			Interval{-0.03437443017892664, 0.2343744301789266}, Interval{-0.0973885315651967, 0.4973885315651967}},
		{of(9000, 3.5, 4), of(1000, -3, 9), .99,
			Interval{6.127153178488269, 6.872846821511731}, Interval{2.022578660463951, 2.310754672869382}},
	} {
		absolute, _ := AsymptoticDifference(c.a, c.b, c.confidence)
		relative, _ := AsymptoticRelative(c.a, c.b, c.confidence)
		near(t, "lower", absolute.Lower, c.absolute.Lower)
		near(t, "upper", absolute.Upper, c.absolute.Upper)
		near(t, "relative lower", relative.Lower, c.relative.Lower)
		near(t, "relative upper", relative.Upper, c.relative.Upper)
	}
	if _, known := AsymptoticDifference(of(99, .6, .24), of(1000, .5, .25), .95); known {
		t.Error("99 units are trusted")
	}
	if _, known := AsymptoticRelative(of(100, .6, .24), of(100, 0, 0), .95); known {
		t.Error("something is relative to nothing")
	}
}

// The whole path of a difference has to lie inside, not its end alone.
func TestSequencesOfADifferenceHoldItAtAllTimes(t *testing.T) {
	const runs, units = 300, 3000
	var missedExact, missedAsymptotic int
	for run := range runs {
		rnd := rand.New(rand.NewPCG(uint64(run), 5))
		var a, b Share
		exact, asymptotic := true, true
		for i := range units {
			arm, rate := &a, .6
			if rnd.IntN(4) == 0 {
				arm, rate = &b, .5
			}
			arm.N++
			arm.X += outcome(rnd.Float64() < rate)
			if i%25 > 0 {
				continue
			}
			if in := DifferenceSequence(a, b, .95); in.Lower > .1 || in.Upper < .1 {
				exact = false
			}
			if in, known := AsymptoticDifference(a.Moments(), b.Moments(), .95); known && (in.Lower > .1 || in.Upper < .1) {
				asymptotic = false
			}
		}
		missedExact += int(outcome(!exact))
		missedAsymptotic += int(outcome(!asymptotic))
	}
	t.Logf("of %d paths left: %d the exact sequence, %d the asymptotic one", runs, missedExact, missedAsymptotic)
	if missedExact > runs*5/100 || missedAsymptotic > runs*5/100 {
		t.Error("more than one in twenty")
	}
}

func TestMomentsMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 1, 50).Draw(t, "values")
		cut := rapid.IntRange(0, len(values)).Draw(t, "cut")
		var whole, left, right Moments
		for i, v := range values {
			whole.Add(v)
			if i < cut {
				left.Add(v)
			} else {
				right.Add(v)
			}
		}
		left.Merge(right)
		if d := left.Mean - whole.Mean; left.N != whole.N || d > 1e-9 || d < -1e-9 {
			t.Fatalf("%+v is not %+v", left, whole)
		}
		if d := left.Variance() - whole.Variance(); d > 1e-6 || d < -1e-6 {
			t.Fatalf("%+v is not %+v", left, whole)
		}
	})
}
