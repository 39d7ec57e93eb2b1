package search

import "slices"

// filter is what a query lets through, in the terms of a snapshot.
type filter struct {
	query  Query
	status int // code; -1: any; no status of the index: noCode
}

func (s *Snapshot) filter(q Query) filter {
	f := filter{query: q, status: -1}
	if q.Status != "" {
		f.status = slices.Index(s.statuses, q.Status)
		if f.status < 0 {
			f.status = noCode
		}
	}
	return f
}

// gate is a filter in one shard.
type gate struct {
	shard      *shard
	confidence float32
	status     int
	domain     int // code; -1: any
	exclude    int // code; -1: none
}

func (f filter) in(sh *shard) gate {
	g := gate{shard: sh, confidence: float32(f.query.MinConfidence), status: f.status, domain: -1, exclude: -1}
	if f.query.Domain != "" {
		g.domain = int(sh.domain.code(f.query.Domain))
	}
	if f.query.ExcludeOutcome != "" {
		g.exclude = int(sh.outcome.code(f.query.ExcludeOutcome))
	}
	return g
}

func (g *gate) pass(doc uint16) bool {
	st := g.shard.standing.of(doc)
	return st.confidence >= g.confidence &&
		(g.status < 0 || int(st.status) == g.status) &&
		(g.domain < 0 || int(g.shard.domain.codes[doc]) == g.domain) &&
		(g.exclude < 0 || int(g.shard.outcome.codes[doc]) != g.exclude)
}
