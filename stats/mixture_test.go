package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// The definition evaluated in 40-digit arithmetic.
func TestTheMixtureFollowsItsDefinition(t *testing.T) {
	for _, c := range []struct {
		epoch Epoch
		log   float64
	}{
		{Epoch{.5, Share{60, 100}, Share{50, 100}}, -0.190393931379226513},
		{Epoch{.5, Share{600, 1000}, Share{500, 1000}}, 6.7900968471452921},
		{Epoch{.9, Share{520, 900}, Share{40, 100}}, 2.97590744347779718},
		{Epoch{.8, Share{}, Share{}}, 0},
		{Epoch{.2, Share{3, 7}, Share{1, 40}}, 0.455929484204209269},
		{Epoch{.5, Share{612345, 1000000}, Share{611111, 1000000}}, -7.58722135098600353},
		{Epoch{1, Share{1, 9}, Share{}}, 0},
	} {
		if got := LogMixture(c.epoch); math.Abs(got-c.log) > 1e-8 {
			t.Errorf("%v: %.15g, want %.15g", c.epoch, got, c.log)
		}
	}
}

func TestEpochsOfDifferentAssignmentMultiply(t *testing.T) {
	a, b := Epoch{.5, Share{60, 100}, Share{50, 100}}, Epoch{.9, Share{520, 900}, Share{40, 100}}
	near(t, "both", LogMixture(a, b), LogMixture(a)+LogMixture(b))
}

// An e-value has an expectation of 1 if nothing differs: summed over every
// outcome of eight units, exactly.
func TestTheMixtureExpectsOneIfNothingDiffers(t *testing.T) {
	const units, pi, rate = 8, .3, .6
	var expected float64
	for arms := range 1 << units {
		for successes := range 1 << units {
			e := Epoch{Pi: pi}
			chance := 1.0
			for i := range units {
				treated, success := arms>>i&1 == 1, successes>>i&1 == 1
				chance *= weigh(treated, pi) * weigh(success, rate)
				arm := &e.Control
				if treated {
					arm = &e.Treatment
				}
				arm.N++
				arm.X += outcome(success)
			}
			expected += chance * math.Exp(LogMixture(e))
		}
	}
	near(t, "expectation", expected, 1)
}

func weigh(yes bool, p float64) float64 {
	if yes {
		return p
	}
	return 1 - p
}

func TestTheSampleRatioFollowsItsDefinition(t *testing.T) {
	for _, c := range []struct {
		seen    []int64
		weights []float64
		log     float64
	}{
		{[]int64{500, 500}, []float64{1, 1}, -0.0476573626294248},
		{[]int64{530, 470}, []float64{1, 1}, 0.1159946895925437},
		{[]int64{5300, 4700}, []float64{1, 1}, 8.655214613589611},
		{[]int64{900, 60, 40}, []float64{.9, .05, .05}, 0.08665305046619451},
		{[]int64{54000, 46000}, []float64{1, 1}, 289.9697651056197},
		{[]int64{9, 0}, []float64{1, 0}, 0},
		{[]int64{9, 1}, []float64{1, 0}, math.Inf(1)},
		{[]int64{9, 1}, []float64{1}, math.Inf(1)},
		{nil, nil, 0},
	} {
		got := LogSampleRatio(c.seen, c.weights)
		if got != c.log && !(math.Abs(got-c.log) <= 1e-8) {
			t.Errorf("%v in %v: %.15g, want %.15g", c.seen, c.weights, got, c.log)
		}
	}
}

func TestAFairSplitWatchedAllTheTimeIsRarelyCalledUnfair(t *testing.T) {
	const runs, units = 1000, 3000
	wrong := 0
	for run := range runs {
		rnd := rand.New(rand.NewPCG(uint64(run), 4))
		var p Running
		seen := []int64{0, 0}
		for range units {
			seen[rnd.IntN(2)]++
			p.Hear(LogSampleRatio(seen, []float64{1, 1}))
		}
		if p.P() <= .05 {
			wrong++
		}
	}
	if wrong > runs*5/100 {
		t.Errorf("%d of %d fair splits", wrong, runs)
	}
}

func TestEvidenceOnlyGrowsWhileItRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r Running
		last := 1.0
		for _, log := range rapid.SliceOf(rapid.Float64()).Draw(t, "logs") {
			r.Hear(log)
			if p := r.P(); !(p >= 0 && p <= last) {
				t.Fatalf("p went from %g to %g", last, p)
			}
			last = r.P()
		}
	})
}
