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

// Shelve begins to put the new records of what was committed aside, and returns. The
// next Shelve or Flush waits until they are written, and gives their memory free. Rows,
// cursors and all else wait for Flush.
func (s *Store) Shelve() error {
	if err := s.alone(s.shelve); err != nil {
		return fmt.Errorf("shelve: %w", err)
	}
	return nil
}

func (s *Store) shelve() error {
	if err := s.shelved(); err != nil {
		return err
	}
	var lots []lot
	for _, p := range s.window.parts {
		if fresh := p.unshelved(); len(fresh) > 0 {
			p.ahead = true
			lots = append(lots, lot{p, fresh})
		}
	}
	under := make(chan error, 1)
	s.window.lots, s.window.under = lots, under
	go func() { under <- s.commit(func(w *writer) { s.putAside(w, lots) }) }()
	return nil
}

// shelved waits until what is being put aside is written.
func (s *Store) shelved() error {
	w := s.window
	if w.under == nil {
		return nil
	}
	err := <-w.under
	if w.under = nil; err != nil {
		return fmt.Errorf("write records of %d batches: %w", w.batches, err)
	}
	for _, l := range w.lots {
		l.shelved.settle(l.Partition)
	}
	w.look(s)
	return nil
}

// Heavy reports whether so many rows were asked for since the last flush that it is
// time for the next: until then none can be given free.
func (s *Store) Heavy() bool {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.cells.count > cellLimit || s.cells.bytes > byteLimit
}

// lot is what is put aside of a partition at a time.
type lot struct {
	*Partition
	fresh []*entry
}

// putAside writes lots, and that their partitions are ahead of their cursors. Batches
// go on meanwhile: it reads what was written before in a transaction of its own.
func (s *Store) putAside(w *writer, lots []lot) {
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	for _, l := range lots {
		var t trouble
		to := shelving{
			look:   look{store: s, txn: txn, part: l.part, trouble: &t, blocks: &recentBlocks{}, index: l.index},
			blocks: map[uint64]*block{}, newest: l.newest,
		}
		l.shelved = to.put(w, l.fresh, nil)
		w.set(partKey(tableAhead, l.part), nil)
		if w.err == nil {
			w.err = t.err
		}
		w.cut()
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

// unshelved lists the partition's new records.
func (p *Partition) unshelved() (fresh []*entry) {
	for _, c := range p.changes {
		if c.was == nil && c.now != nil {
			fresh = append(fresh, c.now)
		}
	}
	return fresh
}

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
	l.strike(w, cursor)
	w.end()
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
	for _, it := range b.items {
		if it.seq > after {
			left.remove(it.seq)
		}
	}
	left.fill(w, l.part)
}
