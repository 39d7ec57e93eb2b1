package outcomes

// Defaults are how careful an agent should be with a type of step (004, cold start).
type Defaults struct {
	ColdStart             bool    `json:"cold_start"`
	VerificationTier      int64   `json:"verification_tier"`
	AutoApproveConfidence float64 `json:"auto_approve_confidence"` // from which on it goes on without asking
	Granularity           string  `json:"granularity"`             // fine or normal
	Replan                string  `json:"replan"`                  // every_step, or on_failure
}

// How careful to be.
const (
	fine      = "fine"
	normal    = "normal"
	everyStep = "every_step"
	onFailure = "on_failure"
)

// ColdStart are the defaults while little is known.
func ColdStart() Defaults { return Defaults{true, 2, 0.9, fine, everyStep} }

// What defaults relax at: rates of success that a bound bears out.
const (
	dependable = 0.7
	proven     = 0.9
)

// defaultsFor relaxes the defaults in two steps, by evidence.
func defaultsFor(successes, runs int64) Defaults {
	switch {
	case runs >= many && above(successes, runs, proven):
		return Defaults{false, 1, 0.7, normal, onFailure}
	case runs >= many && above(successes, runs, dependable):
		return Defaults{false, 1, 0.8, normal, onFailure}
	case runs >= many:
		d := ColdStart()
		d.ColdStart = false // known well enough: it is hard
		return d
	}
	return ColdStart()
}
