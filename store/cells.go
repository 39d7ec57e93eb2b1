package store

import (
	"slices"
	"strings"

	"learnloop.dev/learn"
)

// The cache of rows holds about this much.
const (
	cellLimit = 64 << 10
	byteLimit = 32 << 20
)

// sheetRows is how many rows a group may have to be read whole. One that grows to
// twice as many is looked up row by row from then on.
const sheetRows = 512

// slot is a row in memory.
type slot struct {
	cell   learn.Cell
	group  group
	row    string
	window uint64 // the last window that asked for it
	batch  uint64 // the last batch that did
}

// size estimates what a slot takes in memory, in bytes: its names, its bytes, and
// as much again for its value.
func (s *slot) size() int {
	return 300 + len(s.group.key.ID) + len(s.row) + 3*len(s.cell.Stored)
}

// sheet holds rows of a group.
type sheet struct {
	slots map[string]*slot
	whole bool    // what is not here does not exist
	order []*slot // all of them by name, if whole
}

// find returns where a row stands or would stand.
func (h *sheet) find(row string) int {
	i, _ := slices.BinarySearchFunc(h.order, row, func(s *slot, row string) int { return rowOrder(s.row, row) })
	return i
}

func (h *sheet) add(s *slot) {
	h.slots[s.row] = s
	if !h.whole {
		return
	}
	if len(h.order) >= 2*sheetRows {
		h.whole, h.order = false, nil
		return
	}
	h.order = slices.Insert(h.order, h.find(s.row), s)
}

// remove forgets a row that does not exist any more.
func (h *sheet) remove(row string) {
	delete(h.slots, row)
	if h.whole {
		if i := h.find(row); i < len(h.order) && h.order[i].row == row {
			h.order = slices.Delete(h.order, i, i+1)
		}
	}
}

// changed lists the rows that may differ from those on disk and whose names begin
// with a prefix, by name.
func (h *sheet) changed(prefix string) []*slot {
	var list []*slot
	for _, s := range h.slots {
		if s.cell.Changed && strings.HasPrefix(s.row, prefix) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *slot) int { return rowOrder(a.row, b.row) })
	return list
}

// cells keeps rows decoded from batch to batch, in two generations of groups: what
// the young one does not ask for again goes with the old one.
type cells struct {
	young, old   map[group]*sheet
	count, bytes int // of the young
}

func newCells() cells { return cells{young: map[group]*sheet{}} }

// find returns the rows of a group, nil when they are not in memory.
func (c *cells) find(g group) *sheet {
	if h, ok := c.young[g]; ok {
		return h
	}
	h, ok := c.old[g]
	if !ok {
		return nil
	}
	delete(c.old, g)
	c.young[g] = h
	for _, s := range h.slots {
		c.grow(s)
	}
	return h
}

// grow takes a row into account.
func (c *cells) grow(s *slot) {
	c.count++
	c.bytes += s.size()
}

// regrow takes in what a row takes now that it is written.
func (c *cells) regrow(s *slot, before int) { c.bytes += s.size() - before }

// turn ages the generations when the young one is half of what may be kept. What
// is in memory must be on disk: an old one may be dropped.
func (c *cells) turn() {
	if c.count > cellLimit/2 || c.bytes > byteLimit/2 {
		c.young, c.old, c.count, c.bytes = map[group]*sheet{}, c.young, 0, 0
	}
}

func (c *cells) clear() { *c = newCells() }
