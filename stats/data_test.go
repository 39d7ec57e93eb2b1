package stats

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
)

// fix is what calibration needs of a feedback.fix event.
type fix struct {
	Rule       string   `json:"rule_id"`
	Decision   string   `json:"decision"`
	Confidence *float64 `json:"original_confidence"`
}

// opinion says whether the decision is one about a stated confidence.
func (f fix) opinion() bool { return f.Decision != "skipped" && f.Confidence != nil }

func (f fix) kept() bool { return f.Decision == "accepted" || f.Decision == "modified" }

type expectation struct {
	Feedback struct {
		Overall     aggregate            `json:"overall"`
		ByRule      map[string]aggregate `json:"by_rule"`
		Calibration struct {
			N     int64                  `json:"n"`
			Brier float64                `json:"brier"`
			Bins  map[string]expectedBin `json:"bins"`
		} `json:"calibration"`
	} `json:"fix_feedback"`
}

type aggregate struct {
	ConfidenceAccuracy *float64 `json:"confidence_accuracy"`
}

type expectedBin struct {
	N              int64   `json:"n"`
	MeanConfidence float64 `json:"mean_confidence"`
	Kept           float64 `json:"kept"`
}

// Real decisions. Their expected aggregates come from an independent
// implementation, these three calibration errors from exact fractions.
var corpora = []struct {
	name                     string
	width13, width10, mass10 float64
}{
	{"golint_cli", 0.13949413533834587, 0.13605834586466165, 0.1423187969924812},
	{"r3_system_edits", 0.11632360774818402, 0.11863111380145279, 0.12799358353510895},
	{"ua_gec_train", 0.2463007142857143, 0.25133957142857144, 0.25147585714285714},
	{"mlqe_pe_dev", 0.17217857142857143, 0.17217857142857143, 0.17217857142857143},
}

func TestRealDecisionsGiveTheExpectedCalibration(t *testing.T) {
	for _, corpus := range corpora {
		t.Run(corpus.name, func(t *testing.T) {
			all, want := fixes(t, corpus.name), expected(t, corpus.name).Feedback.Calibration
			c, table := overall(all)
			if c.Count() != want.N {
				t.Errorf("%d decisions, want %d", c.Count(), want.N)
			}
			if brier, _ := c.Brier(); Round(brier, 6) != want.Brier {
				t.Errorf("brier %.9f, want %g", brier, want.Brier)
			}
			got := map[string]expectedBin{}
			for _, bin := range table.Bins() {
				got[bin.Range] = expectedBin{bin.N, Round(bin.MeanConfidence, 4), Round(bin.Kept, 4)}
			}
			if !maps.Equal(got, want.Bins) {
				t.Errorf("bins %v, want %v", got, want.Bins)
			}
		})
	}
}

func TestRealDecisionsGiveTheExpectedConfidenceAccuracy(t *testing.T) {
	for _, corpus := range corpora {
		t.Run(corpus.name, func(t *testing.T) {
			all, want := fixes(t, corpus.name), expected(t, corpus.name).Feedback
			c, _ := overall(all)
			sameAccuracy(t, "overall", &c, want.Overall)
			rules := map[string]*Calibration{}
			for _, f := range all {
				count(rules, f)
			}
			if len(rules) != len(want.ByRule) {
				t.Errorf("%d rules, want %d", len(rules), len(want.ByRule))
			}
			for rule, c := range rules {
				sameAccuracy(t, rule, c, want.ByRule[rule])
			}
		})
	}
}

func TestRealDecisionsGiveTheExpectedCalibrationError(t *testing.T) {
	for _, corpus := range corpora {
		t.Run(corpus.name, func(t *testing.T) {
			all := fixes(t, corpus.name)
			c, _ := overall(all)
			var samples []Sample
			for _, f := range all {
				if f.opinion() {
					samples = append(samples, Sample{*f.Confidence, f.kept()})
				}
			}
			stored, _ := c.ECE()
			near(t, "stored bins", stored, corpus.width13)
			width13, _ := ECEByWidth(samples, Bins)
			near(t, "13 bins by width", width13, corpus.width13)
			width10, _ := ECEByWidth(samples, 10)
			near(t, "10 bins by width", width10, corpus.width10)
			mass10, _ := ECEByMass(samples, 10)
			near(t, "10 bins by mass", mass10, corpus.mass10)
		})
	}
}

// Each decision is predicted from those before it, its own rule's and all rules'.
func TestCalibratedConfidencePredictsRealDecisionsBetter(t *testing.T) {
	for _, corpus := range corpora {
		t.Run(corpus.name, func(t *testing.T) {
			var global, stated, calibrated Calibration
			rules := map[string]*Calibration{}
			for _, f := range fixes(t, corpus.name) {
				if !f.opinion() {
					continue
				}
				stated.Add(*f.Confidence, f.kept(), 1)
				calibrated.Add(rules[f.Rule].Calibrate(*f.Confidence, &global), f.kept(), 1)
				count(rules, f)
				global.Add(*f.Confidence, f.kept(), 1)
			}
			before, _ := stated.Brier()
			after, _ := calibrated.Brier()
			gapBefore, _ := stated.ECE()
			gapAfter, _ := calibrated.ECE()
			t.Logf("brier %.4f -> %.4f, ece %.4f -> %.4f", before, after, gapBefore, gapAfter)
			if after >= before || gapAfter >= gapBefore {
				t.Error("calibration does not help")
			}
		})
	}
}

func overall(all []fix) (c Calibration, table Reliability) {
	for _, f := range all {
		if f.opinion() {
			c.Add(*f.Confidence, f.kept(), 1)
			table.Add(*f.Confidence, f.kept(), 1)
		}
	}
	return c, table
}

func count(rules map[string]*Calibration, f fix) {
	if rules[f.Rule] == nil {
		rules[f.Rule] = new(Calibration)
	}
	if f.opinion() {
		rules[f.Rule].Add(*f.Confidence, f.kept(), 1)
	}
}

func sameAccuracy(t *testing.T, name string, c *Calibration, want aggregate) {
	t.Helper()
	got, defined := c.ConfidenceAccuracy()
	if defined != (want.ConfidenceAccuracy != nil) {
		t.Errorf("%s: defined %t, want %v", name, defined, want.ConfidenceAccuracy)
	} else if defined && Round(got, 6) != *want.ConfidenceAccuracy {
		t.Errorf("%s: confidence accuracy %.9f, want %g", name, got, *want.ConfidenceAccuracy)
	}
}

func fixes(t *testing.T, name string) []fix {
	t.Helper()
	var all []fix
	for line := range bytes.Lines(sample(t, name+".jsonl")) {
		var event struct {
			Data fix `json:"data"`
		}
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatalf("decode event %d of %s: %v", len(all), name, err)
		}
		all = append(all, event.Data)
	}
	return all
}

func expected(t *testing.T, name string) (e expectation) {
	t.Helper()
	if err := json.Unmarshal(sample(t, filepath.Join("expected", name+".json")), &e); err != nil {
		t.Fatalf("decode expectation of %s: %v", name, err)
	}
	return e
}

// sample reads a file of the test data, which is not part of the repository.
func sample(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(cmp.Or(os.Getenv("LEARNLOOP_TESTDATA"), "../../shared/data"), path))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no test data (set LEARNLOOP_TESTDATA): %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}
