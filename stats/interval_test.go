package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// near fails unless got is want within 1e-9.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// The roots of the score equation, solved as a polynomial in 50-digit arithmetic.
func TestWilsonSolvesTheScoreEquation(t *testing.T) {
	for _, c := range []struct {
		x, n                     int64
		confidence, lower, upper float64
	}{
		{0, 10, .95, 0, 0.277532799862889},
		{1, 10, .95, 0.0178762130950729, 0.404150026795238},
		{5, 10, .95, 0.236593090512564, 0.763406909487436},
		{10, 10, .95, 0.722467200137111, 1},
		{81, 263, .95, 0.255288519878274, 0.3662095769828},
		{15, 148, .95, 0.0623863995307363, 0.160487241723308},
		{1, 29, .95, 0.00611321429276266, 0.171755218793203},
		{12, 1000, .99, 0.00580954161477681, 0.0246234353309483},
		{999999, 1000000, .95, 0.999994335088196, 0.999999823475423},
		{3, 7, .5, 0.310603477749751, 0.555257215991545},
		{123456789, 987654321, .999, 0.124965375405591, 0.125034630538467},
	} {
		got := Wilson(c.x, c.n, c.confidence)
		near(t, "lower", got.Lower, c.lower)
		near(t, "upper", got.Upper, c.upper)
	}
}

func TestWilsonIsExactAtItsEnds(t *testing.T) {
	for _, n := range []int64{1, 3, 10, 12345, math.MaxInt64} {
		if lower := Wilson(0, n, .95).Lower; lower != 0 {
			t.Errorf("0 of %d: lower = %g, want exactly 0", n, lower)
		}
		if upper := Wilson(n, n, .95).Upper; upper != 1 {
			t.Errorf("%d of %d: upper = %g, want exactly 1", n, n, upper)
		}
	}
	for _, got := range []Interval{Wilson(0, 0, .95), Wilson(3, 0, .95), Wilson(3, 7, 1), Wilson(0, -1, 0)} {
		if want := (Interval{0, 1}); got != want {
			t.Errorf("knowing nothing: %v, want %v", got, want)
		}
	}
}

func TestWilsonHoldsTheRateAndGrowsWithIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 1e12).Draw(t, "n")
		x := rapid.Int64Range(0, n).Draw(t, "x")
		confidence := rapid.Float64Range(0, 1).Draw(t, "confidence")
		rate := float64(x) / float64(n)
		in := Wilson(x, n, confidence)
		if in.Lower < 0 || in.Upper > 1 || in.Lower > in.Upper || in.Lower > rate+1e-12 || in.Upper < rate-1e-12 {
			t.Fatalf("%v does not hold %g", in, rate)
		}
		if mirror := Wilson(n-x, n, confidence); math.Abs(1-mirror.Lower-in.Upper) > 1e-12 {
			t.Fatalf("%v mirrored is %v", in, mirror)
		}
		if more := Wilson(x+1, n, confidence); x < n && (more.Lower < in.Lower-1e-12 || more.Upper < in.Upper-1e-12) {
			t.Fatalf("one more kept lowers %v to %v", in, more)
		}
		if wider := Wilson(x, n, confidence+(1-confidence)/2); wider.Lower > in.Lower+1e-12 || wider.Upper < in.Upper-1e-12 {
			t.Fatalf("more confidence narrows %v to %v", in, wider)
		}
	})
}

// The eight examples of Newcombe 1998 (table II, method 10), to more digits.
func TestNewcombeGivesTheIntervalsOfItsPaper(t *testing.T) {
	for _, c := range []struct {
		x1, n1, x2, n2 int64
		lower, upper   float64
	}{
		{56, 70, 48, 80, 0.0524314724023649, 0.333872654036906},
		{9, 10, 3, 10, 0.170522723934503, 0.809017973535488},
		{6, 7, 2, 7, 0.0582279274823122, 0.806249637524228},
		{5, 56, 0, 29, -0.0381371479035369, 0.192560013855112},
		{0, 10, 0, 20, -0.161125158052819, 0.277532799862889},
		{0, 10, 0, 10, -0.277532799862889, 0.277532799862889},
		{10, 10, 0, 20, 0.679086037141915, 1},
		{10, 10, 0, 10, 0.607509350430524, 1},
	} {
		got := Newcombe(Share{c.x1, c.n1}, Share{c.x2, c.n2}, .95)
		near(t, "lower", got.Lower, c.lower)
		near(t, "upper", got.Upper, c.upper)
	}
}

func TestNewcombeTurnsAroundWithItsArguments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := share(t), share(t)
		confidence := rapid.Float64Range(0, 1).Draw(t, "confidence")
		in, back := Newcombe(a, b, confidence), Newcombe(b, a, confidence)
		if !(in.Lower >= -1 && in.Lower <= in.Upper && in.Upper <= 1) {
			t.Fatalf("%v is no interval", in)
		}
		if math.Abs(in.Lower+back.Upper) > 1e-12 || math.Abs(in.Upper+back.Lower) > 1e-12 {
			t.Fatalf("%v turned around is %v", in, back)
		}
	})
}

func TestARateOfNothingIsUndefined(t *testing.T) {
	if rate, known := (Share{3, 0}).Rate(); known || rate != 0 {
		t.Errorf("3 of 0 = %g, %t", rate, known)
	}
	if rate, known := (Share{3, 4}).Rate(); !known || rate != .75 {
		t.Errorf("3 of 4 = %g, %t", rate, known)
	}
	if got, want := Newcombe(Share{1, 2}, Share{}, .95), (Interval{-1, 1}); got != want {
		t.Errorf("against nothing: %v, want %v", got, want)
	}
}

func TestNoCountsEverGiveNaN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Share{rapid.Int64().Draw(t, "x"), rapid.Int64().Draw(t, "n")}
		b := Share{rapid.Int64().Draw(t, "x"), rapid.Int64().Draw(t, "n")}
		confidence := rapid.Float64().Draw(t, "confidence")
		beta := BetaOf(a.X, a.N)
		for _, in := range []Interval{Wilson(a.X, a.N, confidence), beta.Interval(confidence), {0, beta.Mean()}} {
			if !(0 <= in.Lower && in.Lower <= in.Upper && in.Upper <= 1) {
				t.Fatalf("%v at %g is no interval of rates", in, confidence)
			}
		}
		if in := Newcombe(a, b, confidence); !(-1 <= in.Lower && in.Lower <= in.Upper && in.Upper <= 1) {
			t.Fatalf("%v at %g is no interval of differences", in, confidence)
		}
		if change, _ := TrendOf(a, b, confidence).Value(); !(-1 <= change && change <= 1) {
			t.Fatalf("trend %g", change)
		}
	})
}

func share(t *rapid.T) Share {
	n := rapid.Int64Range(0, 1e9).Draw(t, "n")
	return Share{rapid.Int64Range(0, n).Draw(t, "x"), n}
}
