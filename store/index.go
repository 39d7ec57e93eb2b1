package store

import (
	"encoding/binary"
	"slices"
	"sync"
)

// index says which rolls of a partition may hold an identity: mostly none, and then
// nothing is looked for on disk. It never forgets a roll or what was in it, so that it
// is true of every earlier state as well.
type index struct {
	mu    sync.RWMutex
	rolls []indexed // by number; guarded by mu
}

// indexed is a roll as an index knows it.
type indexed struct {
	number uint64
	held   int     // identities that it was given
	filter *filter // of them
}

// filter is a Bloom filter of a roll's identities. With a full roll one in forty thousand
// is looked for in vain.
type filter [32 * rollSize / 64]uint64

const filterProbes = 6

// indexOf returns the index of a partition. Only whoever writes may ask for it.
func (s *Store) indexOf(l look) *index {
	s.indexing.Lock()
	defer s.indexing.Unlock()
	x, known := s.indexes[l.part]
	if !known {
		x = &index{}
		for key, value := range l.walk(keyOf(l.part, tableRoll), nil) {
			r, err := readRoll(value)
			l.trouble.keep("read identities", err)
			x.add(number(key), r)
		}
		s.indexes[l.part] = x
	}
	return x
}

// knownIndex is the index of a partition to which this process came, else nil.
func (s *Store) knownIndex(part uint16) *index {
	s.indexing.Lock()
	defer s.indexing.Unlock()
	return s.indexes[part]
}

// forgetIndex forgets the index of a partition that is gone.
func (s *Store) forgetIndex(part uint16) {
	s.indexing.Lock()
	defer s.indexing.Unlock()
	delete(s.indexes, part)
}

// add notes that a roll holds some more.
func (x *index) add(number uint64, some []sight) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if n := len(x.rolls); n == 0 || x.rolls[n-1].number < number {
		x.rolls = append(x.rolls, indexed{number: number, filter: &filter{}})
	}
	last := &x.rolls[len(x.rolls)-1]
	last.held += len(some)
	for _, s := range some {
		last.filter.add(s.identity)
	}
}

// open returns the roll that takes more, and how many.
func (x *index) open() (number uint64, room int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	n := len(x.rolls)
	if n == 0 {
		return 0, rollSize
	}
	if last := x.rolls[n-1]; last.held < rollSize {
		return last.number, rollSize - last.held
	}
	return x.rolls[n-1].number + 1, rollSize
}

// holding lists the rolls that may hold an identity, the newest first.
func (x *index) holding(identity digest) (numbers []uint64) {
	at, step := probe(identity)
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, r := range slices.Backward(x.rolls) {
		if r.filter.maybe(at, step) {
			numbers = append(numbers, r.number)
		}
	}
	return numbers
}

func (f *filter) add(identity digest) {
	at, step := probe(identity)
	for range filterProbes {
		f[at/64%uint32(len(f))] |= 1 << (at % 64)
		at += step
	}
}

func (f *filter) maybe(at, step uint32) bool {
	for range filterProbes {
		if f[at/64%uint32(len(f))]&(1<<(at%64)) == 0 {
			return false
		}
		at += step
	}
	return true
}

// probe is where the bits of an identity begin, and how far they are apart.
func probe(identity digest) (at, step uint32) {
	return binary.BigEndian.Uint32(identity[:]), binary.BigEndian.Uint32(identity[4:]) | 1
}
