package store

import (
	"bytes"
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
	asked   []*slot   // rows that were asked for
	letters []pending // derived facts
	purges  []uint64  // log sequences to delete
	batches int       // committed
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

// Flush writes what was committed, all or nothing. After a crash the store stands
// where it was flushed last.
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
	w, marks := s.window, s.markChange()
	if w.batches == 0 && marks.empty() {
		return nil
	}
	var written []rewritten
	err := s.commit(func(to *writer) {
		written = w.fill(to)
		s.fillMarks(to, marks)
	})
	if err != nil {
		return fmt.Errorf("write %d batches: %w", w.batches, err)
	}
	for _, r := range written {
		before := r.slot.size()
		r.slot.cell.Stored, r.slot.cell.Changed = r.data, false
		s.cells.regrow(r.slot, before)
		if r.data == nil {
			s.cells.find(r.slot.group).remove(r.slot.row)
		}
	}
	for part, p := range w.parts {
		s.last[part] = p.shelved
	}
	s.keepMarks(marks)
	s.lowerPurge(w.purges)
	s.renew()
	return nil
}

// renew begins another window on the store as it is on disk.
func (s *Store) renew() {
	s.window.txn.Discard()
	s.cells.turn()
	s.window = newWindow(s)
}

// rewritten is a row and its new bytes.
type rewritten struct {
	slot *slot
	data []byte
}

// fill writes the window's changes, and returns the rows among them. Where blocks
// and counts cannot be read to be changed, nothing may be written.
func (w *window) fill(to *writer) (written []rewritten) {
	w.trouble = trouble{}
	defer func() { to.err = w.trouble.err }()
	for _, s := range w.asked {
		if s.cell.Changed {
			written = append(written, rewritten{s, s.cell.Encode()})
		}
	}
	for _, r := range written {
		fillRow(to, r)
	}
	for _, p := range w.parts {
		p.fill(to)
	}
	for _, l := range w.letters {
		to.set(sequenceKey(whole, tableOutbox, l.id), l.data)
	}
	for _, seq := range w.purges {
		to.set(sequenceKey(whole, tablePurge, seq), nil)
	}
	return written
}

// fillRow writes a row if its bytes changed.
func fillRow(to *writer, r rewritten) {
	if bytes.Equal(r.data, r.slot.cell.Stored) {
		return
	}
	if key := rowKey(r.slot.group, r.slot.row); r.data == nil {
		to.drop(key)
	} else {
		to.set(key, rowValue(r.slot.group, r.slot.row, r.data))
	}
}
