package store

import (
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

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
	shelved *block             // the newest after the flush
	undo    []former           // what the batch changed, in order
	saved   place
	recent  struct { // the group asked for last: folds stay with one for a while
		group
		*sheet
	}
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
	g := groupOf(p.part, place)
	h := p.sheet(g)
	s, ok := h.slots[place.Row]
	if !ok {
		s = &slot{group: g, row: place.Row}
		if !h.whole {
			s.cell.Stored = p.row(g, place.Row)
		}
		h.add(s)
		p.store.cells.grow(s)
	}
	return p.ask(s)
}

// ask notes that the batch may change a row.
func (p *Partition) ask(s *slot) *learn.Cell {
	if w := p.batch.window; s.window != w.number {
		s.window = w.number
		w.asked = append(w.asked, s)
	}
	if s.batch != p.batch.number {
		s.batch, s.cell.Guarded = p.batch.number, true
		p.batch.asked = append(p.batch.asked, s)
	}
	return &s.cell
}

// sheet returns the rows of a group.
func (p *Partition) sheet(g group) *sheet {
	if p.recent.sheet == nil || p.recent.group != g {
		p.recent.group, p.recent.sheet = g, p.load(g)
	}
	return p.recent.sheet
}

// load finds the rows of a group. A group that is not large is read whole.
func (p *Partition) load(g group) *sheet {
	if h := p.store.cells.find(g); h != nil {
		return h
	}
	h := &sheet{slots: map[string]*slot{}, whole: true}
	for name, data := range p.rows(g, "") {
		if len(h.order) == sheetRows {
			h = &sheet{slots: map[string]*slot{}}
			break
		}
		s := &slot{group: g, row: name, cell: learn.Cell{Stored: slices.Clone(data)}}
		h.slots[name], h.order = s, append(h.order, s)
	}
	p.store.cells.young[g] = h
	for _, s := range h.order {
		p.store.cells.grow(s)
	}
	return h
}

// Scan yields the cells of the rows of the place's key whose names begin with the
// place's row, in byte order.
func (p *Partition) Scan(place learn.Place) iter.Seq2[string, *learn.Cell] {
	g := groupOf(p.part, place)
	h := p.sheet(g)
	if !h.whole {
		return p.scanLarge(g, h, place.Row)
	}
	return func(yield func(string, *learn.Cell) bool) {
		known := len(h.order)
		for i := h.find(place.Row); i < len(h.order); i++ {
			s := h.order[i]
			if !strings.HasPrefix(s.row, place.Row) || !yield(s.row, &s.cell) {
				return
			}
			if len(h.order) != known { // the reader asked for a row that was not there
				known, i = len(h.order), h.find(s.row)
			}
		}
	}
}

// scanLarge merges the rows on disk with those that changed since.
func (p *Partition) scanLarge(g group, h *sheet, prefix string) iter.Seq2[string, *learn.Cell] {
	return func(yield func(string, *learn.Cell) bool) {
		mine := h.changed(prefix)
		for name, data := range p.rows(g, prefix) {
			for len(mine) > 0 && rowOrder(mine[0].row, name) < 0 {
				if !yield(mine[0].row, &mine[0].cell) {
					return
				}
				mine = mine[1:]
			}
			cell := &learn.Cell{Stored: data}
			if len(mine) > 0 && mine[0].row == name {
				cell, mine = &mine[0].cell, mine[1:]
			}
			if !yield(name, cell) {
				return
			}
		}
		for _, s := range mine {
			if !yield(s.row, &s.cell) {
				return
			}
		}
	}
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
	p.fillRecords(w)
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
