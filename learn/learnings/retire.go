package learnings

import "learnloop.dev/stats"

// When a learning is shown to harm.
const (
	harmful  = 0.975 // probability that its effect lies below 0
	asked    = 20    // tasks with it, at least
	slight   = 0.02  // an effect that nobody would notice
	eachSide = 0.9   // confidence of an interval of which each end holds with 95 % at all times
)

// Retirement is why a learning retires itself, in numbers that can be shown.
type Retirement struct {
	With     stats.Share    `json:"with"`    // successes among tasks with it
	Without  stats.Share    `json:"without"` // and among those it was left out of
	Effect   float64        `json:"effect"`
	Interval stats.Interval `json:"interval"` // each end holds with 95 % at all times
	Harm     float64        `json:"harm"`     // probability that it harms
}

// Retire reports whether a learning is shown to harm: by the posterior, which
// says that it harms, and by the interval, which holds at all times and leaves no
// room for help that anybody would notice.
func Retire(c Credit, e Effect) (Retirement, bool) {
	harm, in := e.Harm(), stats.Around(e.Estimate, e.Variance, e.N, eachSide)
	if c.In.N < asked || harm < harmful || in.Upper >= slight {
		return Retirement{}, false
	}
	return Retirement{c.In.share(), c.Out.share(), e.Estimate, in, harm}, true
}
