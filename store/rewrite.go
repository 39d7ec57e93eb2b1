package store

import (
	"bytes"
	"strings"
)

// rewritten is a page and what becomes of it.
type rewritten struct {
	page  *page
	rows  []row
	gone  []*slot // without a row, and without one to hide
	into  []piece // what is written
	dirty bool    // it differs from what is on disk
}

// piece is a part of a rewritten page: rows up to one.
type piece struct {
	from string
	to   int
}

// rewrite finds out what a page is to hold now.
func (pg *page) rewrite() rewritten {
	pg.sift()
	r := rewritten{page: pg, rows: make([]row, 0, len(pg.read.at)+len(pg.slots))}
	for next := range pg.rows("") {
		if next.slot != nil && next.slot.cell.Changed {
			was := next.data
			next.data = next.slot.cell.Encode()
			r.dirty = r.dirty || (next.data == nil) != (was == nil) || !bytes.Equal(next.data, was)
		}
		switch {
		case next.data != nil:
			r.rows = append(r.rows, next)
		case next.at < 0:
			r.gone = append(r.gone, next.slot)
		}
	}
	switch {
	case len(r.rows) > 0 && r.dirty:
		r.cut()
	case len(r.rows) > 0:
		r.into = []piece{{pg.from, len(r.rows)}}
	}
	return r
}

// cut parts the rows into pieces of about the same size, the first of which begins
// where the page does.
func (r *rewritten) cut() {
	total, size := 0, 0
	for _, row := range r.rows {
		total += row.size()
	}
	most := total/(total/pageSize+1) + 1
	from := r.beginning()
	for i, row := range r.rows {
		if size += row.size(); size > most && i > 0 {
			r.into = append(r.into, piece{from, i})
			from, size = separator(r.rows[i-1].order(), row.order()), row.size()
		}
	}
	r.into = append(r.into, piece{from, len(r.rows)})
}

// beginning is where the page begins: with nothing if it is the first, which it may
// have become, and else with what its first row begins with, so that no key says
// anything about a row that is gone.
func (r *rewritten) beginning() string {
	from, first := r.page.from, r.rows[0].order()
	switch {
	case r.page.sheet.pages[0] == r.page:
		return ""
	case strings.HasPrefix(first, from):
		return from
	}
	return separator(from, first)
}

// separator is the shortest key that lies behind one row and not behind the next.
func separator(before, next string) string {
	n := 0
	for n < len(before) && before[n] == next[n] {
		n++
	}
	return next[:n+1]
}

// fill writes the page.
func (r rewritten) fill(w *writer) {
	if !r.dirty {
		return
	}
	g := r.page.sheet.group
	if r.page.onDisk && (len(r.into) == 0 || r.into[0].from != r.page.from) {
		w.drop(pageKey(g, r.page.from))
	}
	start := 0
	for _, p := range r.into {
		w.set(pageKey(g, p.from), encodePage(&w.packer, g, r.rows[start:p.to]))
		start = p.to
	}
}

// settle takes in that the page is on disk. What was read stays as it was read:
// the slots lie over it.
func (r rewritten) settle() {
	for _, s := range r.page.slots {
		if s.cell.Changed {
			s.cell.Stored, s.cell.Changed = nil, false // unless it is among the rows
		}
	}
	for _, row := range r.rows {
		if row.slot != nil {
			row.slot.cell.Stored = row.data
		}
	}
	h := r.page.sheet
	h.forget(r.gone)
	if len(r.into) == 0 {
		h.forget(r.page.slots)
		h.replace(r.page, nil)
		return
	}
	h.replace(r.page, r.parts())
}

// parts are the pages that the rewritten one became.
func (r rewritten) parts() []*page {
	old := *r.page
	pages, slots, read := make([]*page, len(r.into)), old.without(r.gone), old.read
	if from := r.into[0].from; from != old.from { // what hides rows before it would bring them back here
		var before []*slot
		before, slots, _, read = parted(slots, read, from)
		old.sheet.forget(before)
	}
	for i, p := range r.into {
		pg := r.page
		if i > 0 {
			pg = &page{sheet: old.sheet, inMem: true, window: old.window, turn: old.turn}
		}
		pg.from, pg.onDisk = p.from, old.onDisk || r.dirty
		pg.slots, pg.read = slots, read
		if i < len(r.into)-1 {
			pg.slots, slots, pg.read, read = parted(slots, read, r.into[i+1].from)
		}
		pg.tidy = len(pg.slots)
		pg.bytes = (len(pg.read.raw)*len(pg.read.at))/max(len(old.read.at), 1) + 4*len(pg.read.at)
		for _, s := range pg.slots {
			s.page = pg
			pg.bytes += slotSize(s.row, s.cell.Stored)
		}
		pages[i] = pg
	}
	return pages
}

// without returns the slots but some of them, both in order.
func (pg *page) without(gone []*slot) []*slot {
	if len(gone) == 0 {
		return pg.slots
	}
	left := make([]*slot, 0, len(pg.slots)-len(gone))
	for _, s := range pg.slots {
		if len(gone) > 0 && gone[0] == s {
			gone = gone[1:]
			continue
		}
		left = append(left, s)
	}
	return left
}

// parted parts slots and rows that were read at a place in their order.
func parted(slots []*slot, read stretch, from string) (s1, s2 []*slot, r1, r2 stretch) {
	i, _ := (&page{slots: slots}).find(from)
	j, _ := read.find(from)
	return slots[:i:i], slots[i:], stretch{read.raw, read.at[:j:j]}, stretch{read.raw, read.at[j:]}
}
