package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestManyEValuesAreRejectedByTheirRank(t *testing.T) {
	// Of five at .05 the best needs 100, the second 50, the third 33.3, …
	for _, c := range []struct {
		e    []float64
		want []bool
	}{
		{[]float64{1, 99, 2, 3, 4}, []bool{false, false, false, false, false}},
		{[]float64{1, 100, 2, 3, 4}, []bool{false, true, false, false, false}},
		{[]float64{60, 60, 2, 3, 4}, []bool{true, true, false, false, false}},
		{[]float64{20, 20, 20, 20, 20}, []bool{true, true, true, true, true}},
		{nil, []bool{}},
	} {
		var logs []float64
		for _, e := range c.e {
			logs = append(logs, math.Log(e)+1e-12)
		}
		if got := EBH(logs, .05); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.e, got, c.want)
		}
	}
}

// Worked by hand from the definitions.
func TestAdjustedPValues(t *testing.T) {
	p := []float64{.01, .04, .03, .005, .6}
	for what, c := range map[string]struct{ got, want []float64 }{
		"holm": {Holm(p), []float64{.04, .09, .09, .025, .6}},
		"bh":   {BH(p), []float64{.025, .05, .05, .025, .6}},
	} {
		for i := range p {
			near(t, what, c.got[i], c.want[i])
		}
	}
}

func TestAdjustingKeepsTheOrderAndNeverLowersAPValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "p")
		holm, bh := Holm(p), BH(p)
		for i := range p {
			if holm[i] < bh[i]-1e-12 || bh[i] < p[i]-1e-12 || holm[i] > 1 {
				t.Fatalf("%g became %g and %g", p[i], bh[i], holm[i])
			}
			for j := range p {
				if p[i] < p[j] && (holm[i] > holm[j] || bh[i] > bh[j]) {
					t.Fatalf("%g and %g changed places", p[i], p[j])
				}
			}
		}
	})
}
