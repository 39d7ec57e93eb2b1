package store

import (
	"fmt"
	"iter"
	"slices"

	"learnloop.dev/events"
)

// entry is a record.
type entry struct {
	id    string
	block uint64 // where it lies
	item
	rec events.Recorded
}

func entryOf(rec events.Recorded, raw []byte) *entry {
	h := rec.Header()
	e := &entry{id: h.Record, rec: rec, item: item{
		seq: h.Seq, kind: codeOf(h.Kind()), key: digestOf(h.Key), at: instantOf(h.Time), size: len(raw), raw: raw,
	}}
	if h.Person != "" {
		e.person = digestOf(h.Person)
	}
	return e
}

// spot is where a record lies.
type spot struct{ seq, block uint64 }

// stored returns the record of an identity, nil when there is none.
func (l look) stored(id string) *entry {
	identity := digestOf(id)
	for number := range l.rollsOf(identity) {
		for _, s := range l.roll(number).of(identity) {
			if e := l.fetch(s.spot); e == nil || e.id == id {
				return e
			}
		}
	}
	return nil
}

// rollsOf yields the rolls that may hold an identity.
func (l look) rollsOf(identity digest) iter.Seq[uint64] {
	if l.index != nil {
		return slices.Values(l.index.holding(identity))
	}
	return func(yield func(uint64) bool) {
		for key := range l.walk(keyOf(l.part, tableRoll), nil) {
			if !yield(number(key)) {
				return
			}
		}
	}
}

// fetch returns the record that lies somewhere, nil when it cannot be read.
func (l look) fetch(s spot) *entry {
	b := l.block(s.block)
	if b == nil {
		return nil
	}
	i, ok := b.find(s.seq)
	if !ok {
		l.trouble.keep(fmt.Sprintf("read record at log sequence %d", s.seq), errRecord)
		return nil
	}
	return l.open(b, i)
}

// open decodes a record of a block.
func (l look) open(b *block, i int) *entry {
	e, err := l.store.decode(b.items[i])
	if err != nil {
		l.trouble.keep(fmt.Sprintf("read record at log sequence %d", b.items[i].seq), err)
		return nil
	}
	e.block = b.name
	return e
}

func (s *Store) decode(it item) (*entry, error) {
	spec, ok := s.kinds[it.kind]
	if !ok {
		return nil, fmt.Errorf("kind code %x: %w", it.kind[:], ErrFormat)
	}
	rec, err := spec.ReadFact(it.raw)
	if err != nil {
		return nil, errRecord // the decoder's own words could quote the record
	}
	rec.Header().Seq = it.seq
	return &entry{id: rec.Header().Record, item: it, rec: rec}, nil
}

// recentBlocks keeps those that were read last, in the order of their use, and of each
// partition the roll that was.
type recentBlocks struct {
	list  []cached
	rolls map[uint16]numbered
}

type cached struct {
	part uint16
	*block
}

const cachedBlocks = 16

// find returns a block and moves it to the front, nil when it is not there.
func (c *recentBlocks) find(part uint16, name uint64) *block {
	for i, known := range c.list {
		if known.part == part && known.name == name {
			copy(c.list[1:], c.list[:i])
			c.list[0] = known
			return known.block
		}
	}
	return nil
}

func (c *recentBlocks) add(part uint16, b *block) {
	if len(c.list) < cachedBlocks {
		c.list = append(c.list, cached{})
	}
	copy(c.list[1:], c.list)
	c.list[0] = cached{part, b}
}

// block returns a block with its facts, nil when it cannot be read. It must not be
// changed.
func (l look) block(name uint64) *block {
	if b := l.blocks.find(l.part, name); b != nil {
		return b
	}
	data := l.get(sequenceKey(l.part, tableHead, name))
	head, err := readHead(name, data)
	if err != nil || data == nil {
		l.trouble.keep(fmt.Sprintf("read block %d", name), errRecord)
		return nil
	}
	return l.whole(head)
}

// whole returns the block that a head is of, nil when it cannot be read.
func (l look) whole(head *block) *block {
	if b := l.blocks.find(l.part, head.name); b != nil {
		return b
	}
	body := l.get(sequenceKey(l.part, tableBody, head.name))
	if head.readBody(body) != nil {
		l.trouble.keep(fmt.Sprintf("read block %d", head.name), errRecord)
		return nil
	}
	l.blocks.add(l.part, head)
	l.store.used(max(len(body), around))
	return head
}
