package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/dgraph-io/badger/v4"
	"github.com/klauspost/compress/s2"
)

// compactions is how often Compact tries: reading beside it may keep versions alive.
const compactions = 8

// ErrRetained means that earlier versions could not be removed because somebody was
// reading them; compacting again is safe.
var ErrRetained = errors.New("earlier versions are still being read")

// Compact leaves nothing of what was changed or removed: no earlier version of a
// key, no mark of a removed one, no value beside the tables that none refers to.
// It writes all tables anew, which takes seconds where there is much; meanwhile
// nothing is written. Keys that were published stay marked for one more window (see
// Published), except those of which settled reports true. No batch may be open in the
// goroutine that calls it.
func (s *Store) Compact(settled func(Mark) bool) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	for range compactions {
		stale, err := s.compactOnce(settled)
		if err != nil {
			return fmt.Errorf("compact state: %w", plain(err))
		}
		if len(stale) == 0 {
			if err := s.dropValues(); err != nil {
				return fmt.Errorf("compact state: %w", plain(err))
			}
			return nil
		}
	}
	return fmt.Errorf("compact state: %w", ErrRetained)
}

// compactOnce writes what is pending and merges all tables, and returns the keys of
// which there is more than the present version.
func (s *Store) compactOnce(settled func(Mark) bool) (stale [][]byte, err error) {
	for range 2 { // marks of what was published stay for the first
		if err := s.flush(); err != nil {
			return nil, err
		}
		s.forgetToldOf(settled)
	}
	if stale, err = s.stale(); err != nil {
		return nil, err
	}
	if err := s.touch(stale); err != nil {
		return nil, err
	}
	if err := s.outdate(); err != nil {
		return nil, err
	}
	if err := s.merge(); err != nil {
		return nil, err
	}
	return s.stale()
}

// outdate makes every reader of ours younger than what has to go: the engine keeps
// what the oldest one could see.
func (s *Store) outdate() error {
	for range 2 {
		err := s.commit(func(w *writer) { w.set(keyOf(whole, tableNothing), []byte{}) })
		if err != nil {
			return err
		}
		s.renew()
	}
	return nil
}

// merge writes what is in memory into tables, which the engine only does for a
// prefix under which there is something, and these into one level.
func (s *Store) merge() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.db.DropPrefix(keyOf(whole, tableNothing)); err != nil {
		return err
	}
	return s.db.Flatten(1)
}

// stale lists the keys with earlier versions, and the removed ones.
func (s *Store) stale() (keys [][]byte, err error) {
	var last []byte
	err = s.versions(func(item *badger.Item) error {
		key := item.Key()
		if len(key) >= prefixSize && key[prefixSize-1] == tableTail {
			return nil // a number, written with everything
		}
		if item.IsDeletedOrExpired() || bytes.Equal(key, last) {
			if n := len(keys); n == 0 || !bytes.Equal(keys[n-1], key) {
				keys = append(keys, item.KeyCopy(nil))
			}
		}
		last = append(last[:0], key...)
		return nil
	})
	return keys, err
}

// touch writes keys as they are: only tables that overlap are merged.
func (s *Store) touch(keys [][]byte) error {
	for chunk := range slices.Chunk(keys, touchSize) {
		err := s.commit(func(w *writer) {
			for _, key := range chunk {
				value, err := s.value(key)
				switch {
				case err != nil:
					w.err = err
				case value == nil:
					w.drop(key)
				default:
					w.set(key, value)
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// touchSize is how many keys are written again at once; a block has tens of kilobytes.
const touchSize = 16

// dropValues gives back every file of large values in which some were replaced.
func (s *Store) dropValues() error {
	const share = 1e-6 // of a file: any
	for {
		err := s.db.RunValueLogGC(share)
		if errors.Is(err, badger.ErrNoRewrite) || errors.Is(err, badger.ErrRejected) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// versions hands out every version of every key, the newest of each first.
func (s *Store) versions(take func(*badger.Item) error) error {
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	it := txn.NewIterator(badger.IteratorOptions{AllVersions: true})
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		if err := take(it.Item()); err != nil {
			return err
		}
	}
	return nil
}

// Version is one version of one key, as readable as it can be made.
type Version struct {
	Meta  string // its name, if it is a small fact about a partition
	Text  []byte // key and value, and the rows of a page
	Facts []byte // in place of the value of a block: its facts as in the log, one after the other
}

// Comb hands every version of every key to take, removed ones too, which it must
// not keep. It reads what is on disk, beside writing.
func (s *Store) Comb(take func(Version) error) error {
	err := s.versions(func(item *badger.Item) error {
		return item.Value(func(value []byte) error {
			v, err := readable(item.Key(), value)
			if err != nil {
				return err
			}
			return take(v)
		})
	})
	if err != nil {
		return fmt.Errorf("comb state: %w", plain(err))
	}
	return nil
}

// readable unpacks what is packed.
func readable(key, value []byte) (v Version, err error) {
	v.Text = slices.Concat(key, []byte{' '}, value)
	if len(key) < prefixSize {
		return v, nil
	}
	switch key[prefixSize-1] {
	case tableMeta:
		v.Meta = string(key[prefixSize:])
	case tableRow:
		if len(value) == 0 {
			return v, nil
		}
		rows, err := decodePage(value)
		v.Text = append(v.Text, rows.raw...)
		return v, err
	case tableBody:
		if v.Text = key; len(value) == 0 { // removed
			return v, nil
		}
		if v.Facts, err = s2.Decode(nil, value); err != nil {
			return v, errRecord
		}
	}
	return v, nil
}

// Written is how names that follow each other stand in the state: of groups, or of a
// row. Each is short.
func Written(names ...string) (text []byte) {
	for _, name := range names {
		text = append(binary.AppendUvarint(text, uint64(len(name))), name...)
	}
	return text
}

// Digests returns what the heads of blocks hold in place of a name.
func Digests(names ...string) (out [][]byte) {
	for _, name := range names {
		d := digestOf(name)
		out = append(out, d[:])
	}
	return out
}
