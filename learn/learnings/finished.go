package learnings

import "learnloop.dev/stats"

// Told is what finished tasks tell of one learning, rounded to six digits.
type Told struct {
	With    Finished `json:"with"`    // were given it
	Without Finished `json:"without"` // it was left out of by chance
	Effect  float64  `json:"effect"`  // on the rate of success
	Lower   float64  `json:"lower"`   // of Effect: 95 % at all times together
	Upper   float64  `json:"upper"`
}

// Finished are tasks that ended, and those that succeeded.
type Finished struct {
	N       int64 `json:"n"`
	Success int64 `json:"success"`
}

// toldOf is nil while no task tells anything.
func toldOf(c Credit, without Pool) *Told {
	if c == (Credit{}) {
		return nil
	}
	e := without.Effect(c)
	round := func(x float64) float64 { return stats.Round(x, digits) }
	return &Told{
		With: Finished{c.In.N, c.In.Success}, Without: Finished{c.Out.N, c.Out.Success},
		Effect: round(e.Estimate), Lower: round(e.Interval.Lower), Upper: round(e.Interval.Upper),
	}
}
