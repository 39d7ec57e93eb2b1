package search

import (
	"cmp"
	"slices"

	"learnloop.dev/inorder"
)

// Snapshot is an index at one moment. Any number of goroutines may search it.
type Snapshot struct {
	options  Options
	statuses []string
	shards   []*shard // the largest first: the bar is high early
	docs     int
	average  float64
}

// Len returns how many documents there are.
func (s *Snapshot) Len() int { return s.docs }

// Search returns the documents that fit best.
func (s *Snapshot) Search(q Query) Results { return s.search(q, false) }

func (s *Snapshot) search(q Query, naive bool) Results {
	terms, note := s.options.read(q.Text)
	switch {
	case note != "":
		return Results{Note: note, options: s.options}
	case s.docs == 0:
		return Results{Note: NoDocs, options: s.options}
	}
	p := s.newPlan(terms)
	run := scan{plan: p, filter: s.filter(q), top: top{limit: q.limit()}, naive: naive}
	for i, sh := range s.shards {
		run.shard(i, sh)
	}
	found := Results{Hits: run.top.sorted(), Own: p.own, options: s.options, words: p.words()}
	found.weigh()
	switch {
	case len(found.Hits) > 0:
	case run.matched:
		found.Note = Filtered
	default:
		found.Note = Unknown
	}
	return found
}

func (q Query) limit() int {
	if q.Limit <= 0 {
		return defaultLimit
	}
	return q.Limit
}

// weigh sets the relevance of each hit.
func (r *Results) weigh() {
	best := 0.
	for _, h := range r.Hits {
		best = max(best, h.Text)
	}
	for i := range r.Hits {
		r.Hits[i].Relevance = r.Hits[i].Text / best
	}
}

// words are the terms that counted.
func (p *plan) words() map[string]bool {
	all := map[string]bool{}
	for _, c := range p.clauses {
		for _, term := range c.terms {
			all[term] = true
		}
	}
	return all
}

// bySize sorts shards for a search.
func bySize(shards []*shard) []*shard {
	sorted := slices.Clone(shards)
	inorder.Sort(sorted, func(x, y *shard) int {
		return cmp.Or(cmp.Compare(y.live, x.live), cmp.Compare(x.no, y.no))
	})
	return sorted
}
