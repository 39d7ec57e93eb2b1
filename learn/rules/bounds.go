package rules

import "learnloop.dev/stats"

// bounds remembers bounds: rules with the same counts have the same, and working
// them out is most of the work of statistics.
type bounds map[stats.Share]float64

// lower bounds a share from below with 95 %, from Beta(1, 1).
func (b bounds) lower(s stats.Share) float64 {
	bound, known := b[s]
	if !known {
		bound = stats.BetaOf(s.X, s.N).Lower(sure)
		b[s] = bound
	}
	return bound
}

// interval bounds the acceptance rate on both sides for output, nil without decisions.
func (b bounds) interval(t Tally) *stats.Interval {
	if t.Decided() <= 0 {
		return nil
	}
	lower := b.lower(t.acceptance())
	i := round(stats.Interval{Lower: lower, Upper: max(lower, 1-b.lower(t.rejection()))})
	return &i
}
