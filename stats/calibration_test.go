package stats

import (
	"math"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

func TestBinsAreEquallyWideAndTheLastIsClosed(t *testing.T) {
	for _, c := range []struct {
		p         float64
		bins, bin int
	}{
		{0, 13, 0}, {1, 13, 12}, {.5, 13, 6}, {.999999, 13, 12}, {.0769, 13, 0}, {.0770, 13, 1},
		{.5, 10, 5}, {.7, 10, 7}, {.8, 10, 8}, {.59999, 10, 5}, {1, 10, 9}, {1, 1, 0},
		{-3, 13, 0}, {7, 13, 12}, {math.NaN(), 13, 0}, {math.Inf(1), 13, 12}, {.5, 0, 0}, {.5, -2, 0},
	} {
		if got := Bin(c.p, c.bins); got != c.bin {
			t.Errorf("%g of %d: bin %d, want %d", c.p, c.bins, got, c.bin)
		}
	}
}

// Three decisions at .9, .6 and .25, of which the first and last were kept.
func TestCalibrationScoresDecisionsByHand(t *testing.T) {
	var c Calibration
	c.Add(.9, true, 1)
	c.Add(.6, false, 1)
	c.Add(.25, true, 1)
	for _, score := range []struct {
		name string
		of   func() (float64, bool)
		want float64
	}{
		{"brier", c.Brier, (.01 + .36 + .5625) / 3},
		{"ece", c.ECE, (.1 + .6 + .75) / 3},
		{"confidence accuracy", c.ConfidenceAccuracy, 2.0 / 3},
	} {
		got, defined := score.of()
		if !defined {
			t.Errorf("%s is undefined", score.name)
		}
		near(t, score.name, got, score.want)
	}
}

func TestWithoutDecisionsNothingIsMeasured(t *testing.T) {
	var none, nan Calibration
	nan.Add(math.NaN(), true, 1)
	if nan != none {
		t.Errorf("a confidence that was not stated counts: %v", nan)
	}
	for name, score := range map[string]func() (float64, bool){
		"brier": none.Brier, "ece": none.ECE, "accuracy": none.ConfidenceAccuracy,
	} {
		if got, defined := score(); defined || got != 0 {
			t.Errorf("%s = %g, %t", name, got, defined)
		}
	}
}

func TestExactlyFourFifthsPredictsKept(t *testing.T) {
	var c Calibration
	c.Add(.8, true, 1)
	c.Add(.79999, true, 1)
	c.Add(.799999, false, 1) // rounds to .8 in 1e-5, but is less
	if c.Hits != 2 {
		t.Errorf("%d hits, want 2", c.Hits)
	}
}

func TestSparseRulesBorrowFromAllOthers(t *testing.T) {
	var rule, global Calibration
	near(t, "no data at all", rule.Calibrate(.9, &global), .9)
	near(t, "nobody to borrow from", (*Calibration)(nil).Calibrate(.9, nil), .9)
	global.Add(.9, true, 30)
	global.Add(.9, false, 60)
	general := (30 + 10*.9) / 100
	near(t, "the global bin", rule.Calibrate(.9, &global), general)
	rule.Add(.9, true, 5)
	near(t, "five of the rule's own", rule.Calibrate(.9, &global), (5+10*general)/15)
	near(t, "another bin", rule.Calibrate(.3, &global), .3)
	near(t, "the rule alone", rule.Calibrate(.9, nil), (5+10*.9)/15)
}

type decision struct {
	confidence float64
	kept       bool
}

func decisions(t *rapid.T) []decision {
	return rapid.SliceOf(rapid.Custom(func(t *rapid.T) decision {
		p := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 1), rapid.Just(math.NaN()))
		return decision{p.Draw(t, "confidence"), rapid.Bool().Draw(t, "kept")}
	})).Draw(t, "decisions")
}

func TestWhatIsTakenBackLeavesNoTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Calibration
		var r Reliability
		all := decisions(t)
		for _, d := range all {
			c.Add(d.confidence, d.kept, 1)
			r.Add(d.confidence, d.kept, 1)
		}
		for _, d := range rapid.Permutation(all).Draw(t, "taken back") {
			c.Add(d.confidence, d.kept, -1)
			r.Add(d.confidence, d.kept, -1)
		}
		if c != (Calibration{}) || r != (Reliability{}) {
			t.Fatalf("left: %v %v", c, r)
		}
	})
}

func TestAnySplitAndOrderMergesToTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := decisions(t)
		cut := rapid.IntRange(0, len(all)).Draw(t, "cut")
		whole, wholeTable := tallied(all)
		left, leftTable := tallied(all[:cut])
		right, rightTable := tallied(all[cut:])
		joined, joinedTable := right, rightTable
		joined.Merge(left, 1)
		joinedTable.Merge(leftTable, 1)
		if joined != whole || joinedTable != wholeTable {
			t.Fatalf("%v %v, want %v %v", joined, joinedTable, whole, wholeTable)
		}
		joined.Merge(left, -1)
		joinedTable.Merge(leftTable, -1)
		if joined != right || joinedTable != rightTable {
			t.Fatalf("taken apart: %v %v, want %v %v", joined, joinedTable, right, rightTable)
		}
	})
}

func tallied(all []decision) (c Calibration, r Reliability) {
	for _, d := range all {
		c.Add(d.confidence, d.kept, 1)
		r.Add(d.confidence, d.kept, 1)
	}
	return c, r
}

func TestEveryScoreIsARate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule, _ := tallied(decisions(t))
		global, table := tallied(decisions(t))
		for _, score := range []func() (float64, bool){rule.Brier, rule.ECE, rule.ConfidenceAccuracy} {
			if got, defined := score(); !(0 <= got && got <= 1) || defined != (rule.Count() > 0) {
				t.Fatalf("%g, %t of %d", got, defined, rule.Count())
			}
		}
		p := rapid.Float64().Draw(t, "p")
		if got := rule.Calibrate(p, &global); !(0 <= got && got <= 1) {
			t.Fatalf("%g calibrates to %g", p, got)
		}
		for _, bin := range table.Bins() {
			if bin.N < 1 || !(0 <= bin.MeanConfidence && bin.MeanConfidence <= 1 && 0 <= bin.Kept && bin.Kept <= 1) {
				t.Fatalf("%+v", bin)
			}
		}
	})
}

func TestTheReliabilityTableListsOnlyBinsInUse(t *testing.T) {
	var r Reliability
	r.Add(1, true, 2)
	r.Add(.95, false, 2)
	r.Add(.31, false, 1)
	want := []ReliabilityBin{{"0.3-0.4", 1, .31, 0}, {"0.9-1.0", 4, .975, .5}}
	if got := r.Bins(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestCalibrationSurvivesCanonicalJSON(t *testing.T) {
	var c, back Calibration
	c.Add(.00001, true, 900_000_001)
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := (*jsontext.Value)(&text).Canonicalize(); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &back); err != nil || back != c {
		t.Errorf("%s: %v, want %v (%v)", text, back, c, err)
	}
}

func FuzzCalibrationTakesBack(f *testing.F) {
	f.Add(.75, true, int64(1))
	f.Add(math.Inf(-1), false, int64(-3))
	f.Fuzz(func(t *testing.T, confidence float64, kept bool, weight int64) {
		var c Calibration
		c.Add(confidence, kept, weight)
		c.Add(confidence, kept, -weight)
		if c != (Calibration{}) {
			t.Errorf("left: %v", c)
		}
	})
}

func BenchmarkCalibrationAdd(b *testing.B) {
	var c Calibration
	for b.Loop() {
		c.Add(.8123, true, 1)
	}
}
