package search

import (
	"encoding/binary"
	"slices"
	"sort"
	"strings"
)

// segment holds the postings of some documents. It never changes.
// Documents are numbered within their segment; a term's postings are sorted by that number.
type segment struct {
	no      uint32 // no other segment of the index ever has it
	ids     []string
	digests []digest
	lengths []uint8 // coded
	domain  column
	outcome column

	terms    dictionary
	from     []uint32 // where a term's postings begin; one more than terms
	peaks    []uint8  // the best share of each term, in 255ths, rounded up
	average  float64  // the average length for which peaks were taken
	docs     []uint16
	counts   []uint8
	tokenSum uint64 // of all decoded lengths
}

// dictionary is a sorted list of terms in one text.
type dictionary struct {
	text string
	ends []uint32
	keys []uint64 // the beginning of each sixteenth term
}

// stride is the distance of keys: they fit into the processor's cache.
const stride = 16

func (d *dictionary) len() int { return len(d.ends) }

func (d *dictionary) at(i int) string {
	start := uint32(0)
	if i > 0 {
		start = d.ends[i-1]
	}
	return d.text[start:d.ends[i]]
}

// find returns the place of the first term that is not less, and whether it is the term itself.
func (d *dictionary) find(term string) (int, bool) {
	head := headOf(term)
	first, _ := slices.BinarySearch(d.keys, head) // earlier stretches end before the term, but for the last of them
	past := first
	for past < len(d.keys) && d.keys[past] == head {
		past++
	}
	from, to := max(first-1, 0)*stride, min(past*stride, d.len())
	i := from + sort.Search(to-from, func(i int) bool { return d.at(from+i) >= term })
	return i, i < d.len() && d.at(i) == term
}

// headOf returns the first eight bytes of a term as a number that sorts alike.
func headOf(term string) uint64 {
	var head [8]byte
	copy(head[:], term)
	return binary.BigEndian.Uint64(head[:])
}

// dictionaryOf builds a dictionary from sorted terms.
type dictionaryOf struct {
	text []byte
	ends []uint32
	keys []uint64
}

// newDictionaryOf makes room for at most so many terms and bytes.
func newDictionaryOf(terms, size int) *dictionaryOf {
	return &dictionaryOf{text: make([]byte, 0, size), ends: make([]uint32, 0, terms), keys: make([]uint64, 0, terms/stride+1)}
}

func (d *dictionaryOf) add(term string) {
	if len(d.ends)%stride == 0 {
		d.keys = append(d.keys, headOf(term))
	}
	d.text = append(d.text, term...)
	d.ends = append(d.ends, uint32(len(d.text)))
}

// build returns the dictionary, in no more memory than it needs.
func (d *dictionaryOf) build() dictionary {
	return dictionary{text: string(d.text), ends: exactly(d.ends), keys: exactly(d.keys)}
}

// exactly returns a slice in a memory of its size.
func exactly[T any](s []T) []T {
	if len(s) == cap(s) {
		return s
	}
	return slices.Clone(s)
}

// postings returns the documents that have a term, and how often.
func (s *segment) postings(term int) (docs []uint16, counts []uint8) {
	from, to := s.from[term], s.from[term+1]
	return s.docs[from:to], s.counts[from:to]
}

// termsOf returns the terms of one document, by looking through all postings: a list by document would
// take a fifth more memory and save a third of a millisecond when a document is replaced.
func (s *segment) termsOf(doc uint16) []int {
	var terms []int
	docs := s.docs
	for i := 0; i < len(docs); i++ {
		for ; i+4 <= len(docs); i += 4 {
			if d := docs[i : i+4 : i+4]; d[0] == doc || d[1] == doc || d[2] == doc || d[3] == doc {
				break
			}
		}
		if i < len(docs) && docs[i] == doc {
			terms = append(terms, s.termAt(i))
		}
	}
	return terms
}

// termAt returns the term that a posting is of.
func (s *segment) termAt(posting int) int {
	next, exact := slices.BinarySearch(s.from, uint32(posting))
	if exact {
		return next
	}
	return next - 1
}

// peakOf returns a bound for all shares of some postings.
func (s *segment) peakOf(docs []uint16, counts []uint8, n *norms) uint8 {
	best := float32(0)
	for i, doc := range docs {
		best = max(best, n.share(counts[i], s.lengths[doc]))
	}
	return uint8(min(float32(best*255)+1, 255))
}

// newSegment indexes one document.
func newSegment(no uint32, d Doc, a *analyzer, n *norms) *segment {
	counts, length := a.count(d)
	size := 0
	for _, c := range counts {
		size += len(c.term)
	}
	s := &segment{
		no: no, ids: []string{strings.Clone(d.ID)}, digests: []digest{d.digest()},
		lengths: []uint8{codeLength(length)}, average: n.average,
		domain:  column{values: []string{strings.Clone(d.Domain)}, codes: []uint16{0}},
		outcome: column{values: []string{strings.Clone(d.Outcome)}, codes: []uint16{0}},
		from:    make([]uint32, 1, len(counts)+1),
		docs:    make([]uint16, len(counts)),
		counts:  make([]uint8, 0, len(counts)),
		peaks:   make([]uint8, 0, len(counts)),
	}
	s.tokenSum = uint64(lengths[s.lengths[0]])
	dict := newDictionaryOf(len(counts), size)
	for i, c := range counts {
		dict.add(c.term)
		s.counts = append(s.counts, c.count)
		s.from = append(s.from, uint32(i+1))
		s.peaks = append(s.peaks, s.peakOf(s.docs[i:i+1], s.counts[i:i+1], n))
	}
	s.terms = dict.build()
	return s
}

// termCount is how often a document says a term, by the weights of its fields.
type termCount struct {
	term  string
	count uint8
}

// count returns the terms of a document in order, and its length in words.
func (a *analyzer) count(d Doc) (counts []termCount, length int) {
	by := a.said
	clear(by)
	for _, f := range d.fields() {
		a.terms(f.text, func(term string, _, _ int) {
			by[term] += f.weight
			length += f.weight
		})
	}
	counts = make([]termCount, 0, len(by))
	for term, n := range by {
		counts = append(counts, termCount{term, uint8(min(n, countMax))})
	}
	slices.SortFunc(counts, func(x, y termCount) int { return strings.Compare(x.term, y.term) })
	return counts, length
}
