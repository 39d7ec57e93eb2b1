package store

import (
	"fmt"
	"iter"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/dgraph-io/badger/v4"
)

// View is the store as it stands between two batches. Any number may be open while
// batches are committed; none of them sees those. It belongs to one goroutine.
type View struct {
	store   *Store
	txn     *badger.Txn
	trouble trouble
	blocks  recentBlocks
	sheets  map[group]*sheet
}

// viewSheets is how many groups a view keeps in memory.
const viewSheets = 16

// View calls read with what was committed so far, which it writes first, and
// returns its error or that of reading. It waits for an open batch to end: whoever
// has one open must not call it.
func (s *Store) View(read func(*View) error) error {
	v, err := s.freeze()
	if err != nil {
		return fmt.Errorf("view state: %w", err)
	}
	defer v.txn.Discard()
	if err := read(v); err != nil {
		return err
	}
	if v.trouble.err != nil {
		return fmt.Errorf("view state: %w", v.trouble.err)
	}
	return nil
}

func (s *Store) freeze() (*View, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.flush(); err != nil {
		return nil, err
	}
	return &View{store: s, txn: s.db.NewTransaction(false)}, nil
}

// Partition returns a partition for reading.
func (v *View) Partition(p int) Frozen {
	l := look{store: v.store, txn: v.txn, part: uint16(p), trouble: &v.trouble, blocks: &v.blocks}
	l.index = v.store.knownIndex(l.part)
	return Frozen{l, v}
}

// sheet returns a group. One that cannot be read seems empty: the view fails.
func (v *View) sheet(l look, g group) *sheet {
	h, known := v.sheets[g]
	if known {
		return h
	}
	h, ok := l.sheet(g)
	if !ok {
		h = newSheet(g)
		h.add("").inMem = true
	}
	if len(v.sheets) >= viewSheets || v.sheets == nil {
		v.sheets = map[group]*sheet{}
	}
	v.sheets[g] = h
	return h
}

// Frozen is a partition for reading. Changes to its cells are lost.
type Frozen struct {
	look look
	view *View
}

// Cell returns a new cell with the row as it is stored.
func (f Frozen) Cell(p learn.Place) *learn.Cell {
	h, order := f.view.sheet(f.look, groupOf(f.look.part, p)), orderOf(p.Row)
	pg, cell := f.open(h.pages[h.at(order)]), &learn.Cell{}
	if i, found := pg.read.find(order); found {
		_, cell.Stored = pg.read.row(i)
	}
	return cell
}

// Scan yields new cells of the rows of the place's key whose names begin with the
// place's row, in byte order.
func (f Frozen) Scan(p learn.Place) iter.Seq2[string, *learn.Cell] {
	return f.view.sheet(f.look, groupOf(f.look.part, p)).scan(p.Row, f.open)
}

// open returns a page with its rows, and keeps them if it is one of the first.
func (f Frozen) open(pg *page) *page {
	if pg.inMem {
		return pg
	}
	once := &page{sheet: pg.sheet, from: pg.from, onDisk: true}
	f.look.load(once)
	return once
}

// Emit panics: folding is not for views.
func (Frozen) Emit(learn.Derived) { panic("store: a view was asked to emit a derived fact") }

// Record returns the record of an identity, and false when there is none.
func (f Frozen) Record(id string) (events.Recorded, bool) {
	e := f.look.stored(id)
	if e == nil {
		return nil, false
	}
	return e.rec, true
}

// Each yields the selected records by event time and then record id.
func (f Frozen) Each(sel learn.Select) iter.Seq[events.Recorded] {
	return records(f.look.each(prepare(sel)))
}

// Oldest yields the records of a kind, or of every kind if it is empty, in the
// order of the log.
func (f Frozen) Oldest(kind events.Kind) iter.Seq[events.Recorded] {
	return f.InLogOrder(learn.Select{Kind: kind})
}

// InLogOrder yields the selected records in the order of the log, which costs less
// than Each where they are many.
func (f Frozen) InLogOrder(sel learn.Select) iter.Seq[events.Recorded] {
	return records(f.look.inLogOrder(prepare(sel)))
}

// Count returns how many records of a kind the partition has.
func (f Frozen) Count(kind events.Kind) int {
	return int(f.look.count(codeOf(kind)))
}

// Cursor returns the log sequence up to which the partition is folded.
func (f Frozen) Cursor() uint64 { return f.look.cursor() }

// Meta returns a small fact about the partition, nil when it is not set.
func (f Frozen) Meta(name string) []byte { return f.look.meta(name) }

func records(entries iter.Seq[*entry]) iter.Seq[events.Recorded] {
	return func(yield func(events.Recorded) bool) {
		for e := range entries {
			if !yield(e.rec) {
				return
			}
		}
	}
}
