package store

import "fmt"

// Batch gathers the changes that count together or not at all. It belongs to one
// goroutine and ends with Commit or Discard.
type Batch struct {
	store  *Store
	window *window // nil when another batch is open
	number uint64
	ended  bool

	parts   map[uint16]*Partition
	asked   []*slot  // rows
	letters [][]byte // derived facts to keep
	purges  []Waste  // log entries to delete

	trace  string           // on whose behalf rows change
	traces map[group]string // by what they are rows of
}

// Begin opens a batch on what was committed so far. One batch may be open at a time;
// the Commit of a second one fails.
func (s *Store) Begin() *Batch {
	if s.alone(func() error { return nil }) != nil {
		return &Batch{store: s, ended: true}
	}
	s.turn.Lock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.batches++
	s.window.trouble = trouble{}
	s.open = &Batch{store: s, window: s.window, number: s.batches, parts: map[uint16]*Partition{}, traces: map[group]string{}}
	return s.open
}

// Partition returns the batch's view of a partition, for reading and writing.
func (b *Batch) Partition(p int) *Partition {
	part := uint16(p)
	if known, ok := b.parts[part]; ok {
		return known
	}
	known, ok := b.window.parts[part]
	if !ok {
		known = newPartition(b, part)
		b.window.parts[part] = known
	}
	known.begin(b)
	b.parts[part] = known
	return known
}

// Trace says on whose behalf rows are changed from now on: the W3C trace context of a
// fact, "" for none. It is kept in memory alone.
func (b *Batch) Trace(parent string) { b.trace = parent }

// Purge remembers log entries until they are deleted from the log (see PurgeQueue).
func (b *Batch) Purge(entries ...Waste) { b.purges = append(b.purges, entries...) }

// Commit keeps all changes of the batch or, with an error, none. They are on disk
// after the next Flush.
func (b *Batch) Commit() error {
	if b.window == nil {
		return fmt.Errorf("commit batch: %w", errBatchOpen)
	}
	if b.ended {
		return nil
	}
	if err := b.window.trouble.err; err != nil {
		b.Discard()
		return fmt.Errorf("commit batch: %w", err)
	}
	b.store.mu.Lock()
	for _, s := range b.asked {
		if s.cell.Settle() {
			b.mark(s.page.sheet)
		}
	}
	for _, data := range b.letters {
		b.window.letters = append(b.window.letters, pending{b.store.letter, data})
		b.store.letter++
	}
	b.store.mu.Unlock()
	b.window.purges = append(b.window.purges, b.purges...)
	b.window.batches++
	b.end()
	return nil
}

// mark notes that something is known anew. Mostly many rows of a group change together.
func (b *Batch) mark(h *sheet) {
	if h.marked == b.number {
		return
	}
	h.marked = b.number
	b.store.marks[h.group] = b.number
	if trace, ok := b.traces[h.group]; ok {
		b.store.traces[h.group] = trace
	}
}

// Discard drops the changes of the batch; after Commit it does nothing.
func (b *Batch) Discard() {
	if b.ended {
		return
	}
	for _, s := range b.asked {
		s.cell.Revert()
	}
	for _, p := range b.parts {
		p.revert()
	}
	b.end()
}

func (b *Batch) end() {
	b.ended = true
	b.store.mu.Lock()
	b.store.open = nil
	b.store.mu.Unlock()
	b.store.turn.Unlock()
}
