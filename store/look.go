package store

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

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

// before returns the highest number in a table that is not above another, false
// when there is none.
func (l look) before(table byte, n uint64) (uint64, bool) {
	prefix := keyOf(l.part, table)
	it := l.txn.NewIterator(badger.IteratorOptions{Prefix: prefix, Reverse: true})
	defer it.Close()
	it.Seek(sequenceKey(l.part, table, n))
	if !it.Valid() {
		return 0, false
	}
	return number(it.Item().Key()[len(prefix):]), true
}

// row returns a row's data, nil when it does not exist.
func (l look) row(g group, name string) []byte {
	value := l.get(rowKey(g, name))
	if value == nil || !isLong(g, name) {
		return value
	}
	_, _, data, err := parseLong(g.part, value)
	l.trouble.keep("read row", err)
	return data
}

// rows yields the rows of a group whose names begin with a prefix, in byte order
// of their first rowLimit bytes.
func (l look) rows(g group, prefix string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		start := appendGroup(keyOf(g.part, tableRow), g)
		first := prefix[:min(len(prefix), rowLimit)]
		for key, value := range l.walk(append(start, first...), nil) {
			name, data, err := l.rowOf(g, first+string(key), value)
			if err != nil {
				l.trouble.keep("read row", err)
				return
			}
			if strings.HasPrefix(name, prefix) && !yield(name, data) {
				return
			}
		}
	}
}

func (l look) rowOf(g group, name string, value []byte) (string, []byte, error) {
	if len(name) <= rowLimit && !isLong(g, "") {
		return name, value, nil
	}
	_, name, data, err := parseLong(g.part, value)
	return name, data, err
}

func (l look) cursor() uint64 { return number(l.get(keyOf(l.part, tableCursor))) }

func (l look) meta(name string) []byte { return l.get(metaKey(l.part, name)) }

func (l look) count(kind kindCode) uint64 { return number(l.get(countKey(l.part, kind))) }

func groupOf(part uint16, p learn.Place) group { return group{part, p.Model, p.Key} }
