package store

import (
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Partition is one partition during a batch: its rows, its records, its place in
// the log. It sees the batch's own changes.
type Partition struct {
	look
	batch *Batch
	place
	changes map[string]*change // by record id
	newest  *block             // of those on disk, once it is known
	shelved shelved            // what is being written
	ahead   bool               // records are on disk that the cursor does not tell of
	pages   []*page            // that were asked for
	rewrite []rewritten        // what became of them in the flush
	undo    []former           // what the batch changed, in order
	saved   place
	recent  [4]*sheet // of groups found lately: a fold goes back and forth between a few
	found   int       // how many were
}

// place is how far a partition is folded, and what was noted about it.
type place struct {
	at    uint64 // cursor
	moved bool
	metas map[string][]byte // changed ones; nil values are to be removed
	delta map[kindCode]int  // by how much the number of records changed
}

func newPartition(b *Batch, part uint16) *Partition {
	w := b.window
	p := &Partition{
		look:    look{store: b.store, txn: w.txn, part: part, trouble: &w.trouble, blocks: &w.blocks},
		changes: map[string]*change{},
		newest:  b.store.last[part],
	}
	p.index = b.store.indexOf(p.look)
	p.place = place{at: p.cursor(), metas: map[string][]byte{}, delta: map[kindCode]int{}}
	return p
}

// begin opens the partition for a batch.
func (p *Partition) begin(b *Batch) {
	p.batch, p.undo, p.saved = b, nil, p.place
	p.saved.metas = maps.Clone(p.metas)
}

// revert undoes what the batch did.
func (p *Partition) revert() {
	for _, f := range slices.Backward(p.undo) {
		p.turn(f.change, f.now)
	}
	delta := p.delta // turned back already
	p.place = p.saved
	p.delta = delta
}

// Cursor returns the log sequence up to which the partition is folded.
func (p *Partition) Cursor() uint64 { return p.at }

// SetCursor moves the cursor.
func (p *Partition) SetCursor(seq uint64) { p.at, p.moved = seq, true }

// Meta returns a small fact about the partition, nil when it is not set.
func (p *Partition) Meta(name string) []byte {
	if value, set := p.metas[name]; set {
		return value
	}
	return p.meta(name)
}

// SetMeta keeps a small fact about the partition; nil removes it.
func (p *Partition) SetMeta(name string, value []byte) { p.metas[name] = slices.Clone(value) }

// Cell returns a row's cell.
func (p *Partition) Cell(place learn.Place) *learn.Cell {
	h := p.sheet(groupOf(p.part, place))
	s, known := h.slots[place.Row]
	if !known {
		s = p.find(h, place.Row)
	}
	p.ask(s)
	if p.batch.trace != "" {
		p.batch.traces[h.group] = p.batch.trace
	}
	return &s.cell
}

// find returns the slot of a row that was not asked for lately.
func (p *Partition) find(h *sheet, row string) *slot {
	order := orderOf(row)
	pg := p.open(h.pages[h.at(order)])
	s := pg.slot(row, order)
	size := slotSize(row, s.cell.Stored)
	pg.bytes += size
	p.store.cells.grow(1, size)
	return s
}

// ask notes that the batch may change a row.
func (p *Partition) ask(s *slot) {
	if s.batch == p.batch.number {
		return
	}
	s.batch, s.cell.Guarded = p.batch.number, true
	p.batch.asked = append(p.batch.asked, s)
	if w := p.batch.window; s.page.window != w.number {
		s.page.window = w.number
		p.pages = append(p.pages, s.page)
		p.store.cells.use(s.page)
	}
}

// sheet returns a group. One that cannot be read seems empty: the batch fails.
func (p *Partition) sheet(g group) *sheet {
	for _, h := range p.recent {
		if h != nil && h.group == g {
			return h
		}
	}
	h, known := p.store.cells.sheets[g]
	if !known {
		var ok bool
		if h, ok = p.look.sheet(g); !ok {
			h = newSheet(g)
			h.add("").inMem = true
			return h
		}
		p.store.cells.sheets[g] = h
		for _, pg := range h.pages {
			if pg.inMem {
				p.store.cells.use(pg)
			}
		}
	}
	p.recent[p.found%len(p.recent)] = h
	p.found++
	return h
}

// open returns a page with its rows. One that cannot be read seems empty.
func (p *Partition) open(pg *page) *page {
	if !p.load(pg) {
		return &page{sheet: newSheet(pg.sheet.group), inMem: true}
	}
	p.store.cells.use(pg)
	return pg
}

// Scan yields the cells of the rows of the place's key whose names begin with the
// place's row, in byte order.
func (p *Partition) Scan(place learn.Place) iter.Seq2[string, *learn.Cell] {
	return p.sheet(groupOf(p.part, place)).scan(place.Row, p.open)
}

// Emit keeps a derived fact until it is appended to the log (see Outbox).
func (p *Partition) Emit(d learn.Derived) {
	data, err := encodeLetter(int(p.part), d)
	if err != nil {
		p.trouble.keep(fmt.Sprintf("keep derived fact of kind %s", d.Part.Kind), err)
		return
	}
	p.batch.letters = append(p.batch.letters, data)
}

// Count returns how many records of a kind the partition has.
func (p *Partition) Count(kind events.Kind) int {
	code := codeOf(kind)
	return int(p.count(code)) + p.delta[code]
}

// fill writes the partition's changes.
func (p *Partition) fill(w *writer) {
	p.fillPages(w)
	p.fillRecords(w)
	if p.ahead {
		w.drop(partKey(tableAhead, p.part))
	}
	for kind, delta := range p.delta {
		p.fillCount(w, kind, delta)
	}
	for name, value := range p.metas {
		if value == nil {
			w.drop(metaKey(p.part, name))
		} else {
			w.set(metaKey(p.part, name), value)
		}
	}
	if p.moved {
		w.set(keyOf(p.part, tableCursor), numberBytes(p.at))
	}
}

// fillPages writes the pages in which a row changed.
func (p *Partition) fillPages(w *writer) {
	p.rewrite = p.rewrite[:0]
	for _, pg := range p.pages {
		p.rewrite = append(p.rewrite, pg.rewrite())
	}
	for _, r := range p.rewrite {
		r.fill(w)
	}
}

// settle takes in that what was filled in is on disk.
func (p *Partition) settle() {
	for _, r := range p.rewrite {
		r.settle()
	}
	p.shelved.settle(p)
}

func (p *Partition) fillCount(w *writer, kind kindCode, delta int) {
	if delta == 0 {
		return
	}
	key, n := countKey(p.part, kind), p.count(kind)+uint64(delta) // wraps back
	if n == 0 {
		w.drop(key)
		return
	}
	w.set(key, binary.BigEndian.AppendUint64(nil, n))
}
