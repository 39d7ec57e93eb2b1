package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/s2"
)

// Records lie in blocks, in the order of the log: what is written together is read
// together, compresses well, and costs the engine one key for many. A block's head
// says of each record what it is about, so that whoever looks for some of them
// reads the heads and opens only what holds one.
//
// A record in a head: its sequence less the one before (the first: less the block's
// name), kind (4 bytes), digests of group key and person (8 each; zero: nobody),
// event time (9), and the size of the fact; numbers as uvarints.

// A block takes this much before the next one is begun.
const (
	blockRecords = 256
	blockBytes   = 32 << 10 // of facts
)

// block is some records of a partition.
type block struct {
	name  uint64 // a sequence; those of its records are not lower
	items []item // by sequence
	size  int    // of the facts, in bytes
}

// item is a record as a block's head describes it, and its fact.
type item struct {
	seq         uint64
	kind        kindCode
	key, person digest
	at          instant
	size        int
	raw         []byte // nil when only the head was read
}

var errRecord = errors.New("a record's entry cannot be read")

// end is the sequence behind which the block goes on.
func (b *block) end() uint64 {
	if len(b.items) == 0 {
		return b.name
	}
	return b.items[len(b.items)-1].seq
}

func (b *block) full() bool { return len(b.items) >= blockRecords || b.size >= blockBytes }

// find returns where a sequence lies or would lie.
func (b *block) find(seq uint64) (int, bool) {
	return slices.BinarySearchFunc(b.items, seq, func(it item, seq uint64) int {
		switch {
		case it.seq < seq:
			return -1
		case it.seq > seq:
			return 1
		}
		return 0
	})
}

func (b *block) insert(it item) {
	i, _ := b.find(it.seq)
	b.items = slices.Insert(b.items, i, it)
	b.size += it.size
}

func (b *block) remove(seq uint64) {
	if i, ok := b.find(seq); ok {
		b.size -= b.items[i].size
		b.items = slices.Delete(b.items, i, i+1)
	}
}

func (b *block) clone() *block { return &block{b.name, slices.Clone(b.items), b.size} }

func (b *block) head() []byte {
	data, before := make([]byte, 0, 40*len(b.items)), b.name
	for i := range b.items {
		it := &b.items[i]
		data = binary.AppendUvarint(data, it.seq-before)
		data = append(append(append(append(data, it.kind[:]...), it.key[:]...), it.person[:]...), it.at[:]...)
		data = binary.AppendUvarint(data, uint64(it.size))
		before = it.seq
	}
	return data
}

func (b *block) body(p *packer) []byte {
	return p.pack(nil, func(facts []byte) []byte {
		for i := range b.items {
			facts = append(facts, b.items[i].raw...)
		}
		return facts
	})
}

// readHead reads what lies in a block.
func readHead(name uint64, data []byte) (*block, error) {
	b, seq := &block{name: name, items: make([]item, 0, len(data)/32)}, name
	for len(data) > 0 {
		var it item
		more, n := binary.Uvarint(data)
		const fixed = len(it.kind) + len(it.key) + len(it.person) + len(it.at)
		if n <= 0 || len(data) < n+fixed {
			return nil, errRecord
		}
		data = data[n:]
		it.kind, it.key = kindCode(data), digest(data[4:])
		it.person, it.at = digest(data[12:]), instant(data[20:])
		size, n := binary.Uvarint(data[fixed:])
		if n <= 0 || size > 1<<30 {
			return nil, errRecord
		}
		data = data[fixed+n:]
		seq += more
		it.seq, it.size = seq, int(size)
		b.size += it.size
		b.items = append(b.items, it)
	}
	return b, nil
}

// readBody adds the facts.
func (b *block) readBody(data []byte) error {
	facts, err := s2.Decode(nil, data)
	if err != nil || len(facts) != b.size {
		return fmt.Errorf("block of %d records: %w", len(b.items), errRecord)
	}
	for i := range b.items {
		it := &b.items[i]
		it.raw, facts = facts[:it.size:it.size], facts[it.size:]
	}
	return nil
}
