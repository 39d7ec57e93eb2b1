package store

import (
	"errors"
	"fmt"
)

// Records are written ahead of rows: they are most of what is folded and then rest,
// while a page of rows changes with every other fact. Until the next flush the
// records of a partition go further than its cursor. The partition says so under
// tableAhead, and when the process ends before the flush, the next Open takes back
// what lies behind the cursor; the log brings it again.
//
// Only new records go ahead. One that replaces or removes another waits for the
// flush: the other could not be brought back.

// Shelve writes the new records of what was committed and gives their memory free.
// Rows, cursors and all else wait for Flush.
func (s *Store) Shelve() error {
	if err := s.alone(s.shelve); err != nil {
		return fmt.Errorf("shelve: %w", err)
	}
	return nil
}

func (s *Store) shelve() error {
	if err := s.commit(s.window.shelve); err != nil {
		return fmt.Errorf("write records of %d batches: %w", s.window.batches, err)
	}
	for _, p := range s.window.parts {
		p.shelved.settle(p)
	}
	s.window.look(s)
	return nil
}

// Heavy reports whether so many rows were asked for since the last flush that it is
// time for the next: until then none can be given free.
func (s *Store) Heavy() bool {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.cells.count > cellLimit || s.cells.bytes > byteLimit
}

// shelve writes the new records of all partitions.
func (w *window) shelve(to *writer) {
	w.trouble = trouble{}
	for _, p := range w.parts {
		p.shelve(to)
		if to.err == nil {
			to.err = w.trouble.err
		}
		to.cut()
	}
}

// look has the window read what is on disk by now.
func (w *window) look(s *Store) {
	w.txn.Discard()
	w.txn, w.blocks = s.db.NewTransaction(false), recentBlocks{}
	for _, p := range w.parts {
		p.txn = w.txn
	}
}

// shelve writes the partition's new records, and that it is ahead of its cursor.
func (p *Partition) shelve(w *writer) {
	if p.fillRecords(w, (*change).isNew); len(p.shelved.fresh) > 0 {
		p.ahead = true
		w.set(partKey(tableAhead, p.part), nil)
	}
}

// isNew reports whether a record came that was not there.
func (c *change) isNew() bool { return c.was == nil && c.now != nil }

// takeBack takes back what was ahead of the cursors when the process ended.
func (s *Store) takeBack() error {
	parts, err := s.partsOf(tableAhead)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := s.commit(func(w *writer) { s.retreat(w, part) }); err != nil {
			return fmt.Errorf("take back records of partition %d: %w", part, err)
		}
	}
	return nil
}

// retreat removes the records behind a partition's cursor, the last block first, so
// that what a crash interrupts is gone on with.
func (s *Store) retreat(w *writer, part uint16) {
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	var t trouble
	l := look{store: s, txn: txn, part: part, trouble: &t, blocks: &recentBlocks{}}
	cursor := l.cursor()
	for name, ok := l.blockUpTo(^uint64(0)); ok; name, ok = l.blockUpTo(name - 1) {
		b := l.block(name)
		if b == nil || b.end() <= cursor {
			break
		}
		l.truncate(w, b, cursor)
		w.cut()
		if name == 0 {
			break
		}
	}
	if w.err = errors.Join(w.err, t.err); w.err == nil {
		w.drop(partKey(tableAhead, part))
	}
}

// truncate removes the records of a block behind a sequence.
func (l look) truncate(w *writer, b *block, after uint64) {
	left := b.clone()
	for i, it := range b.items {
		if it.seq <= after {
			continue
		}
		e := l.open(b, i)
		if e == nil {
			return
		}
		left.remove(it.seq)
		w.drop(identityKey(l.part, e.id))
	}
	left.fill(w, l.part)
}
