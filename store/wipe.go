package store

import (
	"fmt"
	"slices"
)

// Wipe removes all rows of a model in a partition, because its Version rose, and
// marks their keys: what was known about them is published again once they are
// folded anew. After a crash it has to be called again. No batch may be open.
func (s *Store) Wipe(partition int, model string) error {
	err := s.reshape(func() error { return s.wipe(uint16(partition), model) })
	if err != nil {
		return fmt.Errorf("wipe %s in partition %d: %w", model, partition, err)
	}
	return nil
}

func (s *Store) wipe(part uint16, model string) error {
	for {
		pages, err := s.pagesOf(part, model)
		if err != nil || len(pages) == 0 {
			return err
		}
		if err := s.dropPages(pages); err != nil {
			return err
		}
	}
}

// reshape writes what is pending and then changes what is on disk.
func (s *Store) reshape(change func() error) error {
	return s.alone(func() error {
		if err := s.flush(); err != nil {
			return err
		}
		defer func() {
			s.cells.clear()
			clear(s.last)
			s.renew()
		}()
		return change()
	})
}

// pagesOf lists the first pages of a model by key.
func (s *Store) pagesOf(part uint16, model string) (map[string]group, error) {
	prefix, pages := appendName(keyOf(part, tableRow), model), map[string]group{}
	err := s.scan(prefix, chunkSize, func(key, value []byte) error {
		full := slices.Concat(prefix, key)
		g, err := pageOf(part, full[prefixSize:], value)
		pages[string(full)] = g
		return err
	})
	return pages, err
}

func (s *Store) dropPages(pages map[string]group) error {
	set := map[group]bool{}
	for _, g := range pages {
		set[g] = true
	}
	s.mu.Lock()
	for g := range set {
		s.marks[g] = s.batches
	}
	s.mu.Unlock()
	marks := s.markChange()
	err := s.commit(func(w *writer) {
		w.mark(marks.come)
		for key := range pages {
			w.drop([]byte(key))
		}
		w.unmark(marks.gone)
	})
	if err == nil {
		s.keepMarks(marks)
	}
	return err
}

// Drop removes a partition with everything in it: records, rows, cursor, marks and
// derived facts. What waits to be purged from the log stays. A crash on the way is
// made up for by the next Open. No batch may be open.
func (s *Store) Drop(partition int) error {
	part := uint16(partition)
	err := s.reshape(func() error {
		if err := s.commit(func(w *writer) { w.set(partKey(tableDrop, part), nil) }); err != nil {
			return err
		}
		return s.finishDrop(part)
	})
	if err != nil {
		return fmt.Errorf("drop partition %d: %w", partition, err)
	}
	return nil
}

func (s *Store) finishDrop(part uint16) error {
	marks, letters, err := s.leftBy(part)
	if err != nil {
		return err
	}
	s.Published(marks)
	if err := s.dropNumbers(tableOutbox, letters); err != nil {
		return err
	}
	if err := s.dropPrefix(part); err != nil {
		return err
	}
	s.forgetIndex(part)
	s.forgetTold()
	gone := s.markChange()
	err = s.commit(func(w *writer) {
		w.drop(partKey(tableDrop, part))
		w.mark(gone.come)
		w.unmark(gone.gone)
	})
	if err == nil {
		s.keepMarks(gone)
	}
	return err
}

// leftBy lists what a partition left in the store's own tables.
func (s *Store) leftBy(part uint16) (marks []Mark, letters []uint64, err error) {
	for _, m := range s.Dirty() {
		if m.Partition == int(part) {
			marks = append(marks, m)
		}
	}
	err = s.scan(keyOf(whole, tableOutbox), 0, func(key, value []byte) error {
		e, err := decodeLetter(value)
		if e.Partition == int(part) {
			letters = append(letters, number(key))
		}
		return err
	})
	return marks, letters, err
}

func (s *Store) dropPrefix(part uint16) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return plain(s.db.DropPrefix(partitionPrefix(part)))
}

// finishDrops finishes what a crash interrupted.
func (s *Store) finishDrops() error {
	parts, err := s.partsOf(tableDrop)
	if err != nil {
		return err
	}
	for _, part := range parts {
		if err := s.finishDrop(part); err != nil {
			return err
		}
	}
	return nil
}

// partsOf lists the partitions about which one of the store's own tables says something.
func (s *Store) partsOf(table byte) (parts []uint16, err error) {
	err = s.scan(keyOf(whole, table), 0, func(key, _ []byte) error {
		if len(key) != 2 {
			return errName
		}
		parts = append(parts, uint16(key[0])<<8|uint16(key[1]))
		return nil
	})
	return parts, err
}
