package store

import "hash/maphash"

// met says of which identities a partition that was empty may have a record by now, so
// that what comes for the first time is not looked for on disk: a Bloom filter.
type met struct {
	seed maphash.Seed
	bits [metBits / 64]uint64
}

// With 100 000 identities one in a hundred is looked for in vain.
const (
	metBits   = 1 << 20
	metProbes = 4
)

// metBy is the filter of a partition, nil when it had records before this process came
// to it.
func (s *Store) metBy(l look) *met {
	m, known := s.met[l.part]
	if !known {
		if _, has := l.blockUpTo(^uint64(0)); !has {
			m = &met{seed: maphash.MakeSeed()}
		}
		s.met[l.part] = m
	}
	return m
}

// add notes an identity.
func (m *met) add(id string) {
	if m == nil {
		return
	}
	at, step := m.probe(id)
	for range metProbes {
		m.bits[at/64%uint32(len(m.bits))] |= 1 << (at % 64)
		at += step
	}
}

// maybe reports whether there may be a record of an identity.
func (m *met) maybe(id string) bool {
	if m == nil {
		return true
	}
	at, step := m.probe(id)
	for range metProbes {
		if m.bits[at/64%uint32(len(m.bits))]&(1<<(at%64)) == 0 {
			return false
		}
		at += step
	}
	return true
}

// probe is where the bits of an identity begin, and how far they are apart.
func (m *met) probe(id string) (at, step uint32) {
	h := maphash.String(m.seed, id)
	return uint32(h), uint32(h>>32) | 1
}
