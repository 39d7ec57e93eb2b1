package store

import (
	"encoding/binary"
	"fmt"

	"learnloop.dev/events"
)

// Waste is a log entry that counts no more.
type Waste struct {
	Seq       uint64
	Partition int
	Kind      events.Kind // "" when it is not known any more
}

// place is where the entry stands, as the queue keeps it.
func (e Waste) place() []byte {
	kind := codeOf(e.Kind)
	return append(binary.BigEndian.AppendUint16(nil, uint16(e.Partition)), kind[:]...)
}

// waste reads an entry of the queue.
func (s *Store) waste(seq uint64, place []byte) Waste {
	e := Waste{Seq: seq}
	if len(place) != 2+len(kindCode{}) {
		return e
	}
	if spec, known := s.kinds[kindCode(place[2:])]; known {
		e.Partition, e.Kind = int(binary.BigEndian.Uint16(place)), spec.Name()
	}
	return e
}

// floor is a number below which a queue holds nothing, so that reading its front
// does not search the remains of what was removed. It is a guess to the safe side.
type floor struct {
	at      uint64
	lowered uint64 // how often
}

func (f *floor) lower(n uint64) {
	f.at = min(f.at, n)
	f.lowered++
}

// raise takes in that n was first when the floor was as seen.
func (f *floor) raise(n uint64, seen floor) {
	if f.lowered == seen.lowered {
		f.at = max(f.at, n)
	}
}

// queue reads up to limit entries from the front of a queue.
func (s *Store) queue(table byte, f *floor, limit int, take func(n uint64, value []byte) error) error {
	s.mu.Lock()
	seen := *f
	s.mu.Unlock()
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	taken, failed := 0, error(nil)
	err := walk(txn, keyOf(whole, table), numberBytes(seen.at), func(key, value []byte) bool {
		if taken == 0 {
			s.mu.Lock()
			f.raise(number(key), seen)
			s.mu.Unlock()
		}
		failed = take(number(key), value)
		taken++
		return failed == nil && taken < limit
	})
	if failed != nil {
		return failed
	}
	return plain(err)
}

// PurgeQueue lists up to limit entries that must be deleted from the log, in order,
// after writing what follows from them: a crash must find either it or them.
func (s *Store) PurgeQueue(limit int) ([]Waste, error) {
	if err := s.flushPurges(); err != nil {
		return nil, fmt.Errorf("read purge queue: %w", err)
	}
	var list []Waste
	err := s.queue(tablePurge, &s.purge, limit, func(seq uint64, place []byte) error {
		list = append(list, s.waste(seq, place))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read purge queue: %w", err)
	}
	return list, nil
}

// flushPurges writes what is pending if log sequences are to be deleted for it.
func (s *Store) flushPurges() error {
	return s.alone(func() error {
		if len(s.window.purges) == 0 {
			return nil
		}
		return s.flush()
	})
}

// lowerPurge takes in sequences that came to the queue.
func (s *Store) lowerPurge(entries []Waste) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range entries {
		s.purge.lower(e.Seq)
	}
}

// Purged removes log entries from the purge queue: they are deleted.
func (s *Store) Purged(entries []Waste) error {
	err := s.flushPurges()
	if err == nil {
		seqs := make([]uint64, len(entries))
		for i, e := range entries {
			seqs[i] = e.Seq
		}
		err = s.dropNumbers(tablePurge, seqs)
	}
	if err != nil {
		return fmt.Errorf("shorten purge queue: %w", err)
	}
	return nil
}
