package learnings_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"learnloop.dev/learn/learnings"
	"learnloop.dev/stats"

	"pgregory.net/rapid"
)

func names(chosen []learnings.Chosen) []string {
	list := []string{}
	for _, c := range chosen {
		list = append(list, c.ID)
	}
	return list
}

func still() learnings.Trial {
	t := learnings.DefaultTrial()
	t.LeftOut, t.Explored = 0, 0
	return t
}

func TestBeliefDecidesAmongWhatIsAboutEquallyRelevant(t *testing.T) {
	found := []learnings.Candidate{
		{ID: "doubtful", Relevance: 10, Belief: stats.Beta{A: 4, B: 6}},
		{ID: "trusted", Relevance: 9.5, Belief: stats.Beta{A: 8, B: 2}},
		{ID: "trusted_but_beside_the_point", Relevance: 7, Belief: stats.Beta{A: 8, B: 2}},
	}
	want := []string{"trusted", "doubtful", "trusted_but_beside_the_point"}
	if got := names(still().Select("t", found)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFewerThanFiveAreInjectedWhereFewerAreRelevant(t *testing.T) {
	var found []learnings.Candidate
	for i := range 10 {
		found = append(found, learnings.Candidate{ID: strconv.Itoa(i), Relevance: 10 - float64(i), Belief: stats.Beta{A: 3, B: 2}})
	}
	if got := names(still().Select("t", found)); !slices.Equal(got, []string{"0", "1", "2", "3", "4"}) {
		t.Errorf("of ten: %v", got)
	}
	if got := names(still().Select("t", append(found[:1:1], found[4:]...))); !slices.Equal(got, []string{"0", "4"}) {
		t.Errorf("with a gap: %v", got)
	}
	if got := still().Select("t", nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestOnlyWhatIsAlmostCertainlyHopelessIsExcluded(t *testing.T) {
	found := []learnings.Candidate{
		{ID: "hopeless", Relevance: 1, Belief: stats.Beta{A: 3, B: 20}},
		{ID: "poor", Relevance: 1, Belief: stats.Beta{A: 3, B: 7}},
	}
	if got := names(still().Select("t", found)); !slices.Equal(got, []string{"poor"}) {
		t.Errorf("%v", got)
	}
}

func TestTheThresholdRuleIsTheDocumentedOne(t *testing.T) {
	trial := learnings.DefaultTrial()
	trial.Selection = learnings.ByThreshold
	found := []learnings.Candidate{
		{ID: "below", Relevance: 9, Confidence: .59, Belief: stats.Beta{A: 9, B: 1}},
		{ID: "hopeless", Relevance: 8, Confidence: .6, Belief: stats.Beta{A: 1, B: 99}},
		{ID: "b", Relevance: 3, Confidence: .7}, {ID: "a", Relevance: 3, Confidence: .7}, {ID: "sure", Relevance: 3, Confidence: .9},
		{ID: "weak", Relevance: .1, Confidence: 1}, {ID: "sixth", Relevance: .05, Confidence: 1},
	}
	want := []string{"hopeless", "sure", "a", "b", "weak"}
	for i := range 100 {
		chosen := trial.Select(strconv.Itoa(i), found)
		if got := names(chosen); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		for _, c := range chosen {
			if c.LeftOut || c.Explored || c.Propensity != 1 || c.Chance != 1 {
				t.Fatalf("chance plays a part: %+v", c)
			}
		}
	}
}

// What is logged as the chance of being selected has to be the share of tasks
// in which that happens, or nobody could reckon with it.
func TestTheLoggedChancesAreTheFrequencies(t *testing.T) {
	trial := learnings.DefaultTrial()
	trial.Most = 2
	const tasks = 60_000
	selected := map[string]int{}
	chance := map[string]float64{}
	for i := range tasks {
		for _, c := range trial.Select("task-"+strconv.Itoa(i), fiveAlike()) {
			selected[c.ID]++
			chance[c.ID] = c.Chance
		}
	}
	if len(chance) != 5 {
		t.Fatalf("only %v were ever selected", chance)
	}
	for id, p := range chance {
		if p == 1 {
			if selected[id] != tasks {
				t.Errorf("%s was certain and is missing in %d", id, tasks-selected[id])
			}
			continue
		}
		// The chance of a draw is integrated in cells: a hundredth of it may be off.
		if off := math.Abs(float64(selected[id])/tasks - p); off > 4*math.Sqrt(p*(1-p)/tasks)+p/100 {
			t.Errorf("%s: %d of %d, logged %.4f", id, selected[id], tasks, p)
		}
	}
}

func TestCompanyIsWhatElseIsInjected(t *testing.T) {
	found := fiveAlike()
	for i := range found {
		found[i].Effect = int64(10 * (i + 1))
	}
	trial := learnings.DefaultTrial()
	for i := range 200 {
		chosen := trial.Select(strconv.Itoa(i), found)
		for _, c := range chosen {
			var want int64
			for _, other := range chosen {
				if other.ID != c.ID && !other.LeftOut {
					want += 10 * (int64(other.ID[len(other.ID)-1]-'0') + 1)
				}
			}
			if c.Beside != want {
				t.Fatalf("task %d: %s is beside %d, want %d", i, c.ID, c.Beside, want)
			}
		}
	}
}

func TestSelectionDoesNotDependOnTheOrderOfWhatWasFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var found []learnings.Candidate
		for i := range rapid.IntRange(0, 12).Draw(t, "found") {
			found = append(found, learnings.Candidate{
				ID:         strconv.Itoa(i),
				Relevance:  rapid.SampledFrom([]float64{1, 2, 3, 3.5}).Draw(t, "relevance"),
				Belief:     stats.Beta{A: rapid.Float64Range(.1, 30).Draw(t, "a"), B: rapid.Float64Range(.1, 30).Draw(t, "b")},
				Confidence: rapid.SampledFrom([]float64{.5, .6, .9}).Draw(t, "confidence"),
			})
		}
		task := rapid.StringN(0, 5, -1).Draw(t, "task")
		trial := learnings.DefaultTrial()
		trial.Selection = rapid.SampledFrom([]learnings.Selection{learnings.ByPosterior, learnings.ByThreshold}).Draw(t, "selection")
		first := trial.Select(task, found)
		second := trial.Select(task, rapid.Permutation(found).Draw(t, "order"))
		if !slices.Equal(first, second) {
			t.Fatalf("%v, then %v", first, second)
		}
		if len(first) > trial.Most {
			t.Fatalf("%d selected", len(first))
		}
		for _, c := range first {
			if !(c.Chance > 0 && c.Chance <= 1 && c.Propensity > 0 && c.Propensity <= 1) {
				t.Fatalf("%+v", c)
			}
		}
	})
}
