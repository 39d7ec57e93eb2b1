package rules

import (
	"learnloop.dev/events"
	"learnloop.dev/stats"
)

// Tally counts decisions.
type Tally struct {
	Accepted int64 `json:"accepted,omitzero"`
	Modified int64 `json:"modified,omitzero"`
	Rejected int64 `json:"rejected,omitzero"`
	Skipped  int64 `json:"skipped,omitzero"`
}

// add counts a decision; one the vocabulary does not know counts nothing.
func (t *Tally) add(d events.Decision, by int64) {
	switch d {
	case events.Accepted:
		t.Accepted += by
	case events.Modified:
		t.Modified += by
	case events.Rejected:
		t.Rejected += by
	case events.Skipped:
		t.Skipped += by
	}
}

// plus is both tallies together; sign −1 takes the other out.
func (t Tally) plus(o Tally, sign int64) Tally {
	return Tally{
		Accepted: t.Accepted + sign*o.Accepted,
		Modified: t.Modified + sign*o.Modified,
		Rejected: t.Rejected + sign*o.Rejected,
		Skipped:  t.Skipped + sign*o.Skipped,
	}
}

// Total is all feedback, skips included.
func (t Tally) Total() int64 { return t.Decided() + t.Skipped }

// Decided is the feedback with an opinion: a skip is none.
func (t Tally) Decided() int64 { return t.Kept() + t.Rejected }

// Kept is what was accepted, as it was or modified.
func (t Tally) Kept() int64 { return t.Accepted + t.Modified }

func (t Tally) acceptance() stats.Share   { return stats.Share{X: t.Kept(), N: t.Decided()} }
func (t Tally) rejection() stats.Share    { return stats.Share{X: t.Rejected, N: t.Decided()} }
func (t Tally) unchanged() stats.Share    { return stats.Share{X: t.Accepted, N: t.Decided()} }
func (t Tally) modification() stats.Share { return stats.Share{X: t.Modified, N: t.Decided()} }
func (t Tally) skips() stats.Share        { return stats.Share{X: t.Skipped, N: t.Total()} }

// bounds hold the acceptance rate behind the tally with 95 %, from Beta(1, 1).
func (t Tally) bounds() stats.Interval {
	return stats.BetaOf(t.Kept(), t.Decided()).Interval(sure)
}

// digits is how far rates are written out.
const digits = 6

// rate is a share for output, nil when there is nothing to divide by.
func rate(s stats.Share) *float64 { return rounded(s.Rate()) }

// rounded makes an optional number for output.
func rounded(x float64, known bool) *float64 {
	if !known {
		return nil
	}
	x = stats.Round(x, digits)
	return &x
}

// orZero is a share for output where 0 stands for nothing to divide by.
func orZero(s stats.Share) float64 {
	r, _ := s.Rate()
	return stats.Round(r, digits)
}
