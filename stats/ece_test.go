package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestECEWeighsTheGapOfEachBin(t *testing.T) {
	samples := []Sample{{.15, false}, {.95, true}, {.95, false}, {.75, true}, {.25, false}, {.35, true}}
	width, _ := ECEByWidth(samples, 2)
	near(t, "two bins by width", width, (.25+.65)/6) // .75−1 below one half, 2.65−2 above
	mass, _ := ECEByMass(samples, 3)
	near(t, "three bins by mass", mass, (.4+.9+.9)/6) // .4−0, 1.1−2, 1.9−1
}

func TestEqualConfidencesShareABin(t *testing.T) {
	same := []Sample{{.7, true}, {.7, false}, {.7, true}, {.7, false}}
	got, _ := ECEByMass(same, 4)
	near(t, "ece", got, .2)
}

func TestECEOfNothingIsUndefined(t *testing.T) {
	for _, ece := range []func([]Sample, int) (float64, bool){ECEByWidth, ECEByMass} {
		for _, samples := range [][]Sample{nil, {{math.NaN(), true}}} {
			if got, defined := ece(samples, 10); defined || got != 0 {
				t.Errorf("%v: %g, %t", samples, got, defined)
			}
		}
		if got, defined := ece([]Sample{{.5, true}}, 0); defined || got != 0 {
			t.Errorf("no bins: %g, %t", got, defined)
		}
	}
}

func TestECEDoesNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var samples []Sample
		for _, d := range decisions(t) {
			samples = append(samples, Sample{d.confidence, d.kept})
		}
		bins := rapid.IntRange(1, 40).Draw(t, "bins")
		shuffled := rapid.Permutation(samples).Draw(t, "shuffled")
		for _, ece := range []func([]Sample, int) (float64, bool){ECEByWidth, ECEByMass} {
			got, _ := ece(samples, bins)
			if again, _ := ece(shuffled, bins); again != got || !(0 <= got && got <= 1+1e-12) {
				t.Fatalf("%g, shuffled %g", got, again)
			}
		}
	})
}
