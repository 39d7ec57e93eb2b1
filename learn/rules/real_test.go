package rules_test

import (
	"bytes"
	"cmp"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/rules"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
)

var realFiles = []string{"golint_cli", "r3_system_edits", "ua_gec_train", "mlqe_pe_dev"}

// expected are figures that somebody else computed.
type expected struct {
	FixFeedback rules.Block `json:"fix_feedback"`
}

func TestRealFeedbackGivesTheFiguresThatOthersComputed(t *testing.T) {
	for _, name := range realFiles {
		t.Run(name, func(t *testing.T) {
			want := readExpected(t, name)
			compareBlocks(t, want, statistics(t, realLoop(t, name, privacy.Full), rules.Filter{}).FixFeedback)
		})
	}
}

func TestMaskingChangesNoFigureOfRealFeedback(t *testing.T) {
	for _, name := range realFiles {
		for _, mode := range []privacy.Mode{privacy.Pattern, privacy.Strict} {
			t.Run(name+" "+string(mode), func(t *testing.T) {
				want := readExpected(t, name)
				got := statistics(t, realLoop(t, name, mode), rules.Filter{}).FixFeedback
				compareBlocks(t, withoutTexts(want), withoutTexts(got))
			})
		}
	}
}

func TestFilteredStatisticsOfRealFeedbackAreThoseOfTheRowsWhereNothingIsLeftOut(t *testing.T) {
	for _, name := range realFiles {
		t.Run(name, func(t *testing.T) {
			l := realLoop(t, name, privacy.Full)
			all := statistics(t, l, rules.Filter{}).FixFeedback
			scanned := statistics(t, l, rules.Filter{From: when(0).AddDate(-50, 0, 0)}).FixFeedback
			compareBlocks(t, all, scanned)
			bulky := statistics(t, l, rules.Filter{ExcludeBulk: true}).FixFeedback
			compareJSON(t, all.OverallExcludingBulk, bulky.Overall)
		})
	}
}

// compareBlocks compares rates at 1e-6 and all else exactly. Remarks of one count
// have no order that everybody agrees on.
func compareBlocks(t *testing.T, want, got rules.Block) {
	t.Helper()
	for id, comments := range want.TopRejectionComments {
		if a, b := countsOf(comments), countsOf(got.TopRejectionComments[id]); a != b {
			t.Errorf("remarks of %s: want counts %s, got %s", id, a, b)
		}
	}
	if len(want.TopRejectionComments) != len(got.TopRejectionComments) {
		t.Errorf("want remarks of %d rules, got %d", len(want.TopRejectionComments), len(got.TopRejectionComments))
	}
	want.TopRejectionComments, got.TopRejectionComments = nil, nil
	compareJSON(t, want, got)
}

func countsOf(comments []rules.Comment) string {
	var counts []any
	for _, c := range comments {
		counts = append(counts, c[1])
	}
	data, err := json.Marshal(counts)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func withoutTexts(b rules.Block) rules.Block {
	patterns := map[string]rules.PatternsOfRule{}
	for id, p := range b.Patterns {
		p.Accepted, p.Rejected = nil, nil
		patterns[id] = p
	}
	b.Patterns = patterns
	return b
}

func compareJSON(t *testing.T, want, got any) {
	t.Helper()
	differ(t, "", loose(t, want), loose(t, got))
}

func loose(t *testing.T, v any) any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// differ reports where two JSON values differ.
func differ(t *testing.T, at string, want, got any) {
	t.Helper()
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for name := range w {
			differ(t, at+"/"+name, w[name], g[name])
		}
		for name := range g {
			if _, ok := w[name]; !ok {
				t.Errorf("%s/%s: got %v, want none", at, name, g[name])
			}
		}
	case []any:
		g, _ := got.([]any)
		if len(w) != len(g) {
			t.Errorf("%s: want %v, got %v", at, want, got)
			return
		}
		for i := range w {
			differ(t, at+"/"+strings.Repeat("i", i+1), w[i], g[i])
		}
	case float64:
		if g, ok := got.(float64); !ok || math.Abs(w-g) > 1e-6 {
			t.Errorf("%s: want %v, got %v", at, want, got)
		}
	default:
		if want != got {
			t.Errorf("%s: want %v, got %v", at, want, got)
		}
	}
}

func realLoop(t *testing.T, name string, mode privacy.Mode) *learntest.Loop {
	t.Helper()
	l := &learntest.Loop{Models: []learn.Model{rules.Model()}, Mode: mode, Partitions: 5}
	for line := range bytes.Lines(readReal(t, name+".jsonl")) {
		var e struct {
			learntest.Event `json:",inline"`
			Type            string         `json:"type"`
			Rest            map[string]any `json:",unknown"` //nolint:tagliatelle // no name, an option
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		e.Kind, _ = events.KindOf(e.Type)
		if err := l.Hear(e.Event); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func statistics(t *testing.T, l *learntest.Loop, filter rules.Filter) rules.Statistics {
	t.Helper()
	parts, err := learntest.Ask[rules.Part](l, rules.Model(), rules.AskStatistics, filter)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := learntest.Ask[rules.Texts](l, rules.Model(), rules.AskTexts, rules.TextsArgs{Filter: filter, Rules: rules.Loudest(parts)})
	if err != nil {
		t.Fatal(err)
	}
	return rules.Merge(parts, texts)
}

func readExpected(t *testing.T, name string) rules.Block {
	t.Helper()
	var e expected
	if err := json.Unmarshal(readReal(t, filepath.Join("expected", name+".json")), &e); err != nil {
		t.Fatal(err)
	}
	return e.FixFeedback
}

// readReal reads a file of real events, or skips.
func readReal(t *testing.T, name string) []byte {
	t.Helper()
	dir := cmp.Or(os.Getenv("LEARNLOOP_TESTDATA"), filepath.Join("..", "..", "..", "shared", "data"))
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skipf("real events are not here: set LEARNLOOP_TESTDATA (%v)", err)
	}
	return data
}
