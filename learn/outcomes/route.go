package outcomes

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"learnloop.dev/inorder"
	"learnloop.dev/stats"
)

// What model choice goes by. The half-life and the floor follow from simulations with
// and without drift (ADR 0039).
const (
	strength = 8    // runs that the rate elsewhere counts for
	halfLife = 90   // days in which a run loses half of its weight
	explored = 0.01 // share of choices that chance makes alone
	rehearse = 256  // draws that tell how likely a choice was
)

// Candidate is a model, or any model of a tier, that could do a step.
type Candidate struct {
	Model string
	Tier  int64
	Cost  float64 // of one run, in the caller's unit; above 0
}

// Experience is how runs went, weighed by their age.
type Experience struct{ Runs, Successes float64 }

// Add counts a fortnight of runs, seen from a later one.
func (e *Experience) Add(p Period, latest int64) {
	w := math.Exp2(-float64(max(latest-p.Fortnight, 0)) * fortnight / halfLife)
	e.Runs += float64(w * float64(p.Runs))
	e.Successes += float64(w * float64(p.Successes))
}

// rate is that of the runs, with that of more general ones for so many.
func (e Experience) rate(general float64, weight float64) float64 {
	return (e.Successes + float64(general*weight)) / (e.Runs + weight)
}

// Standing is what is known of a candidate.
type Standing struct {
	Candidate
	Here       Experience // with the type of step
	Everywhere Experience // with all types
	Seen       string     // of a candidate that is a tier: the model that runs there, "" if none was seen
}

// Errand asks who should do a step.
type Errand struct {
	Request     string // names the errand: chance hangs on it alone
	PlannedTier int64
	Standings   []Standing // at least one
	OfType      Experience // of all models
	OfAll       Experience // of all models with all types
}

// Option is a candidate with what is expected of it.
type Option struct {
	Candidate
	Seen           string  // of a tier: the model that runs there, "" if none was seen
	Expected       float64 // success
	Bounds         stats.Interval
	Runs           float64 // weighed, behind it
	CostPerSuccess float64 // from here on up, however often it takes
	Propensity     float64
}

// Route is a choice.
type Route struct {
	Chosen   int // of the options
	Options  []Option
	Explored bool // by chance alone
	Blind    bool // nothing is known of any candidate
}

// belief is what is believed of the success of a candidate: drawn toward its rate
// everywhere, as far as the type is as hard as others.
func (e Errand) belief(s Standing) stats.Beta {
	general := e.OfAll.rate(0.5, 2)
	own := s.Everywhere.rate(general, 2)
	hard := logit(e.OfType.rate(general, strength)) - logit(general)
	prior := logistic(logit(own) + hard)
	return stats.Beta{
		A: float64(strength*prior) + s.Here.Successes,
		B: float64(strength*(1-prior)) + s.Here.Runs - s.Here.Successes,
	}
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Choose draws what each candidate would do (Thompson 1933), and takes the one from
// which on a solved step costs least. Of the same errand it is the same.
func (e Errand) Choose() Route {
	inorder.Sort(e.Standings, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.Tier, b.Tier), cmp.Compare(a.Model, b.Model))
	})
	r := Route{Options: make([]Option, len(e.Standings)), Blind: e.blind()}
	curves, beliefs := make([]curve, len(e.Standings)), make([]stats.Beta, len(e.Standings))
	for i, s := range e.Standings {
		b := e.belief(s)
		curves[i], beliefs[i] = curveOf(b), b
		r.Options[i] = Option{Candidate: s.Candidate, Seen: s.Seen, Expected: b.Mean(), Bounds: b.Interval(sure), Runs: s.Here.Runs}
	}
	r.price()
	n, up := len(curves), e.stairs(beliefs)
	switch u := stats.Bucket(saltExplore, e.Request); {
	case u < explored:
		r.Explored, r.Chosen = true, min(int(u/explored*float64(n)), n-1)
	case r.Blind:
		r.Chosen = e.cautious()
	default:
		r.Chosen = least(up, func(i int) float64 { return curves[i].at(e.draw(i)) })
	}
	r.rehearse(e, curves, up)
	return r
}

// The uses of chance: each has a salt of its own, so that they are independent.
const (
	saltExplore = "outcomes/explore"
	saltDraw    = "outcomes/draw"
)

// draw is the share of a candidate's distribution that chance takes.
func (e Errand) draw(i int) float64 {
	return stats.Bucket(saltDraw, e.Request+"\x00"+e.Standings[i].name())
}

func (s Standing) name() string { return doer{s.Model, s.Tier}.name() }

// blind reports whether nothing is known of any candidate.
func (e Errand) blind() bool {
	return !slices.ContainsFunc(e.Standings, func(s Standing) bool { return s.Everywhere.Runs > 0 })
}

// cautious is the cheapest of at least the second tier, or the planned one if that is
// higher; without such the highest (004, cold start).
func (e Errand) cautious() int {
	highest := 0
	for i, s := range e.Standings {
		if s.Tier >= max(e.PlannedTier, secondTier) {
			return i
		}
		if s.Tier >= e.Standings[highest].Tier {
			highest = i
		}
	}
	return highest
}

// stair is a candidate that a step may be given to.
type stair struct {
	Candidate
	at int // of the standings
}

// above reports whether a candidate is of a higher tier; where nobody names tiers, one
// that costs twice as much is.
func (s stair) above(o stair) bool {
	return s.Tier > o.Tier || s.Tier == 0 && s.Cost >= UsualCost(secondTier)*o.Cost
}

// stairs are the candidates by rising cost, without those that are dearer than another
// and hopeless beside it.
func (e Errand) stairs(beliefs []stats.Beta) (up []stair) {
	for i, b := range beliefs {
		if !slices.ContainsFunc(up, func(s stair) bool { return hopeless(b, beliefs[s.at]) }) {
			up = append(up, stair{e.Standings[i].Candidate, i})
		}
	}
	return up
}

// hopeless reports whether a rate is surely below half of another one: nineteen of twenty
// times, as far as normal distributions go. Half, because what goes on above has failed
// below, and is harder than what the other one was given.
func hopeless(b, beside stats.Beta) bool {
	const half, doubt = 0.5, 1.645 // doubt in standard deviations
	return float64(half*beside.Mean())-b.Mean() > doubt*math.Hypot(spread(b), half*spread(beside))
}

// spread is the standard deviation of a distribution.
func spread(b stats.Beta) float64 {
	mean := b.Mean()
	return math.Sqrt(mean * (1 - mean) / (b.A + b.B + 1))
}

// least is the candidate from which on a solved step costs least. A step that fails is
// tried once more where it was, in vain, and then goes on above; the last ends it. Of
// one tier a dearer candidate counts only if it is better.
func least(up []stair, success func(int) float64) int {
	drawn, below := make([]float64, len(up)), -1
	for i, s := range up {
		drawn[i] = success(s.at)
		if below >= 0 && drawn[i] <= drawn[below] && !s.above(up[below]) {
			drawn[i] = -1
			continue
		}
		below = i
	}
	best, cost := -1, 0.0
	for i, s := range slices.Backward(up) {
		if drawn[i] < 0 {
			continue
		}
		if best < 0 {
			best, cost = s.at, s.Cost
			continue
		}
		// From here on: the run, and if it fails the retry and the way above.
		if from := s.Cost + float64((1-drawn[i])*(s.Cost+cost)); from < cost {
			best, cost = s.at, from
		}
	}
	return best
}

// price tells what a solved step is expected to cost from each candidate on: what
// fails goes on, after a retry, to the next that is expected to do better.
func (r *Route) price() {
	ways, solved := make([]float64, len(r.Options)), make([]float64, len(r.Options))
	for i := range slices.Backward(r.Options) {
		o := &r.Options[i]
		ways[i], solved[i] = o.Cost, o.Expected
		for next := i + 1; next < len(r.Options); next++ {
			if r.Options[next].Expected > o.Expected {
				ways[i] += float64((1 - o.Expected) * (o.Cost + ways[next]))
				solved[i] += float64((1 - o.Expected) * solved[next])
				break
			}
		}
		o.CostPerSuccess = ways[i] / solved[i]
	}
}

// rehearse finds out how likely each choice was: by the same rule, with other draws.
func (r *Route) rehearse(e Errand, curves []curve, up []stair) {
	n := len(curves)
	times := make([]int, n)
	switch {
	case r.Blind:
		times[e.cautious()] = rehearse
	case len(up) == 1:
		times[up[0].at] = rehearse
	default:
		for draw := range rehearse {
			times[least(up, func(i int) float64 { return curves[i].at(even(draw, i)) })]++
		}
	}
	for i := range r.Options {
		r.Options[i].Propensity = explored/float64(n) + float64((1-explored)*float64(times[i])/rehearse)
	}
}

// even is the draw-th of numbers that fill 0 to 1 evenly, differently for each
// candidate (the additive recurrence with roots of primes).
func even(draw, candidate int) float64 {
	roots := [...]float64{0.6180339887498949, 0.4142135623730951, 0.7320508075688772, 0.2360679774997898, 0.6457513110645906, 0.3166247903553998}
	_, fraction := math.Modf(0.5 + float64(float64(draw+1)*roots[candidate%len(roots)]) + float64(candidate)/7)
	return fraction
}

// curve is a distribution as a table, for drawing many times.
type curve struct {
	from, step float64
	below      [cells + 1]float64
}

const cells = 48

func curveOf(b stats.Beta) curve {
	const widths = 6
	mean, n := b.Mean(), b.A+b.B
	width := math.Sqrt(mean * (1 - mean) / (n + 1))
	c := curve{from: max(mean-float64(widths*width), 0)}
	c.step = (min(mean+float64(widths*width), 1) - c.from) / cells
	for i := range c.below {
		c.below[i] = b.Below(c.from + float64(float64(i)*c.step))
	}
	return c
}

// at is the number that lies above a share u of the distribution.
func (c *curve) at(u float64) float64 {
	i, _ := slices.BinarySearch(c.below[:], u)
	i = min(max(i, 1), cells)
	low, high := c.below[i-1], c.below[i]
	within := 0.5
	if high > low {
		within = min(max((u-low)/(high-low), 0), 1)
	}
	return c.from + float64((float64(i-1)+within)*c.step)
}

// Matches reports whether runs of a model at a tier tell of the candidate.
func (c Candidate) Matches(model string, tier int64) bool {
	sameTier := c.Tier == tier || c.Tier == 0 || tier == 0
	return sameTier && (c.Model == model || c.Model == "" && c.Tier == tier)
}

// String says in words who the candidate is.
func (c Candidate) String() string {
	if c.Model == "" {
		return "tier " + strconv.FormatInt(c.Tier, 10)
	}
	return c.Model
}

// UsualCost is what a run costs when nobody says: it doubles with each tier.
func UsualCost(tier int64) float64 { return float64(int64(1) << min(max(tier-1, 0), 20)) }

// DocumentedTier is where the documented rule starts (004, informed model selection).
func DocumentedTier(planned int64, r *RetryPattern) int64 {
	if r != nil && r.SkipTier {
		return max(planned, secondTier)
	}
	return planned
}
