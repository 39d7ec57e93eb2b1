package store

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Partition is one partition during a batch: its rows, its records, its place in
// the log. It sees the batch's own changes.
type Partition struct {
	look
	batch   *Batch
	at      uint64 // cursor
	moved   bool
	changes map[string]*change // by record id
	metas   map[string][]byte
}

// change is a record as it was before the batch and as it is now; nil when there is none.
type change struct{ was, now *entry }

func newPartition(b *Batch, part uint16) *Partition {
	p := &Partition{
		look:    look{store: b.store, txn: b.txn, part: part, trouble: &b.trouble},
		batch:   b,
		changes: map[string]*change{},
		metas:   map[string][]byte{},
	}
	p.at = p.cursor()
	return p
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
	if s.batch != p.batch.number {
		s.batch = p.batch.number
		p.batch.touched[a.group] = append(p.batch.touched[a.group], s)
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

// changedRows lists the rows of a group that the batch may have changed, by name.
func (p *Partition) changedRows(g group, prefix string) []*slot {
	var mine []*slot
	for _, s := range p.batch.touched[g] {
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
	return int(p.count(code)) + p.counted()[code]
}

// counted sums up what the batch changes in the number of records.
func (p *Partition) counted() map[kindCode]int {
	delta := map[kindCode]int{}
	for _, c := range p.changes {
		if c.was != nil {
			delta[c.was.kind]--
		}
		if c.now != nil {
			delta[c.now.kind]++
		}
	}
	return delta
}

// fill writes the partition's changes.
func (p *Partition) fill(w *writer) {
	for _, c := range p.changes {
		p.fillRecord(w, c)
	}
	for kind, delta := range p.counted() {
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
