package learnings

import "learnloop.dev/stats"

// points are the steps in which effects on the rate of success are written down.
const points = 100

// Turn is what a task that completed or failed tells of one learning that was
// selected for it by chance that was logged. A record without such (of a foreign
// injector, or of the documented rule) tells nothing about effects.
type Turn struct {
	LeftOut bool
	Success bool
	Beside  int64 // believed joint effect of the others that were injected, in points
}

// Sample sums up turns: what came out beyond what the company was believed to
// do. Integers, so that turns come in any order and go exactly.
type Sample struct {
	N       int64 `json:"n,omitzero"`
	Success int64 `json:"success,omitzero"`
	Sum     int64 `json:"sum,omitzero"`    // of outcome minus company, in points
	Square  int64 `json:"square,omitzero"` // of the same
}

func (s *Sample) add(t Turn, weight int64) {
	rest := -t.Beside
	if t.Success {
		rest += points
		s.Success += weight
	}
	s.N += weight
	s.Sum += weight * rest
	s.Square += weight * rest * rest
}

func (s Sample) share() stats.Share { return stats.Share{X: s.Success, N: s.N} }

func (s Sample) mean() float64 { return float64(s.Sum) / points / float64(s.N) }

// variance is that of one turn; few turns are helped by four of a coin.
func (s Sample) variance() float64 {
	const coins, coin = 4, 0.25
	if s.N == 0 {
		return coin
	}
	n, sum := float64(s.N), float64(s.Sum)
	spread := (float64(s.Square) - float64(sum*(sum/n))) / (points * points)
	return (max(spread, 0) + coins*coin) / (n + coins)
}

// Credit is what tasks tell of one learning: those it was injected into, and
// those it was selected for and left out of at random. A row of integers.
type Credit struct {
	In  Sample `json:"in,omitzero"`
	Out Sample `json:"out,omitzero"`
}

// Observe takes in a task. The order does not matter, and nothing in a turn
// depends on other records: what was believed of the company was logged.
func (c *Credit) Observe(t Turn) { c.count(t, 1) }

// TakeBack undoes Observe exactly.
func (c *Credit) TakeBack(t Turn) { c.count(t, -1) }

func (c *Credit) count(t Turn, weight int64) {
	if t.LeftOut {
		c.Out.add(t, weight)
	} else {
		c.In.add(t, weight)
	}
}

// Evidence is the log e-value that the outcome depends on the learning, by its own
// randomisation alone: propensity is that of being injected. Credits of periods
// with different propensities are kept apart, and their evidence adds up.
func (c Credit) Evidence(propensity float64) float64 {
	return stats.LogMixture(stats.Epoch{Pi: propensity, Treatment: c.In.share(), Control: c.Out.share()})
}

// Pool is what tasks do without a learning, over all learnings: how well, and how
// much that differs from learning to learning beyond chance. A row of integers.
type Pool struct {
	N     int64 `json:"n,omitzero"`
	Sum   int64 `json:"sum,omitzero"`
	Pairs int64 `json:"pairs,omitzero"` // ordered pairs of turns of the same learning
	Cross int64 `json:"cross,omitzero"` // sum over pairs of one of the two
	Both  int64 `json:"both,omitzero"`  // sum over pairs of the product
}

// Move replaces what a learning contributed by what it contributes now.
func (p *Pool) Move(before, after Credit) {
	p.add(before.Out, -1)
	p.add(after.Out, 1)
}

func (p *Pool) add(s Sample, weight int64) {
	p.N += weight * s.N
	p.Sum += weight * s.Sum
	p.Pairs += weight * s.N * (s.N - 1)
	p.Cross += weight * (s.N - 1) * s.Sum
	p.Both += weight * (s.Sum*s.Sum - s.Square)
}

// mean is the outcome without a learning, and the variance of knowing it.
func (p Pool) mean() (mean, variance float64) {
	const coin = 0.25
	if p.N <= 0 {
		return 0.5, coin
	}
	return float64(p.Sum) / points / float64(p.N), coin / float64(p.N)
}

// spread is the variance of that outcome between learnings: by the products of
// two turns of the same learning, which chance makes zero on average.
func (p Pool) spread() float64 {
	const (
		few     = 2000   // pairs that tell nothing yet
		unknown = 0.01   // until then
		least   = 0.0004 // never are tasks more alike
	)
	if p.Pairs < few {
		return unknown
	}
	mean, _ := p.mean()
	pairs := float64(p.Pairs)
	products := float64(p.Both) / (points * points) / pairs
	sums := float64(p.Cross) / points / pairs
	return max(products-float64(2*mean*sums)+float64(mean*mean), least)
}
