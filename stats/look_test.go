package stats

import (
	"math"
	"testing"

	"github.com/go-json-experiment/json"
)

// The definition evaluated in 40-digit arithmetic: a look at six units, at a level of .02.
func TestALookFollowsItsDefinition(t *testing.T) {
	var l look
	var all Moments
	for _, c := range []struct {
		treated    bool
		y, pi, log float64
	}{
		{true, 1, .5, 0},
		{false, 0, .5, 0},
		{true, 2.5, .5, 0.4736624233850455},
		{true, 0, .8, -1.510166900968558892},
		{false, -1, .8, 0.0991144171732053},
		{false, 1, .8, 0.0991144171732053},
		{true, 3, .9, 0.0991144171732053},
	} {
		all.Add(c.y)
		l.observe(met{c.treated, c.y - all.Mean, all.Variance(), c.pi}, 6, .02)
		near(t, "log e", l.Log, c.log)
	}
	if l.N != 6 {
		t.Errorf("%d units", l.N)
	}
}

func TestALookThatRejectsIsWorthOneOverItsLevel(t *testing.T) {
	var l look
	var all Moments
	for i := range 200 {
		y := float64(i % 2)
		all.Add(y)
		l.observe(met{i%2 == 1, y - all.Mean, all.Variance(), .5}, 200, .01)
	}
	if e := math.Exp(l.Log); e < 50 || e > 200 {
		t.Errorf("an e-value of %g", e)
	}
}

// What is known of an experiment has to be written down, whatever was measured.
func TestEvidenceOfEnormousOutcomesIsANumber(t *testing.T) {
	for _, big := range []float64{1e9, 1e100, 1e200, math.MaxFloat64} {
		var e Evidence
		for i := range 50 {
			e.Observe(i%3 == 0, big*float64(i%2*2-1), .5)
		}
		if p := e.P(); math.IsNaN(e.Log) || !(p >= 0 && p <= 1) {
			t.Errorf("%g: log e = %g, p = %g", big, e.Log, p)
		}
		if _, err := json.Marshal(e); err != nil {
			t.Errorf("%g: %v", big, err)
		}
	}
}

func TestEvidenceForTheSurestIsANumber(t *testing.T) {
	for _, level := range []float64{1e-9, 1e-16, math.SmallestNonzeroFloat64} {
		e := Evidence{Level: level}
		for i := range 5_000 {
			e.Observe(i%2 == 0, float64(i%2), .5)
		}
		if _, err := json.Marshal(e); err != nil || math.IsNaN(e.Log) || e.P() > level && level > 1e-300 {
			t.Errorf("at a level of %g: log e = %g, %v", level, e.Log, err)
		}
	}
}
