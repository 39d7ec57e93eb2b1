package stats

import (
	"math"
	"slices"
)

// Evidence is the e-process that decides an experiment. It is the mean of three, so that
// it is as valid as they are: the plug-in bets of Assignment, or of RealAssignment from
// the first outcome on that is neither 0 nor 1; and two looks, which are bets on what a
// test of a fixed sample will say at 800 and at 4 000 units. Plug-in bets win most in the
// long run, and looks stop in time what those would leave open (ADR 0070). Which bets are made hangs on outcomes, never on arms. An ordered fold.
type Evidence struct {
	Rates  Assignment     `json:"rates,omitzero"`
	Values RealAssignment `json:"values,omitzero"`
	Real   bool           `json:"real,omitzero"`    // something else than 0 and 1 was seen
	Level  float64        `json:"level,omitzero"`   // what p-values have to be below, which looks plan for; 0: 0.05
	PlugIn Trail          `json:"plug_in,omitzero"` // of the plug-in bets alone
	Soon   look           `json:"soon,omitzero"`
	Later  look           `json:"later,omitzero"`
	Log    float64        `json:"log,omitzero"` // log e-value now, of all three
	Running
}

// Trail is where an e-process stands, and how far it came.
type Trail struct {
	Log float64 `json:"log,omitzero"` // log e-value now
	Running
}

// What each of the three starts with, and when the looks are due.
const (
	onPlugIn, onSoon, onLater = 0.3, 0.1, 0.6
	soonUnits, laterUnits     = 800, 4000
	usualLevel                = 0.05
)

// Observe takes in an outcome in order; pi as in Assignment.
func (e *Evidence) Observe(treated bool, y, pi float64) {
	if !possible(treated, pi) || !measurable(y) {
		return
	}
	e.Real = e.Real || y != 0 && y != 1
	e.plugIn(treated, y, pi)
	e.look(treated, y, pi)
	e.Log = logSum(math.Log(onPlugIn)+e.PlugIn.Log, math.Log(onSoon)+e.Soon.Log, math.Log(onLater)+e.Later.Log)
	e.Hear(e.Log)
}

// Planned reports whether the looks are: from then on the level is as it is.
func (e *Evidence) Planned() bool { return e.Later.N > 0 }

func (e *Evidence) plugIn(treated bool, y, pi float64) {
	rates, values := e.Rates.Log, e.Values.Log
	e.Values.Observe(treated, y, pi)
	if e.Real {
		e.PlugIn.Log += e.Values.Log - values
	} else {
		e.Rates.Observe(treated, y == 1, pi)
		e.PlugIn.Log += e.Rates.Log - rates
	}
	e.PlugIn.Hear(e.PlugIn.Log)
}

// look bets on the fixed samples, once the outcome is among the others.
func (e *Evidence) look(treated bool, y, pi float64) {
	if e.Later.N >= laterUnits {
		return
	}
	level, all := e.Level, e.Values.All
	if level == 0 {
		level = usualLevel
	}
	u := met{treated, y - all.Mean, all.Variance(), pi}
	e.Soon.observe(u, soonUnits, level*onSoon)
	e.Later.observe(u, laterUnits, level*onLater)
}

// logSum is the logarithm of the sum of what has these logarithms.
func logSum(logs ...float64) float64 {
	most := slices.Max(logs)
	var sum float64
	for _, l := range logs {
		sum += math.Exp(l - most)
	}
	return most + math.Log(sum)
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
