package learnings

import (
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/stats"
)

// ArmShares are the probabilities of the arms without learnings; treatment has
// the rest.
type ArmShares struct {
	Holdout float64 `json:"holdout,omitzero"`
	Placebo float64 `json:"placebo,omitzero"`
}

func (s ArmShares) treatment() float64 { return 1 - s.Holdout - s.Placebo }

func (s ArmShares) of(arm events.Arm) float64 {
	switch arm {
	case events.ArmHoldout:
		return s.Holdout
	case events.ArmPlacebo:
		return s.Placebo
	case events.ArmTreatment:
		return s.treatment()
	}
	return 0
}

// Arms counts tasks and their successes by arm. For a Lift they are those of a time in
// which the shares of the arms stood still. A row of integers.
type Arms struct {
	Treatment stats.Share `json:"treatment,omitzero"`
	Holdout   stats.Share `json:"holdout,omitzero"`
	Placebo   stats.Share `json:"placebo,omitzero"`
}

// Observe takes in a finished task. The order does not matter.
func (a *Arms) Observe(arm events.Arm, success bool) { a.count(arm, success, 1) }

// TakeBack undoes Observe exactly.
func (a *Arms) TakeBack(arm events.Arm, success bool) { a.count(arm, success, -1) }

func (a *Arms) count(arm events.Arm, success bool, weight int64) {
	tasks := a.of(arm)
	if tasks == nil {
		return
	}
	tasks.N += weight
	if success {
		tasks.X += weight
	}
}

// of is where an arm is counted, nil for what is none.
func (a *Arms) of(arm events.Arm) *stats.Share {
	switch arm {
	case events.ArmTreatment:
		return &a.Treatment
	case events.ArmHoldout:
		return &a.Holdout
	case events.ArmPlacebo:
		return &a.Placebo
	}
	return nil
}

// ArmPeriod is what was counted while the arms had certain shares.
type ArmPeriod struct {
	Shares ArmShares `json:"shares"`
	Arms   Arms      `json:"arms"`
}

// Lift is what injection does to the rate of success of tasks.
type Lift struct {
	Treatment stats.Share    `json:"treatment"`
	Control   stats.Share    `json:"control"`
	Absolute  *float64       `json:"absolute"` // nil while an arm is empty
	Relative  *float64       `json:"relative"` // to the control's rate; nil where that is 0
	Interval  stats.Interval `json:"interval"` // of Absolute: 95 % at all times together
	P         float64        `json:"p_value"`  // always-valid
}

// LiftOf compares treatment to the arms against which it is to be held: holdout,
// placebo, or both. Periods are compared each for itself, so that neither other
// shares nor other times are taken for an effect.
func LiftOf(against []events.Arm, periods ...ArmPeriod) Lift {
	var l Lift
	epochs := make([]stats.Epoch, len(periods))
	for i, p := range periods {
		epochs[i] = p.epoch(against)
		l.Treatment = plus(l.Treatment, epochs[i].Treatment)
		l.Control = plus(l.Control, epochs[i].Control)
	}
	l.P = stats.PValue(stats.LogMixture(epochs...))
	var estimate float64
	var known bool
	estimate, l.Interval, known = difference(epochs)
	if !known {
		return l
	}
	l.Absolute = &estimate
	if base, _ := l.Control.Rate(); base > 0 {
		relative := estimate / base
		l.Relative = &relative
	}
	return l
}

func (p ArmPeriod) epoch(against []events.Arm) stats.Epoch {
	e := stats.Epoch{Treatment: p.Arms.Treatment}
	treated := p.Shares.treatment()
	control := 0.0
	for _, arm := range against {
		if tasks := p.Arms.of(arm); tasks != nil && arm != events.ArmTreatment {
			e.Control = plus(e.Control, *tasks)
			control += p.Shares.of(arm)
		}
	}
	e.Pi = treated / (treated + control)
	return e
}

// difference is the mean of the differences of the epochs, weighted by their
// tasks, of those that have enough in both arms; else that of the largest one.
func difference(epochs []stats.Epoch) (estimate float64, in stats.Interval, known bool) {
	enough := func(e stats.Epoch) int64 { return min(e.Treatment.N, e.Control.N) }
	large := slices.DeleteFunc(slices.Clone(epochs), func(e stats.Epoch) bool { return enough(e) < stats.Asymptotic })
	if len(large) > 0 {
		return stratified(large)
	}
	in = stats.Interval{Lower: -1, Upper: 1}
	var largest stats.Epoch
	for _, e := range epochs {
		if enough(e) > enough(largest) {
			largest = e
		}
	}
	treatment, treated := largest.Treatment.Rate()
	control, held := largest.Control.Rate()
	if !treated || !held {
		return 0, in, false
	}
	return treatment - control, stats.DifferenceSequence(largest.Treatment, largest.Control, always), true
}

func stratified(epochs []stats.Epoch) (estimate float64, in stats.Interval, known bool) {
	var all int64
	for _, e := range epochs {
		all += e.Treatment.N + e.Control.N
	}
	var variance float64
	for _, e := range epochs {
		treatment, _ := e.Treatment.Rate()
		control, _ := e.Control.Rate()
		weight := float64(e.Treatment.N+e.Control.N) / float64(all)
		estimate += float64(weight * (treatment - control))
		variance += float64(weight * weight * (noise(e.Treatment) + noise(e.Control)))
	}
	in = stats.Around(estimate, variance, all, always)
	return estimate, stats.Interval{Lower: max(in.Lower, -1), Upper: min(in.Upper, 1)}, true
}

// noise is the variance of a rate, with half a success and half a failure more:
// an arm that never failed has some, too.
func noise(s stats.Share) float64 {
	n := float64(s.N) + 1
	rate := (float64(s.X) + 0.5) / n
	return rate * (1 - rate) / n
}

func plus(a, b stats.Share) stats.Share { return stats.Share{X: a.X + b.X, N: a.N + b.N} }
