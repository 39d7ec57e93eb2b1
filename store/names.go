package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"

	"learnloop.dev/learn"
)

// Names are as long as their producers like, keys are not. A model, a kind and an
// id of up to idLimit bytes stand in the key behind their length, a longer one as
// its hash behind hashed. A row's name, always last, stands there as it is, or as
// its first rowLimit bytes and its hash; so rows are in byte order up to there.
// Where the key holds a hash, the value begins with the names themselves.
const (
	idLimit  = 250
	hashed   = 0xFF
	rowLimit = 1024
)

var errName = errors.New("a name in a key cannot be read")

// appendGroup appends a group's names to a key.
func appendGroup(key []byte, g group) []byte {
	for _, name := range [...]string{g.model, g.key.Kind, g.key.ID} {
		key = appendName(key, name)
	}
	return key
}

func appendName(key []byte, name string) []byte {
	if len(name) <= idLimit {
		return append(append(key, byte(len(name))), name...)
	}
	sum := sha256.Sum256([]byte(name))
	return append(append(key, hashed), sum[:]...)
}

func appendRow(key []byte, row string) []byte {
	if len(row) <= rowLimit {
		return append(key, row...)
	}
	sum := sha256.Sum256([]byte(row))
	return append(append(key, row[:rowLimit]...), sum[:]...)
}

// rowOrder compares rows as their keys do.
func rowOrder(a, b string) int {
	if len(a) <= rowLimit && len(b) <= rowLimit {
		return strings.Compare(a, b)
	}
	return bytes.Compare(appendRow(nil, a), appendRow(nil, b))
}

// rowKey is where a row lies.
func rowKey(g group, row string) []byte {
	return appendRow(appendGroup(keyOf(g.part, tableRow), g), row)
}

// rowValue is what lies there.
func rowValue(g group, row string, data []byte) []byte {
	if !isLong(g, row) {
		return data
	}
	return append(longNames(g, row), data...)
}

func isLong(g group, row string) bool {
	return len(row) > rowLimit || len(g.model) > idLimit || len(g.key.Kind) > idLimit || len(g.key.ID) > idLimit
}

func longNames(g group, row string) []byte {
	var names []byte
	for _, name := range [...]string{g.model, g.key.Kind, g.key.ID, row} {
		names = binary.AppendUvarint(names, uint64(len(name)))
		names = append(names, name...)
	}
	return names
}

// parseRow reads a row's names, and its data out of the value. The key lacks its
// partition and table.
func parseRow(part uint16, key, value []byte) (g group, row string, data []byte, err error) {
	g, rest, long, err := parseGroup(part, key)
	if err != nil {
		return group{}, "", nil, err
	}
	if !long && len(rest) <= rowLimit {
		return g, string(rest), value, nil
	}
	return parseLong(part, value)
}

// parseGroup reads a group's names off a key; long says that hashes stand for them.
func parseGroup(part uint16, key []byte) (g group, rest []byte, long bool, err error) {
	g.part = part
	for _, name := range [...]*string{&g.model, &g.key.Kind, &g.key.ID} {
		if len(key) == 0 {
			return group{}, nil, false, errName
		}
		size := int(key[0])
		if key[0] == hashed {
			size, long = sha256.Size, true
		}
		if len(key) < 1+size {
			return group{}, nil, false, errName
		}
		*name, key = string(key[1:1+size]), key[1+size:]
	}
	return g, key, long, nil
}

func parseLong(part uint16, value []byte) (g group, row string, data []byte, err error) {
	g = group{part: part, key: learn.Key{}}
	for _, name := range [...]*string{&g.model, &g.key.Kind, &g.key.ID, &row} {
		size, n := binary.Uvarint(value)
		if n <= 0 || uint64(len(value)-n) < size {
			return group{}, "", nil, errName
		}
		*name, value = string(value[n:n+int(size)]), value[n+int(size):]
	}
	return g, row, value, nil
}
