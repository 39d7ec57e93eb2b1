package search

import (
	"cmp"
	"strings"

	"learnloop.dev/inorder"
)

// rescored is how many of the best matches by words vectors may reorder.
const rescored = 100

// Blend says how vectors join in. They stay with the caller, next to the documents.
type Blend struct {
	Weight float64                // of the vectors, 0 to 1; the rest is of the words
	Query  func() Vector          // the query's, or none; asked for where words found something
	Of     func(id string) Vector // a document's, or none
}

// Hybrid returns the documents that fit best by words and vectors together: of the hundred best by words,
// those with the highest (1-Weight)·text/best text + Weight·cosine/best cosine, times the fourth root of the
// posterior. Where a match has no vector of the query's embedder, the two orders are fused by rank.
// Without a vector for the query the words decide; the note says so.
func (s *Snapshot) Hybrid(q Query, blend Blend) Results {
	limit := q.limit()
	q.Limit = rescored
	found := s.Search(q)
	near, known := blend.compare(found.Hits)
	switch {
	case len(found.Hits) == 0:
	case known == 0:
		found.Note = NoVectors
	case known < len(near):
		found.Note = ByRank
		found.fuse(near)
	default:
		found.blend(near, unit(blend.Weight))
	}
	found.Hits = found.Hits[:min(len(found.Hits), limit)]
	return found
}

// nearness is a match's cosine with the query.
type nearness struct {
	cosine float64
	known  bool
}

// compare returns the nearness of each hit, and of how many it is known.
func (b Blend) compare(hits []Hit) (near []nearness, known int) {
	near = make([]nearness, len(hits))
	if b.Of == nil || b.Query == nil || len(hits) == 0 {
		return near, 0
	}
	query := b.Query()
	if len(query.Values) == 0 {
		return near, 0
	}
	for i, h := range hits {
		near[i].cosine, near[i].known = query.Cosine(b.Of(h.ID))
		if near[i].known {
			known++
		}
	}
	return near, known
}

// blend sorts the hits by the sum of both.
func (r *Results) blend(near []nearness, weight float64) {
	best := 0.
	for _, n := range near {
		best = max(best, n.cosine)
	}
	for i, n := range near {
		h := &r.Hits[i]
		trust := h.Score / h.Text // the fourth root of the posterior
		h.Relevance *= 1 - weight
		if best > 0 {
			h.Relevance += weight * max(n.cosine, 0) / best
		}
		h.Score = h.Relevance * trust
	}
	inorder.Sort(r.Hits, better)
}

// fuse sorts the hits by their ranks in both orders.
func (r *Results) fuse(near []nearness) {
	byText := make([]string, len(near))
	order := make([]int, 0, len(near))
	for i, n := range near {
		byText[i] = r.Hits[i].ID
		if n.known {
			order = append(order, i)
		}
	}
	inorder.Sort(order, func(x, y int) int { return cmp.Compare(near[y].cosine, near[x].cosine) })
	byVector := make([]string, len(order))
	for rank, i := range order {
		byVector[rank] = byText[i]
	}
	scores := map[string]float64{}
	for _, ranked := range FuseRanks(byText, byVector) {
		scores[ranked.ID] = ranked.Score
	}
	for i := range r.Hits {
		r.Hits[i].Score = scores[r.Hits[i].ID]
	}
	inorder.Sort(r.Hits, better)
}

// rankOffset keeps the first ranks of one list from deciding alone.
const rankOffset = 60

// Ranked is a document in a fused order.
type Ranked struct {
	ID    string
	Score float64
}

// FuseRanks joins orders that have no comparable scores: each gives 1/(60 + rank) to the ids in it
// (reciprocal rank fusion). Equal ones are sorted by id.
func FuseRanks(orders ...[]string) []Ranked {
	scores := map[string]float64{}
	for _, order := range orders {
		for i, id := range order {
			scores[id] += 1 / float64(rankOffset+i+1)
		}
	}
	fused := make([]Ranked, 0, len(scores))
	for id, score := range scores {
		fused = append(fused, Ranked{id, score})
	}
	inorder.Sort(fused, func(x, y Ranked) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(x.ID, y.ID))
	})
	return fused
}
