package store

import "learnloop.dev/learn"

// The cache of decoded rows holds about this much.
const (
	cellLimit = 256 << 10
	byteLimit = 64 << 20
)

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

type address struct {
	group group
	row   string
}

// cells keeps rows decoded from batch to batch, in two generations: what the
// young one does not ask for again goes with the old one.
type cells struct {
	young, old map[address]*slot
	bytes      int // of the young
}

func newCells() cells { return cells{young: map[address]*slot{}} }

// find returns a row's slot, nil when it is not in memory.
func (c *cells) find(a address) *slot {
	if s, ok := c.young[a]; ok {
		return s
	}
	s, ok := c.old[a]
	if !ok {
		return nil
	}
	delete(c.old, a)
	c.add(a, s)
	return s
}

func (c *cells) add(a address, s *slot) {
	c.young[a] = s
	c.bytes += s.size()
}

// turn ages the generations when the young one is half of what may be kept. What
// is in memory must be on disk: an old one may be dropped.
func (c *cells) turn() {
	if len(c.young) > cellLimit/2 || c.bytes > byteLimit/2 {
		c.young, c.old, c.bytes = map[address]*slot{}, c.young, 0
	}
}

func (c *cells) clear() { *c = newCells() }
