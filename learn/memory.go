package learn

import (
	"cmp"
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
	batch   int

	last   sheet // the one used last: folds stay with a key for a while
	rowset *rowset
}

// sheet names the rows that are scanned together.
type sheet struct {
	model string
	key   Key
}

// rowset holds the rows of a sheet.
type rowset struct {
	slots   map[string]*slot
	touched []*slot  // by this batch
	names   []string // of slots, in byte order; nil when it must be made again
	fresh   []string // of the slots that came since, in no order
}

// mostFresh is how many names may wait to be put in order: a fold that looks among rows
// after each that it adds does not order all of them each time.
const mostFresh = 256

// slot is a row, decoded or not; one that does not exist has nothing stored.
type slot struct {
	cell  Cell
	name  string
	batch int // the last that asked for it
}

// Cell returns the row's cell; it is the same until the next Commit.
func (m *Memory) Cell(p Place) *Cell {
	r := m.open(p)
	s, ok := r.slots[p.Row]
	if !ok {
		s = &slot{name: p.Row, batch: -1}
		r.slots[p.Row] = s
		r.fresh = append(r.fresh, p.Row)
	}
	if s.batch != m.batch {
		s.batch = m.batch
		r.touched = append(r.touched, s)
	}
	return &s.cell
}

// Scan yields the cells of the place's key whose names begin with the place's row.
func (m *Memory) Scan(p Place) iter.Seq2[string, *Cell] {
	return func(yield func(string, *Cell) bool) {
		r, ok := m.sheets[sheet{p.Model, p.Key}]
		if !ok {
			return
		}
		for _, name := range r.with(p.Row) {
			if !yield(name, &r.slots[name].cell) {
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
	for at, r := range m.sheets {
		if r.encode() {
			dirty = append(dirty, Place{Model: at.model, Key: at.key})
		}
		r.end()
		if len(r.slots) == 0 {
			delete(m.sheets, at)
		}
	}
	m.rowset = nil
	m.batch++
	return dirty
}

// All yields every row as it was committed, ordered by model, key and name.
func (m *Memory) All() iter.Seq2[Place, []byte] {
	return func(yield func(Place, []byte) bool) {
		for _, at := range slices.SortedFunc(maps.Keys(m.sheets), compareSheets) {
			for name, cell := range m.Scan(Place{Model: at.model, Key: at.key}) {
				if cell.Stored != nil && !yield(Place{at.model, at.key, name}, cell.Stored) {
					return
				}
			}
		}
	}
}

func compareSheets(a, b sheet) int {
	return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(a.key.Kind, b.key.Kind), cmp.Compare(a.key.ID, b.key.ID))
}

func (m *Memory) open(p Place) *rowset {
	at := sheet{p.Model, p.Key}
	if m.rowset != nil && m.last == at {
		return m.rowset
	}
	r, ok := m.sheets[at]
	if !ok {
		r = &rowset{slots: map[string]*slot{}}
		if m.sheets == nil {
			m.sheets = map[sheet]*rowset{}
		}
		m.sheets[at] = r
	}
	m.last, m.rowset = at, r
	return r
}

// encode brings the stored bytes of the batch's changed rows up to date and
// reports whether there were any.
func (r *rowset) encode() bool {
	changed := false
	for _, s := range r.touched {
		changed = changed || s.cell.Touched || s.cell.Changed
		if s.cell.Changed {
			s.cell.Stored = s.cell.Encode()
		}
	}
	return changed
}

// end closes the batch and forgets the rows that do not exist.
func (r *rowset) end() {
	for _, s := range r.touched {
		s.cell.Changed, s.cell.Touched = false, false
		if s.cell.Stored == nil {
			delete(r.slots, s.name)
			r.names = nil
		}
	}
	r.touched = nil
}

// order puts the names in order that may wait no longer.
func (r *rowset) order() {
	switch {
	case r.names == nil:
		r.names, r.fresh = slices.Sorted(maps.Keys(r.slots)), nil
	case len(r.fresh) > mostFresh:
		slices.Sort(r.fresh)
		r.names, r.fresh = merged(r.names, r.fresh), nil
	}
}

// merged are two ordered lists as one.
func merged(a, b []string) []string {
	all := make([]string, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// with lists the names that begin with a prefix, in byte order.
func (r *rowset) with(prefix string) []string {
	r.order()
	from, _ := slices.BinarySearch(r.names, prefix)
	to := from
	for to < len(r.names) && strings.HasPrefix(r.names[to], prefix) {
		to++
	}
	list := r.names[from:to:to]
	for _, name := range r.fresh {
		if strings.HasPrefix(name, prefix) {
			list = append(list, name)
		}
	}
	if len(list) > to-from {
		slices.Sort(list)
	}
	return list
}
