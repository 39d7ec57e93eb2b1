package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
	"slices"
	"sort"
	"strings"

	"learnloop.dev/learn"

	"github.com/klauspost/compress/s2"
)

// Rows lie in pages: neighbours of one group, read and written together. A page's
// key is its group's and where it begins, its value
//
//	1 byte                                   what follows: pageLong, pagePacked
//	model, kind, id, behind their lengths    if pageLong: the key has only hashes
//	rows: name, data, behind their lengths   compressed if pagePacked
//
// A page begins at the shortest prefix of its first row's key that lies behind the
// row before it; the first page of a group begins at nothing.
const (
	pageLong   = 1 << 0
	pagePacked = 1 << 1
)

const (
	pageSize = 4 << 10 // bytes of rows that a page is cut at
	packFrom = 256     // bytes of rows that are worth compressing
)

var errPage = errors.New("a page of rows cannot be read")

// page holds the rows of a group from one on: those that were read, as they were,
// and over them those that somebody asked for.
type page struct {
	sheet  *sheet
	from   string // where it begins, in order
	onDisk bool
	inMem  bool
	read   stretch
	slots  []*slot // without a value they hide a row that was read
	tidy   int     // so many of them are in order; the others came since
	bytes  int     // about what all this takes in memory
	window uint64  // the last window that asked for a row
	turn   uint64  // the last turn of the cache that did
}

// slot is a row in memory.
type slot struct {
	cell  learn.Cell
	row   string
	order string // its place among the rows
	page  *page
	batch uint64 // the last batch that asked for it
}

// stretch is a number of rows, encoded, in order.
type stretch struct {
	raw []byte
	at  []uint32 // where they begin
}

// row returns the i-th row. Both lie in the stretch.
func (s stretch) row(i int) (name, data []byte) {
	rest := s.raw[s.at[i]:]
	size, n := binary.Uvarint(rest)
	name, rest = rest[n:n+int(size)], rest[n+int(size):]
	size, n = binary.Uvarint(rest)
	return name, rest[n : n+int(size) : n+int(size)]
}

// order is what the i-th row is ordered by.
func (s stretch) order(i int) []byte {
	name, _ := s.row(i)
	if len(name) <= rowLimit {
		return name
	}
	return []byte(orderOf(string(name)))
}

// find returns where a row stands or would stand.
func (s stretch) find(order string) (int, bool) {
	key := []byte(order)
	return sort.Find(len(s.at), func(i int) int { return bytes.Compare(key, s.order(i)) })
}

// readStretch finds the rows in what encodes them.
func readStretch(raw []byte) (stretch, error) {
	s, at := stretch{raw: raw}, 0
	for at < len(raw) {
		s.at = append(s.at, uint32(at))
		for range 2 {
			size, n := binary.Uvarint(raw[at:])
			if n <= 0 || uint64(len(raw)-at-n) < size {
				return stretch{}, errPage
			}
			at += n + int(size)
		}
	}
	return s, nil
}

// decodePage reads the rows of a page.
func decodePage(value []byte) (stretch, error) {
	if len(value) == 0 {
		return stretch{}, errPage
	}
	flags, raw := value[0], value[1:]
	if flags&pageLong != 0 {
		var err error
		if _, raw, err = parseLong(0, raw); err != nil {
			return stretch{}, err
		}
	}
	if flags&pagePacked == 0 {
		return readStretch(bytes.Clone(raw))
	}
	raw, err := s2.Decode(nil, raw)
	if err != nil {
		return stretch{}, errPage
	}
	return readStretch(raw)
}

// pageKey is where a page lies.
func pageKey(g group, from string) []byte {
	return append(appendGroup(keyOf(g.part, tableRow), g), from...)
}

// pageOf reads the names of a page's group off its key and value. The key lacks its
// partition and table.
func pageOf(part uint16, key, value []byte) (group, error) {
	g, long, err := parseGroup(part, key)
	if err != nil || !long {
		return g, err
	}
	if len(value) == 0 || value[0]&pageLong == 0 {
		return group{}, errPage
	}
	g, _, err = parseLong(part, value[1:])
	return g, err
}

// encodePage is what lies there.
func encodePage(p *packer, g group, rows []row) []byte {
	head, size := []byte{0}, 0
	if isLong(g) {
		head = append([]byte{pageLong}, longNames(g)...)
	}
	for _, r := range rows {
		size += r.size()
	}
	if size < packFrom {
		return appendRows(head, rows)
	}
	head[0] |= pagePacked
	return p.pack(head, func(raw []byte) []byte { return appendRows(raw, rows) })
}

func appendRows(raw []byte, rows []row) []byte {
	for _, r := range rows {
		if r.slot != nil {
			raw = append(binary.AppendUvarint(raw, uint64(len(r.slot.row))), r.slot.row...)
		} else {
			raw = append(binary.AppendUvarint(raw, uint64(len(r.name))), r.name...)
		}
		raw = append(binary.AppendUvarint(raw, uint64(len(r.data))), r.data...)
	}
	return raw
}

// decode takes in what lies on disk.
func (pg *page) decode(value []byte) error {
	read, err := decodePage(value)
	if err != nil {
		return err
	}
	pg.read, pg.inMem, pg.bytes = read, true, cap(read.raw)+4*cap(read.at)
	return nil
}

// slotSize estimates what a row that was asked for takes in memory, in bytes.
func slotSize(name string, data []byte) int { return 250 + len(name) + 2*len(data) }

// sort puts the slots in order.
func (pg *page) sort() {
	old, fresh := pg.slots[:pg.tidy], slices.Clone(pg.slots[pg.tidy:])
	slices.SortFunc(fresh, func(a, b *slot) int { return strings.Compare(a.order, b.order) })
	for i := len(pg.slots) - 1; len(fresh) > 0; i-- { // from behind, where there is room
		last := &fresh
		if n := len(old); n > 0 && old[n-1].order > fresh[len(fresh)-1].order {
			last = &old
		}
		pg.slots[i] = (*last)[len(*last)-1]
		*last = (*last)[:len(*last)-1]
	}
	pg.tidy = len(pg.slots)
}

// sift forgets the rows that came and went since the slots were in order: where much is
// folded that is most of them. No batch may be open.
func (pg *page) sift() {
	left := pg.slots[:pg.tidy]
	for _, s := range pg.slots[pg.tidy:] {
		if s.cell.Empty() {
			delete(pg.sheet.slots, s.row)
		} else {
			left = append(left, s)
		}
	}
	clear(pg.slots[len(left):])
	pg.slots = left
}

// find returns where a slot stands or would stand. The slots must be in order.
func (pg *page) find(order string) (int, bool) {
	return slices.BinarySearchFunc(pg.slots, order, func(s *slot, order string) int { return strings.Compare(s.order, order) })
}

// slot returns a row that nobody has asked for yet.
func (pg *page) slot(name, order string) *slot {
	s := &slot{row: name, order: order, page: pg}
	if i, found := pg.read.find(order); found {
		_, s.cell.Stored = pg.read.row(i)
	}
	pg.slots = append(pg.slots, s)
	pg.sheet.slots[name] = s
	return s
}

// row is one of a page: as it was read, or as somebody may have changed it.
type row struct {
	slot *slot
	name []byte // if there is no slot
	data []byte
	at   int // among those that were read; -1 when it was not
}

func (r row) size() int {
	if r.slot != nil {
		return len(r.slot.row) + len(r.data) + 4
	}
	return len(r.name) + len(r.data) + 4
}

func (r row) order() string {
	if r.slot != nil {
		return r.slot.order
	}
	return orderOf(string(r.name))
}

// cell returns a cell with what is stored, or the slot's own.
func (r row) cell() *learn.Cell {
	if r.slot != nil {
		return &r.slot.cell
	}
	return &learn.Cell{Stored: r.data}
}

// rows yields the rows from one on, in order, also those without a value. The reader
// may ask for others meanwhile.
func (pg *page) rows(from string) iter.Seq[row] {
	return func(yield func(row) bool) {
		pg.sort()
		i, _ := pg.read.find(from)
		j, _ := pg.find(from)
		for i < len(pg.read.at) || j < len(pg.slots) {
			r := pg.next(i, j)
			if r.at >= 0 {
				i++
			}
			if r.slot != nil {
				j++
			}
			known := len(pg.slots)
			if !yield(r) {
				return
			}
			if len(pg.slots) != known {
				pg.sort()
				var found bool
				if j, found = pg.find(r.order()); found {
					j++
				}
			}
		}
	}
}

// next returns the lesser of the i-th row read and the j-th slot, or both as one.
func (pg *page) next(i, j int) row {
	if i == len(pg.read.at) {
		return row{slot: pg.slots[j], data: pg.slots[j].cell.Stored, at: -1}
	}
	name, data := pg.read.row(i)
	if j == len(pg.slots) {
		return row{name: name, data: data, at: i}
	}
	s := pg.slots[j]
	order := name
	if len(name) > rowLimit {
		order = pg.read.order(i)
	}
	switch { // none of this copies
	case string(order) < s.order:
		return row{name: name, data: data, at: i}
	case string(order) > s.order:
		return row{slot: s, data: s.cell.Stored, at: -1}
	}
	return row{slot: s, data: s.cell.Stored, at: i}
}
