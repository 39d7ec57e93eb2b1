package store

// The cache of rows holds about this much.
const (
	cellLimit = 96 << 10
	byteLimit = 64 << 20
)

// cells keeps rows decoded from batch to batch, page by page: what was not asked
// for since the turn before the last goes.
type cells struct {
	sheets       map[group]*sheet
	turns        uint64
	count, bytes int // of what was asked for since the last turn
}

func newCells() cells { return cells{sheets: map[group]*sheet{}, turns: 1} }

// use takes into account that a page in memory was asked for.
func (c *cells) use(pg *page) {
	if pg.turn != c.turns {
		pg.turn = c.turns
		c.grow(len(pg.slots), pg.bytes)
	}
}

// grow takes in that there is more of what is used.
func (c *cells) grow(count, bytes int) {
	c.count += count
	c.bytes += bytes
}

// turn drops what was not asked for lately when there is half of what may be kept.
// What is in memory must be on disk.
func (c *cells) turn() {
	if c.count <= cellLimit/2 && c.bytes <= byteLimit/2 {
		return
	}
	for g, h := range c.sheets {
		if !h.drop(c.turns) {
			delete(c.sheets, g)
		}
	}
	c.turns++
	c.count, c.bytes = 0, 0
}

// drop forgets the rows of the pages that were not asked for since a turn, and
// reports whether there are others.
func (h *sheet) drop(turn uint64) (left bool) {
	for _, pg := range h.pages {
		if pg.turn >= turn {
			left = true
			continue
		}
		h.unload(pg)
	}
	return left
}

func (c *cells) clear() { *c = newCells() }
