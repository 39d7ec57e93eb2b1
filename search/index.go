package search

import "slices"

// widths part the shards into tiers by their living documents. As soon as the shards of a tier
// hold enough documents for the next, they become one of it; those of the last stay.
// A shard therefore has fewer than twice the last width, which bounds how long a writer is busy with one.
var widths = [...]int{1, 8, 64, 512, 8192}

// Index is what one writer keeps up to date. It must not be used by two goroutines at once; its
// snapshots may.
type Index struct {
	analyzer *analyzer
	statuses []string
	homes    map[string]home
	shards   []*shard
	docs     int
	tokens   uint64
	made     uint32 // segments so far
}

// home is where a document is.
type home struct {
	segment uint32
	doc     uint16
}

// New returns an empty index.
func New(o Options) *Index {
	a := newAnalyzer(o)
	a.stems = map[string]string{}
	return &Index{analyzer: a, homes: map[string]home{}}
}

// Put adds a document or replaces the one with its id. Where only its standing differs (status, confidence,
// posterior), that costs about a microsecond and touches no posting.
func (x *Index) Put(d Doc) {
	st := x.standing(d)
	if at, ok := x.homes[d.ID]; ok {
		slot := x.slot(at.segment)
		if x.shards[slot].digests[at.doc] == d.digest() {
			x.shards[slot] = x.shards[slot].withStanding(at.doc, st)
			return
		}
		x.Remove(d.ID)
	}
	p := newPages(1)
	p[0][0] = st
	x.add(newShard(newSegment(x.nextNo(), d, x.analyzer, newNorms(x.average())), p))
	x.gather()
}

// Remove takes a document out, if it is there.
func (x *Index) Remove(id string) {
	at, ok := x.homes[id]
	if !ok {
		return
	}
	delete(x.homes, id)
	slot := x.slot(at.segment)
	before := x.shards[slot]
	after := before.without(at.doc)
	x.docs--
	x.tokens -= before.tokens - after.tokens
	switch {
	case after.live == 0:
		x.shards = slices.Delete(x.shards, slot, slot+1)
	case after.stale():
		x.shards = slices.Delete(x.shards, slot, slot+1)
		x.join([]*shard{after})
	default:
		x.shards[slot] = after
	}
}

// Len returns how many documents there are.
func (x *Index) Len() int { return x.docs }

// Snapshot returns the index as it is now, for any number of readers and as long as they like.
func (x *Index) Snapshot() *Snapshot {
	return &Snapshot{
		options: x.analyzer.Options, statuses: slices.Clip(x.statuses),
		shards: bySize(x.shards), docs: x.docs, average: x.average(),
	}
}

// average is the length of a document in words.
func (x *Index) average() float64 {
	return float64(x.tokens) / float64(max(x.docs, 1))
}

func (x *Index) standing(d Doc) standing {
	code := slices.Index(x.statuses, d.Status)
	if code < 0 {
		code = len(x.statuses)
		x.statuses = append(x.statuses, d.Status)
	}
	return standing{confidence: float32(unit(d.Confidence)), factor: factorOf(d.Posterior), status: uint16(code)}
}

func (x *Index) nextNo() uint32 {
	x.made++
	return x.made
}

func (x *Index) slot(segment uint32) int {
	return slices.IndexFunc(x.shards, func(s *shard) bool { return s.no == segment })
}

// add takes in a shard of documents that were not there.
func (x *Index) add(s *shard) {
	x.docs += s.live
	x.tokens += s.tokens
	x.settle(s)
}

// settle remembers where the documents of a shard are.
func (x *Index) settle(s *shard) {
	x.shards = append(x.shards, s)
	for doc, id := range s.ids {
		x.homes[id] = home{s.no, uint16(doc)}
	}
}

// join makes one shard of some that were taken out.
func (x *Index) join(parts []*shard) {
	x.settle(merge(x.nextNo(), parts, newNorms(x.average())))
}

// gather joins the shards of each tier that hold enough for the next.
func (x *Index) gather() {
	for tier := range len(widths) - 1 {
		in := func(s *shard) bool { return s.live >= widths[tier] && s.live < widths[tier+1] }
		docs := 0
		for _, s := range x.shards {
			if in(s) {
				docs += s.live
			}
		}
		if docs < widths[tier+1] {
			continue
		}
		var parts []*shard
		for _, s := range x.shards {
			if in(s) {
				parts = append(parts, s)
			}
		}
		x.shards = slices.DeleteFunc(x.shards, in)
		x.join(parts)
	}
}
