package learn

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// Memory is a Table that lives and dies with the process: for questions that
// fold a selection of records, and for tests. Its zero value is empty.
type Memory struct {
	sheets  map[sheet]*rowset
	derived []Derived
}

// sheet names the rows that are scanned together.
type sheet struct {
	model string
	key   Key
}

// rowset holds the rows of a sheet. Stored rows are sorted when they are asked for.
type rowset struct {
	stored map[string][]byte
	batch  map[string]*Cell
	names  []string // of stored, in byte order; nil when it must be made again
}

// Cell returns the row's cell; it is the same until the next Commit.
func (m *Memory) Cell(p Place) *Cell {
	s := m.open(p)
	c, ok := s.batch[p.Row]
	if !ok {
		c = &Cell{Stored: s.stored[p.Row]}
		s.batch[p.Row] = c
	}
	return c
}

// Scan yields the rows of the place's key whose names begin with the place's row.
func (m *Memory) Scan(p Place) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		s, ok := m.sheets[sheet{p.Model, p.Key}]
		if !ok {
			return
		}
		s.flush()
		names := s.sorted()
		from, _ := slices.BinarySearch(names, p.Row)
		for _, name := range names[from:] {
			if !strings.HasPrefix(name, p.Row) || !yield(name, s.stored[name]) {
				return
			}
		}
	}
}

// Emit keeps a derived fact for Derived.
func (m *Memory) Emit(d Derived) { m.derived = append(m.derived, d) }

// Derived lists what was emitted, in order.
func (m *Memory) Derived() []Derived { return m.derived }

// Commit ends a batch and returns the places, without row, of the models and
// keys in which a row was changed, in no order.
func (m *Memory) Commit() []Place {
	var dirty []Place
	for at, s := range m.sheets {
		if s.flush() {
			dirty = append(dirty, Place{Model: at.model, Key: at.key})
		}
		clear(s.batch)
		if len(s.stored) == 0 {
			delete(m.sheets, at)
		}
	}
	return dirty
}

// All yields every row as the store would keep it, ordered by model, key and name.
func (m *Memory) All() iter.Seq2[Place, []byte] {
	return func(yield func(Place, []byte) bool) {
		for _, at := range slices.SortedFunc(maps.Keys(m.sheets), compareSheets) {
			for name, data := range m.Scan(Place{Model: at.model, Key: at.key}) {
				if !yield(Place{at.model, at.key, name}, data) {
					return
				}
			}
		}
	}
}

func compareSheets(a, b sheet) int {
	if c := strings.Compare(a.model, b.model); c != 0 {
		return c
	}
	if c := strings.Compare(a.key.Kind, b.key.Kind); c != 0 {
		return c
	}
	return strings.Compare(a.key.ID, b.key.ID)
}

func (m *Memory) open(p Place) *rowset {
	at := sheet{p.Model, p.Key}
	s, ok := m.sheets[at]
	if !ok {
		s = &rowset{stored: map[string][]byte{}, batch: map[string]*Cell{}}
		if m.sheets == nil {
			m.sheets = map[sheet]*rowset{}
		}
		m.sheets[at] = s
	}
	return s
}

// flush stores the changed cells and reports whether there were any.
func (s *rowset) flush() bool {
	changed := false
	for name, c := range s.batch {
		if !c.Changed {
			continue
		}
		changed = true
		c.Stored = c.Encode()
		s.store(name, c.Stored)
	}
	return changed
}

// store keeps a row's bytes; nil removes the row.
func (s *rowset) store(name string, data []byte) {
	_, had := s.stored[name]
	if had != (data != nil) {
		s.names = nil
	}
	if data == nil {
		delete(s.stored, name)
		return
	}
	s.stored[name] = data
}

func (s *rowset) sorted() []string {
	if s.names == nil {
		s.names = slices.Sorted(maps.Keys(s.stored))
	}
	return s.names
}
