package stats

import (
	"cmp"
	"math"

	"learnloop.dev/inorder"
)

// A prior weaker than a thousandth of a decision, or stronger than a million,
// says that groups are all pure, or all alike; that is no prior to shrink to.
const (
	weakest   = 1e-3
	strongest = 1e6
)

// FitBeta is the Beta prior under which kept[i] out of n[i] in every group i
// is most likely (empirical Bayes by maximum marginal likelihood). It is false
// when no such prior exists: fewer than two decisions in every group, nothing
// or everything kept, groups no further apart than chance puts them, or input
// that is not counts.
func FitBeta(kept, n []int64) (Beta, bool) {
	g, ok := groupsOf(kept, n)
	if !ok {
		return Beta{}, false
	}
	slope := func(logStrength float64) float64 { return g.slope(math.Exp(logStrength)) }
	lo, hi := math.Log(weakest), math.Log(strongest)
	if slope(lo) <= 0 || slope(hi) >= 0 {
		return Beta{}, false
	}
	strength := math.Exp(root(slope, lo, hi))
	mean, rest := g.mean(strength)
	return Beta{strength * mean, strength * rest}, true
}

// groups holds the sizes that the likelihood depends on, each list sorted and
// pooled, so that neither the order of groups nor their number matters.
type groups struct{ kept, lost, all []size }

type size struct{ n, times int64 }

func groupsOf(kept, n []int64) (groups, bool) {
	if len(kept) != len(n) {
		return groups{}, false
	}
	lost := make([]int64, len(n))
	for i := range n {
		if kept[i] < 0 || kept[i] > n[i] {
			return groups{}, false
		}
		lost[i] = n[i] - kept[i]
	}
	g := groups{pool(kept), pool(lost), pool(n)}
	informative := len(g.all) > 0 && g.all[len(g.all)-1].n >= 2
	return g, informative && len(g.kept) > 0 && len(g.lost) > 0
}

// pool counts how often each positive value occurs, in ascending order.
func pool(values []int64) []size {
	times := map[int64]int64{}
	for _, v := range values {
		if v > 0 {
			times[v]++
		}
	}
	sizes := make([]size, 0, len(times))
	for n, t := range times {
		sizes = append(sizes, size{n, t})
	}
	inorder.Sort(sizes, func(a, b size) int { return cmp.Compare(a.n, b.n) })
	return sizes
}

// slope is the derivative of the log likelihood by the log of the strength
// A+B, at the best mean for that strength. It has one zero at most (Levin and
// Reeds 1977).
func (g groups) slope(strength float64) float64 {
	mean, rest := g.mean(strength)
	return strength * (float64(mean*sum(g.kept, strength*mean)) +
		float64(rest*sum(g.lost, strength*rest)) -
		sum(g.all, strength))
}

// mean is the most likely A/(A+B) for a strength, and its complement. The
// likelihood is concave in it, so the zero of its derivative is the maximum.
func (g groups) mean(strength float64) (mean, rest float64) {
	const edge = 40 // log odds beyond which 1−p is 1
	odds := root(func(x float64) float64 {
		return sum(g.kept, strength*logistic(x)) - sum(g.lost, strength*logistic(-x))
	}, -edge, edge)
	return logistic(odds), logistic(-odds)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// sum adds up 1/(a+j) for all j < n of all sizes.
func sum(sizes []size, a float64) float64 {
	var total float64
	for _, s := range sizes {
		total += float64(float64(s.times) * harmonic(a, s.n))
	}
	return total
}

// harmonic is 1/a + 1/(a+1) + … of n terms: the small ones one by one, the
// rest by Euler–Maclaurin, without the cancellation of two digammas.
func harmonic(a float64, n int64) float64 {
	const far = 20 // from here the expansion is exact to 1e-15
	var total float64
	for ; n > 0 && a < far; n-- {
		total += 1 / a
		a++
	}
	if n == 0 {
		return total
	}
	return total + math.Log1p(float64(n)/a) + remainder(a) - remainder(a+float64(n))
}

func remainder(x float64) float64 {
	r := 1 / float64(x*x)
	series := 1.0/252 - float64(r/240)
	series = 1.0/120 - float64(r*series)
	series = 1.0/12 - float64(r*series)
	return 0.5/x + float64(r*series)
}
