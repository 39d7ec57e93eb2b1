package stats

import "math"

// Evidence is the e-process for outcomes of which it is not known beforehand whether
// they are all 0 or 1: it bets on rates as Assignment does until the first that is
// neither, and from there on as RealAssignment does. Which bet is made hangs on
// outcomes, never on arms, so that it is as valid as both. An ordered fold.
type Evidence struct {
	Rates  Assignment     `json:"rates,omitzero"`
	Values RealAssignment `json:"values,omitzero"`
	Real   bool           `json:"real,omitzero"` // something else than 0 and 1 was seen
	Log    float64        `json:"log,omitzero"`  // log e-value now
	Running
}

// Observe takes in an outcome in order; pi as in Assignment.
func (e *Evidence) Observe(treated bool, y, pi float64) {
	if !possible(treated, pi) || !finite(y) {
		return
	}
	e.Real = e.Real || y != 0 && y != 1
	rates, values := e.Rates.Log, e.Values.Log
	e.Values.Observe(treated, y, pi)
	if e.Real {
		e.Log += e.Values.Log - values
	} else {
		e.Rates.Observe(treated, y == 1, pi)
		e.Log += e.Rates.Log - rates
	}
	e.Hear(e.Log)
}

// Difference holds the mean of treatment minus that of control at all times together,
// and is undefined (false) while nothing bounds it. Rates have the exact sequence until
// both arms have Asymptotic units.
func (e *Evidence) Difference(confidence float64) (Interval, bool) {
	if in, known := AsymptoticDifference(e.Values.Treatment, e.Values.Control, confidence); known {
		return e.clipped(in), true
	}
	if e.Real || e.Values.Treatment.N == 0 || e.Values.Control.N == 0 {
		return Interval{}, false
	}
	return DifferenceSequence(e.Rates.Treatment, e.Rates.Control, confidence), true
}

// clipped is an interval of what may be a difference of rates.
func (e *Evidence) clipped(in Interval) Interval {
	if e.Real {
		return in
	}
	return Interval{max(in.Lower, -1), min(in.Upper, 1)}
}

// RatioEvidence is the sequential test that units reach the arms as they should: that
// of LogSampleRatio, unit by unit, so that the proportions may change on the way. An
// ordered fold.
type RatioEvidence struct {
	Treatment int64   `json:"treatment,omitzero"`
	Control   int64   `json:"control,omitzero"`
	Expected  float64 `json:"expected,omitzero"` // units of treatment
	Leaked    int64   `json:"leaked,omitzero"`   // units in an arm that they cannot reach
	Log       float64 `json:"log,omitzero"`      // log e-value now
	Running
}

// Observe takes in a unit; pi is the probability with which treatment gets it. One that
// could not have come into its arm is proof.
func (r *RatioEvidence) Observe(treated bool, pi float64) {
	const (
		concentration = 10_000
		least         = 1e-6 // nothing that may happen is believed to be impossible
	)
	if !possible(treated, pi) {
		r.Leaked++
		return
	}
	all := float64(r.Treatment + r.Control)
	believed := pi + (float64(r.Treatment)-r.Expected)/(concentration+all)
	if pi < 1 && pi > 0 {
		believed = min(max(believed, least), 1-least)
	} else {
		believed = pi
	}
	if treated {
		r.Log += math.Log(believed / pi)
		r.Treatment++
	} else {
		r.Log += math.Log((1 - believed) / (1 - pi))
		r.Control++
	}
	r.Expected += pi
	r.Hear(r.Log)
}

// P is the always-valid p-value that the units reach the arms as they should.
func (r *RatioEvidence) P() float64 {
	if r.Leaked > 0 {
		return 0
	}
	return r.Running.P()
}
