package store

import (
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// chunkSize is how many keys go into one transaction where any number may do.
const chunkSize = 5000

// format is the way the tables are laid out; it rises when older stores can no
// longer be read.
const format = 1

// writer fills a transaction and keeps the first error.
type writer struct {
	txn    *badger.Txn
	number uint64 // of the commit to be
	size   int
	err    error
}

func (w *writer) set(key, value []byte) {
	if w.err == nil {
		w.err = w.txn.Set(key, value)
		w.size++
	}
}

func (w *writer) drop(key []byte) {
	if w.err == nil {
		w.err = w.txn.Delete(key)
		w.size++
	}
}

// commit fills a transaction, writes it, and then makes memory agree through keep
// (nil: nothing to do). Commits are numbered, so that a hole can be found.
func (s *Store) commit(fill func(*writer), keep func(number uint64)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := enoughSpace(s.dir); err != nil {
		return err
	}
	w := &writer{txn: s.db.NewTransaction(true), number: s.tail.number + 1}
	defer w.txn.Discard()
	fill(w)
	if w.size > 0 {
		w.set(tailKey(w.number), numberBytes(w.number))
	}
	if w.err != nil {
		return plain(w.err)
	}
	if err := w.txn.Commit(); err != nil {
		return plain(err)
	}
	if keep != nil {
		s.mu.Lock()
		keep(w.number)
		s.mu.Unlock()
	}
	if w.size == 0 {
		return nil
	}
	s.tail.number = w.number
	return s.tail.settle(s.dir)
}

// Meta returns a small fact about the store, nil when it is not set.
func (s *Store) Meta(name string) ([]byte, error) {
	value, err := s.value(metaKey(whole, name))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return value, nil
}

// SetMeta keeps a small fact about the store at once; nil removes it.
func (s *Store) SetMeta(name string, value []byte) error {
	err := s.commit(func(w *writer) {
		if value == nil {
			w.drop(metaKey(whole, name))
		} else {
			w.set(metaKey(whole, name), value)
		}
	}, nil)
	if err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	return nil
}

// checkFormat refuses the layout of another version.
func (s *Store) checkFormat() error {
	value, err := s.value(keyOf(whole, tableFormat))
	if have := number(value); err == nil && value != nil && have != format {
		return fmt.Errorf("%w %d, this version reads %d", ErrFormat, have, format)
	}
	return err
}

// labelFormat labels a new store.
func (s *Store) labelFormat() error {
	value, err := s.value(keyOf(whole, tableFormat))
	if err != nil || value != nil {
		return err
	}
	return s.commit(func(w *writer) { w.set(keyOf(whole, tableFormat), numberBytes(format)) }, nil)
}

func (s *Store) value(key []byte) ([]byte, error) {
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	value, err := read(txn, key)
	return value, plain(err)
}

// scan reads what lies behind a prefix, up to limit entries (0: all).
func (s *Store) scan(prefix []byte, limit int, take func(key, value []byte) error) error {
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	var failed error
	taken := 0
	err := walk(txn, prefix, nil, func(key, value []byte) bool {
		failed = take(key, value)
		taken++
		return failed == nil && taken != limit
	})
	if failed != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, failed)
	}
	return plain(err)
}
