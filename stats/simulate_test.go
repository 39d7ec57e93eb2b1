package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The promises of experiments, on streams with seeds: 2 000 experiments of 4 000 units,
// watched after every one of them.
const (
	streams = 2000
	stream  = 4000
)

// fewer is how many streams are tried where tests have to be quick.
func fewer(t *testing.T) int {
	t.Helper()
	if testing.Short() {
		return streams / 10
	}
	return streams
}

// arrival is the unit at a place of a stream: its chance of treatment, and its outcome
// if it gets it or not.
type arrival func(rnd *rand.Rand, at int, treated bool) float64

// splits are the chances of treatment over a stream.
var splits = map[string]func(at int) float64{
	"halves":      func(int) float64 { return .5 },
	"a ramp":      func(at int) float64 { return min(.05+.9*float64(at)/stream, .5) },
	"nine to one": func(int) float64 { return .9 },
}

func rateOf(p float64) arrival {
	return func(rnd *rand.Rand, _ int, _ bool) float64 { return float64(outcome(rnd.Float64() < p)) }
}

// nulls are outcomes that do not hang on the arm.
var nulls = map[string]arrival{
	"rate .5": rateOf(.5), "rate .9": rateOf(.9), "rate .98": rateOf(.98), "rate .02": rateOf(.02),
	"heavy tails": func(rnd *rand.Rand, _ int, _ bool) float64 {
		return rnd.NormFloat64() / math.Sqrt(rnd.ExpFloat64()+.01)
	},
	"Pareto": func(rnd *rand.Rand, _ int, _ bool) float64 { return math.Pow(1-rnd.Float64(), -1/1.5) },
	"drift": func(rnd *rand.Rand, at int, _ bool) float64 {
		return float64(outcome(rnd.Float64() < .2+.6*float64(at)/stream))
	},
	"a drifting mean": func(rnd *rand.Rand, at int, _ bool) float64 { return 5*float64(at)/stream + rnd.NormFloat64() },
}

func TestOfExperimentsWithoutAnEffectFewReject(t *testing.T) {
	t.Parallel()
	runs := fewer(t)
	for name, outcomes := range nulls {
		for split, chance := range splits {
			if split != "halves" && name != "rate .5" && name != "drift" && name != "heavy tails" {
				continue
			}
			t.Run(name+" in "+split, func(t *testing.T) {
				t.Parallel()
				rejected := 0
				for run := range runs {
					if stopsAt(rand.New(rand.NewPCG(uint64(run), 21)), chance, outcomes) < stream {
						rejected++
					}
				}
				t.Logf("%.4f rejected", float64(rejected)/float64(runs))
				if float64(rejected) > .06*float64(runs) {
					t.Errorf("%d of %d rejected", rejected, runs)
				}
			})
		}
	}
}

// stopsAt is the number of units after which an experiment rejects at .05 that the arm
// does not matter; that of the stream when it never does.
func stopsAt(rnd *rand.Rand, chance func(int) float64, outcomes arrival) int {
	var e Evidence
	for at := range stream {
		pi := chance(at)
		treated := rnd.Float64() < pi
		e.Observe(treated, outcomes(rnd, at, treated), pi)
		if e.P() <= .05 {
			return at + 1
		}
	}
	return stream
}

func TestATenthIsFoundSoonAndByAll(t *testing.T) {
	var stops []int
	for run := range fewer(t) {
		stops = append(stops, stopsAt(rand.New(rand.NewPCG(uint64(run), 22)), splits["halves"], func(rnd *rand.Rand, _ int, treated bool) float64 {
			return float64(outcome(rnd.Float64() < .5+.1*float64(outcome(treated))))
		}))
	}
	slices.Sort(stops)
	median, last := stops[len(stops)/2], stops[len(stops)-1]
	t.Logf("median %d, the last %d", median, last)
	if median > 800 || last >= stream {
		t.Errorf("half stop after %d, the last after %d", median, last)
	}
}

func TestTheDifferenceLiesInsideAllTheWay(t *testing.T) {
	t.Parallel()
	runs := fewer(t)
	for name, rates := range map[string][2]float64{
		"a tenth": {.6, .5}, "high": {.98, .98}, "low": {.02, .02}, "apart": {.9, .3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			missed := 0
			for run := range runs {
				if !held(rand.New(rand.NewPCG(uint64(run), 23)), rates) {
					missed++
				}
			}
			t.Logf("%.4f left", float64(missed)/float64(runs))
			if float64(missed) > .05*float64(runs) {
				t.Errorf("%d of %d left", missed, runs)
			}
		})
	}
}

// held reports whether the difference of two rates lies in the sequence all the way.
// While that is exact, which costs more, each eighth unit is looked at.
func held(rnd *rand.Rand, rates [2]float64) bool {
	const exactly = 200
	var e Evidence
	for at := range stream {
		treated := rnd.IntN(2) == 0
		rate := rates[1]
		if treated {
			rate = rates[0]
		}
		e.Observe(treated, float64(outcome(rnd.Float64() < rate)), .5)
		if at < exactly && at%8 > 0 {
			continue
		}
		if in, known := e.Difference(.95); known && (in.Lower > rates[0]-rates[1] || in.Upper < rates[0]-rates[1]) {
			return false
		}
	}
	return true
}

func TestAMeanOfHeavyTailsLiesInsideAllTheWay(t *testing.T) {
	runs := fewer(t)
	missed := 0
	for run := range runs {
		rnd := rand.New(rand.NewPCG(uint64(run), 24))
		var e Evidence
		for range stream {
			treated := rnd.IntN(2) == 0
			e.Observe(treated, rnd.ExpFloat64()+.3*float64(outcome(treated)), .5)
			if in, known := e.Difference(.95); known && (in.Lower > .3 || in.Upper < .3) {
				missed++
				break
			}
		}
	}
	t.Logf("%.4f left", float64(missed)/float64(runs))
	if float64(missed) > .05*float64(runs) {
		t.Errorf("%d of %d left", missed, runs)
	}
}

func TestAFairRampIsRarelyCalledUnfair(t *testing.T) {
	runs := fewer(t)
	wrong := 0
	for run := range runs {
		rnd := rand.New(rand.NewPCG(uint64(run), 25))
		var r RatioEvidence
		for at := range stream {
			pi := splits["a ramp"](at)
			r.Observe(rnd.Float64() < pi, pi)
		}
		if r.P() <= .05 {
			wrong++
		}
	}
	if float64(wrong) > .05*float64(runs) {
		t.Errorf("%d of %d fair ramps", wrong, runs)
	}
}

func TestTheRatioUnitByUnitIsThatOfTheCounts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 26))
	var r RatioEvidence
	for range 3000 {
		r.Observe(rnd.Float64() < .35, .3)
	}
	near(t, "log e", r.Log, LogSampleRatio([]int64{r.Treatment, r.Control}, []float64{.3, .7}))
	r.Observe(true, 0)
	if r.P() != 0 {
		t.Error("a unit in an arm it cannot reach is no proof")
	}
}

func BenchmarkEvidence(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 27))
	var e Evidence
	for b.Loop() {
		e.Observe(rnd.IntN(2) == 0, float64(rnd.IntN(2)), .5)
	}
}

func BenchmarkVerdict(b *testing.B) {
	var e Evidence
	rnd := rand.New(rand.NewPCG(1, 28))
	for range 99 {
		e.Observe(rnd.IntN(2) == 0, float64(rnd.IntN(2)), .5)
	}
	for b.Loop() {
		in, _ := e.Difference(.95)
		_ = Case{
			Treatment: e.Values.Treatment, Control: e.Values.Control, P: e.P(), Alpha: .05, RatioP: 1, Least: 50, Interval: &in, Useful: new(.1),
		}.Decide()
	}
}
