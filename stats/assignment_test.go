package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The definitions evaluated in 40-digit arithmetic.
func TestAssignmentEvidenceFollowsItsDefinition(t *testing.T) {
	var a Assignment
	for _, c := range []struct {
		treated, success bool
		pi, log          float64
	}{
		{true, true, .5, 0},
		{false, false, .5, 0.024097551579060502},
		{true, true, .5, 0.070617567213953359},
		{true, false, .5, -0.018903884414126839},
		{false, false, .5, 0.025547878156706998},
		{true, true, .8, 0.057429023043479818},
		{false, true, .8, -0.085227277358043379},
		{true, true, .9, -0.074876408634387241},
	} {
		a.Observe(c.treated, c.success, c.pi)
		near(t, "log e", a.Log, c.log)
	}
	near(t, "peak", a.Peak, 0.070617567213953359)
	near(t, "p", a.P(), math.Exp(-0.070617567213953359))
}

func TestEvidenceOfLongStreamsFollowsItsDefinition(t *testing.T) {
	var a Assignment
	draw := congruential(1)
	for i := range 400 {
		treated := draw() < .7
		rate := .4
		if treated {
			rate = .6
		}
		a.Observe(treated, draw() < rate, .7)
		if i == 99 {
			near(t, "binary after 100", a.Log, 0.7946571936790056)
		}
	}
	near(t, "binary after 400", a.Log, 8.849985562537606)
	near(t, "binary peak", a.Peak, 10.83569283852963)

	var r RealAssignment
	draw = congruential(7)
	for i := range 200 {
		treated := draw() < .7
		y := 10 * draw()
		if treated {
			y += 2
		}
		r.Observe(treated, y, .7)
		if want, ok := map[int]float64{9: 0, 49: 1.819435589182654}[i]; ok {
			near(t, "real so far", r.Log, want)
		}
	}
	near(t, "real after 200", r.Log, 10.18051730178448)
	near(t, "real peak", r.Peak, 10.84393229252232)
}

// congruential draws the stream that the reference values were computed from.
func congruential(seed uint64) func() float64 {
	return func() float64 {
		seed = (seed*1103515245 + 12345) % (1 << 31)
		return float64(seed) / (1 << 31)
	}
}

// Expected of the document: null experiments watched after every observation
// reject .03 to .04 at .05. Here base rates differ between runs, and drift.
func TestNullExperimentsWatchedAllTheTimeRarelyReject(t *testing.T) {
	const runs, units = 2000, 2000
	rejected := 0
	for run := range runs {
		rnd := rand.New(rand.NewPCG(uint64(run), 1))
		base, drift := .1+.6*rnd.Float64(), .2*rnd.Float64()
		var a Assignment
		for i := range units {
			rate := base + drift*float64(i)/units
			a.Observe(rnd.IntN(2) == 0, rnd.Float64() < rate, .5)
		}
		if a.P() <= .05 {
			rejected++
		}
	}
	share := float64(rejected) / runs
	t.Logf("%.3f of %d null experiments rejected", share, runs)
	if share > .045 || share < .015 {
		t.Errorf("%.3f rejected", share)
	}
}

func TestAnEffectOfATenthIsFoundAfterSomeSevenHundredUnits(t *testing.T) {
	plugIn, mixture := stops(400, .5)
	t.Logf("median units until p <= .05: plug-in %d, mixture %d", plugIn, mixture)
	if plugIn < 620 || plugIn > 820 {
		t.Errorf("plug-in stops at a median of %d", plugIn)
	}
	if mixture > 900 {
		t.Errorf("the mixture stops at a median of %d", mixture)
	}
}

// stops are the median numbers of units until the plug-in and the mixture
// reject that .6 is .5.
func stops(runs int, pi float64) (plugIn, mixture int) {
	const most = 6000
	var first, second []int
	for run := range runs {
		rnd := rand.New(rand.NewPCG(uint64(run), 2))
		var a Assignment
		plug, mix := most, most
		for i := 1; i <= most && (plug == most || mix == most); i++ {
			treated := rnd.Float64() < pi
			rate := .5
			if treated {
				rate = .6
			}
			a.Observe(treated, rnd.Float64() < rate, pi)
			if plug == most && a.P() <= .05 {
				plug = i
			}
			if mix == most && PValue(LogMixture(Epoch{pi, a.Treatment, a.Control})) <= .05 {
				mix = i
			}
		}
		first, second = append(first, plug), append(second, mix)
	}
	slices.Sort(first)
	slices.Sort(second)
	return first[runs/2], second[runs/2]
}

func TestRealOutcomesThatDoNotDependOnTheArmRarelyReject(t *testing.T) {
	const runs, units = 1000, 1000
	rejected := 0
	for run := range runs {
		rnd := rand.New(rand.NewPCG(uint64(run), 3))
		var a RealAssignment
		for range units {
			y := math.Exp(2 * rnd.NormFloat64()) // as skewed as durations are
			a.Observe(rnd.IntN(5) > 0, y, .8)
		}
		if a.P() <= .05 {
			rejected++
		}
	}
	t.Logf("%d of %d rejected", rejected, runs)
	if rejected > runs*5/100 {
		t.Errorf("%d of %d null experiments rejected", rejected, runs)
	}
}

func TestWhatCouldNotHappenIsNoEvidence(t *testing.T) {
	var a Assignment
	a.Observe(true, true, 0)
	a.Observe(false, true, 1)
	a.Observe(true, true, math.NaN())
	if a != (Assignment{}) {
		t.Errorf("%+v", a)
	}
	a.Observe(true, true, 1)
	if a.Log != 0 || a.Treatment != (Share{1, 1}) {
		t.Errorf("a certain assignment is evidence: %+v", a)
	}
	var r RealAssignment
	r.Observe(true, math.Inf(1), .5)
	r.Observe(true, math.NaN(), .5)
	if r != (RealAssignment{}) {
		t.Errorf("%+v", r)
	}
}

func TestOutcomesWithoutVarianceAreHarmless(t *testing.T) {
	var a RealAssignment
	for i := range 1000 {
		a.Observe(i%2 == 0, 3, .5)
	}
	if a.P() != 1 || math.IsNaN(a.Log) {
		t.Errorf("p = %g, log e = %g", a.P(), a.Log)
	}
}
