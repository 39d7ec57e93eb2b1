// Package stats turns counts of decisions into rates, bounds and calibrated
// confidences that stay honest when there are few of them.
package stats

import "math"

// Interval is a closed range of values, Lower ≤ Upper.
type Interval struct {
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
}

// Share is X out of N: kept among decided, successes among trials.
type Share struct {
	X int64 `json:"x"`
	N int64 `json:"n"`
}

// Rate is X/N, undefined (false) when there is nothing to divide by.
func (s Share) Rate() (float64, bool) {
	x, n := counts(s.X, s.N)
	if n == 0 {
		return 0, false
	}
	return float64(x) / float64(n), true
}

// Wilson is the score interval for the proportion behind x out of n at a
// confidence in 0..1, without continuity correction (Wilson 1927); nothing
// observed gives [0, 1].
func Wilson(x, n int64, confidence float64) Interval {
	x, n = counts(x, n)
	z := deviate(confidence)
	lower := scoreBound(x, n, z)
	return Interval{lower, max(lower, 1-scoreBound(n-x, n, z))}
}

// scoreBound is the smaller root of n(p−x/n)² = z²p(1−p), in the form that
// subtracts nothing: the product of the roots over the larger one.
func scoreBound(x, n int64, z float64) float64 {
	if x == 0 || math.IsInf(z, 1) {
		return 0
	}
	hit, all, miss := float64(x), float64(n), float64(n-x)
	square := float64(z * z)
	root := math.Sqrt(square + float64(4*hit*(miss/all)))
	return hit / all * (2 * hit / (float64(2*hit) + square + float64(z*root)))
}

// Newcombe is the hybrid score interval for the rate of a minus the rate of b,
// built from their Wilson intervals (Newcombe 1998, method 10); [-1, 1] while
// either is empty.
func Newcombe(a, b Share, confidence float64) Interval {
	p, known := a.Rate()
	q, knownToo := b.Rate()
	if !known || !knownToo {
		return Interval{-1, 1}
	}
	wa, wb := Wilson(a.X, a.N, confidence), Wilson(b.X, b.N, confidence)
	return Interval{
		Lower: max(-1, p-q-math.Hypot(p-wa.Lower, wb.Upper-q)),
		Upper: min(1, p-q+math.Hypot(wa.Upper-p, q-wb.Lower)),
	}
}

// deviate is the standard normal deviate that leaves confidence between −z
// and z; infinite from certainty on.
func deviate(confidence float64) float64 {
	if confidence >= 1 {
		return math.Inf(1)
	}
	return math.Sqrt2 * math.Erfinv(unit(confidence))
}

// counts makes 0 ≤ x ≤ n of any two integers, so that no bound is ever undefined.
func counts(x, n int64) (int64, int64) {
	n = max(n, 0)
	return min(max(x, 0), n), n
}

// unit is p within 0..1, and 0 for what is not a number.
func unit(p float64) float64 {
	if !(p > 0) {
		return 0
	}
	return min(p, 1)
}
