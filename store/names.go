package store

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// Names are as long as their producers like, keys are not. A model, a kind and an
// id of up to idLimit bytes stand in the key behind their length, a longer one as
// its hash behind hashed; then the value begins with the names themselves. Rows are
// ordered by their names, longer ones by the first rowLimit bytes and the hash.
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

// orderOf is what rows are ordered by.
func orderOf(row string) string {
	if len(row) <= rowLimit {
		return row
	}
	sum := sha256.Sum256([]byte(row))
	return row[:rowLimit] + string(sum[:])
}

func isLong(g group) bool {
	return len(g.model) > idLimit || len(g.key.Kind) > idLimit || len(g.key.ID) > idLimit
}

func longNames(g group) []byte {
	var names []byte
	for _, name := range [...]string{g.model, g.key.Kind, g.key.ID} {
		names = binary.AppendUvarint(names, uint64(len(name)))
		names = append(names, name...)
	}
	return names
}

// parseGroup reads a group's names off a key; long says that hashes stand for them.
func parseGroup(part uint16, key []byte) (g group, long bool, err error) {
	g.part = part
	for _, name := range [...]*string{&g.model, &g.key.Kind, &g.key.ID} {
		if len(key) == 0 {
			return group{}, false, errName
		}
		size := int(key[0])
		if key[0] == hashed {
			size, long = sha256.Size, true
		}
		if len(key) < 1+size {
			return group{}, false, errName
		}
		*name, key = string(key[1:1+size]), key[1+size:]
	}
	return g, long, nil
}

// parseLong reads a group's names off a value.
func parseLong(part uint16, value []byte) (g group, rest []byte, err error) {
	g.part = part
	for _, name := range [...]*string{&g.model, &g.key.Kind, &g.key.ID} {
		size, n := binary.Uvarint(value)
		if n <= 0 || uint64(len(value)-n) < size {
			return group{}, nil, errName
		}
		*name, value = string(value[n:n+int(size)]), value[n+int(size):]
	}
	return g, value, nil
}
