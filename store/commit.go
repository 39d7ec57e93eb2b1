package store

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// chunkSize is how many keys are looked at or removed at a time where any number
// may be.
const chunkSize = 5000

// format is the way the tables are laid out; it rises when older stores can no
// longer be read.
const format = 5

// op is one change of a key; without a value the key goes.
type op struct {
	key, value []byte
	drop       bool
}

// How much goes into one transaction: most of what the engine counts, of which it takes
// 0.31 MB, and bytes in all. Few large transactions cost less than many.
const (
	most     = 128 << 10
	mostData = 1 << 20
)

// writer gathers what is written together or not at all; or, where it may be cut,
// part by part in this order. While one part is written the next is gathered.
type writer struct {
	ops    []op
	weight int   // what the engine counts, in bytes
	size   int   // in bytes
	err    error // why nothing more may be written
	write  func([]op) error
	under  chan error // how the part that is being written went; nil when none is
	sent   []op       // that part
	packer packer
}

func (w *writer) set(key, value []byte) { w.add(op{key: key, value: value}) }

func (w *writer) drop(key []byte) { w.add(op{key: key, drop: true}) }

func (w *writer) add(o op) {
	w.ops = append(w.ops, o)
	w.weight += weightOf(o)
	w.size += sizeOf(o)
}

// sizeOf is about what a change takes, in bytes.
func sizeOf(o op) int { return len(o.key) + len(o.value) + 64 }

// weightOf is about what the engine counts of it: of a large value only where it lies.
func weightOf(o op) int {
	if len(o.value) >= largeValue {
		return len(o.key) + 64
	}
	return sizeOf(o)
}

// cut says that a crash may leave what was gathered so far without what follows.
func (w *writer) cut() {
	if w.weight > most || w.size > mostData {
		w.end()
	}
}

// end hands over what was gathered, once the part before is written.
func (w *writer) end() {
	w.wait()
	if w.err == nil && len(w.ops) > 0 {
		w.ops, w.sent = w.sent, w.ops
		w.under = make(chan error, 1)
		go func(part []op) { w.under <- w.write(part) }(w.sent)
	}
	w.ops, w.weight, w.size = w.ops[:0], 0, 0
}

// wait returns when what was handed over is written, or why it is not is known.
func (w *writer) wait() {
	if w.under != nil {
		w.err = cmp.Or(w.err, <-w.under)
		w.under = nil
	}
}

// commit writes what fill gathers.
func (s *Store) commit(fill func(*writer)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := enoughSpace(s.dir); err != nil {
		return err
	}
	w := &writer{write: s.writePart}
	fill(w)
	w.end()
	w.wait()
	return plain(w.err)
}

// writePart writes changes of any size.
func (s *Store) writePart(ops []op) error {
	err := s.write(ops)
	if errors.Is(err, badger.ErrTxnTooBig) {
		err = s.writeLarge(ops)
	}
	return err
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
	for _, o := range ops {
		s.used(sizeOf(o))
	}
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
