package search

// gone stands for a document that a merged segment no longer has.
const gone = 1<<16 - 1

// merger makes one segment of several.
type merger struct {
	parts []*shard
	moved [][]uint16 // new numbers, by part and document
	norms *norms
	dict  *dictionaryOf
	into  *segment
}

// merge returns the living documents of some shards in one without dead ones.
func merge(no uint32, parts []*shard, n *norms) *shard {
	m := merger{parts: parts, norms: n, into: &segment{no: no, average: n.average}}
	p := m.moveDocs()
	m.moveColumns()
	m.movePostings()
	return newShard(m.into, p)
}

// moveDocs numbers the living documents anew.
func (m *merger) moveDocs() pages {
	docs := 0
	for _, part := range m.parts {
		docs += part.live
	}
	m.into.ids = make([]string, 0, docs)
	m.into.digests = make([]digest, 0, docs)
	m.into.lengths = make([]uint8, 0, docs)
	p := newPages(docs)
	for _, part := range m.parts {
		m.moved = append(m.moved, m.moveFrom(part, p))
		m.into.tokenSum += part.tokens
	}
	return p
}

func (m *merger) moveFrom(part *shard, p pages) []uint16 {
	moved := make([]uint16, len(part.ids))
	for doc := range part.ids {
		if part.isDead(uint16(doc)) {
			moved[doc] = gone
			continue
		}
		to := len(m.into.ids)
		moved[doc] = uint16(to)
		p[to/pageSize][to%pageSize] = part.standing.of(uint16(doc))
		m.into.ids = append(m.into.ids, part.ids[doc])
		m.into.digests = append(m.into.digests, part.digests[doc])
		m.into.lengths = append(m.into.lengths, part.lengths[doc])
	}
	return moved
}

func (m *merger) moveColumns() {
	var domains, outcomes []*column
	for _, part := range m.parts {
		domains, outcomes = append(domains, &part.domain), append(outcomes, &part.outcome)
	}
	m.into.domain = joinColumns(domains, m.moved, len(m.into.ids))
	m.into.outcome = joinColumns(outcomes, m.moved, len(m.into.ids))
}

func (m *merger) movePostings() {
	lists := make([]sorted, len(m.parts))
	postings, terms, size := 0, 0, 0
	for i, part := range m.parts {
		lists[i] = sorted{part.terms.len(), part.terms.at}
		postings += part.postingsAlive()
		terms += part.terms.len()
		size += len(part.terms.text)
	}
	m.dict = newDictionaryOf(terms, size)
	m.into.docs = make([]uint16, 0, postings)
	m.into.counts = make([]uint8, 0, postings)
	m.into.from = append(make([]uint32, 0, terms+1), 0)
	m.into.peaks = make([]uint8, 0, terms)
	weave(lists, m.moveTerm)
	m.into.terms = m.dict.build()
	m.into.from = exactly(m.into.from)
	m.into.peaks = exactly(m.into.peaks)
}

// moveTerm takes over the postings of one term, if anything that lives has it.
func (m *merger) moveTerm(term string, at []place) {
	s := m.into
	start := len(s.docs)
	for _, p := range at {
		moved := m.moved[p.list]
		docs, counts := m.parts[p.list].postings(p.index)
		for i, doc := range docs {
			if to := moved[doc]; to != gone {
				s.docs = append(s.docs, to)
				s.counts = append(s.counts, counts[i])
			}
		}
	}
	if len(s.docs) == start {
		return
	}
	m.dict.add(term)
	s.from = append(s.from, uint32(len(s.docs)))
	s.peaks = append(s.peaks, s.peakOf(s.docs[start:], s.counts[start:], m.norms))
}
