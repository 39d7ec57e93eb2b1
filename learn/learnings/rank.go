package learnings

import (
	"cmp"
	"math"
	"slices"

	"learnloop.dev/inorder"
	"learnloop.dev/stats"
)

// What is selected follows simulations over eight query sets: the chance that a
// learning is relevant falls with the third power of its score.
const (
	trust    = 0.25 // power of belief beside relevance: more of it hurts
	relevant = 0.6  // of the best score: below it hardly anything is relevant
	hopeless = 0.35 // the rate of help that is not worth the place
	certain  = 0.9  // probability of being hopeless at which a learning is not selected
	tried    = 20   // learnings that the exploration slot draws among
)

// documented is the least confidence of the documented rule (001, injection).
const documented = 0.6

// Candidate is an active learning that a search found for a task.
type Candidate struct {
	ID         string
	Relevance  float64    // score of the search, above 0
	Belief     stats.Beta // in its help
	Confidence float64    // the documented one
	Effect     int64      // believed effect on success, in points, for Chosen.Beside
}

// Chosen is a learning that was selected for a task. All of it belongs into the
// record of the injection, except Score.
type Chosen struct {
	ID         string
	Score      float64
	Explored   bool    // it has the exploration slot
	Chance     float64 // probability with which it was selected, given the candidates
	LeftOut    bool    // selected, but not to be injected, to see what the task does without
	Propensity float64 // probability with which a selected one is injected
	Beside     int64   // believed joint effect of the others that are injected, in points
}

// Select chooses learnings for a task, best first, the same for the same input.
// Chance comes from the hash of the task.
func (t Trial) Select(task string, found []Candidate) []Chosen {
	if t.Selection == ByThreshold {
		return t.threshold(found)
	}
	best, rest := t.ranked(found)
	chosen := t.explore(task, best, rest)
	for i := range chosen {
		chosen[i].LeftOut = t.leftOut(task, chosen[i].ID)
		chosen[i].Propensity = 1 - t.LeftOut
	}
	effects := make(map[string]int64, len(found))
	for _, c := range found {
		effects[c.ID] = c.Effect
	}
	company(chosen, effects)
	return chosen
}

// threshold is the documented rule, exactly.
func (t Trial) threshold(found []Candidate) []Chosen {
	enough := slices.DeleteFunc(slices.Clone(found), func(c Candidate) bool { return c.Confidence < documented })
	inorder.Sort(enough, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Relevance, a.Relevance), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.ID, b.ID))
	})
	chosen := make([]Chosen, min(len(enough), t.Most))
	for i := range chosen {
		chosen[i] = Chosen{ID: enough[i].ID, Score: enough[i].Relevance, Chance: 1, Propensity: 1}
	}
	return chosen
}

// scored is a candidate with its place in the ranking.
type scored struct {
	Candidate
	score    float64
	hopeless bool
}

// ranked are the candidates to select, best first, and those that only the
// exploration slot can take.
func (t Trial) ranked(found []Candidate) (best, rest []scored) {
	var top float64
	for _, c := range found {
		top = max(top, c.Relevance)
	}
	for _, c := range found {
		if c.Relevance > 0 && c.Relevance >= relevant*top {
			best = append(best, scored{c, c.Relevance * math.Pow(c.Belief.Mean(), trust), c.Belief.Below(hopeless) > certain})
		}
	}
	inorder.Sort(best, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.ID, b.ID))
	})
	chosen := 0
	for _, s := range best {
		if s.hopeless || chosen == t.Most {
			rest = append(rest, s)
			continue
		}
		best[chosen] = s
		chosen++
	}
	return best[:chosen], rest[:min(len(rest), tried)]
}

// explore gives the last slot, in a share of the tasks, to the best draw among
// the rest (Thompson 1933).
func (t Trial) explore(task string, best, rest []scored) []Chosen {
	chosen := make([]Chosen, 0, len(best)+1)
	for _, s := range best {
		chosen = append(chosen, Chosen{ID: s.ID, Score: s.score, Chance: 1})
	}
	if len(rest) == 0 || t.Explored == 0 {
		return chosen
	}
	full := len(chosen) == t.Most
	if stats.Bucket(saltExplore, task) >= t.Explored {
		if full {
			chosen[t.Most-1].Chance = 1 - t.Explored
		}
		return chosen
	}
	if full {
		chosen = chosen[:t.Most-1]
	}
	i := drawn(task, rest)
	return append(chosen, Chosen{ID: rest[i].ID, Score: rest[i].score, Explored: true, Chance: t.Explored * winning(rest, i)})
}

// drawn is the index of the highest draw from the beliefs.
func drawn(task string, rest []scored) int {
	best, highest := 0, -1.0
	for i, s := range rest {
		if draw := s.Belief.Quantile(stats.Bucket(saltDraw, joined(task, s.ID))); draw > highest {
			best, highest = i, draw
		}
	}
	return best
}

// winning is the probability that the draw of one is the highest.
func winning(rest []scored, winner int) float64 {
	const cells = 64
	var chance, below float64
	for cell := range cells {
		above := rest[winner].Belief.Below(float64(cell+1) / cells)
		others := above - below
		below = above
		for i, s := range rest {
			if i != winner && others > 0 {
				others *= s.Belief.Below((float64(cell) + 0.5) / cells)
			}
		}
		chance += others
	}
	return min(chance, 1)
}

// company tells every selected learning what is believed of those beside it.
func company(chosen []Chosen, effects map[string]int64) {
	var all int64
	for _, c := range chosen {
		if !c.LeftOut {
			all += effects[c.ID]
		}
	}
	for i, c := range chosen {
		chosen[i].Beside = all
		if !c.LeftOut {
			chosen[i].Beside -= effects[c.ID]
		}
	}
}
