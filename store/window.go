package store

import (
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// window gathers the batches that were committed since the store was last written,
// and the one that is open.
type window struct {
	txn     *badger.Txn // reads what was written
	number  uint64
	trouble trouble // of the open batch, or of the flush
	blocks  recentBlocks

	parts   map[uint16]*Partition
	letters []pending  // derived facts
	purges  []Waste    // log entries to delete
	batches int        // committed
	lots    []lot      // records that are being put aside
	under   chan error // how that went; nil when none are
}

// pending is a derived fact that is not on disk yet.
type pending struct {
	id   uint64
	data []byte
}

func newWindow(s *Store) *window {
	number := uint64(1)
	if s.window != nil {
		number = s.window.number + 1
	}
	return &window{
		txn: s.db.NewTransaction(false), number: number,
		parts: map[uint16]*Partition{},
	}
}

// Flush writes what was committed. A crash on the way leaves some partitions at the
// end of the flush before.
func (s *Store) Flush() error {
	if err := s.alone(s.flush); err != nil {
		return fmt.Errorf("flush: %w", err)
	}
	return nil
}

// alone does something while no batch is open.
func (s *Store) alone(do func() error) error {
	s.mu.Lock()
	open := s.open
	s.mu.Unlock()
	if open != nil {
		return errBatchOpen // the caller's: waiting for it would take for ever
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	return do()
}

// flush is Flush for whoever has the turn.
func (s *Store) flush() error {
	if err := s.shelved(); err != nil {
		return err
	}
	w, marks := s.window, s.markChange()
	if w.batches == 0 && marks.empty() {
		return nil
	}
	if err := s.commit(func(to *writer) { s.gather(to, marks) }); err != nil {
		return fmt.Errorf("write %d batches: %w", w.batches, err)
	}
	s.folded = w.folded(s.folded)
	for _, p := range w.parts {
		p.settle()
	}
	s.keepMarks(marks)
	s.lowerPurge(w.purges)
	s.renew()
	return nil
}

// gather writes the window's changes. What has to be done because of a partition
// comes before it: doing that twice, or for nothing, is harmless. Each partition is
// whole by itself. From where the log is read on comes last.
func (s *Store) gather(to *writer, marks remark) {
	to.mark(marks.come)
	s.window.fill(to)
	if folded := s.window.folded(s.folded); folded > s.folded {
		to.set(keyOf(whole, tableCursor), numberBytes(folded))
	}
	to.unmark(marks.gone)
}

// renew begins another window on the store as it is on disk.
func (s *Store) renew() {
	s.window.txn.Discard()
	s.cells.turn()
	s.window = newWindow(s)
}

// fill writes what is to be done, and the partitions. Where blocks and counts cannot be
// read to be changed, nothing more may be written.
func (w *window) fill(to *writer) {
	w.trouble = trouble{}
	for _, l := range w.letters {
		to.set(sequenceKey(whole, tableOutbox, l.id), l.data)
	}
	for _, e := range w.purges {
		to.set(sequenceKey(whole, tablePurge, e.Seq), e.place())
	}
	to.cut()
	for _, p := range w.parts {
		p.fill(to)
		if to.err == nil {
			to.err = w.trouble.err // that partition must not be written, nor what counts on it
		}
		to.cut()
	}
}

// folded is up to where all of the log is folded with this window.
func (w *window) folded(before uint64) uint64 {
	for _, p := range w.parts {
		before = max(before, p.at)
	}
	return before
}
