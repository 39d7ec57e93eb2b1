package recall

import (
	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/search"
)

// Strategy is what decides how well a learning fits a query.
type Strategy string

// The strategies (001, hybrid search). Without a model, meaning is that words are
// spelled alike.
const (
	ByWords   Strategy = "bm25"
	ByMeaning Strategy = "semantic"
	ByBoth    Strategy = "hybrid"
)

// Query asks for learnings.
type Query struct {
	search.Query
	Strategy Strategy
	Weight   float64 // of meaning, 0 to 1, where both decide
}

// Find is a learning that was found.
type Find struct {
	Learning learnings.Learning
	Score    float64
	Match    search.Match

	text     float64
	revision uint64
}

// Finds are the learnings that fit best, best first.
type Finds struct {
	All  []Find
	Note search.Note // where there is something to say
}

// Search finds learnings, and says where they fit.
func (s *Shelf) Search(q Query) Finds {
	finds, hits := s.find(s.now.Load().found, q)
	for i, f := range finds.All {
		finds.All[i].Match = hits.Match(doc(f.Learning.ID, &f.Learning))
	}
	return finds
}

// find finds learnings as they stand now: what changed since the index saw it has to
// pass the filters again, and what nobody can read any more is not found.
func (s *Shelf) find(snapshot *search.Snapshot, q Query) (finds Finds, hits search.Results) {
	if q.Strategy == ByWords || q.Strategy == "" {
		hits = snapshot.Search(q.Query)
	} else {
		hits = snapshot.Hybrid(q.Query, s.blend(snapshot, q))
	}
	finds.Note = hits.Note
	for _, hit := range hits.Hits {
		e, known := s.entries.Get(hit.ID)
		if !known {
			continue // meanwhile
		}
		if l, err := read(e); err == nil && lets(q.Query, &l) {
			finds.All = append(finds.All, Find{Learning: l, Score: hit.Score, text: hit.Text, revision: e.Revision})
		}
	}
	return finds, hits
}

func lets(q search.Query, l *learnings.Learning) bool {
	return l.Confidence >= q.MinConfidence &&
		(q.Status == "" || q.Status == string(l.Status)) &&
		(q.Domain == "" || q.Domain == l.Domain) &&
		(q.ExcludeOutcome == "" || q.ExcludeOutcome != l.SourceOutcomeID)
}

// blend compares what a query means with what learnings mean.
func (s *Shelf) blend(snapshot *search.Snapshot, q Query) search.Blend {
	b := search.Blend{Weight: q.Weight, Query: snapshot.Fuzzy(q.Text)}
	if q.Strategy == ByMeaning {
		b.Weight = 1
	}
	b.Of = func(key string) search.Vector {
		e, known := s.entries.Get(key)
		if !known {
			return search.Vector{}
		}
		return s.vectors.of(e, func(e kv.Context) (search.Doc, bool) {
			l, err := read(e)
			return doc(e.Key, &l), err == nil
		})
	}
	return b
}
