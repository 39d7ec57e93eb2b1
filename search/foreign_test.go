package search

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Somebody else's terms, stems, frequencies and sums come to the same scores: what is
// wrong in both this package and its tests alike would show here.
func TestScoresAreThoseThatAnotherProgramComputes(t *testing.T) {
	data, err := os.ReadFile("testdata/scores.txt")
	if err != nil {
		t.Fatal(err)
	}
	docs, _ := relevance(t)
	all := make([]Doc, 0, len(docs))
	for _, d := range docs {
		d.Posterior = 1
		all = append(all, d)
	}
	snapshot := indexOf(all...).Snapshot()
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[3:]
	for i := 0; i < len(lines); i += 2 {
		query := strings.TrimPrefix(lines[i], "? ")
		want := strings.FieldsFunc(lines[i+1], func(r rune) bool { return r == ',' })
		hits := snapshot.Search(Query{Text: query}).Hits
		if len(hits) != len(want) {
			t.Errorf("%s: %d hits, want %s", query, len(hits), lines[i+1])
			continue
		}
		for n, hit := range hits {
			id, text, _ := strings.Cut(strings.TrimSpace(want[n]), " ")
			score, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			if hit.ID != id || math.Abs(hit.Score-score) > 2e-5 || hit.Text != hit.Score {
				t.Errorf("%s: hit %d is %s with %.5f, want %s", query, n+1, hit.ID, hit.Score, want[n])
			}
		}
	}
	if len(lines) < 60 {
		t.Errorf("%d lines", len(lines))
	}
}
