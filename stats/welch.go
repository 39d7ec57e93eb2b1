package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Undefined says why a number is not there; empty when it is.
type Undefined string

// Why a comparison of two arms has no answer.
const (
	Defined     Undefined = ""
	EmptyArm    Undefined = "an arm has no outcomes"
	FewOutcomes Undefined = "an arm has fewer than two outcomes"
	NoVariance  Undefined = "no outcome differs from the others of its arm"
	AllAlike    Undefined = "all outcomes are alike"
	ZeroControl Undefined = "the mean of the control is zero"
	OneArm      Undefined = "fewer than two arms have a share"
	NotFinite   Undefined = "the outcomes are too large to be added up"
)

// Test is a fixed-sample test: valid when it is looked at once, at a size that was
// fixed beforehand.
type Test struct {
	Statistic float64 // 0 where there is none
	DF        float64 // degrees of freedom; 0 where there are none
	P         float64 // two-sided; 1 where it is not known
	Known     bool    // whether there is a p-value
	Why       Undefined
}

// untold is a test without a p-value.
func untold(why Undefined) Test { return Test{P: 1, Why: why} }

// Welch compares the means of two arms whose variances may differ (Welch 1947, with
// Satterthwaite's degrees of freedom). Without any variance equal means have a p of 1,
// and others none.
func Welch(a, b Moments) Test {
	difference, noise, why := contrast(a, b)
	switch {
	case why == NoVariance && difference == 0:
		return Test{P: 1, Known: true, Why: AllAlike}
	case why != Defined:
		return untold(why)
	}
	part := a.noise() / noise
	rest := 1 - part
	df := 1 / (float64(part*part)/float64(a.N-1) + float64(rest*rest)/float64(b.N-1))
	t := difference / math.Sqrt(noise)
	return Test{Statistic: t, DF: df, P: studentTails(t, df), Known: true}
}

// WelchInterval is the fixed-sample interval of the mean of a minus that of b, by the
// normal distribution.
func WelchInterval(a, b Moments, confidence float64) (Interval, Undefined) {
	difference, noise, why := contrast(a, b)
	if why == NotFinite || why == FewOutcomes {
		return Interval{}, why
	}
	return around(difference, noise, confidence), why
}

// around is a fixed-sample interval by the normal distribution; certainty is boundless.
func around(estimate, variance, confidence float64) Interval {
	z := deviate(confidence)
	if math.IsInf(z, 1) {
		return Interval{math.Inf(-1), math.Inf(1)}
	}
	radius := float64(z * math.Sqrt(variance))
	return Interval{estimate - radius, estimate + radius}
}

// contrast is the difference of two means and its variance.
func contrast(a, b Moments) (difference, variance float64, why Undefined) {
	difference, variance = a.Mean-b.Mean, a.noise()+b.noise()
	switch {
	case a.N < 2 || b.N < 2:
		return 0, 0, FewOutcomes
	case !finite(difference) || !finite(variance):
		return 0, 0, NotFinite
	case variance == 0:
		return difference, 0, NoVariance
	}
	return difference, variance, Defined
}

// noise is the variance of the mean, by the unbiased variance of the outcomes.
func (m Moments) noise() float64 {
	if m.N < 2 {
		return 0
	}
	return max(m.M2, 0) / float64(m.N-1) / float64(m.N)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// studentTails is the probability that Student's t with df degrees of freedom lies
// as far from zero as t, or farther.
func studentTails(t, df float64) float64 {
	square := float64(t * t)
	if math.IsInf(square, 1) {
		return 0
	}
	return unit(mathext.RegIncBeta(df/2, 0.5, df/(df+square)))
}

// normalTails is that of the standard normal distribution.
func normalTails(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }
