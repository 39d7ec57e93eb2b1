package store

import (
	"iter"
	"slices"
	"strings"

	"learnloop.dev/learn"
)

// sheet is a group: its pages, in order. There is always a first one.
type sheet struct {
	group group
	pages []*page
	slots map[string]*slot // of all pages, by row
	// marked is the last batch that changed a row.
	marked uint64
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

// unload drops a page's rows from memory.
func (h *sheet) unload(pg *page) {
	h.forget(pg.slots)
	pg.slots, pg.tidy, pg.read, pg.inMem = nil, 0, stretch{}, false
}

func (h *sheet) forget(slots []*slot) {
	for _, s := range slots {
		delete(h.slots, s.row)
	}
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
			for r := range open(h.pages[i]).rows(first) {
				name := string(r.name)
				if r.slot != nil {
					name = r.slot.row
				}
				if !strings.HasPrefix(name, first) {
					return
				}
				if strings.HasPrefix(name, prefix) && !yield(name, r.cell()) {
					return
				}
			}
		}
	}
}
