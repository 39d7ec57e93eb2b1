package store

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"learnloop.dev/learn"

	"github.com/dgraph-io/badger/v4"
)

// trouble keeps the first error of reads that cannot return one.
type trouble struct{ err error }

func (t *trouble) keep(doing string, err error) {
	if t.err == nil && err != nil {
		t.err = fmt.Errorf("%s: %w", doing, plain(err))
	}
}

// look reads one partition as it stood when a transaction began.
type look struct {
	store   *Store
	txn     *badger.Txn
	part    uint16
	trouble *trouble
	blocks  *recentBlocks
	index   *index // nil when it is not known
}

// get returns a copy of a value, nil when there is none.
func (l look) get(key []byte) []byte {
	value, err := read(l.txn, key)
	l.trouble.keep("read state", err)
	return value
}

// read returns a copy of a value, nil when there is none.
func read(txn *badger.Txn, key []byte) ([]byte, error) {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	value, err := item.ValueCopy(nil)
	if value == nil && err == nil {
		value = []byte{}
	}
	return value, err
}

// walk yields the keys that begin with prefix, from one on, without the prefix.
// Key and value are only valid until the next.
func (l look) walk(prefix, from []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		l.trouble.keep("read state", walk(l.txn, prefix, from, yield))
	}
}

func walk(txn *badger.Txn, prefix, from []byte, yield func(key, value []byte) bool) error {
	it := txn.NewIterator(badger.IteratorOptions{Prefix: prefix})
	defer it.Close()
	for it.Seek(append(slices.Clip(prefix), from...)); it.Valid(); it.Next() {
		item, more := it.Item(), false
		err := item.Value(func(value []byte) error {
			more = yield(item.Key()[len(prefix):], value)
			return nil
		})
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// blockUpTo returns the last block whose name is not above a sequence, false when there
// is none.
func (l look) blockUpTo(n uint64) (uint64, bool) {
	prefix := keyOf(l.part, tableHead)
	it := l.txn.NewIterator(badger.IteratorOptions{Prefix: prefix, Reverse: true})
	defer it.Close()
	it.Seek(sequenceKey(l.part, tableHead, n))
	if !it.Valid() {
		return 0, false
	}
	return number(it.Item().Key()[len(prefix):]), true
}

// eager is how many pages of a group are read when it is looked for.
const eager = 4

// sheet finds a group, with its first pages; false when it cannot be read.
func (l look) sheet(g group) (*sheet, bool) {
	h, prefix := newSheet(g), pageKey(g, "")
	var failed error
	err := walk(l.txn, prefix, nil, func(key, value []byte) bool {
		pg := h.add(string(key))
		pg.onDisk = true
		if len(h.pages) <= eager {
			failed = l.decode(pg, value)
		}
		return failed == nil
	})
	if err = errors.Join(err, failed); err != nil {
		l.trouble.keep("read rows", err)
		return nil, false
	}
	if len(h.pages) == 0 {
		h.add("").inMem = true
	}
	return h, true
}

// load reads the rows of a page; false when they cannot be read.
func (l look) load(pg *page) bool {
	if pg.inMem || !pg.onDisk {
		pg.inMem = true
		return true
	}
	value, err := read(l.txn, pageKey(pg.sheet.group, pg.from))
	if err == nil {
		err = l.decode(pg, value)
	}
	l.trouble.keep("read rows", err)
	return err == nil
}

// decode takes in what lies on disk of a page.
func (l look) decode(pg *page, value []byte) error {
	l.store.used(len(value))
	return pg.decode(value)
}

func (l look) cursor() uint64 { return number(l.get(keyOf(l.part, tableCursor))) }

func (l look) meta(name string) []byte { return l.get(metaKey(l.part, name)) }

func (l look) count(kind kindCode) uint64 { return number(l.get(countKey(l.part, kind))) }

func groupOf(part uint16, p learn.Place) group { return group{part, p.Model, p.Key} }
