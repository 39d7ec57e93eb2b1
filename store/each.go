package store

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"learnloop.dev/inorder"
	"learnloop.dev/learn"
)

// selection is a learn.Select made ready for comparing bytes.
type selection struct {
	learn.Select
	kind     kindCode
	key      digest
	person   digest
	from, to instant
}

func prepare(sel learn.Select) selection {
	s := selection{Select: sel, kind: codeOf(sel.Kind), key: digestOf(sel.Key), person: digestOf(sel.Person)}
	if !sel.From.IsZero() {
		s.from = instantOf(sel.From)
	}
	if !sel.To.IsZero() {
		s.to = instantOf(sel.To)
	}
	return s
}

// matches reports whether a record is selected.
func (s *selection) matches(e *entry) bool {
	h := e.rec.Header()
	return s.suits(&e.item) && (s.Key == "" || s.Key == h.Key) && (s.Person == "" || s.Person == h.Person)
}

// suits reports whether a record may be selected, by what the head of its block says.
func (s *selection) suits(it *item) bool {
	return (s.After == 0 || it.seq > s.After) && (s.Kind == "" || s.kind == it.kind) && (s.Key == "" || s.key == it.key) &&
		(s.Person == "" || s.person == it.person) && s.within(it.at)
}

func (s *selection) within(at instant) bool {
	return bytes.Compare(at[:], s.from[:]) >= 0 && (s.To.IsZero() || bytes.Compare(at[:], s.to[:]) < 0)
}

// candidate is a record that may be selected.
type candidate struct {
	spot
	at instant
}

// heads yields the heads of the blocks that may hold records behind a log sequence,
// in the order of the log.
func (l look) heads(after uint64) iter.Seq[*block] {
	return func(yield func(*block) bool) {
		var from []byte
		if after > 0 {
			if name, ok := l.blockUpTo(after); ok {
				from = numberBytes(name)
			}
		}
		for key, value := range l.walk(keyOf(l.part, tableHead), from) {
			b, err := readHead(number(key), value)
			if err != nil {
				l.trouble.keep("read head of a block", err)
				return
			}
			if !yield(b) {
				return
			}
		}
	}
}

// search lists the records that may be selected, by event time.
func (l look) search(sel selection) []candidate {
	var found []candidate
	for b := range l.heads(sel.After) {
		for i := range b.items {
			if it := &b.items[i]; sel.suits(it) {
				found = append(found, candidate{spot{it.seq, b.name}, it.at})
			}
		}
	}
	inorder.Sort(found, func(a, b candidate) int {
		return cmp.Or(bytes.Compare(a.at[:], b.at[:]), cmp.Compare(a.seq, b.seq))
	})
	return found
}

// each yields the selected records by event time and id.
func (l look) each(sel selection) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for found := l.search(sel); len(found) > 0; {
			n := 1
			for n < len(found) && found[n].at == found[0].at {
				n++
			}
			for _, e := range l.byID(found[:n]) {
				if sel.matches(e) && !yield(e) {
					return
				}
			}
			found = found[n:]
		}
	}
}

// byID opens records of one event time.
func (l look) byID(found []candidate) []*entry {
	list := make([]*entry, 0, len(found))
	for _, f := range found {
		b := l.block(f.block)
		if b == nil {
			return nil
		}
		if i, ok := b.find(f.seq); ok {
			if e := l.open(b, i); e != nil {
				list = append(list, e)
			}
		}
	}
	slices.SortFunc(list, func(a, b *entry) int { return cmp.Compare(a.id, b.id) })
	return list
}

// inLogOrder yields the selected records in the order of the log.
func (l look) inLogOrder(sel selection) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for head := range l.heads(sel.After) {
			for i := range head.items {
				if !sel.suits(&head.items[i]) {
					continue
				}
				b := l.whole(head)
				if b == nil {
					return
				}
				e := l.open(b, i)
				if e == nil || sel.matches(e) && !yield(e) {
					return
				}
			}
		}
	}
}
