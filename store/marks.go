package store

import (
	"cmp"
	"fmt"
	"slices"

	"learnloop.dev/learn"
)

// Mark says that rows of a model's key changed since what is known about them was
// last published.
type Mark struct {
	Partition int
	Model     string
	Key       learn.Key

	number uint64 // of the commit that changed them last
}

// Dirty lists the marks, ordered by partition, model and key.
func (s *Store) Dirty() []Mark {
	s.mu.Lock()
	marks := make([]Mark, 0, len(s.marks))
	for g, number := range s.marks {
		marks = append(marks, Mark{int(g.part), g.model, g.key, number})
	}
	s.mu.Unlock()
	slices.SortFunc(marks, func(a, b Mark) int {
		return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Model, b.Model),
			cmp.Compare(a.Key.Kind, b.Key.Kind), cmp.Compare(a.Key.ID, b.Key.ID))
	})
	return marks
}

// Published removes marks, except those of keys that changed again after Dirty
// listed them.
func (s *Store) Published(marks []Mark) error {
	for chunk := range slices.Chunk(marks, chunkSize) {
		var gone []group
		err := s.commit(func(w *writer) {
			for _, m := range chunk {
				g := group{uint16(m.Partition), m.Model, m.Key}
				if number, ok := s.marks[g]; ok && number == m.number {
					w.drop(markKey(g))
					gone = append(gone, g)
				}
			}
		}, func(uint64) { s.unmark(gone) })
		if err != nil {
			return fmt.Errorf("remove marks: %w", err)
		}
	}
	return nil
}

func (s *Store) unmark(groups []group) {
	for _, g := range groups {
		delete(s.marks, g)
	}
}

func markKey(g group) []byte {
	part := [...]byte{byte(g.part >> 8), byte(g.part)}
	return appendGroup(append(keyOf(whole, tableMark), part[:]...), g)
}

// fillMarks writes the marks that are not on disk yet.
func (s *Store) fillMarks(w *writer, dirty []group) {
	for _, g := range dirty {
		if _, known := s.marks[g]; known {
			continue
		}
		var names []byte
		if isLong(g, "") {
			names = longNames(g, "")
		}
		w.set(markKey(g), names)
	}
}

func (s *Store) loadMarks() error {
	s.marks = map[group]uint64{}
	return s.scan(keyOf(whole, tableMark), 0, func(key, value []byte) error {
		if len(key) < 2 {
			return errName
		}
		part := uint16(key[0])<<8 | uint16(key[1])
		g, _, long, err := parseGroup(part, key[2:])
		if long && err == nil {
			g, _, _, err = parseLong(part, value)
		}
		s.marks[g] = s.tail.number
		return err
	})
}
