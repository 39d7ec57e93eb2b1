package learnings

import (
	"math"

	"learnloop.dev/stats"
)

// What is believed of learnings before anything is known of one.
const (
	usual  = 0.1  // standard deviation of effects on the rate of success
	useful = 0.08 // an effect that is worth its place: one task in twelve

	priorVotes   = 5 // weight of the initial confidence
	outcomeVotes = 2 // weight of tasks that tell as much as the usual deviation does
)

// Effect is what a learning does to the rate of success of tasks.
type Effect struct {
	N        int64          // tasks with and without it
	Estimate float64        // with it minus without it
	Variance float64        // of the estimate
	Interval stats.Interval // around the estimate, 95 % at all times together
	Believed float64        // the estimate drawn toward no effect, as the usual effects are
	Doubt    float64        // variance of what is believed
	Company  int64          // what is believed by its own randomisation alone, in points
}

// Effect compares the tasks with a learning to those it was left out of at
// random. There are few of those, so that it borrows from the ones of all other
// learnings, and the less, the more learnings differ in this.
func (p Pool) Effect(c Credit) Effect {
	if c.In.N <= 0 {
		return Effect{Interval: stats.Interval{Lower: -1, Upper: 1}, Doubt: usual * usual}
	}
	without, variance := p.without(c.Out)
	e := Effect{N: c.In.N + c.Out.N, Estimate: c.In.mean() - without}
	e.Variance = c.In.variance()/float64(c.In.N) + variance
	around := stats.Around(e.Estimate, e.Variance, e.N, always)
	possible := func(effect float64) float64 { return min(max(effect, -1), 1) }
	e.Interval = stats.Interval{Lower: possible(around.Lower), Upper: possible(around.Upper)}
	kept := shrink(e.Variance)
	e.Believed, e.Doubt = e.Estimate*kept, e.Variance*kept
	if c.Out.N > 0 {
		own := c.In.variance()/float64(c.In.N) + c.Out.variance()/float64(c.Out.N)
		e.Company = int64(math.Round(points * (c.In.mean() - c.Out.mean()) * shrink(own)))
	}
	return e
}

// always is the confidence of intervals that hold at all times.
const always = 0.95

// without is the outcome of a learning's tasks without it, drawn toward that of
// all learnings, and its variance.
func (p Pool) without(own Sample) (mean, variance float64) {
	all, known := p.mean()
	spread := p.spread()
	precision := float64(own.N)/own.variance() + 1/spread
	sum := float64(own.Sum)/points/own.variance() + all/spread
	return sum / precision, 1/precision + known
}

// shrink is how much of an estimate remains beside the usual size of effects.
func shrink(variance float64) float64 { return usual * usual / (usual*usual + variance) }

// Harm is the probability that the effect lies below 0.
func (e Effect) Harm() float64 { return e.below(0, e.Believed) }

// below is the probability that the effect lies below x if mean is believed.
func (e Effect) below(x, mean float64) float64 {
	return math.Erfc((mean-x)/math.Sqrt(2*e.Doubt)) / 2
}

// Belief is how far a learning is believed to help: its initial confidence, the
// votes, and the tasks. Tasks vote helpful as far as it is probable that the
// effect is a useful one, and with the weight of what they tell. Harm does not
// vote louder than uselessness: it has to be shown (Retire), which needs tasks.
func Belief(initial float64, votes stats.Share, e Effect) stats.Beta {
	const edge = 0.01
	initial = min(max(initial, edge), 1-edge)
	b := stats.Beta{A: priorVotes * initial, B: priorVotes * (1 - initial)}.Updated(votes.X, votes.N)
	if e.N == 0 {
		return b
	}
	weight := outcomeVotes * (usual * usual / e.Variance)
	helpful := 1 - e.below(useful, max(e.Believed, 0))
	return stats.Beta{A: b.A + float64(weight*helpful), B: b.B + float64(weight*(1-helpful))}
}
