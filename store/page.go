package store

import (
	"encoding/binary"
	"errors"
	"slices"

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

// storedRow is a row on its way to or from a page.
type storedRow struct {
	name string
	data []byte
}

func (r storedRow) size() int { return len(r.name) + len(r.data) + 4 }

// pageKey is where a page lies.
func pageKey(g group, from string) []byte {
	return append(appendGroup(keyOf(g.part, tableRow), g), from...)
}

// encodePage is what lies there.
func encodePage(p *packer, g group, rows []storedRow) []byte {
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

func appendRows(raw []byte, rows []storedRow) []byte {
	for _, r := range rows {
		raw = append(binary.AppendUvarint(raw, uint64(len(r.name))), r.name...)
		raw = append(binary.AppendUvarint(raw, uint64(len(r.data))), r.data...)
	}
	return raw
}

// decodePage reads the rows of a page. They lie in the value.
func decodePage(value []byte) ([]storedRow, error) {
	if len(value) == 0 {
		return nil, errPage
	}
	flags, raw := value[0], value[1:]
	if flags&pageLong != 0 {
		var err error
		if _, raw, err = parseLong(0, raw); err != nil {
			return nil, err
		}
	}
	if flags&pagePacked != 0 {
		var err error
		if raw, err = s2.Decode(nil, raw); err != nil {
			return nil, errPage
		}
	}
	return decodeRows(raw)
}

func decodeRows(raw []byte) (rows []storedRow, err error) {
	names := string(raw) // one copy for all of them
	at := 0
	next := func() (from, to int) {
		size, n := binary.Uvarint(raw[at:])
		if n <= 0 || uint64(len(raw)-at-n) < size {
			err, at = errPage, len(raw)
			return 0, 0
		}
		from = at + n
		at = from + int(size)
		return from, at
	}
	for at < len(raw) {
		from, to := next()
		name := names[from:to]
		from, to = next()
		rows = append(rows, storedRow{name, slices.Clip(raw[from:to])})
	}
	return rows, err
}

// pageOf reads the names of a page's group off its key and value. The key lacks its
// partition and table.
func pageOf(part uint16, key, value []byte) (group, error) {
	g, _, long, err := parseGroup(part, key)
	if err != nil || !long {
		return g, err
	}
	if len(value) == 0 || value[0]&pageLong == 0 {
		return group{}, errPage
	}
	g, _, err = parseLong(part, value[1:])
	return g, err
}

// separator is the shortest key that lies behind one row and not behind the next.
func separator(before, next string) string {
	n := 0
	for n < len(before) && before[n] == next[n] {
		n++
	}
	return next[:n+1]
}
