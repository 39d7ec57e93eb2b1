package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Epoch is what was counted while treatment was assigned with one probability.
type Epoch struct {
	Pi        float64 `json:"pi"` // of treatment
	Treatment Share   `json:"treatment"`
	Control   Share   `json:"control"`
}

// LogMixture is the log e-value that outcomes depend on the arm: the assignment
// e-process averaged over all bets. It needs only counts, so that orders do not
// matter, partitions add up, and a record can be taken back exactly. Epochs
// multiply; one whose assignment was certain tells nothing.
func LogMixture(epochs ...Epoch) float64 {
	var log float64
	for _, e := range epochs {
		if !(e.Pi > 0 && e.Pi < 1) {
			continue
		}
		in, inAll := counts(e.Treatment.X, e.Treatment.N)
		out, outAll := counts(e.Control.X, e.Control.N)
		log += assigned(e.Pi, in, out) + assigned(e.Pi, inAll-in, outAll-out)
	}
	return log
}

// assigned is the log Bayes factor of n1 treatments and n0 controls among
// outcomes of one sort, against an assignment that does not care for them.
func assigned(pi float64, n1, n0 int64) float64 {
	const sharpness = 100 // of the bets: powerful for arms that differ by a tenth
	a, b := sharpness*pi, sharpness*(1-pi)
	in, out := float64(n1), float64(n0)
	return mathext.Lbeta(a+in, b+out) - mathext.Lbeta(a, b) -
		float64(in*math.Log(pi)) - float64(out*math.Log1p(-pi))
}

// LogSampleRatio is the log e-value that units reach the arms in other
// proportions than weights, which need not add up to 1: Dirichlet-multinomial
// against multinomial on the counts so far (Lindon and Malek 2022). A unit in
// an arm of no weight is proof.
func LogSampleRatio(seen []int64, weights []float64) float64 {
	const concentration = 10_000
	var all, log float64
	for _, w := range weights {
		all += max(w, 0)
	}
	var total float64
	for i, n := range seen {
		if n <= 0 {
			continue
		}
		if i >= len(weights) || !(weights[i] > 0) {
			return math.Inf(1)
		}
		count, share := float64(n), weights[i]/all
		log += rising(concentration*share, count) - float64(count*math.Log(share))
		total += count
	}
	return log - rising(concentration, total)
}

// rising is ln Γ(a+n) − ln Γ(a).
func rising(a, n float64) float64 {
	after, _ := math.Lgamma(a + n)
	before, _ := math.Lgamma(a)
	return after - before
}
