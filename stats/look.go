package stats

import "math"

// look is a bet on what a test of a fixed sample will say at a number of units that was
// planned: its e-value is the chance that this test will reject, as far as can be told by
// now, over that before anything was known. It may be watched all the time, is worth most
// where the plan ends, and stays as it is from there on.
//
// The arm is bet on when its outcome is known, so that only the assignment has to be
// random: the normal that chances are computed by shapes the power, not the validity.
type look struct {
	N     int64   `json:"n,omitzero"`
	Bound float64 `json:"bound,omitzero"` // deviate beyond which the test rejects
	Score float64 `json:"score,omitzero"` // Σ (treated − π)(y − mean)
	Spent float64 `json:"spent,omitzero"` // variance of the score so far
	Log   float64 `json:"log,omitzero"`   // log e-value now
}

// met is a unit as a look sees it.
type met struct {
	treated  bool
	residual float64 // its outcome less the mean of all
	variance float64 // of all outcomes
	pi       float64 // chance of treatment
}

// furthest is a bound that nothing reaches by chance: a level of nothing has none.
const furthest = 10

// observe takes in a unit; the test is of so many units, at a level.
func (l *look) observe(u met, units int64, level float64) {
	if l.N >= units || u.pi <= 0 || u.pi >= 1 {
		return
	}
	if l.N == 0 {
		l.Bound = min(deviate(1-level), furthest)
	}
	in, out := float64((1-u.pi)*u.residual), -float64(u.pi*u.residual)
	spent := l.Spent - float64(in*out)
	left := float64(float64(units-l.N-1) * float64(u.pi*(1-u.pi)) * u.variance)
	far := float64(l.Bound * math.Sqrt(spent+left))
	ifIn, ifOut := rejecting(l.Score+in, left, far), rejecting(l.Score+out, left, far)
	won, step := ifIn, in
	if !u.treated {
		won, step = ifOut, out
	}
	l.N, l.Score, l.Spent = l.N+1, l.Score+step, spent
	l.Log += math.Log(won / (float64(u.pi*ifIn) + float64((1-u.pi)*ifOut)))
}

// rejecting is the chance that a score ends beyond far on either side, with some variance
// still to come. It is never quite nothing, so that no bet stakes all.
func rejecting(score, left, far float64) float64 {
	const least = 1e-9
	if left <= 0 {
		return least + float64(outcome(math.Abs(score) >= far))
	}
	spread := math.Sqrt(2 * left)
	return least + (math.Erfc((far-score)/spread)+math.Erfc((far+score)/spread))/2
}
