package outcomes

import (
	"cmp"
	"math"
	"slices"
	"strconv"

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
	slices.SortStableFunc(e.Standings, func(a, b Standing) int {
		return cmp.Or(cmp.Compare(a.Cost, b.Cost), cmp.Compare(a.Tier, b.Tier), cmp.Compare(a.Model, b.Model))
	})
	r := Route{Options: make([]Option, len(e.Standings)), Blind: e.blind()}
	curves, costs := make([]curve, len(e.Standings)), make([]float64, len(e.Standings))
	for i, s := range e.Standings {
		b := e.belief(s)
		curves[i], costs[i] = curveOf(b), s.Cost
		r.Options[i] = Option{Candidate: s.Candidate, Seen: s.Seen, Expected: b.Mean(), Bounds: b.Interval(sure), Runs: s.Here.Runs}
	}
	r.price()
	n := len(costs)
	switch u := stats.Bucket(saltExplore, e.Request); {
	case u < explored:
		r.Explored, r.Chosen = true, min(int(u/explored*float64(n)), n-1)
	case r.Blind:
		r.Chosen = e.cautious()
	default:
		r.Chosen = least(costs, func(i int) float64 { return curves[i].at(e.draw(i)) })
	}
	r.rehearse(e, curves, costs)
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

// least is the candidate from which on a solved step costs least. Candidates stand by
// rising cost. A step that fails is tried once more where it was, in vain, and then by
// the next that is better; the last that is better ends it.
func least(costs []float64, success func(int) float64) int {
	best, cost, level := -1, 0.0, -1.0
	drawn := make([]float64, len(costs))
	for i := range costs {
		if drawn[i] = success(i); drawn[i] <= level {
			drawn[i] = -1 // dearer, and no better
			continue
		}
		level = drawn[i]
	}
	for i, p := range slices.Backward(drawn) {
		if p < 0 {
			continue
		}
		if best < 0 {
			best, cost = i, costs[i]
			continue
		}
		// From here on: the run, and if it fails the retry and the way from the next on.
		if from := costs[i] + float64((1-p)*(costs[i]+cost)); from < cost {
			best, cost = i, from
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
func (r *Route) rehearse(e Errand, curves []curve, costs []float64) {
	n := len(costs)
	times := make([]int, n)
	switch {
	case r.Blind:
		times[e.cautious()] = rehearse
	case n == 1:
		times[0] = rehearse
	default:
		for draw := range rehearse {
			times[least(costs, func(i int) float64 { return curves[i].at(even(draw, i)) })]++
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
