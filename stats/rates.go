package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// TwoProportions compares the rates of two arms with their variance pooled, without
// continuity correction. Where all outcomes are alike the p-value is 1.
func TwoProportions(a, b Share) Test {
	p, known := a.Rate()
	q, knownToo := b.Rate()
	if !known || !knownToo {
		return untold(EmptyArm)
	}
	both := Share{a.X + b.X, a.N + b.N}
	pooled, _ := both.Rate()
	if pooled == 0 || pooled == 1 {
		return Test{P: 1, Known: true, Why: AllAlike}
	}
	z := (p - q) / math.Sqrt(float64(pooled*(1-pooled))*(1/float64(a.N)+1/float64(b.N)))
	return Test{Statistic: z, P: normalTails(z), Known: true}
}

// Wald is the plain interval of the rate of a minus that of b; far too narrow where
// either is near 0 or 1, and there Newcombe is the one to use.
func Wald(a, b Share, confidence float64) (Interval, Undefined) {
	p, known := a.Rate()
	q, knownToo := b.Rate()
	if !known || !knownToo {
		return Interval{-1, 1}, EmptyArm
	}
	variance := float64(p*(1-p))/float64(a.N) + float64(q*(1-q))/float64(b.N)
	return around(p-q, variance, confidence), Defined
}

// Fisher is the exact two-sided test that two rates are equal: what all tables with
// the same margins weigh together that are no likelier than the one seen (Fisher 1922).
func Fisher(a, b Share) Test {
	x, n := counts(a.X, a.N)
	y, m := counts(b.X, b.N)
	if n == 0 || m == 0 {
		return untold(EmptyArm)
	}
	table := margins{n, m, x + y}
	return Test{P: table.asFar(x), Known: true}
}

// margins are those of a table of two arms with n and m units, of which k are successes.
type margins struct{ n, m, k int64 }

// asFar is the weight of the tables that are no likelier than the one with x successes
// in the first arm. Weights are relative to the likeliest table, so that none overflows.
func (t margins) asFar(x int64) float64 {
	low, high := max(0, t.k-t.m), min(t.k, t.n)
	mode := min(max(int64(float64(t.k+1)*(float64(t.n+1)/float64(t.n+t.m+2))), low), high)
	bar := t.relative(mode, x) * (1 + 1e-7) // equally likely ones differ by rounding
	var all, far float64
	count := func(w float64) bool {
		all += w
		if w <= bar {
			far += w
		}
		return w > 0
	}
	count(1)
	for i, w := mode, 1.0; i < high; i++ {
		if w *= t.step(i); !count(w) {
			break
		}
	}
	for i, w := mode, 1.0; i > low; i-- {
		if w /= t.step(i - 1); !count(w) {
			break
		}
	}
	return unit(far / all)
}

// step is how much likelier i+1 successes in the first arm are than i.
func (t margins) step(i int64) float64 {
	return float64(t.n-i) / float64(i+1) * (float64(t.k-i) / float64(t.m-t.k+i+1))
}

// relative is the weight of x successes where that of the mode is 1.
func (t margins) relative(mode, x int64) float64 {
	w := 1.0
	for i := mode; i < x; i++ {
		w *= t.step(i)
	}
	for i := mode; i > x; i-- {
		w /= t.step(i - 1)
	}
	return w
}

// Relative is an effect relative to the control, (a − b)/|b| by means.
type Relative struct {
	Effect  float64
	Delta   Interval  // by the delta method
	Fieller *Interval // nil where it has no bounds: the control cannot be told from 0
}

// RelativeEffect compares the mean of a to that of the control b; undefined where that
// is 0, or so near to it that the effect is no number. Intervals are of a fixed sample, by the normal distribution (Fieller 1954).
func RelativeEffect(a, b Moments, confidence float64) (Relative, Undefined) {
	_, _, why := contrast(a, b)
	switch {
	case why == FewOutcomes || why == NotFinite:
		return Relative{}, why
	case b.Mean == 0:
		return Relative{}, ZeroControl
	}
	base, ratio := math.Abs(b.Mean), a.Mean/b.Mean
	effect := (a.Mean - b.Mean) / base
	va, vb := a.noise(), b.noise()
	noise := (va + float64(ratio*ratio*vb)) / base / base
	if math.IsInf(effect, 0) || math.IsInf(noise, 0) || math.IsNaN(noise) {
		return Relative{}, ZeroControl
	}
	r := Relative{Effect: effect, Delta: around(effect, noise, confidence)}
	r.Fieller = fieller(a.Mean, b.Mean, [2]float64{va, vb}, deviate(confidence))
	return r, Defined
}

// fieller are the ratios ρ with (a − ρb)² ≤ z²(va + ρ²vb), as effects.
func fieller(a, b float64, noise [2]float64, z float64) *Interval {
	square := float64(z * z)
	lead := float64(b*b) - float64(square*noise[1])
	if !(lead > 0) {
		return nil
	}
	rest := float64(a*a) - float64(square*noise[0])
	middle := float64(a * b)
	root := math.Sqrt(max(float64(middle*middle)-float64(lead*rest), 0))
	sign := math.Copysign(1, b)
	one, other := sign*((middle-root)/lead-1), sign*((middle+root)/lead-1)
	return &Interval{min(one, other), max(one, other)}
}

// SampleRatio is the χ² test that units reach the arms in the proportions of weights,
// which need not add up to 1. Arms without weight are left out; leaked is how many
// units reached those, and one is too many.
func SampleRatio(seen []int64, weights []float64) (t Test, leaked int64) {
	var units, share float64
	arms := 0
	for i, n := range seen {
		if i >= len(weights) || !(weights[i] > 0) {
			leaked += max(n, 0)
			continue
		}
		arms++
		units += float64(max(n, 0))
		share += weights[i]
	}
	switch {
	case arms < 2:
		return untold(OneArm), leaked
	case units == 0:
		return untold(EmptyArm), leaked
	}
	var square float64
	for i, n := range seen {
		if i < len(weights) && weights[i] > 0 {
			want := units * (weights[i] / share)
			off := float64(max(n, 0)) - want
			square += float64(off / want * off)
		}
	}
	df := float64(arms - 1)
	return Test{Statistic: square, DF: df, P: mathext.GammaIncRegComp(df/2, square/2), Known: true}, leaked
}
