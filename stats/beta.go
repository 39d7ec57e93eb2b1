package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Beta is a Beta(A, B) distribution over an unknown rate: A counts what was
// kept, B what was not, both including the prior.
type Beta struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

// BetaOf is what is known of a rate after kept out of n, from the uniform
// prior Beta(1, 1).
func BetaOf(kept, n int64) Beta {
	return Beta{1, 1}.Updated(kept, n)
}

// Updated is the posterior after kept out of n, from b as the prior.
func (b Beta) Updated(kept, n int64) Beta {
	kept, n = counts(kept, n)
	return Beta{b.A + float64(kept), b.B + float64(n-kept)}
}

// Shrink is the rate kept/n drawn toward the mean of the prior b with the
// weight of A+B decisions.
func (b Beta) Shrink(kept, n int64) float64 {
	return b.Updated(kept, n).Mean()
}

// Mean is the expected rate, one half when b is not a distribution.
func (b Beta) Mean() float64 {
	if !b.proper() {
		return 0.5
	}
	return b.A / (b.A + b.B)
}

// Lower is the lower end of Interval.
func (b Beta) Lower(confidence float64) float64 {
	if !b.proper() || confidence >= 1 {
		return 0
	}
	return betaQuantile(b.A, b.B, (1-unit(confidence))/2)
}

// Upper is the upper end of Interval.
func (b Beta) Upper(confidence float64) float64 {
	return 1 - Beta{b.B, b.A}.Lower(confidence)
}

// Interval is equal-tailed: the rate lies below it, and above it, with
// probability (1−confidence)/2 each; [0, 1] when b is not a distribution.
func (b Beta) Interval(confidence float64) Interval {
	lower := b.Lower(confidence)
	return Interval{lower, max(lower, b.Upper(confidence))}
}

// Below is the probability that the rate lies below p.
func (b Beta) Below(p float64) float64 {
	if p = unit(p); p == 1 || !b.proper() {
		return p
	}
	return unit(mathext.RegIncBeta(b.A, b.B, p))
}

// Quantile is the rate that lies above a share u of the distribution; with a
// hash for u, a draw that repeats itself.
func (b Beta) Quantile(u float64) float64 {
	switch u = unit(u); {
	case !b.proper():
		return u
	case u > 0.5:
		return 1 - betaQuantile(b.B, b.A, 1-u)
	}
	return betaQuantile(b.A, b.B, u)
}

func (b Beta) proper() bool {
	return b.A > 0 && b.B > 0 && !math.IsInf(b.A+b.B, 1)
}
