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
	a := address{groupOf(p.part, place), place.Row}
	s := p.store.cells.find(a)
	if s == nil {
		s = &slot{group: a.group, row: a.row}
		s.cell.Stored = p.row(a.group, a.row)
		p.store.cells.add(a, s)
	}
	if w := p.batch.window; s.window != w.number {
		s.window = w.number
		w.asked[a.group] = append(w.asked[a.group], s)
	}
	if s.batch != p.batch.number {
		s.batch, s.cell.Guarded = p.batch.number, true
		p.batch.asked = append(p.batch.asked, s)
	}
	return &s.cell
}

// Scan yields the rows of the place's key whose names begin with the place's row,
// in byte order. The bytes are only valid until the next.
func (p *Partition) Scan(place learn.Place) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		g := groupOf(p.part, place)
		mine := p.changedRows(g, place.Row)
		for name, data := range p.rows(g, place.Row) {
			for len(mine) > 0 && rowOrder(mine[0].row, name) < 0 {
				if !mine[0].yield(yield) {
					return
				}
				mine = mine[1:]
			}
			if len(mine) > 0 && mine[0].row == name {
				data, mine = mine[0].cell.Encode(), mine[1:]
			}
			if data != nil && !yield(name, data) {
				return
			}
		}
		for _, s := range mine {
			if !s.yield(yield) {
				return
			}
		}
	}
}

func (s *slot) yield(yield func(string, []byte) bool) bool {
	data := s.cell.Encode()
	return data == nil || yield(s.row, data)
}

// changedRows lists the rows of a group that may differ from those on disk, by name.
func (p *Partition) changedRows(g group, prefix string) []*slot {
	var mine []*slot
	for _, s := range p.batch.window.asked[g] {
		if s.cell.Changed && strings.HasPrefix(s.row, prefix) {
			mine = append(mine, s)
		}
	}
	slices.SortFunc(mine, func(a, b *slot) int { return rowOrder(a.row, b.row) })
	return mine
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
