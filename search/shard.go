package search

import (
	"math"
	"slices"
)

// shard is a segment as it stands: which of its documents are dead, and how the living are thought of.
// It never changes either; each change makes another that shares what stayed.
type shard struct {
	*segment

	live     int
	tokens   uint64   // of the living
	dead     []uint64 // bits by document; none are dead: nil
	deadOf   tally    // dead postings by term
	standing pages
	ceiling  float32 // no factor is above it
}

// standing is what may change about a document without its text.
type standing struct {
	confidence float32
	factor     float32 // what its score is multiplied with
	status     uint16
}

// factorOf is the fourth root: c^γ with γ = .25.
func factorOf(posterior float64) float32 {
	return float32(math.Sqrt(math.Sqrt(unit(posterior))))
}

// unit brings a number into what chances can be; scores are pruned by that.
func unit(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return min(max(x, 0), 1)
}

// pageSize is how many standings are copied when one changes.
const pageSize = 256

// pages are standings by document.
type pages [][]standing

func newPages(docs int) pages {
	all := make([]standing, docs)
	p := make(pages, 0, docs/pageSize+1)
	for page := range slices.Chunk(all, pageSize) {
		p = append(p, slices.Clip(page))
	}
	return p
}

func (p pages) of(doc uint16) standing { return p[doc/pageSize][doc%pageSize] }

// with returns the pages with one standing changed.
func (p pages) with(doc uint16, s standing) pages {
	changed := slices.Clone(p)
	page := slices.Clone(p[doc/pageSize])
	page[doc%pageSize] = s
	changed[doc/pageSize] = page
	return changed
}

// newShard returns a segment all of whose documents live.
func newShard(s *segment, p pages) *shard {
	sh := &shard{segment: s, live: len(s.ids), tokens: s.tokenSum, standing: p}
	for _, page := range p {
		for _, st := range page {
			sh.ceiling = max(sh.ceiling, st.factor)
		}
	}
	return sh
}

func (s *shard) isDead(doc uint16) bool {
	return s.dead != nil && s.dead[doc/64]>>(doc%64)&1 == 1
}

// withStanding returns the shard after a document's standing changed: no posting is touched.
func (s *shard) withStanding(doc uint16, st standing) *shard {
	changed := *s
	changed.standing = s.standing.with(doc, st)
	changed.ceiling = max(s.ceiling, st.factor)
	return &changed
}

// without returns the shard after a document died.
func (s *shard) without(doc uint16) *shard {
	changed := *s
	changed.live--
	changed.tokens -= uint64(lengths[s.lengths[doc]])
	changed.dead = make([]uint64, len(s.ids)/64+1)
	copy(changed.dead, s.dead)
	changed.dead[doc/64] |= 1 << (doc % 64)
	changed.deadOf = s.deadOf.plus(s.termsOf(doc), s.terms.len())
	return &changed
}

// frequency is how many living documents have a term.
func (s *shard) frequency(term int) int {
	return int(s.from[term+1]-s.from[term]) - s.deadOf.of(term)
}

// postingsAlive is how many postings living documents have.
func (s *shard) postingsAlive() int {
	return len(s.docs) - s.deadOf.sum()
}

// stale reports whether a quarter of the shard is dead.
func (s *shard) stale() bool {
	return 4*(len(s.ids)-s.live) > len(s.ids)
}
