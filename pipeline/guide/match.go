package guide

import (
	"cmp"
	"math"
	"strings"

	"learnloop.dev/inorder"
	"learnloop.dev/kv"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/search"
)

// Match is a template that fits a goal.
type Match struct {
	Template   outcomes.Template
	Similarity float64 // 0 to 1: how much of the goal's own score the template has
	Score      float64 // what matches are ordered by: similarity, and what it does at least
}

// How templates are matched (SEARCH: what a learning is trusted with beside its words).
const (
	trust      = 0.25 // power of the lower bound of success
	considered = 50   // of the best by words
)

// MatchTemplates finds the templates that fit a goal, the best first.
func (b *Board) MatchTemplates(goal string, limit int) []Match {
	found := b.plans().Search(search.Query{Text: goal, Limit: max(considered, limit)})
	b.mu.RLock()
	defer b.mu.RUnlock()
	var matches []Match
	for _, hit := range found.Hits {
		t, there := b.templates[hit.ID]
		if !there || found.Own <= 0 {
			continue
		}
		like := min(hit.Text/found.Own, 1)
		matches = append(matches, Match{t, like, like * math.Pow(t.Lower, trust)})
	}
	inorder.Sort(matches, func(x, y Match) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Template.ID, y.Template.ID))
	})
	return matches[:min(len(matches), limit)]
}

// plans are the templates as they can be searched: nothing changes them.
func (b *Board) plans() *search.Snapshot {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.plansFound
}

// Templates lists all that can be offered, by id.
func (b *Board) Templates() []outcomes.Template {
	b.mu.RLock()
	defer b.mu.RUnlock()
	var list []outcomes.Template
	for _, t := range b.templates {
		if offers(t) || t.Problem != "" {
			list = append(list, t)
		}
	}
	inorder.Sort(list, func(x, y outcomes.Template) int { return cmp.Compare(x.ID, y.ID) })
	return list
}

// Template returns one by its id, false when there is none.
func (b *Board) Template(id string) (outcomes.Template, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	t, ok := b.templates[id]
	return t, ok
}

// offers reports whether a template has a plan that can be used.
func offers(t outcomes.Template) bool { return len(t.Plan) > 0 && t.Problem == "" }

// templateOf is the template that a key of a context stands for.
func (b *Board) templateOf(key string) string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for id := range b.templates {
		if kv.Key(outcomes.KindTemplate, id) == key {
			return id
		}
	}
	return ""
}

// takeTemplate takes a template over. One that is shipped keeps its plan, and learns
// how it did, unless somebody added another of its name.
func (b *Board) takeTemplate(t outcomes.Template, gone bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.shipped {
		if s.ID != t.ID {
			continue
		}
		if gone || !offers(t) {
			s.Completed, s.Failed = t.Completed, t.Failed
			t, gone = s.Rated(), false
		}
	}
	if gone {
		delete(b.templates, t.ID)
		b.templateIndex.Remove(t.ID)
		return
	}
	b.templates[t.ID] = t
	if !offers(t) {
		b.templateIndex.Remove(t.ID)
		return
	}
	b.templateIndex.Put(docOf(t))
}

// docOf is what can be found of a template: its name, keywords, goals and steps.
func docOf(t outcomes.Template) search.Doc {
	var ids, steps []string
	for _, s := range t.Plan {
		ids, steps = append(ids, s.ID), append(steps, s.Description)
	}
	d := search.Doc{
		ID: t.ID, Title: t.Name, Context: strings.Join(t.Goals, "\n"), Observation: strings.Join(ids, "\n"),
		Action: strings.Join(steps, "\n"), Tags: t.Keywords, Posterior: 1,
	}
	if t.Source == outcomes.Learned {
		d.Title = ""
	}
	return d
}
