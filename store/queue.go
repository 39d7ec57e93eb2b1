package store

import "fmt"

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

// PurgeQueue lists up to limit log sequences that must be deleted from the log,
// after writing what follows from them: a crash must find either it or them.
func (s *Store) PurgeQueue(limit int) ([]uint64, error) {
	if err := s.flushPurges(); err != nil {
		return nil, fmt.Errorf("read purge queue: %w", err)
	}
	var seqs []uint64
	err := s.queue(tablePurge, &s.purge, limit, func(seq uint64, _ []byte) error {
		seqs = append(seqs, seq)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read purge queue: %w", err)
	}
	return seqs, nil
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
func (s *Store) lowerPurge(seqs []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, seq := range seqs {
		s.purge.lower(seq)
	}
}

// Purged removes log sequences from the purge queue: they are deleted.
func (s *Store) Purged(seqs []uint64) error {
	err := s.flushPurges()
	if err == nil {
		err = s.dropNumbers(tablePurge, seqs)
	}
	if err != nil {
		return fmt.Errorf("shorten purge queue: %w", err)
	}
	return nil
}
