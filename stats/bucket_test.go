package stats

import (
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Computed in arbitrary-precision integers from the definition.
func TestABucketIsTheSameEverywhere(t *testing.T) {
	for _, c := range []struct {
		salt, unit string
		steps      int64 // of 2^-53
	}{
		{"", "", 6509561325161182},
		{"salt", "unit", 7756016274657460},
		{"exp-1", "användare", 1804241257761743},
		{"a", "b", 6033152331247009},
	} {
		if got, want := Bucket(c.salt, c.unit), float64(c.steps)/(1<<53); got != want {
			t.Errorf("%q %q: %.17g, want %.17g", c.salt, c.unit, got, want)
		}
	}
}

// Sequential names are the worst there are: with FNV-1a alone, two experiments
// on them agree always or never.
func TestBucketsAreEvenAndIndependentBetweenSalts(t *testing.T) {
	const units, cells = 40_000, 8
	var seen [cells][cells]int64
	for i := range units {
		unit := "user-" + strconv.Itoa(i)
		seen[int(Bucket("exp-1", unit)*cells)][int(Bucket("exp-2", unit)*cells)]++
	}
	var square float64
	const want = float64(units) / (cells * cells)
	for _, row := range seen {
		for _, n := range row {
			square += (float64(n) - want) * (float64(n) - want) / want
		}
	}
	const tooFar = 63 + 4*11.3 // four standard deviations above the mean of χ² with 63 degrees
	if square > tooFar {
		t.Errorf("χ² = %.1f over %d cells", square, cells*cells)
	}
}

func TestWideningNeverMovesAUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var arms []Ranges
		shares := make([]int64, rapid.IntRange(1, 5).Draw(t, "arms"))
		left := int64(Whole)
		for range 4 {
			for i := range shares {
				more := rapid.Int64Range(0, left/2).Draw(t, "more")
				shares[i], left = shares[i]+more, left-more
			}
			wider, ok := Widen(arms, shares)
			if !ok {
				t.Fatalf("%v cannot become %v", arms, shares)
			}
			check(t, arms, wider, shares)
			arms = wider
		}
	})
}

func check(t *rapid.T, before, after []Ranges, shares []int64) {
	for i := range 200 {
		bucket := Bucket("check", strconv.Itoa(i))
		holders := 0
		for arm, r := range after {
			if r.Hold(bucket) {
				holders++
			}
			if arm < len(before) && before[arm].Hold(bucket) && !r.Hold(bucket) {
				t.Fatalf("%g left arm %d", bucket, arm)
			}
		}
		if holders > 1 {
			t.Fatalf("%g is in %d arms of %v", bucket, holders, after)
		}
	}
	for i, r := range after {
		if r.Width() != shares[i] {
			t.Fatalf("arm %d has %d, want %d", i, r.Width(), shares[i])
		}
	}
}

func TestAnArmNeverShrinksAndNothingIsGivenTwice(t *testing.T) {
	arms, _ := Widen(nil, []int64{100_000, 100_000})
	for _, shares := range [][]int64{{50_000, 100_000}, {600_000, 500_000}, {100_000}, {100_000, 100_000, -1}} {
		if got, ok := Widen(arms, shares); ok {
			t.Errorf("%v became %v for %v", arms, got, shares)
		}
	}
	all, ok := Widen(arms, []int64{500_000, 500_000})
	if !ok || !all[0].Hold(.15) == !all[1].Hold(.15) || !all[1].Hold(math.Nextafter(1, 0)) {
		t.Errorf("all of it is %v", all)
	}
}
