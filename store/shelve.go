package store

import (
	"cmp"
	"slices"
)

// shelving puts a partition's changed records into blocks and takes them out.
type shelving struct {
	look
	blocks map[uint64]*block // the changed ones
	newest *block            // nil when there is none
}

// shelved is what is on disk once it was written.
type shelved struct {
	newest *block   // of the partition
	fresh  []*entry // the records
}

// settle takes in that it is on disk. What changed again since is a change of that.
func (s *shelved) settle(p *Partition) {
	for _, e := range s.fresh {
		if c := p.changes[e.id]; c.now == e {
			delete(p.changes, e.id)
		} else {
			c.was = e
		}
	}
	p.newest, p.store.last[p.part] = s.newest, s.newest
	s.fresh = nil
}

// fillRecords writes the changed records.
func (p *Partition) fillRecords(w *writer) {
	s := shelving{look: p.look, blocks: map[uint64]*block{}, newest: p.newest}
	var fresh []*entry
	var gone []sight
	for _, c := range p.changes {
		if c.was == c.now {
			continue
		}
		if c.was != nil {
			s.edit(c.was.block).remove(c.was.seq)
			gone = append(gone, sightOf(c.was))
		}
		if c.now != nil {
			fresh = append(fresh, c.now)
		}
	}
	p.shelved = s.put(w, fresh, gone)
}

// put writes new records, where they lie, and the blocks that changed.
func (s *shelving) put(w *writer, fresh []*entry, gone []sight) shelved {
	slices.SortFunc(fresh, func(a, b *entry) int { return cmp.Compare(a.seq, b.seq) })
	if s.newest == nil && len(fresh) > 0 {
		s.newest = s.floor(^uint64(0))
	}
	come := make([]sight, len(fresh))
	for i, e := range fresh {
		b := s.room(e.seq)
		b.insert(e.item)
		e.block = b.name
		come[i] = sightOf(e)
	}
	s.enroll(w, come, gone)
	return shelved{s.fill(w), fresh}
}

// edit returns a block for changing.
func (s *shelving) edit(name uint64) *block {
	if b, ok := s.blocks[name]; ok {
		return b
	}
	b := &block{name: name}
	switch {
	case s.newest != nil && s.newest.name == name:
		b = s.newest.clone()
		s.newest = b
	default:
		if stored := s.block(name); stored != nil {
			b = stored.clone()
		}
	}
	s.blocks[name] = b
	return b
}

// room returns the block where a sequence belongs.
func (s *shelving) room(seq uint64) *block {
	if s.newest == nil || seq > s.newest.end() {
		if s.newest == nil || s.newest.full() {
			return s.begin(seq)
		}
		s.newest = s.edit(s.newest.name)
		return s.newest
	}
	if b := s.floor(seq); b != nil {
		return b
	}
	b := &block{name: seq} // before all others
	s.blocks[seq] = b
	return b
}

func (s *shelving) begin(seq uint64) *block {
	s.newest = &block{name: seq}
	s.blocks[seq] = s.newest
	return s.newest
}

// floor returns the last block whose name is not above a sequence, nil when there
// is none.
func (s *shelving) floor(seq uint64) *block {
	name, ok := s.blockUpTo(seq)
	for changed := range s.blocks {
		if changed <= seq && (!ok || changed > name) {
			name, ok = changed, true
		}
	}
	if !ok {
		return nil
	}
	return s.edit(name)
}

// fill writes the changed blocks, and returns the newest.
func (s *shelving) fill(w *writer) *block {
	for _, b := range s.blocks {
		b.fill(w, s.part)
		if len(b.items) == 0 && b == s.newest {
			s.newest = nil
		}
	}
	return s.newest
}

// fill writes a block, or removes it when nothing is left in it.
func (b *block) fill(w *writer, part uint16) {
	head, body := sequenceKey(part, tableHead, b.name), sequenceKey(part, tableBody, b.name)
	if len(b.items) == 0 {
		w.drop(head)
		w.drop(body)
		return
	}
	w.set(head, b.head())
	w.set(body, b.body(&w.packer))
}
