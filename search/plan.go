package search

import (
	"cmp"
	"maps"
	"math"
	"strings"

	"learnloop.dev/inorder"
)

const (
	bestTerms     = 24 // of a query that count
	maxExpansions = 64 // of a prefix
	// grain is the sum of all that a document can earn, in the whole numbers that scores are added up in.
	// Whole numbers come to the same sum in any order, so pruning cannot show.
	grain = 1 << 30
)

// clause is a term of the query, or a prefix with all it stands for, as one.
type clause struct {
	terms  []string
	weight float64
	times  int     // in the query
	at     [][]int // places of its terms, by shard
}

// plan is a query made ready for the shards of a snapshot.
type plan struct {
	clauses []clause
	average float64
	shares  *shares
	unit    float64 // score per grain
	own     float64 // what the query itself would score as a document
}

// newPlan looks the terms up everywhere, and keeps the best.
func (s *Snapshot) newPlan(terms []asked) *plan {
	p := &plan{average: s.average}
	for _, q := range terms {
		if c, ok := s.clause(q); ok {
			p.clauses = append(p.clauses, c)
		}
	}
	inorder.Sort(p.clauses, func(x, y clause) int { return cmp.Compare(y.weight, x.weight) })
	p.clauses = p.clauses[:min(len(p.clauses), bestTerms)]
	n := newNorms(s.average)
	p.shares = n.shares()
	length, total := 0, 0.
	for _, q := range terms {
		length += q.times
	}
	for _, c := range p.clauses {
		total += c.weight
		p.own += float64(c.weight * float64(n.share(uint8(min(c.times, countMax)), codeLength(length))))
	}
	p.unit = total / grain
	return p
}

// clause finds a term, unless no living document has it.
func (s *Snapshot) clause(q asked) (clause, bool) {
	c := clause{terms: []string{q.term}, times: q.times}
	if q.prefix {
		c.terms = s.expand(q)
	}
	frequency := 0
	c.at = make([][]int, len(s.shards))
	for i, sh := range s.shards {
		for _, term := range c.terms {
			if t, ok := sh.terms.find(term); ok {
				c.at[i] = append(c.at[i], t)
				frequency += sh.frequency(t)
			}
		}
	}
	frequency = min(frequency, s.docs)
	c.weight = (k1 + 1) * float64(q.times) * rarity(s.docs, frequency)
	return c, frequency > 0
}

// rarity is the inverse document frequency, never below zero.
func rarity(docs, frequency int) float64 {
	n, f := float64(docs), float64(frequency)
	return math.Log(1 + (n-f+.5)/(f+.5))
}

// expand returns the terms that a prefix stands for: the most frequent ones, after the word itself.
func (s *Snapshot) expand(q asked) []string {
	by := map[string]int{}
	for _, sh := range s.shards {
		first, _ := sh.terms.find(q.term)
		for t := first; t < sh.terms.len() && strings.HasPrefix(sh.terms.at(t), q.term); t++ {
			if n := sh.frequency(t); n > 0 {
				by[sh.terms.at(t)] += n
			}
		}
	}
	if q.also != "" {
		by[q.also] = s.docs + 1 // before all others
	}
	terms := inorder.Sorted(maps.Keys(by), func(x, y string) int {
		return cmp.Or(cmp.Compare(by[y], by[x]), strings.Compare(x, y))
	})
	return terms[:min(len(terms), maxExpansions)]
}

// postingList is a clause in one shard.
type postingList struct {
	docs   []uint16
	counts []uint8
	weight float32 // grains for a share of 1
	most   uint32  // grains for any document
}

// lists returns the clauses in a shard, those that earn least first.
func (p *plan) lists(i int, sh *shard) []postingList {
	lists := make([]postingList, 0, len(p.clauses))
	for _, c := range p.clauses {
		if len(c.at[i]) > 0 {
			lists = append(lists, p.list(c, c.at[i], sh))
		}
	}
	inorder.Sort(lists, func(x, y postingList) int { return cmp.Compare(x.most, y.most) })
	return lists
}

// list returns a clause in a shard. The stored peak holds for the average length of its time; where
// documents have become longer since, shares have risen, by no more than the averages' proportion.
func (p *plan) list(c clause, at []int, sh *shard) postingList {
	l := postingList{weight: float32(c.weight / p.unit)}
	peak := 0.
	for _, t := range at {
		peak += float64(sh.peaks[t]) / 255
	}
	l.docs, l.counts = sh.postings(at[0])
	if len(at) > 1 {
		l.docs, l.counts = union(sh, at)
	}
	const slack = 1 + 1e-5 // more than all rounding
	peak = min(peak*max(1, max(p.average, 1)/sh.average)*slack, 1)
	l.most = l.grains(float32(peak))
	return l
}

// grains is what a share earns: at least one, so that whoever has the word is seen.
func (l *postingList) grains(share float32) uint32 {
	return uint32(l.weight*share) + 1
}

// union returns the postings of several terms as if they were one.
func union(sh *shard, at []int) (docs []uint16, counts []uint8) {
	sum := make([]uint8, len(sh.ids))
	for _, t := range at {
		d, n := sh.postings(t)
		for i, doc := range d {
			sum[doc] = min(sum[doc]+n[i], countMax)
		}
	}
	for doc, n := range sum {
		if n > 0 {
			docs, counts = append(docs, uint16(doc)), append(counts, n)
		}
	}
	return docs, counts
}
