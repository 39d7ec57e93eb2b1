package store

import (
	"bytes"
	"cmp"
	"iter"
	"slices"

	"learnloop.dev/events"
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
	return (s.Kind == "" || s.kind == e.kind) && (s.Key == "" || s.Key == h.Key) &&
		(s.Person == "" || s.Person == h.Person) && s.within(e.at)
}

func (s *selection) within(at instant) bool {
	return bytes.Compare(at[:], s.from[:]) >= 0 && !s.past(at)
}

func (s *selection) past(at instant) bool {
	return !s.To.IsZero() && bytes.Compare(at[:], s.to[:]) >= 0
}

// found is a record that an index leads to.
type found struct {
	spot
	kind  kindCode
	value []byte // the record itself if it was at hand; valid until the next
}

func (f *found) compare(g *found) int {
	return cmp.Or(bytes.Compare(f.at[:], g.at[:]), cmp.Compare(f.id, g.id))
}

// each yields the selected records by event time and id.
func (l look) each(sel selection) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for f := range l.search(sel) {
			e := l.open(f)
			if e == nil {
				return
			}
			if sel.matches(e) && !yield(e) {
				return
			}
		}
	}
}

func (l look) open(f found) *entry {
	if f.value == nil {
		return l.load(f.spot)
	}
	e, err := l.store.decode(f.value)
	l.trouble.keep("read record "+f.id, err)
	return e
}

// search yields candidates from the index that narrows most, in order.
func (l look) search(sel selection) iter.Seq[found] {
	switch {
	case sel.Key != "":
		return l.follow(index{tableRecord, sel.key[:], l.fromRecord(sel.key)}, sel)
	case sel.Person != "":
		return l.follow(index{tablePerson, sel.person[:], fromPerson}, sel)
	case sel.Kind != "":
		return l.follow(timeIndex(sel.kind), sel)
	}
	return l.everyKind(sel)
}

// index is one stretch of a table whose keys go on with time and id.
type index struct {
	table byte
	start []byte
	read  func(f *found, value []byte) bool
}

func (l look) fromRecord(key digest) func(*found, []byte) bool {
	return func(f *found, value []byte) bool {
		if len(value) < 12 {
			return false
		}
		f.kind, f.key, f.value = kindCode(value), key, value
		return true
	}
}

func fromPerson(f *found, value []byte) bool {
	if len(value) != 12 {
		return false
	}
	f.kind, f.key = kindCode(value), digest(value[4:])
	return true
}

func timeIndex(kind kindCode) index {
	return index{tableTime, kind[:], func(f *found, value []byte) bool {
		if len(value) != 8 {
			return false
		}
		f.kind, f.key = kind, digest(value)
		return true
	}}
}

// follow yields what an index leads to, within the period and of the kind.
func (l look) follow(x index, sel selection) iter.Seq[found] {
	return func(yield func(found) bool) {
		for key, value := range l.walk(append(keyOf(l.part, x.table), x.start...), sel.from[:]) {
			var f found
			if len(key) < len(f.at) || !x.read(&f, value) {
				l.trouble.keep("read index", errRecord)
				return
			}
			f.at, f.id = instant(key), string(key[len(f.at):])
			if sel.past(f.at) {
				return
			}
			if (sel.Kind == "" || sel.kind == f.kind) && !yield(f) {
				return
			}
		}
	}
}

// everyKind merges the time indexes of all kinds.
func (l look) everyKind(sel selection) iter.Seq[found] {
	return func(yield func(found) bool) {
		var heads []head
		for _, kind := range l.kinds() {
			next, stop := iter.Pull(l.follow(timeIndex(kind), sel))
			defer stop()
			if f, ok := next(); ok {
				heads = append(heads, head{f, next})
			}
		}
		for len(heads) > 0 {
			first := 0
			for i := range heads {
				if heads[i].compare(&heads[first].found) < 0 {
					first = i
				}
			}
			if !yield(heads[first].found) {
				return
			}
			var ok bool
			if heads[first].found, ok = heads[first].next(); !ok {
				heads = slices.Delete(heads, first, first+1)
			}
		}
	}
}

type head struct {
	found
	next func() (found, bool)
}

// kinds lists the kinds of which the partition has records.
func (l look) kinds() []kindCode {
	var kinds []kindCode
	for key := range l.walk(keyOf(l.part, tableCount), nil) {
		kinds = append(kinds, kindCode(key))
	}
	return kinds
}

// inLogOrder yields the records of a kind, or of every kind if it is empty, by
// sequence from one on.
func (l look) inLogOrder(kind events.Kind, from uint64) iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		code := codeOf(kind)
		for _, f := range l.sequences(from) {
			if kind != "" && f.kind != code {
				continue
			}
			if e := l.load(f.spot); e == nil || !yield(e) {
				return
			}
		}
	}
}

// sequences yields log sequences from one on, and the records they lead to.
func (l look) sequences(from uint64) iter.Seq2[uint64, found] {
	return func(yield func(uint64, found) bool) {
		for key, value := range l.walk(keyOf(l.part, tableSequence), numberBytes(from)) {
			const fixed = len(kindCode{}) + len(digest{}) + len(instant{})
			if len(value) < fixed {
				l.trouble.keep("read index", errRecord)
				return
			}
			at := spot{digest(value[4:]), instant(value[12:]), string(value[fixed:])}
			if !yield(number(key), found{spot: at, kind: kindCode(value)}) {
				return
			}
		}
	}
}
