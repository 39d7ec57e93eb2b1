// Package store keeps what is folded from the log on disk: the rows of every
// model, the records that count now, and how far the log has been read.
//
// It is a cache. Batches are committed in memory and written together by Flush; and
// not to the platter: after a crash each partition stands at the end of an earlier
// batch and the log brings it forward again, exactly, because its cursor stands
// there too. What could not be brought forward is refused with ErrDamaged and has to
// be folded anew.
//
// One goroutine writes, through Begin and the methods that change the store; any
// number may read through View.
package store

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"learnloop.dev/events"

	"github.com/dgraph-io/badger/v4"
)

// Options say where a store lies and how it is locked up.
type Options struct {
	Dir    string
	Key    []byte       // 32 bytes, AES-256
	Logger func(string) // the engine's warnings; nil drops them
	// InClear neither encrypts nor compresses tables: for tests that read the files.
	InClear bool
}

// Store is an open store. Its folder belongs to this process until Close.
type Store struct {
	dir   string
	db    *badger.DB
	kinds map[kindCode]events.Spec

	turn   sync.Mutex // held while a batch is open, and to write what is pending
	window *window    // guarded by turn, as are the next five
	folded uint64     // the log up to here is on disk
	cells  cells
	noted  map[group]bool    // marks that are on disk
	last   map[uint16]*block // the newest block of a partition

	indexing sync.Mutex
	indexes  map[uint16]*index // of the partitions that this process came to; guarded by indexing

	writing sync.Mutex   // held by whoever commits a transaction
	tail    tail         // guarded by writing
	mapped  atomic.Int64 // bytes of the engine's files that were used since they were last unloaded

	mu      sync.Mutex       // guards the fields below
	open    *Batch           // nil when none is
	batches uint64           // begun so far
	marks   map[group]uint64 // the batch that changed the key last
	traces  map[group]string // on whose behalf, where a fact said so
	told    map[group]bool   // keys published since the last flush
	letter  uint64           // id of the next derived fact
	outbox  floor
	purge   floor
}

// Open opens the store in a folder, which it creates if need be. It fails with
// ErrLocked, ErrWrongKey, ErrFormat, ErrDamaged, ErrReadOnly or ErrDiskFull.
func Open(o Options) (*Store, error) {
	db, err := openEngine(o)
	if err != nil {
		return nil, fmt.Errorf("open state %s: %w", o.Dir, err)
	}
	s := &Store{dir: o.Dir, db: db, kinds: kindTable(), cells: newCells(), last: map[uint16]*block{}, indexes: map[uint16]*index{}}
	s.window = newWindow(s)
	if err := s.restore(); err != nil {
		s.window.txn.Discard()
		return nil, fmt.Errorf("open state %s: %w", o.Dir, closing(db, err))
	}
	s.renew()
	return s, nil
}

// Close writes what is pending and gives the folder free. On a full disk nothing is
// written: the log brings it forward again. No batch and no view may be open.
func (s *Store) Close() error {
	if s.db.IsClosed() {
		return nil
	}
	s.forgetTold()
	err := s.Flush()
	if errors.Is(err, ErrDiskFull) {
		err = nil
	}
	s.window.txn.Discard()
	if err = errors.Join(err, plain(s.db.Close())); err != nil {
		return fmt.Errorf("close state %s: %w", s.dir, err)
	}
	return nil
}

// restore reads what the store keeps in memory, after finishing what a crash interrupted.
func (s *Store) restore() error {
	steps := []func() error{
		s.checkFormat, s.findTail, s.labelFormat, s.finishLarge, s.loadFolded, s.loadMarks, s.loadOutbox, s.finishDrops, s.takeBack,
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) loadFolded() error {
	value, err := s.value(keyOf(whole, tableCursor))
	s.folded = number(value)
	return err
}

// Folded returns the log sequence up to which every partition is folded on disk.
// After a crash some are further: each has a cursor of its own.
func (s *Store) Folded() uint64 {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.folded
}

func closing(db *badger.DB, cause error) error {
	if err := db.Close(); err != nil {
		return fmt.Errorf("%w (and closing it: %w)", cause, plain(err))
	}
	return cause
}
