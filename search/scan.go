package search

import "slices"

// scan goes through one shard after the other for the best hits of a plan. Each shard is a window
// with bounds of its own: the words that cannot lift a document over the bar by themselves are looked up
// only for those documents that other words brought in (windowed MaxScore). Every bound is exact or above,
// and sums are whole numbers; so the hits are those of scoring everything.
type scan struct {
	plan    *plan
	filter  filter
	top     top
	grains  []uint32 // by document of the shard
	touched []uint16
	hopeful []uint16 // documents that may get over the bar
	matched bool     // something had a word, whatever the filters said
	naive   bool     // never prune, to compare with
}

// shard scores the documents of one shard.
func (s *scan) shard(i int, sh *shard) {
	lists := s.plan.lists(i, sh)
	below := make([]uint32, len(lists)+1) // what the first lists earn together at most
	for j, l := range lists {
		below[j+1] = below[j] + l.most
	}
	first := 0 // list that is read as a whole
	for first < len(lists) && s.hopeless(below[first+1], sh.ceiling) {
		first++
	}
	s.matched = s.matched || len(lists) > 0
	if first == len(lists) {
		return
	}
	s.read(sh, lists[first:])
	s.keepHopeful(sh, below[first])
	for j := first - 1; j >= 0 && len(s.hopeful) > 0; j-- {
		s.lookUp(sh, &lists[j], below[j])
	}
	s.offer(sh)
}

// score is what all of a document's grains come to.
func (s *scan) score(grains uint32, factor float32) float64 {
	return float64(grains) * s.plan.unit * float64(factor)
}

// hopeless reports whether some grains cannot get a document over the bar.
func (s *scan) hopeless(grains uint32, factor float32) bool {
	return !s.naive && s.score(grains, factor) < s.top.bar()
}

// read adds up the lists as they are.
func (s *scan) read(sh *shard, lists []postingList) {
	if len(s.grains) < len(sh.ids) {
		s.grains = make([]uint32, len(sh.ids))
	} else {
		clear(s.grains[:len(sh.ids)])
	}
	s.touched = s.touched[:0]
	for _, l := range lists {
		s.readList(sh, l)
	}
}

// readList is where the time goes.
func (s *scan) readList(sh *shard, l postingList) {
	grains, lengths, shares, touched := s.grains, sh.lengths, s.plan.shares, s.touched
	counts := l.counts[:len(l.docs)]
	for i, doc := range l.docs {
		share := shares[uint(lengths[doc])<<countBits|uint(counts[i]&countMax)]
		before := grains[doc]
		grains[doc] = before + uint32(l.weight*share) + 1
		if before == 0 {
			touched = append(touched, doc)
		}
	}
	s.touched = touched
}

// keepHopeful picks the documents that may get over the bar with what is still to come.
func (s *scan) keepHopeful(sh *shard, toCome uint32) {
	allowed := s.filter.in(sh)
	least := s.least(sh.ceiling)
	s.hopeful = s.hopeful[:0]
	for _, doc := range s.touched {
		grains := s.grains[doc] + toCome
		if grains < least || s.hopeless(grains, sh.standing.of(doc).factor) || sh.isDead(doc) || !allowed.pass(doc) {
			continue
		}
		s.hopeful = append(s.hopeful, doc)
	}
	slices.Sort(s.hopeful)
}

// least returns a number of grains below which everything is hopeless, to say no to most with one comparison.
func (s *scan) least(ceiling float32) uint32 {
	if s.naive || s.top.bar() <= 0 || ceiling == 0 {
		return 0
	}
	const slack = 1 - 1e-9 // more than all rounding
	return uint32(min(s.top.bar()/(s.plan.unit*float64(ceiling))*slack, grain))
}

// lookUp adds one list for the hopeful documents, and lets go of those that it ends hope for.
func (s *scan) lookUp(sh *shard, l *postingList, toCome uint32) {
	kept := s.hopeful[:0]
	from := 0
	for _, doc := range s.hopeful {
		from = gallop(l.docs, from, doc)
		if from < len(l.docs) && l.docs[from] == doc {
			share := s.plan.shares[uint(sh.lengths[doc])<<countBits|uint(l.counts[from]&countMax)]
			s.grains[doc] += l.grains(share)
		}
		if !s.hopeless(s.grains[doc]+toCome, sh.standing.of(doc).factor) {
			kept = append(kept, doc)
		}
	}
	s.hopeful = kept
}

// gallop returns the first place at or after from whose document is not before doc.
func gallop(docs []uint16, from int, doc uint16) int {
	step := 1
	for from+step < len(docs) && docs[from+step] < doc {
		from += step
		step *= 2
	}
	end := min(from+step, len(docs))
	for from < end {
		mid := (from + end) / 2
		if docs[mid] < doc {
			from = mid + 1
		} else {
			end = mid
		}
	}
	return from
}

func (s *scan) offer(sh *shard) {
	for _, doc := range s.hopeful {
		grains := s.grains[doc]
		s.top.offer(Hit{
			ID:    sh.ids[doc],
			Score: s.score(grains, sh.standing.of(doc).factor),
			Text:  s.score(grains, 1),
		})
	}
}
