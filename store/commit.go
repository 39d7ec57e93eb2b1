package store

import (
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// chunkSize is how many keys are looked at or removed at a time where any number
// may be.
const chunkSize = 5000

// format is the way the tables are laid out; it rises when older stores can no
// longer be read.
const format = 3

// op is one change of a key; without a value the key goes.
type op struct {
	key, value []byte
	drop       bool
}

// writer gathers what is written together or not at all, or where it was cut part
// by part in this order.
type writer struct {
	ops    []op
	cuts   []int // before which of them a part may end
	err    error // why nothing may be written
	packer packer
}

func (w *writer) set(key, value []byte) { w.ops = append(w.ops, op{key: key, value: value}) }

func (w *writer) drop(key []byte) { w.ops = append(w.ops, op{key: key, drop: true}) }

// cut says that a crash may leave what was gathered so far without what follows.
func (w *writer) cut() { w.cuts = append(w.cuts, len(w.ops)) }

// parts are the changes in as few parts as fit into one transaction each. Where
// there is no cut, one may be larger.
func (w *writer) parts() (parts [][]op) {
	start, end, size := 0, 0, 0
	for _, cut := range append(w.cuts, len(w.ops)) {
		more := sizeOf(w.ops[end:cut])
		if size > 0 && size+more > most {
			parts = append(parts, w.ops[start:end])
			start, size = end, 0
		}
		end, size = cut, size+more
	}
	return append(parts, w.ops[start:])
}

// most is about how many bytes go into one transaction. The engine takes 0.7 MB.
const most = 512 << 10

// sizeOf is about what changes take in a transaction, in bytes.
func sizeOf(ops []op) (size int) {
	for _, o := range ops {
		size += len(o.key) + len(o.value) + 64
	}
	return size
}

// commit writes what fill gathers.
func (s *Store) commit(fill func(*writer)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := enoughSpace(s.dir); err != nil {
		return err
	}
	w := &writer{}
	fill(w)
	if w.err != nil || len(w.ops) == 0 {
		return w.err
	}
	for _, part := range w.parts() {
		err := s.write(part)
		if errors.Is(err, badger.ErrTxnTooBig) {
			err = s.writeLarge(part)
		}
		if err != nil {
			return plain(err)
		}
	}
	return nil
}

// write writes changes in one transaction. Transactions are numbered, so that a
// hole can be found.
func (s *Store) write(ops []op) error {
	txn := s.db.NewTransaction(true)
	defer txn.Discard()
	for _, o := range ops {
		if err := apply(txn, o); err != nil {
			return err
		}
	}
	number := s.tail.number + 1
	if err := txn.Set(tailKey(number), numberBytes(number)); err != nil {
		return err
	}
	if err := txn.Commit(); err != nil {
		return err
	}
	s.tail.number = number
	return s.tail.settle(s.dir)
}

func apply(txn *badger.Txn, o op) error {
	if o.drop {
		return txn.Delete(o.key)
	}
	return txn.Set(o.key, o.value)
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
	})
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
	return s.commit(func(w *writer) { w.set(keyOf(whole, tableFormat), numberBytes(format)) })
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
