package store

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"learnloop.dev/learn"
)

// slot is a row in memory.
type slot struct {
	cell  learn.Cell
	row   string
	order string // its place among the rows
	page  *page
	batch uint64 // the last batch that asked for it
}

// sheet is a group: its pages, in order. There is always a first one.
type sheet struct {
	group group
	pages []*page
	slots map[string]*slot // of the pages in memory, by row
}

// page holds the rows of a group from one on.
type page struct {
	sheet  *sheet
	from   string // where it begins, in order
	onDisk bool
	inMem  bool    // the rows are in memory
	slots  []*slot // in order
	bytes  int     // about what they take in memory
	window uint64  // the last window that asked for one
	turn   uint64  // the last turn of the cache that did
}

func newSheet(g group) *sheet { return &sheet{group: g, slots: map[string]*slot{}} }

// add appends a page.
func (h *sheet) add(from string) *page {
	pg := &page{sheet: h, from: from}
	h.pages = append(h.pages, pg)
	return pg
}

// at returns the index of the page where a row belongs.
func (h *sheet) at(order string) int {
	i, found := slices.BinarySearchFunc(h.pages, order, func(pg *page, order string) int { return strings.Compare(pg.from, order) })
	if found {
		return i
	}
	return max(i-1, 0)
}

// slotSize estimates what a row takes in memory, in bytes: its names, its bytes, and
// as much again for its value.
func slotSize(name string, data []byte) int { return 200 + len(name) + 3*len(data) }

// decode puts the rows of a stored page into memory; they keep the value.
func (pg *page) decode(value []byte) error {
	rows, err := decodePage(value)
	if err != nil {
		return err
	}
	pg.hold(rows)
	return nil
}

func (pg *page) hold(rows []storedRow) {
	slots := make([]slot, len(rows))
	pg.slots, pg.inMem, pg.bytes = make([]*slot, len(rows)), true, 0
	for i, r := range rows {
		slots[i] = slot{row: r.name, order: orderOf(r.name), page: pg, cell: learn.Cell{Stored: r.data}}
		pg.slots[i] = &slots[i]
		pg.sheet.slots[r.name] = &slots[i]
		pg.bytes += slotSize(r.name, r.data)
	}
}

// find returns where a row stands or would stand.
func (pg *page) find(order string) (int, bool) {
	return slices.BinarySearchFunc(pg.slots, order, func(s *slot, order string) int { return strings.Compare(s.order, order) })
}

// slot returns the slot of a row, a new one when there is none.
func (pg *page) slot(row, order string) (s *slot, fresh bool) {
	i, found := pg.find(order)
	if found {
		return pg.slots[i], false
	}
	s = &slot{row: row, order: order, page: pg}
	pg.slots = slices.Insert(pg.slots, i, s)
	pg.sheet.slots[row] = s
	pg.bytes += slotSize(row, nil)
	return s, true
}

// forget drops rows from memory.
func (h *sheet) forget(slots []*slot) {
	for _, s := range slots {
		delete(h.slots, s.row)
	}
}

// rewritten is a page and what becomes of it.
type rewritten struct {
	page  *page
	slots []*slot // with a row
	rows  []storedRow
	gone  []*slot // without one
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
	r := rewritten{page: pg}
	for _, s := range pg.slots {
		data := s.cell.Stored
		if s.cell.Changed {
			data = s.cell.Encode()
			r.dirty = r.dirty || (data == nil) != (s.cell.Stored == nil) || !bytes.Equal(data, s.cell.Stored)
		}
		if data == nil {
			r.gone = append(r.gone, s)
		} else {
			r.slots, r.rows = append(r.slots, s), append(r.rows, storedRow{s.row, data})
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
	from := r.page.from
	if r.page.sheet.pages[0] == r.page {
		from = "" // it may have lost the one before it
	}
	for i, row := range r.rows {
		if size += row.size(); size > most && i > 0 {
			r.into = append(r.into, piece{from, i})
			from, size = separator(r.slots[i-1].order, r.slots[i].order), row.size()
		}
	}
	r.into = append(r.into, piece{from, len(r.rows)})
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

// settle takes in that the page is on disk.
func (r rewritten) settle() {
	for _, s := range r.page.slots {
		s.cell.Changed = false
	}
	for i, s := range r.slots {
		s.cell.Stored = r.rows[i].data
	}
	r.page.sheet.forget(r.gone)
	pages, start := make([]*page, 0, 1), 0
	for i, p := range r.into {
		pg := r.page
		if i > 0 {
			pg = &page{sheet: r.page.sheet, inMem: true, window: r.page.window, turn: r.page.turn}
		}
		pg.from, pg.onDisk, pg.slots, pg.bytes = p.from, r.dirty || pg.onDisk, r.slots[start:p.to:p.to], 0
		for j, row := range r.rows[start:p.to] {
			pg.bytes += slotSize(row.name, row.data)
			pg.slots[j].page = pg
		}
		pages, start = append(pages, pg), p.to
	}
	r.page.sheet.replace(r.page, pages)
}

// replace puts pages in the place of one.
func (h *sheet) replace(old *page, pages []*page) {
	i := slices.Index(h.pages, old)
	if i < 0 {
		return // it could not be read
	}
	h.pages = slices.Replace(h.pages, i, i+1, pages...)
	if len(h.pages) == 0 {
		*old = page{sheet: h, inMem: true, window: old.window, turn: old.turn}
		h.pages = append(h.pages, old)
	}
}

// scan yields the rows whose names begin with a prefix, in order; open has the rows
// of a page read.
func (h *sheet) scan(prefix string, open func(*page) *page) iter.Seq2[string, *learn.Cell] {
	first := prefix[:min(len(prefix), rowLimit)]
	return func(yield func(string, *learn.Cell) bool) {
		for i := h.at(first); i < len(h.pages); i++ {
			for s := range open(h.pages[i]).after(first) {
				if !strings.HasPrefix(s.order, first) {
					return
				}
				if strings.HasPrefix(s.row, prefix) && !yield(s.row, &s.cell) {
					return
				}
			}
		}
	}
}

// after yields the slots from one on. The reader may ask for rows that are not there.
func (pg *page) after(order string) iter.Seq[*slot] {
	return func(yield func(*slot) bool) {
		i, _ := pg.find(order)
		for known := len(pg.slots); i < len(pg.slots); i++ {
			s := pg.slots[i]
			if !yield(s) {
				return
			}
			if len(pg.slots) != known {
				known = len(pg.slots)
				i, _ = pg.find(s.order)
			}
		}
	}
}
