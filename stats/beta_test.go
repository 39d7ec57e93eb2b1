package stats

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// For whole A and B the distribution is a binomial tail, summed here in 700
// bits: the bound must lie within 1e-11 of the tail it promises.
func TestBetaBoundsAgreeWithTheBinomialTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 400).Draw(t, "n")
		kept := rapid.Int64Range(0, n).Draw(t, "kept")
		confidence := rapid.SampledFrom([]float64{.5, .8, .9, .95, .99, .999}).Draw(t, "confidence")
		in, tail := BetaOf(kept, n).Interval(confidence), (1-confidence)/2
		crosses := func(bound, tail float64) bool {
			const within = 1e-11
			return below(kept, n, bound-within) <= tail && tail <= below(kept, n, bound+within)
		}
		if !crosses(in.Lower, tail) || !crosses(in.Upper, 1-tail) {
			t.Fatalf("%d of %d at %g: %v", kept, n, confidence, in)
		}
	})
}

// below is the probability that the rate behind kept of n lies below p:
// that of more than kept successes in n+1 trials of probability p.
func below(kept, n int64, p float64) float64 {
	const bits = 700
	value := func(x float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(x) }
	success := value(min(max(p, 0), 1))
	failure := new(big.Float).Sub(value(1), success)
	total := value(0)
	for i := kept + 1; i <= n+1; i++ {
		term := new(big.Float).SetPrec(bits).SetInt(new(big.Int).Binomial(n+1, i))
		term.Mul(term, power(success, i, value(1)))
		term.Mul(term, power(failure, n+1-i, value(1)))
		total.Add(total, term)
	}
	sum, _ := total.Float64()
	return sum
}

func power(base *big.Float, exponent int64, one *big.Float) *big.Float {
	square := new(big.Float).Set(base)
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			one.Mul(one, square)
		}
		square.Mul(square, square)
	}
	return one
}

// Computed by bisection and Newton steps on the continued fraction of the
// incomplete beta integral in 50-digit arithmetic.
func TestBetaBoundsHoldForAnySizeOfCounts(t *testing.T) {
	for _, c := range []struct{ a, b, tail, want float64 }{
		{1, 1, .025, 0.025},
		{1, 13, .025, 0.00194562849734675},
		{13, 1, .025, 0.752947361999529},
		{0.5, 0.5, .025, 0.00154133313343601},
		{2.5, 7.25, .025, 0.0508142054956345},
		{11, 1, .025, 0.715085847081846},
		{3, 4000, .005, 8.44411725483228e-5},
		{1.5, 0.2, .05, 0.411366869832095},
		{40000, 60001, .025, 0.396961573510329},
		{99999, 3000000, .025, 0.0320613565447724},
		{100001, 100001, .025, 0.497808712388025},
		{250001, 750001, .005, 0.248886074295482},
		{50000001, 50000001, .025, 0.499902001802449},
		{50000001, 50000001, .5, 0.5},
		{300000001, 700000001, .0005, 0.299952317447926},
		{7, 2000000000, .025, 1.40718152265908e-9},
		{6e18, 41592, .025, 1},
	} {
		confidence := 1 - 2*c.tail
		lower, upper := Beta{c.a, c.b}.Lower(confidence), Beta{c.b, c.a}.Upper(confidence)
		if !(math.Abs(lower-c.want) <= 1e-11) || !(math.Abs(upper-(1-c.want)) <= 1e-11) {
			t.Errorf("%v: lower %.15g, mirrored upper %.15g, want %.15g", c, lower, upper, c.want)
		}
	}
}

func TestOneMoreKeptRaisesEveryBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(1, 1e7).Draw(t, "n")
		kept := rapid.Int64Range(0, n-1).Draw(t, "kept")
		confidence := rapid.Float64Range(0, .999).Draw(t, "confidence")
		less, more := BetaOf(kept, n), BetaOf(kept+1, n)
		if more.Lower(confidence) < less.Lower(confidence)-1e-11 || more.Upper(confidence) < less.Upper(confidence)-1e-11 {
			t.Fatalf("%v at %g: %v, then %v", less, confidence, less.Interval(confidence), more.Interval(confidence))
		}
		if in := less.Interval(.95); less.Mean() < in.Lower || less.Mean() > in.Upper {
			t.Fatalf("%v: mean %g outside %v", less, less.Mean(), in)
		}
	})
}

func TestNinetyPercentOfTenIsNotYetAFact(t *testing.T) {
	if lower := BetaOf(6, 10).Lower(.95); lower > .5 {
		t.Errorf("6 of 10 is certain above one half: %g", lower)
	}
	if lower := BetaOf(9, 10).Lower(.95); lower <= .5 {
		t.Errorf("9 of 10 is not above one half: %g", lower)
	}
}

func TestUpdatingInStepsIsUpdatingAtOnce(t *testing.T) {
	if got, want := BetaOf(3, 5).Updated(4, 9), BetaOf(7, 14); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := BetaOf(0, 0), (Beta{1, 1}); got != want {
		t.Errorf("nothing seen: %v, want %v", got, want)
	}
	near(t, "shrunk rate", Beta{6, 2}.Shrink(1, 8), 7.0/16)
}

func TestWhatIsNoDistributionSaysNothing(t *testing.T) {
	for _, b := range []Beta{{}, {-1, 3}, {3, 0}, {math.NaN(), 1}, {math.Inf(1), 1}, {math.MaxFloat64, math.MaxFloat64}} {
		if got := b.Interval(.95); got != (Interval{0, 1}) || b.Mean() != .5 {
			t.Errorf("%v: mean %g in %v", b, b.Mean(), got)
		}
	}
}

func TestAnyDistributionHasBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Float64Range(1e-6, 1e18)
		b := Beta{size.Draw(t, "a"), size.Draw(t, "b")}
		in := b.Interval(rapid.Float64Range(0, 1).Draw(t, "confidence"))
		if !(0 <= in.Lower && in.Lower <= in.Upper && in.Upper <= 1) {
			t.Fatalf("%v: %v", b, in)
		}
	})
}

func BenchmarkBetaLower(b *testing.B) {
	for b.Loop() {
		BetaOf(37, 52).Lower(.95)
	}
}

func BenchmarkBetaLowerOfMillions(b *testing.B) {
	for b.Loop() {
		BetaOf(3_700_000, 5_200_000).Lower(.95)
	}
}

// Regularised incomplete beta integrals in 40-digit arithmetic.
func TestTheChanceOfALowerRateIsTheIncompleteBeta(t *testing.T) {
	near(t, "prior", Beta{3, 2}.Below(.35), 0.12648125)
	near(t, "little", Beta{5, 10}.Below(.35), 0.5772770110610542)
	near(t, "half", Beta{2.5, 2.5}.Below(.5), 0.5)
	near(t, "more", Beta{40.5, 80}.Below(.3), 0.2025456120328268)
	near(t, "certain", Beta{3, 2}.Below(1), 1)
	near(t, "no distribution", Beta{}.Below(.4), .4)
}

func TestAQuantileIsWhereItsShareLiesBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Beta{rapid.Float64Range(.5, 500).Draw(t, "a"), rapid.Float64Range(.5, 500).Draw(t, "b")}
		u := rapid.Float64Range(.001, .999).Draw(t, "u")
		if got := b.Below(b.Quantile(u)); math.Abs(got-u) > 1e-9 {
			t.Fatalf("%v: %g became %g", b, u, got)
		}
	})
}
