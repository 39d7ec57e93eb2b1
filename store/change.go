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
// is the fact as the log holds it; neither may be changed until it is flushed.
func (p *Partition) Put(rec events.Recorded, raw []byte) {
	p.become(rec.Header().Record, entryOf(rec, raw))
}

// Drop removes a record; it does nothing when there is none.
func (p *Partition) Drop(rec events.Recorded) { p.become(rec.Header().Record, nil) }

// change is a record as it is on disk and as it is now; nil when there is none.
type change struct{ was, now *entry }

// former is what a change said before the batch changed it.
type former struct {
	change *change
	now    *entry
}

func (p *Partition) become(id string, now *entry) {
	c := p.changeOf(id)
	p.undo = append(p.undo, former{c, c.now})
	p.turn(c, now)
}

func (p *Partition) turn(c *change, now *entry) {
	if c.now != nil {
		p.delta[c.now.kind]--
	}
	if now != nil {
		p.delta[now.kind]++
	}
	c.now = now
}

func (p *Partition) changeOf(id string) *change {
	c, ok := p.changes[id]
	if !ok {
		was := p.stored(id)
		c = &change{was, was}
		p.changes[id] = c
	}
	return c
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
	s := prepare(learn.Select{Kind: kind})
	return p.merge(p.inLogOrder(s), s.matches, func(a, b *entry) int { return cmp.Compare(a.seq, b.seq) })
}

// merge puts what is not on disk yet into a sequence of stored records.
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

// fresh lists the selected records that are not on disk yet, in order.
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
