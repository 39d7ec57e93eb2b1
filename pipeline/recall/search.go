package recall

import (
	"context"

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
	Weight   float64 // of meaning, up to 1, where both decide; 0 is what suits the sense
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

// Search finds learnings, and says where they fit. A model that tells meaning is waited
// for a few seconds; then words decide alone.
func (s *Shelf) Search(ctx context.Context, q Query) Finds {
	snapshot := s.now.Load().found
	var hits search.Results
	if q.Strategy == ByWords || q.Strategy == "" {
		hits = snapshot.Search(q.Query)
	} else {
		hits = s.byMeaning(ctx, snapshot, q)
	}
	finds := s.taken(hits, q.Query)
	for i, f := range finds.All {
		finds.All[i].Match = hits.Match(doc(f.Learning.ID, &f.Learning))
	}
	return finds
}

// taken are the learnings of hits as they stand now: what changed since the index saw
// it has to pass the filters again, and what nobody can read any more is not found.
func (s *Shelf) taken(hits search.Results, q search.Query) Finds {
	finds := Finds{Note: hits.Note}
	for _, hit := range hits.Hits {
		e, known := s.entries.Get(hit.ID)
		if !known {
			continue // meanwhile
		}
		if l, err := read(e); err == nil && lets(q, &l) {
			finds.All = append(finds.All, Find{Learning: l, Score: hit.Score, text: hit.Text, revision: e.Revision})
		}
	}
	return finds
}

func lets(q search.Query, l *learnings.Learning) bool {
	return l.Confidence >= q.MinConfidence &&
		(q.Status == "" || q.Status == string(l.Status)) &&
		(q.Domain == "" || q.Domain == l.Domain) &&
		(q.ExcludeOutcome == "" || q.ExcludeOutcome != l.SourceOutcomeID)
}

// byMeaning compares what a query means with what learnings mean.
func (s *Shelf) byMeaning(ctx context.Context, snapshot *search.Snapshot, q Query) search.Results {
	b := search.Blend{Weight: s.weight}
	switch {
	case q.Strategy == ByMeaning:
		b.Weight = 1
	case q.Weight > 0:
		b.Weight = q.Weight
	}
	var query search.Vector
	b.Query = func() search.Vector {
		query = s.sense.ofQuery(ctx, snapshot, q.Text)
		return query
	}
	b.Of = func(key string) search.Vector {
		e, known := s.entries.Get(key)
		if !known {
			return search.Vector{}
		}
		return s.sense.of(key, e.Revision, func() (search.Doc, bool) {
			l, err := read(e)
			return doc(e.Key, &l), err == nil
		})
	}
	hits := snapshot.Hybrid(q.Query, b)
	if hits.Note == search.NoVectors {
		hits.Note = s.sense.missed(query)
	}
	return hits
}
