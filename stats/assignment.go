package stats

import "math"

// borrowed is how many outcomes of both arms a plug-in rate of one arm starts with.
const borrowed = 20

// Assignment is the evidence that outcomes, each a success or not, depend on
// the arm: an e-process that bets on the arm given the outcome, with rates
// learned from earlier events. It is exact in finite samples whatever the
// outcomes do over time, because only the assignment has to be random. It is
// an ordered fold: events cannot be taken back, and other orders give other
// evidence; see LogMixture for counts.
type Assignment struct {
	Treatment Share   `json:"treatment,omitzero"`
	Control   Share   `json:"control,omitzero"`
	Log       float64 `json:"log,omitzero"` // log e-value now
	Running
}

// Observe takes in an outcome in log order. pi is the probability with which
// this unit was assigned to treatment; what was impossible tells nothing.
func (a *Assignment) Observe(treated, success bool, pi float64) {
	if !possible(treated, pi) {
		return
	}
	in, out := a.rates()
	if !success {
		in, out = 1-in, 1-out
	}
	bet := in
	arm := &a.Treatment
	if !treated {
		bet, arm = out, &a.Control
	}
	a.Log += math.Log(bet / (float64(pi*in) + float64((1-pi)*out)))
	a.Hear(a.Log)
	arm.X += outcome(success)
	arm.N++
}

// rates are the plug-in rates of treatment and control, strictly between 0 and 1.
func (a *Assignment) rates() (in, out float64) {
	x, n := a.Treatment.X+a.Control.X, a.Treatment.N+a.Control.N
	mean := (float64(x) + 0.5) / (float64(n) + 1)
	of := func(s Share) float64 {
		return (float64(s.X) + float64(borrowed*mean)) / (float64(s.N) + borrowed)
	}
	return of(a.Treatment), of(a.Control)
}

// possible reports whether an arm can be met where treatment has probability pi.
func possible(treated bool, pi float64) bool {
	if treated {
		return pi > 0 && pi <= 1
	}
	return pi >= 0 && pi < 1
}

// measurable reports whether sums of squares of such outcomes are numbers.
func measurable(y float64) bool {
	const most = 1e100
	return math.Abs(y) <= most
}

// RealAssignment is Assignment for outcomes that are real numbers. The normal
// density that it bets with shapes its power, not its validity. An ordered fold.
type RealAssignment struct {
	Treatment Moments `json:"treatment,omitzero"`
	Control   Moments `json:"control,omitzero"`
	All       Moments `json:"all,omitzero"`
	Log       float64 `json:"log,omitzero"` // log e-value now
	Running
}

// Observe takes in an outcome y in log order; pi as in Assignment. What is not
// a number that can be squared tells nothing.
func (a *RealAssignment) Observe(treated bool, y, pi float64) {
	if !possible(treated, pi) || !measurable(y) {
		return
	}
	a.bet(treated, y, pi)
	a.Hear(a.Log)
	arm := &a.Control
	if treated {
		arm = &a.Treatment
	}
	arm.Add(y)
	a.All.Add(y)
}

// bet multiplies the e-value by the factor of one event, by what came before it.
func (a *RealAssignment) bet(treated bool, y, pi float64) {
	const (
		few     = 10   // outcomes before the first bet
		least   = 1e-9 // variance
		boldest = 50   // log likelihood ratio
	)
	if a.All.N < few {
		return
	}
	mean := func(arm Moments) float64 {
		n := float64(arm.N)
		return (float64(n*arm.Mean) + float64(borrowed*a.All.Mean)) / (n + borrowed)
	}
	variance := max(a.All.Variance(), least)
	in, out := y-mean(a.Treatment), y-mean(a.Control)
	d := (float64(out*out) - float64(in*in)) / (2 * variance)
	d = min(max(d, -boldest), boldest)
	if treated {
		a.Log -= math.Log(pi + float64((1-pi)*math.Exp(-d)))
	} else {
		a.Log -= math.Log((1 - pi) + float64(pi*math.Exp(d)))
	}
}
