package store

import (
	"slices"
	"strings"
	"testing"
)

// Keys counts the keys of a partition in the engine.
func Keys(tb testing.TB, s *Store, part uint16) (n int) {
	tb.Helper()
	if err := s.scan(partitionPrefix(part), 0, func(_, _ []byte) error { n++; return nil }); err != nil {
		tb.Fatal(err)
	}
	return n
}

// BeginDrop begins to drop a partition and goes no further.
func BeginDrop(s *Store, part uint16) error {
	return s.commit(func(w *writer) { w.set(partKey(tableDrop, part), nil) })
}

// Spoil removes the facts of all blocks of a partition, as damage would.
func Spoil(s *Store, part uint16) error {
	var keys [][]byte
	prefix := keyOf(part, tableBody)
	err := s.scan(prefix, 0, func(key, _ []byte) error {
		keys = append(keys, slices.Concat(prefix, key))
		return nil
	})
	if err != nil {
		return err
	}
	return s.reshape(func() error {
		return s.commit(func(w *writer) {
			for _, key := range keys {
				w.drop(key)
			}
		})
	})
}

// BeginLarge writes down that a meta fact becomes a value, in two parts, and goes
// no further; complete says whether the writing counts already.
func BeginLarge(s *Store, name, value string, complete bool) error {
	parts := [][]op{{{key: metaKey(whole, name), value: []byte(value)}}, {{key: metaKey(whole, name+"2"), drop: true}}}
	if complete {
		return s.prepareLarge(parts)
	}
	return s.write([]op{{key: largeKey(0), value: encodeOps(parts[0])}})
}

// Warn makes the engine's log write what it might.
func Warn(write func(string)) {
	l := &engineLog{write: write}
	l.Errorf("Unable to read: Key: %v, Version: %v", "secret", 1)
	l.Warningf("compaction took %d", 3)
	l.Infof("secret")
	l.Debugf("secret")
}

// RowKeys counts the pages of a partition.
func RowKeys(tb testing.TB, s *Store, part uint16) (n int) {
	tb.Helper()
	if err := s.scan(keyOf(part, tableRow), 0, func(_, _ []byte) error { n++; return nil }); err != nil {
		tb.Fatal(err)
	}
	return n
}

// ForgetRows drops the rows from memory, as a full cache does; they must be on disk.
func ForgetRows(s *Store) {
	for _, h := range s.cells.sheets {
		for i, pg := range h.pages {
			if i%2 == 0 {
				h.unload(pg)
			}
		}
	}
}

// FlushSome writes the first transactions of a flush, as one that a crash interrupts
// does, and returns how many there would have been. The store must not be used again.
func FlushSome(tb testing.TB, s *Store, some int) (of int) {
	tb.Helper()
	marks := s.markChange()
	return s.writeSome(tb, some, func(w *writer) { s.gather(w, marks) })
}

func (s *Store) writeSome(tb testing.TB, some int, fill func(*writer)) (of int) {
	tb.Helper()
	w := &writer{write: func(part []op) error {
		if of++; of > some {
			return nil
		}
		return s.write(part)
	}}
	fill(w)
	w.end()
	w.wait()
	if w.err != nil {
		tb.Fatal(w.err)
	}
	return of
}

// Shelved waits until what is being put aside is written.
func Shelved(tb testing.TB, s *Store) {
	tb.Helper()
	if err := s.alone(s.shelved); err != nil {
		tb.Fatal(err)
	}
}

// TakeBackSome opens a store and writes the first transactions with which it takes
// back what was ahead, and returns how many there would have been.
func TakeBackSome(tb testing.TB, o Options, some int) int {
	tb.Helper()
	db, err := openEngine(o)
	if err != nil {
		tb.Fatal(err)
	}
	s := &Store{dir: o.Dir, db: db, kinds: kindTable()}
	if err := s.findTail(); err != nil {
		tb.Fatal(err)
	}
	parts, err := s.partsOf(tableAhead)
	if err != nil {
		tb.Fatal(err)
	}
	of := s.writeSome(tb, some, func(w *writer) {
		for _, part := range parts {
			s.retreat(w, part)
			w.end()
		}
	})
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
	return of
}

// CheckPages makes sure that pages on disk are in order, and begin with what their first
// rows begin with.
func CheckPages(tb testing.TB, s *Store, part uint16) {
	tb.Helper()
	last := map[group]string{}
	err := s.scan(keyOf(part, tableRow), 0, func(key, value []byte) error {
		g, err := pageOf(part, key, value)
		if err != nil {
			return err
		}
		from := string(key[len(appendGroup(nil, g)):])
		rows, err := decodePage(value)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(string(rows.order(0)), from) {
			tb.Errorf("a page begins with %q, and its first row is %q", from, rows.order(0))
		}
		for i := range rows.at {
			order := string(rows.order(i))
			if before, known := last[g]; known && before >= order {
				tb.Errorf("%q stands before %q", before, order)
			}
			last[g] = order
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
}
