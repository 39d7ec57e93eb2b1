package learnings

import "learnloop.dev/stats"

// When a learning is shown to harm.
const (
	harmful = 0.975 // probability that its effect lies below 0
	asked   = 20    // tasks with it, at least
)

// Retirement is why a learning retires itself, in numbers that can be shown.
type Retirement struct {
	With     stats.Share    `json:"with"`    // successes among tasks with it
	Without  stats.Share    `json:"without"` // and among those it was left out of
	Effect   float64        `json:"effect"`
	Interval stats.Interval `json:"interval"`
	Harm     float64        `json:"harm"`   // probability that it harms
	Useful   float64        `json:"useful"` // the smallest effect that would be worth its place
}

// Retire reports whether a learning is shown to harm: by the posterior, which
// says that it harms, and by the interval, which holds at all times and leaves no
// room for a useful effect.
func Retire(c Credit, e Effect) (Retirement, bool) {
	harm := e.Harm()
	if c.In.N < asked || harm < harmful || e.Interval.Upper >= useful {
		return Retirement{}, false
	}
	return Retirement{c.In.share(), c.Out.share(), e.Estimate, e.Interval, harm, useful}, true
}
