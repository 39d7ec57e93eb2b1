package store

import (
	"cmp"
	"fmt"
	"iter"
	"maps"

	"learnloop.dev/inorder"
	"learnloop.dev/learn"
)

// Mark says that rows of a model's key changed since what is known about them was
// last published.
type Mark struct {
	Partition int
	Model     string
	Key       learn.Key
	Trace     string // W3C trace context of the last traced fact that changed them since the process began, "" when there was none

	number uint64 // of the batch that changed them last
}

// Dirty lists the marks, ordered by partition, model and key.
func (s *Store) Dirty() []Mark {
	s.mu.Lock()
	marks := make([]Mark, 0, len(s.marks))
	for g, number := range s.marks {
		marks = append(marks, Mark{int(g.part), g.model, g.key, s.traces[g], number})
	}
	s.mu.Unlock()
	inorder.Sort(marks, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Model, b.Model),
			cmp.Compare(a.Key.Kind, b.Key.Kind), cmp.Compare(a.Key.ID, b.Key.ID))
	})
	return marks
}

// Published removes marks, except those of keys that changed again after Dirty
// listed them. On disk they stay for one more window: whoever was told may lose in
// a crash what he was told last.
func (s *Store) Published(marks []Mark) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range marks {
		g := group{uint16(m.Partition), m.Model, m.Key}
		if number, ok := s.marks[g]; ok && number == m.number {
			delete(s.marks, g)
			delete(s.traces, g)
			s.told[g] = true
		}
	}
}

func markKey(g group) []byte {
	part := [...]byte{byte(g.part >> 8), byte(g.part)}
	return appendGroup(append(keyOf(whole, tableMark), part[:]...), g)
}

// MarkAll marks every key of a partition, because what was published may be lost.
func (s *Store) MarkAll(partition int) error {
	part := uint16(partition)
	err := s.alone(func() error {
		if err := s.flush(); err != nil {
			return err
		}
		return s.scan(keyOf(part, tableRow), 0, func(key, value []byte) error {
			g, err := pageOf(part, key, value)
			if err != nil {
				return err
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.marks[g] = s.batches
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("mark all keys of partition %d: %w", partition, err)
	}
	return nil
}

// remark is by what the marks on disk have to change.
type remark struct{ come, gone []group }

func (r remark) empty() bool { return len(r.come)+len(r.gone) == 0 }

func (s *Store) markChange() (r remark) {
	s.mu.Lock()
	defer s.mu.Unlock()
	needed := func(g group) bool { _, marked := s.marks[g]; return marked || s.told[g] }
	for _, groups := range []iter.Seq[group]{maps.Keys(s.marks), maps.Keys(s.told)} {
		for g := range groups {
			if !s.noted[g] {
				r.come = append(r.come, g)
			}
		}
	}
	for g := range s.noted {
		if !needed(g) {
			r.gone = append(r.gone, g)
		}
	}
	return r
}

// mark marks keys on disk.
func (w *writer) mark(come []group) {
	for _, g := range come {
		var names []byte
		if isLong(g) {
			names = longNames(g)
		}
		w.set(markKey(g), names)
	}
}

// unmark removes marks.
func (w *writer) unmark(gone []group) {
	for _, g := range gone {
		w.drop(markKey(g))
	}
}

// keepMarks remembers what is on disk.
func (s *Store) keepMarks(r remark) {
	for _, g := range r.come {
		s.noted[g] = true
	}
	for _, g := range r.gone {
		delete(s.noted, g)
	}
	s.forgetTold()
}

// forgetTold ends the time for which published keys stay marked on disk.
func (s *Store) forgetTold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.told)
}

// forgetToldOf ends it for some of them. A flush does that for all, but only when it
// has something to write.
func (s *Store) forgetToldOf(settled func(Mark) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.told, func(g group, _ bool) bool {
		return settled(Mark{Partition: int(g.part), Model: g.model, Key: g.key})
	})
}

func (s *Store) loadMarks() error {
	s.marks, s.noted, s.told, s.traces = map[group]uint64{}, map[group]bool{}, map[group]bool{}, map[group]string{}
	return s.scan(keyOf(whole, tableMark), 0, func(key, value []byte) error {
		if len(key) < 2 {
			return errName
		}
		part := uint16(key[0])<<8 | uint16(key[1])
		g, long, err := parseGroup(part, key[2:])
		if long && err == nil {
			g, _, err = parseLong(part, value)
		}
		s.marks[g], s.noted[g] = 0, true
		return err
	})
}
