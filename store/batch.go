package store

import (
	"bytes"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// Batch gathers the changes that are kept together or not at all. It belongs to
// one goroutine and ends with Commit or Discard.
type Batch struct {
	store   *Store
	txn     *badger.Txn // reads what was there before
	number  uint64
	trouble trouble
	ended   bool

	parts   map[uint16]*Partition
	touched map[group][]*slot // rows that were asked for
	letters [][]byte          // derived facts to keep
	purges  []uint64          // log sequences to delete

	written []rewritten // what a commit is about to change
	dirty   []group
}

// rewritten is a row and its new bytes.
type rewritten struct {
	slot *slot
	data []byte
}

// Begin opens a batch on the store as it stands. One batch may be open at a time;
// the Commit of a second one fails.
func (s *Store) Begin() *Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches++
	b := &Batch{
		store: s, number: s.batches, txn: s.db.NewTransaction(false),
		parts: map[uint16]*Partition{}, touched: map[group][]*slot{},
	}
	if s.open != nil {
		b.trouble.err = errBatchOpen
		return b
	}
	s.open = b
	return b
}

// Partition returns the batch's view of a partition, for reading and writing.
func (b *Batch) Partition(p int) *Partition {
	part := uint16(p)
	if known, ok := b.parts[part]; ok {
		return known
	}
	known := newPartition(b, part)
	b.parts[part] = known
	return known
}

// Purge keeps log sequences until they are deleted from the log (see Purges).
func (b *Batch) Purge(seqs ...uint64) { b.purges = append(b.purges, seqs...) }

// Commit keeps all changes of the batch or, with an error, none. ErrBatchTooBig
// asks for smaller batches.
func (b *Batch) Commit() error {
	if b.ended {
		return nil
	}
	err := b.trouble.err
	if err == nil {
		err = b.store.commit(b.fill, b.keep)
	}
	b.Discard()
	if err != nil {
		return fmt.Errorf("commit batch: %w", err)
	}
	return nil
}

// Discard drops the changes of the batch; after Commit it does nothing.
func (b *Batch) Discard() {
	if b.ended {
		return
	}
	b.ended = true
	b.txn.Discard()
	b.store.mu.Lock()
	defer b.store.mu.Unlock()
	if b.store.open != b {
		return
	}
	b.store.open = nil
	for _, slots := range b.touched {
		b.store.cells.forgetChanged(slots)
	}
	b.store.cells.turn()
}

// fill puts the batch into a transaction.
func (b *Batch) fill(w *writer) {
	b.written, b.dirty = b.written[:0], b.dirty[:0]
	for g, slots := range b.touched {
		if b.fillRows(w, slots) {
			b.dirty = append(b.dirty, g)
		}
	}
	b.store.fillMarks(w, b.dirty)
	for _, p := range b.parts {
		p.fill(w)
	}
	b.store.fillLetters(w, b.letters)
	for _, seq := range b.purges {
		w.set(sequenceKey(whole, tablePurge, seq), nil)
	}
}

// fillRows writes the rows whose bytes changed, and reports whether there are any
// or the key was touched.
func (b *Batch) fillRows(w *writer, slots []*slot) (changed bool) {
	for _, s := range slots {
		if !s.cell.Changed {
			continue
		}
		changed = changed || s.cell.Touched
		s.cell.Touched = false
		data := s.cell.Encode()
		if bytes.Equal(data, s.cell.Stored) {
			s.cell.Changed = false
			continue
		}
		changed = true
		b.written = append(b.written, rewritten{s, data})
		if key := rowKey(s.group, s.row); data == nil {
			w.drop(key)
		} else {
			w.set(key, rowValue(s.group, s.row, data))
		}
	}
	return changed
}

// keep makes memory agree with what was committed.
func (b *Batch) keep(number uint64) {
	for _, r := range b.written {
		r.slot.cell.Stored, r.slot.cell.Changed = r.data, false
	}
	s := b.store
	for _, g := range b.dirty {
		s.marks[g] = number
	}
	s.letter += uint64(len(b.letters))
	for _, seq := range b.purges {
		s.purge.lower(seq)
	}
	for _, p := range b.parts {
		p.keep(s.oldestIn(p.part))
	}
}
