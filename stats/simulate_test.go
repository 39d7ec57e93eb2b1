package stats

import (
	"flag"
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

// seed picks other streams: go test ./stats -run ... -seed N.
var seed = flag.Uint64("seed", 0, "added to the seeds of simulated experiments")

// streamOf draws one of the streams of a test.
func streamOf(run int, test uint64) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(run)+*seed*streams, test))
}

// fewer is how many streams are tried where tests have to be quick.
func fewer(t *testing.T) int {
	t.Helper()
	if testing.Short() {
		return streams / 10
	}
	return streams
}

// most is how many of so many runs may miss. Where few are made, chance gets some room.
func most(share float64, runs int) float64 {
	bar := share * float64(runs)
	if runs < streams {
		bar += 2 * math.Sqrt(bar)
	}
	return bar
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
					if stopsAt(streamOf(run, 21), chance, outcomes) <= stream {
						rejected++
					}
				}
				t.Logf("%.4f rejected", float64(rejected)/float64(runs))
				if float64(rejected) > most(.06, runs) {
					t.Errorf("%d of %d rejected", rejected, runs)
				}
			})
		}
	}
}

// stopsAt is the number of units after which an experiment rejects at .05 that the arm
// does not matter; more than there are when it never does.
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
	return stream + 1
}

// A second treatment comes in after a quarter: from then on each has half of the level,
// and what was planned before stays planned for all of it.
func TestOfExperimentsThatGetAnotherArmFewReject(t *testing.T) {
	t.Parallel()
	runs := fewer(t)
	rejected := 0
	for run := range runs {
		if withAnotherArm(streamOf(run, 30)) {
			rejected++
		}
	}
	t.Logf("%.4f rejected", float64(rejected)/float64(runs))
	if float64(rejected) > most(.06, runs) {
		t.Errorf("%d of %d rejected", rejected, runs)
	}
}

// withAnotherArm reports whether one of two treatments that do nothing is found to.
func withAnotherArm(rnd *rand.Rand) bool {
	const added, all, half = stream / 4, .05, .025
	first, second := Evidence{Level: all}, Evidence{Level: half}
	for at := range stream {
		arms := 2
		level := all
		if at >= added {
			arms, level = 3, half
		}
		arm, y := rnd.IntN(arms), float64(rnd.IntN(2)) // 0 is control
		if arm < 2 {
			first.Observe(arm == 1, y, .5)
		}
		if arms == 3 && arm != 1 {
			second.Observe(arm == 2, y, .5)
		}
		if min(first.P(), second.P()) <= level {
			return true
		}
	}
	return false
}

func TestATenthIsFoundSoonAndByAll(t *testing.T) {
	var stops []int
	for run := range fewer(t) {
		stops = append(stops, stopsAt(streamOf(run, 22), splits["halves"], func(rnd *rand.Rand, _ int, treated bool) float64 {
			return float64(outcome(rnd.Float64() < .5+.1*float64(outcome(treated))))
		}))
	}
	slices.Sort(stops)
	median, last := stops[len(stops)/2], stops[len(stops)-1]
	t.Logf("median %d, the last %d", median, last)
	if median > 800 || last > stream {
		t.Errorf("half stop after %d, the last after %d", median, last)
	}
}

// Of two thousand such experiments hardly one may be open at the end, which is too rare to
// be counted: here rates that lie closer together are drawn, and each experiment that stays
// open counts by how likely the true ones would have brought it about.
func TestTwoInAHundredThousandOfATenthStayOpen(t *testing.T) {
	t.Parallel()
	const in, out, drawnIn, drawnOut = .6, .5, .567, .532
	runs, open := fewer(t), 0.0
	for run := range runs {
		likelihood := 0.0
		stop := stopsAt(streamOf(run, 29), splits["halves"], func(rnd *rand.Rand, _ int, treated bool) float64 {
			rate, drawn := out, drawnOut
			if treated {
				rate, drawn = in, drawnIn
			}
			if rnd.Float64() < drawn {
				likelihood += math.Log(rate / drawn)
				return 1
			}
			likelihood += math.Log((1 - rate) / (1 - drawn))
			return 0
		})
		if stop > stream {
			open += math.Exp(likelihood)
		}
	}
	share := open / float64(runs)
	t.Logf("%.2e stay open: of %d some with a chance of %.3f", share, streams, -math.Expm1(-streams*share))
	if share > 3e-5 || share < 5e-6 {
		t.Errorf("%g stay open", share)
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
				if !held(streamOf(run, 23), rates) {
					missed++
				}
			}
			t.Logf("%.4f left", float64(missed)/float64(runs))
			if float64(missed) > most(.05, runs) {
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
		rnd := streamOf(run, 24)
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
	if float64(missed) > most(.05, runs) {
		t.Errorf("%d of %d left", missed, runs)
	}
}

func TestAFairRampIsRarelyCalledUnfair(t *testing.T) {
	runs := fewer(t)
	wrong := 0
	for run := range runs {
		rnd := streamOf(run, 25)
		var r RatioEvidence
		for at := range stream {
			pi := splits["a ramp"](at)
			r.Observe(rnd.Float64() < pi, pi)
		}
		if r.P() <= .05 {
			wrong++
		}
	}
	if float64(wrong) > most(.05, runs) {
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
