package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// tightest is the number of outcomes at which a confidence sequence is as
// narrow as it can be; it holds at all others too.
const tightest = 500

// MeanSequence holds the mean of n outcomes between 0 and 1, or of what they
// are drawn from, at all times together with the confidence: sum is what they
// add up to. (Beta-binomial mixture: Robbins 1970; Howard et al. 2021.)
func MeanSequence(sum float64, n int64, confidence float64) Interval {
	if n <= 0 || confidence >= 1 || math.IsNaN(sum) {
		return Interval{0, 1}
	}
	all := float64(n)
	sum = min(max(sum, 0), all)
	lower := sequenceBound(sum, all, 1-unit(confidence))
	return Interval{lower, max(lower, 1-sequenceBound(all-sum, all, 1-unit(confidence)))}
}

// sequenceBound is the smallest mean that x out of n do not speak against.
func sequenceBound(x, n, alpha float64) float64 {
	const zero = 1e-12 // one success alone may not speak against a mean of 0
	if x == 0 {
		return 0
	}
	limit := -math.Log(alpha)
	k := max(tightest/(float64(2*limit)+math.Log1p(2*limit))-1, 1e-3)
	bound := root(func(p float64) float64 {
		return mathext.Lbeta(float64(p*k)+x, float64((1-p)*k)+n-x) - mathext.Lbeta(float64(p*k), float64((1-p)*k)) -
			float64(x*math.Log(p)) - float64((n-x)*math.Log1p(-p)) - limit
	}, zero, x/n)
	if bound <= zero {
		return 0
	}
	return bound
}

// DifferenceSequence holds the rate of a minus that of b at all times together
// with the confidence, exactly in finite samples: each has half of the error.
func DifferenceSequence(a, b Share, confidence float64) Interval {
	each := 1 - (1-unit(confidence))/2
	of := func(s Share) Interval {
		x, n := counts(s.X, s.N)
		return MeanSequence(float64(x), n, each)
	}
	in, out := of(a), of(b)
	return Interval{in.Lower - out.Upper, in.Upper - out.Lower}
}

// Asymptotic is how many units each arm needs before an asymptotic confidence
// sequence may be trusted.
const Asymptotic = 100

// AsymptoticDifference holds the mean of a minus that of b at all times
// together from Asymptotic units per arm on, and is undefined (false) before
// (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024).
func AsymptoticDifference(a, b Moments, confidence float64) (Interval, bool) {
	if a.N < Asymptotic || b.N < Asymptotic {
		return Interval{}, false
	}
	variance := a.Variance()/float64(a.N) + b.Variance()/float64(b.N)
	return Around(a.Mean-b.Mean, variance, a.N+b.N, confidence), true
}

// AsymptoticRelative holds (mean of a − mean of b)/|mean of b| likewise, by the
// delta method; undefined where b's mean is 0.
func AsymptoticRelative(a, b Moments, confidence float64) (Interval, bool) {
	if a.N < Asymptotic || b.N < Asymptotic || b.Mean == 0 {
		return Interval{}, false
	}
	base, ratio := math.Abs(b.Mean), a.Mean/b.Mean
	variance := (a.Variance()/float64(a.N) + float64(ratio*ratio*b.Variance())/float64(b.N)) / float64(base*base)
	return Around((a.Mean-b.Mean)/base, variance, a.N+b.N, confidence), true
}

// Around is the asymptotic confidence sequence around an estimate that rests on
// n outcomes and has the variance given.
func Around(estimate, variance float64, n int64, confidence float64) Interval {
	alpha := 1 - unit(confidence)
	if n <= 0 || alpha == 0 {
		return Interval{math.Inf(-1), math.Inf(1)}
	}
	twice := -2 * math.Log(alpha)
	spread := float64(n) * ((twice + math.Log1p(twice)) / tightest) // nρ²
	square := 2 * ((spread + 1) / spread) * (math.Log1p(spread)/2 + twice/2)
	radius := math.Sqrt(variance * square)
	return Interval{estimate - radius, estimate + radius}
}
