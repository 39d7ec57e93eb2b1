package stats

import (
	"math"
	"math/big"
	"testing"
)

func TestRoundTakesHalvesAwayFromZero(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   float64
	}{
		{.125, 2, .13}, {-.125, 2, -.13}, {2.5, 0, 3}, {-2.5, 0, -3}, {.5, 0, 1},
		{1.005, 2, 1}, {.15, 1, .1}, {.35, 1, .3}, {2.675, 2, 2.67}, {.45, 1, .5}, // what these are held as
		{2.0 / 3, 4, .6667}, {.8421052631578947, 6, .842105}, {.1, 15, .1}, {.3, 40, .3}, {7, -3, 7},
		{1e300, 4, 1e300}, {-1e300, 4, -1e300}, {5e-324, 15, 0},
	} {
		if got := Round(c.x, c.digits); got != c.want {
			t.Errorf("%.17g to %d digits: %.17g, want %g", c.x, c.digits, got, c.want)
		}
	}
}

func TestRoundNeverGivesNegativeZero(t *testing.T) {
	for _, x := range []float64{-.001, math.Copysign(0, -1), -5e-324} {
		if got := Round(x, 2); got != 0 || math.Signbit(got) {
			t.Errorf("%g becomes %g", x, got)
		}
	}
}

func TestWhatHasNoDigitsIsNotRounded(t *testing.T) {
	if got := Round(math.NaN(), 2); !math.IsNaN(got) {
		t.Errorf("NaN becomes %g", got)
	}
	if got := Round(math.Inf(-1), 2); !math.IsInf(got, -1) {
		t.Errorf("-Inf becomes %g", got)
	}
}

func FuzzRoundIsTheExactDecimal(f *testing.F) {
	for _, x := range []float64{.5, -.125, 1.005, 2.675, 4503599627370495.5, 1e-7, 123456.7890625} {
		f.Add(x, uint8(2))
		f.Add(x, uint8(6))
	}
	f.Fuzz(func(t *testing.T, x float64, digits uint8) {
		places := int(digits % 16)
		got := Round(x, places)
		if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x)*math.Pow10(places) >= 1<<52 {
			return
		}
		// The decimals of a rational: big.Rat rounds halves away from zero.
		text := new(big.Rat).SetFloat64(x).FloatString(places)
		exact, _ := new(big.Rat).SetString(text)
		want, _ := exact.Float64()
		if got != want || math.Signbit(got) && got == 0 {
			t.Errorf("%.17g to %d: %.17g, want %.17g", x, places, got, want)
		}
		if again := Round(got, places); again != got {
			t.Errorf("%.17g rounds on to %.17g", got, again)
		}
	})
}
