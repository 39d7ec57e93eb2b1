package store

import (
	"cmp"
	"iter"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Record returns the record of an identity as it counts now, and false when there
// is none. It must not be changed.
func (p *Partition) Record(id string) (events.Recorded, bool) {
	now := p.changeOf(id).now
	if now == nil {
		return nil, false
	}
	return now.rec, true
}

// Put keeps a fact as the record of its identity, in place of an earlier one. Raw
// is the fact as the log holds it; neither may be changed until the batch ends.
func (p *Partition) Put(rec events.Recorded, raw []byte) {
	p.changeOf(rec.Header().Record).now = entryOf(rec, raw)
}

// Drop removes a record; it does nothing when there is none.
func (p *Partition) Drop(rec events.Recorded) { p.changeOf(rec.Header().Record).now = nil }

func (p *Partition) changeOf(id string) *change {
	c, ok := p.changes[id]
	if !ok {
		was := p.stored(id)
		c = &change{was, was}
		p.changes[id] = c
	}
	return c
}

func (p *Partition) fillRecord(w *writer, c *change) {
	if c.was == c.now {
		return
	}
	var was, now [5]pair
	if c.was != nil {
		was = c.was.pairs(p.part)
	}
	if c.now != nil {
		now = c.now.pairs(p.part)
	}
	for i := range was {
		if was[i].key != nil && string(was[i].key) != string(now[i].key) {
			w.drop(was[i].key)
		}
		if now[i].key != nil {
			w.set(now[i].key, now[i].value)
		}
	}
}

// Each yields the selected records by event time and then record id, as they were
// when it began, without those dropped meanwhile.
func (p *Partition) Each(sel learn.Select) iter.Seq[events.Recorded] {
	s := prepare(sel)
	return p.merge(p.each(s), s.matches, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(string(a.at[:]), string(b.at[:])), cmp.Compare(a.id, b.id))
	})
}

// Oldest yields the records of a kind, or of every kind if it is empty, in the
// order of the log, as they were when it began, without those dropped meanwhile.
func (p *Partition) Oldest(kind events.Kind) iter.Seq[events.Recorded] {
	code := codeOf(kind)
	mine := func(e *entry) bool { return kind == "" || e.kind == code }
	return p.merge(p.inLogOrder(kind, p.front()), mine, func(a, b *entry) int { return cmp.Compare(a.seq, b.seq) })
}

// merge puts the batch's changes into a sequence of stored records.
func (p *Partition) merge(stored iter.Seq[*entry], mine func(*entry) bool, compare func(a, b *entry) int) iter.Seq[events.Recorded] {
	return func(yield func(events.Recorded) bool) {
		fresh := p.fresh(mine, compare)
		before := func(e *entry) bool { // yields what comes before e
			for len(fresh) > 0 && (e == nil || compare(fresh[0], e) < 0) {
				next := fresh[0]
				fresh = fresh[1:]
				if p.changes[next.id].now == next && !yield(next.rec) {
					return false
				}
			}
			return true
		}
		for e := range stored {
			if c, ok := p.changes[e.id]; ok && c.was != c.now {
				continue
			}
			if !before(e) || !yield(e.rec) {
				return
			}
		}
		before(nil)
	}
}

// front finds the first record's sequence, or one before it, and remembers it, so
// that the remains of dropped records are not searched again.
func (p *Partition) front() uint64 {
	p.store.mu.Lock()
	low := p.store.oldestIn(p.part)
	p.store.mu.Unlock()
	for seq := range p.sequences(low.at) {
		low.raise(seq, *low)
		break
	}
	return low.at
}

// keep takes in the sequences of the records that were put.
func (p *Partition) keep(low *floor) {
	for _, c := range p.changes {
		if c.now != nil {
			low.lower(c.now.seq)
		}
	}
}

// fresh lists the selected records that the batch put, in order.
func (p *Partition) fresh(mine func(*entry) bool, compare func(a, b *entry) int) []*entry {
	var fresh []*entry
	for _, c := range p.changes {
		if c.now != nil && c.now != c.was && mine(c.now) {
			fresh = append(fresh, c.now)
		}
	}
	slices.SortFunc(fresh, compare)
	return fresh
}
