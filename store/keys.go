package store

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// A key is a partition (2 bytes, big-endian), a table (1 byte) and the table's own
// part, so that what is read together lies together.
//
//	partition, table   then                                    value
//	roll               number                                  identities and where they lie (see roll.go)
//	head               block                                   what lies in it (see block.go)
//	body               block                                   the facts as in the log
//	row                model, key, where a page begins         rows (see page.go)
//	count              kind                                    number of records
//	cursor             -                                       log sequence
//	meta               name                                    as given
//
// The store's own tables stand under a partition that cannot exist:
//
//	meta               name                                    as given
//	cursor             -                                       log sequence up to which all is folded
//	format             -                                       format
//	tail               0 or 1                                  commit number
//	mark               partition, model, key                   long names
//	outbox             number                                  derived fact
//	purge              log sequence                            partition, kind
//	drop               partition                               -
//	ahead              partition                               -
//	large              see large.go
//	nothing            -                                       only while the store is compacted
const (
	tableRoll    = 'i'
	tableHead    = 'h'
	tableBody    = 'b'
	tableRow     = 'w'
	tableCount   = 'n'
	tableCursor  = 'c'
	tableMeta    = 'm'
	tableFormat  = 'f'
	tableTail    = 'z'
	tableMark    = 'd'
	tableOutbox  = 'o'
	tablePurge   = 'q'
	tableDrop    = 'x'
	tableAhead   = 'a'
	tableLarge   = 'l'
	tableNothing = '-' // never written

	whole = 0xFFFF // in place of a partition: the store itself
)

const prefixSize = 3

// keyOf starts a key; there is room for what mostly follows.
func keyOf(part uint16, table byte) []byte {
	return append(make([]byte, 0, 80), byte(part>>8), byte(part), table)
}

// partitionPrefix begins every key of a partition.
func partitionPrefix(part uint16) []byte { return []byte{byte(part >> 8), byte(part)} }

func sequenceKey(part uint16, table byte, seq uint64) []byte {
	return binary.BigEndian.AppendUint64(keyOf(part, table), seq)
}

// partKey is where the store's own tables say something about a partition.
func partKey(table byte, part uint16) []byte {
	return append(keyOf(whole, table), partitionPrefix(part)...)
}

func metaKey(part uint16, name string) []byte { return append(keyOf(part, tableMeta), name...) }

func countKey(part uint16, kind kindCode) []byte {
	return append(keyOf(part, tableCount), kind[:]...)
}

// number reads a big-endian integer; 0 when it is not one.
func number(data []byte) uint64 {
	if len(data) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(data)
}

func numberBytes(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// instant is a time whose bytes sort as times do: seconds, then nanoseconds.
type instant [9]byte

// secondsOffset makes the seconds of every year that JSON can write positive.
const secondsOffset = 1 << 38

func instantOf(t time.Time) (at instant) {
	seconds := min(max(t.Unix()+secondsOffset, 0), 1<<40-1)
	at[0] = byte(seconds >> 32)
	binary.BigEndian.PutUint32(at[1:], uint32(seconds))
	binary.BigEndian.PutUint32(at[5:], uint32(t.Nanosecond()))
	return at
}

// digest stands for an identifier of any length where equal ones lie together. It
// is short, so whoever reads by it compares the identifier too.
type digest [8]byte

func digestOf(id string) digest {
	sum := sha256.Sum256([]byte(id))
	return digest(sum[:8])
}

// kindCode is a kind in four bytes; TestKindsHaveDistinctCodes guards them.
type kindCode [4]byte

func codeOf(kind events.Kind) (code kindCode) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(kind)) // a hash cannot fail
	binary.BigEndian.PutUint32(code[:], h.Sum32())
	return code
}

func kindTable() map[kindCode]events.Spec {
	table := map[kindCode]events.Spec{}
	for spec := range events.All() {
		table[codeOf(spec.Name())] = spec
	}
	return table
}

// group is a model's key in a partition: the unit of publishing.
type group struct {
	part  uint16
	model string
	key   learn.Key
}
