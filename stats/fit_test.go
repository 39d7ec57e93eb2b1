package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Zeros of the gradient in digammas of 40 digits; the last set is decisions per
// rule of a real correction corpus.
func TestFitBetaFindsTheMostLikelyPrior(t *testing.T) {
	for _, c := range []struct {
		kept, n []int64
		want    Beta
	}{
		{[]int64{18, 3, 40, 0, 7, 11, 2, 1, 25, 60}, []int64{20, 12, 50, 5, 7, 30, 2, 9, 40, 61},
			Beta{0.8085260699041114, 0.5309208141372211}},
		{[]int64{0, 1, 1, 0, 2, 5, 0, 1}, []int64{1, 1, 2, 3, 2, 6, 4, 1},
			Beta{0.4760755530080745, 0.4839131746266082}},
		{[]int64{800, 820, 700, 5000, 91, 3}, []int64{1000, 1000, 900, 6000, 100, 10},
			Beta{121.6003228006972, 28.37251261351486}},
		{[]int64{36, 6, 0, 21, 7, 19, 1, 14, 1, 2, 1, 4, 13, 1, 11, 1, 1, 135, 81},
			[]int64{62, 12, 5, 63, 16, 53, 1, 30, 7, 3, 2, 4, 20, 6, 18, 1, 5, 243, 149},
			Beta{14.90232229524025, 16.14613082884289}},
	} {
		got, ok := FitBeta(c.kept, c.n)
		if !ok {
			t.Errorf("%v of %v: no prior", c.kept, c.n)
		}
		near(t, "relative A", got.A/c.want.A, 1)
		near(t, "relative B", got.B/c.want.B, 1)
	}
}

func TestGroupsWithoutSpreadHaveNoPrior(t *testing.T) {
	for name, g := range map[string]struct{ kept, n []int64 }{
		"no groups":       {},
		"all empty":       {[]int64{0, 0}, []int64{0, 0}},
		"one group":       {[]int64{6}, []int64{10}},
		"all alike":       {[]int64{5, 5, 5, 5}, []int64{10, 10, 10, 10}},
		"single outcomes": {[]int64{0, 1, 1, 0}, []int64{1, 1, 1, 1}},
		"all pure":        {[]int64{0, 10, 0, 10}, []int64{10, 10, 10, 10}},
		"all kept":        {[]int64{3, 9}, []int64{3, 9}},
		"none kept":       {[]int64{0, 0}, []int64{3, 9}},
		"unequal lengths": {[]int64{1, 2}, []int64{4}},
		"negative":        {[]int64{-1, 2}, []int64{4, 4}},
		"more than all":   {[]int64{1, 5}, []int64{4, 4}},
	} {
		if got, ok := FitBeta(g.kept, g.n); ok || got != (Beta{}) {
			t.Errorf("%s: %v, %t", name, got, ok)
		}
	}
}

func TestSingleOutcomesSayNothingOfSpread(t *testing.T) {
	for groups := 2; groups < 60; groups++ {
		kept, n := make([]int64, groups), make([]int64, groups)
		for i := range n {
			n[i] = 1
		}
		for i := range groups - 1 {
			kept[i] = 1
			if got, ok := FitBeta(kept, n); ok {
				t.Errorf("%d of %d groups kept their only one: %v", i+1, groups, got)
			}
		}
	}
}

func TestTheFittedPriorIsAMaximumInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var kept, n []int64
		for range rapid.IntRange(2, 12).Draw(t, "groups") {
			n = append(n, rapid.Int64Range(0, 40).Draw(t, "n"))
			kept = append(kept, rapid.Int64Range(0, n[len(n)-1]).Draw(t, "kept"))
		}
		prior, ok := FitBeta(kept, n)
		if !ok {
			return
		}
		best := likelihood(prior, kept, n)
		for _, step := range []Beta{{1.01, 1}, {.99, 1}, {1, 1.01}, {1, .99}, {1.02, 1.02}, {.98, .98}} {
			if near := likelihood(Beta{prior.A * step.A, prior.B * step.B}, kept, n); near > best+1e-9 {
				t.Fatalf("%v is beaten by %v: %g over %g", prior, step, near, best)
			}
		}
		last := len(n) - 1
		n[0], n[last], kept[0], kept[last] = n[last], n[0], kept[last], kept[0]
		if again, _ := FitBeta(kept, n); again != prior {
			t.Fatalf("reordered: %v, was %v", again, prior)
		}
	})
}

func TestAnyCountsGiveAPriorOrNone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kept, n := []int64{}, []int64{}
		for range rapid.IntRange(0, 5).Draw(t, "groups") {
			n = append(n, rapid.Int64Min(0).Draw(t, "n"))
			kept = append(kept, rapid.Int64Range(0, n[len(n)-1]).Draw(t, "kept"))
		}
		prior, ok := FitBeta(kept, n)
		if strength := prior.A + prior.B; ok && !(prior.A > 0 && prior.B > 0 && strength >= weakest && strength <= strongest) || !ok && prior != (Beta{}) {
			t.Fatalf("%v of %v: %v, %t", kept, n, prior, ok)
		}
	})
}

// likelihood is the log of the beta-binomial probability, but for a constant.
func likelihood(b Beta, kept, n []int64) float64 {
	var total float64
	for i := range n {
		for j := range kept[i] {
			total += math.Log(b.A + float64(j))
		}
		for j := range n[i] - kept[i] {
			total += math.Log(b.B + float64(j))
		}
		for j := range n[i] {
			total -= math.Log(b.A + b.B + float64(j))
		}
	}
	return total
}

func TestHarmonicSumsAreTheirTerms(t *testing.T) {
	for _, a := range []float64{1e-3, .7, 3, 19.5, 20, 1234.5, 1e6} {
		for _, n := range []int64{0, 1, 2, 19, 20, 21, 300, 100_000} {
			var want float64
			for j := n - 1; j >= 0; j-- {
				want += 1 / (a + float64(j))
			}
			if got := harmonic(a, n); math.Abs(got-want) > 1e-13*(1+want) {
				t.Errorf("%d terms from %g: %.17g, want %.17g", n, a, got, want)
			}
		}
	}
}

func BenchmarkFitBetaOfAThousandRules(b *testing.B) {
	kept, n := make([]int64, 1000), make([]int64, 1000)
	for i := range n {
		n[i] = int64(i*i%977) + 1
		kept[i] = n[i] * int64(i%11) / 11
	}
	for b.Loop() {
		FitBeta(kept, n)
	}
}
