package stats

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// won is a case that adopts the treatment.
func won() Case {
	return Case{
		Treatment: Moments{N: 200, Mean: .7, M2: 42}, Control: Moments{N: 200, Mean: .5, M2: 50},
		P: .001, Alpha: .05, RatioP: .8, Least: 100, Interval: &Interval{.02, .38},
	}
}

func TestVerdictsFollowTheirRules(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*Case)
		want  Advice
		why   string
	}{
		"better":             {func(*Case) {}, AdoptTreatment, "better"},
		"lower is better":    {func(c *Case) { c.LowerIsBetter = true }, KeepControl, "worse"},
		"worse":              {func(c *Case) { c.Treatment.Mean = .2 }, KeepControl, "worse"},
		"not shown":          {func(c *Case) { c.P = .05 }, ContinueTest, "no difference"},
		"too few":            {func(c *Case) { c.Control.N = 99 }, ContinueTest, "99 of the 100"},
		"an empty arm":       {func(c *Case) { c.Control = Moments{} }, ContinueTest, "no outcomes"},
		"unfairly filled":    {func(c *Case) { c.RatioP = .0009 }, ContinueTest, "assignment"},
		"a guardrail":        {func(c *Case) { c.Harmed = []string{"cost"} }, ContinueTest, "cost"},
		"time is up":         {func(c *Case) { c.P, c.Over = .3, true }, KeepControl, "end date"},
		"time is up, better": {func(c *Case) { c.Over = true }, AdoptTreatment, "better"},
		"useless":            {func(c *Case) { c.P, c.Useful = .3, new(.4) }, KeepControl, "smallest useful"},
		"maybe useful":       {func(c *Case) { c.P, c.Useful = .3, new(.3) }, ContinueTest, "no difference"},
		"boundless":          {func(c *Case) { c.P, c.Useful, c.Interval = .3, new(.3), nil }, ContinueTest, "no difference"},
	} {
		is := won()
		c.spoil(&is)
		if got := is.Decide(); got.Advice != c.want || !strings.Contains(got.Reason, c.why) {
			t.Errorf("%s: %s because %s", name, got.Advice, got.Reason)
		}
	}
}

// Worked by hand: .8 and .5 are pooled, and so are the two at .3.
func TestIsotonicRatesNeverFall(t *testing.T) {
	fit, ok := FitIsotonic([]Sample{{.1, false}, {.3, true}, {.3, false}, {.5, true}, {.8, false}, {.9, true}})
	if !ok {
		t.Fatal("no fit")
	}
	for _, c := range [][2]float64{{0, 0}, {.1, 0}, {.2, .25}, {.3, .5}, {.5, .5}, {.65, .5}, {.8, .5}, {.85, .75}, {.9, 1}, {1, 1}} {
		near(t, "rate", fit.At(c[0]), c[1])
	}
	if _, ok := FitIsotonic(nil); ok {
		t.Error("a fit of nothing")
	}
	rapid.Check(t, func(t *rapid.T) {
		var all []Sample
		for range rapid.IntRange(1, 30).Draw(t, "n") {
			all = append(all, Sample{rapid.Float64Range(0, 1).Draw(t, "p"), rapid.Bool().Draw(t, "kept")})
		}
		fit, _ := FitIsotonic(all)
		last := 0.0
		for x := 0.0; x <= 1; x += .01 {
			y := fit.At(x)
			if !(y >= last-1e-12 && y <= 1) {
				t.Fatalf("%g at %g after %g", y, x, last)
			}
			last = y
		}
	})
}

func TestACalibratorLearnsByKeyAndForgetsExactly(t *testing.T) {
	var c Calibrator
	near(t, "knows nothing", c.Calibrate("a", .9), .9)
	for range 1000 {
		c.Observe("a", .9, false, 1)
		c.Observe("b", .9, true, 1)
	}
	if low, high := c.Calibrate("a", .9), c.Calibrate("b", .9); low > .02 || high < .98 {
		t.Errorf("%g and %g", low, high)
	}
	near(t, "an unheard key has the rate of all", c.Calibrate("c", .9), (1000+10*.9)/2010)
	for range 1000 {
		c.Observe("a", .9, false, -1)
		c.Observe("b", .9, true, -1)
	}
	if len(c.keys) > 0 || c.all != (Calibration{}) {
		t.Errorf("%+v", c)
	}
}
