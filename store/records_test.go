package store_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/store"

	"pgregory.net/rapid"
)

func TestARecordComesBackAsItWasPut(t *testing.T) {
	s, _ := openStore(t)
	spec, _ := events.Lookup(events.FeedbackFix.Kind)
	h := events.Head{
		SpecVersion: "1.0", ID: "e1", Source: "editor", Type: events.FeedbackFix.Kind.Type(), Record: "r1", Content: "c",
		Time: day.Add(time.Nanosecond), Recorded: day, Stamp: day, Group: events.ByRule, Key: "passive", Person: "p", Seq: 42,
	}
	rec := spec.Fact(h, &events.FixFeedback{RuleID: "passive", OriginalText: "was done"})
	raw, err := events.Encode(rec)
	if err != nil {
		t.Fatal(err)
	}
	b := s.Begin()
	b.Partition(1).Put(rec, raw)
	commit(t, b)
	view(t, s, func(v *store.View) {
		got, ok := v.Partition(1).Record("r1")
		if !ok || *got.Header() != h || got.Payload().(*events.FixFeedback).OriginalText != "was done" {
			t.Errorf("got %+v", got)
		}
		if _, ok := v.Partition(2).Record("r1"); ok {
			t.Error("another partition has it too")
		}
	})
}

// shelf is what a partition should hold.
type shelf map[string]events.Head

func (s shelf) each(sel learn.Select) []string {
	return s.list(func(h events.Head) bool {
		return (sel.Kind == "" || sel.Kind == h.Kind()) && (sel.Key == "" || sel.Key == h.Key) &&
			(sel.Person == "" || sel.Person == h.Person) && (sel.From.IsZero() || !h.Time.Before(sel.From)) &&
			(sel.To.IsZero() || h.Time.Before(sel.To))
	}, func(a, b events.Head) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Record, b.Record))
	})
}

func (s shelf) oldest(kind events.Kind) []string {
	return s.list(func(h events.Head) bool { return kind == "" || kind == h.Kind() },
		func(a, b events.Head) int { return cmp.Compare(a.Seq, b.Seq) })
}

func (s shelf) list(keep func(events.Head) bool, order func(a, b events.Head) int) []string {
	list := slices.SortedFunc(maps.Values(s), order)
	found := []string{}
	for _, h := range list {
		if keep(h) {
			found = append(found, fmt.Sprintf("%s@%d", h.Record, h.Seq))
		}
	}
	return found
}

var (
	someKinds   = []events.Kind{events.FeedbackFix.Kind, events.ControlTick.Kind}
	someKeys    = []string{"", "passive", "passive2", "whom"}
	somePersons = []string{"", "p1", "p2"}
	someTimes   = []time.Time{
		{}, day.Add(-time.Nanosecond), day, day.Add(time.Second), day.AddDate(1, 0, 0),
		time.Date(1602, 3, 4, 5, 6, 7, 8, time.UTC), time.Date(9998, 1, 1, 0, 0, 0, 0, time.UTC),
	}
)

func selects() *rapid.Generator[learn.Select] {
	return rapid.Custom(func(t *rapid.T) learn.Select {
		return learn.Select{
			Kind:   rapid.SampledFrom(append([]events.Kind{""}, someKinds...)).Draw(t, "kind"),
			Key:    rapid.SampledFrom(someKeys).Draw(t, "key"),
			Person: rapid.SampledFrom(somePersons).Draw(t, "person"),
			From:   rapid.SampledFrom(someTimes).Draw(t, "from"),
			To:     rapid.SampledFrom(someTimes).Draw(t, "to"),
		}
	})
}

// librarian drives a partition and its model side by side.
type librarian struct {
	t         *testing.T
	store     *store.Store
	part      int
	batch     *store.Batch
	kept, now shelf // committed, and with the open batch
	seq       uint64
}

func (l *librarian) partition() *store.Partition {
	if l.batch == nil {
		l.batch = l.store.Begin()
	}
	return l.batch.Partition(l.part)
}

func (l *librarian) put(r *rapid.T) {
	l.seq++
	h := events.Head{
		Record: "r" + string(rune('a'+rapid.IntRange(0, 7).Draw(r, "id"))), Seq: l.seq,
		Type:   rapid.SampledFrom(someKinds).Draw(r, "kind").Type(),
		Key:    rapid.SampledFrom(someKeys).Draw(r, "key"),
		Person: rapid.SampledFrom(somePersons).Draw(r, "person"),
		Time:   rapid.SampledFrom(someTimes[1:]).Draw(r, "time"),
	}
	put(l.t, l.partition(), h)
	l.now[h.Record] = h
}

func (l *librarian) drop(r *rapid.T) {
	id := "r" + string(rune('a'+rapid.IntRange(0, 7).Draw(r, "id")))
	rec, known := l.partition().Record(id)
	if _, want := l.now[id]; known != want {
		r.Fatalf("record %s known %v, want %v", id, known, want)
	}
	if known {
		l.partition().Drop(rec)
		delete(l.now, id)
	}
}

func (l *librarian) commit(r *rapid.T) {
	l.partition()
	if err := l.batch.Commit(); err != nil {
		r.Fatal(err)
	}
	l.batch, l.kept = nil, maps.Clone(l.now)
}

func (l *librarian) discard(*rapid.T) {
	l.partition()
	l.batch.Discard()
	l.batch, l.now = nil, maps.Clone(l.kept)
}

// check compares what the batch and what a view see.
func (l *librarian) check(r *rapid.T) {
	sel := selects().Draw(r, "select")
	kind := sel.Kind
	p := l.partition()
	same(r, "batch", ids(p.Each(sel)), l.now.each(sel))
	same(r, "batch, oldest", ids(p.Oldest(kind)), l.now.oldest(kind))
	if got, want := p.Count(someKinds[0]), len(l.now.oldest(someKinds[0])); got != want {
		r.Errorf("batch counts %d, want %d", got, want)
	}
}

// look compares what a view sees, once the batch has ended.
func (l *librarian) look(r *rapid.T) {
	l.discard(r)
	sel := selects().Draw(r, "select")
	view(l.t, l.store, func(v *store.View) {
		p := v.Partition(l.part)
		same(r, "view", ids(p.Each(sel)), l.kept.each(sel))
		same(r, "view, oldest", ids(p.Oldest(sel.Kind)), l.kept.oldest(sel.Kind))
		if got, want := p.Count(someKinds[0]), len(l.kept.oldest(someKinds[0])); got != want {
			r.Errorf("view counts %d, want %d", got, want)
		}
	})
}

// shelve writes records ahead of everything else.
func (l *librarian) shelve(r *rapid.T) {
	l.discard(r)
	if err := l.store.Shelve(); err != nil {
		r.Fatal(err)
	}
}

func same(r *rapid.T, what string, got, want []string) {
	if !slices.Equal(got, want) {
		r.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

func TestIndexesAgreeWithTheRecordsWhateverHappens(t *testing.T) {
	s, _ := openStore(t)
	part := 0
	rapid.Check(t, func(r *rapid.T) {
		part++
		l := &librarian{t: t, store: s, part: part, kept: shelf{}, now: shelf{}}
		defer func() { l.discard(r) }()
		r.Repeat(map[string]func(*rapid.T){
			"put": l.put, "drop": l.drop, "commit": l.commit, "discard": l.discard, "look": l.look, "shelve": l.shelve, "": l.check,
		})
	})
}

func TestADroppedRecordLeavesNothingBehind(t *testing.T) {
	s, _ := openStore(t)
	b := s.Begin()
	h := head("r1", 1)
	h.Person = "p1"
	put(t, b.Partition(1), h)
	commit(t, b)
	flush(t, s)
	before := store.Keys(t, s, 1)
	b = s.Begin()
	rec, _ := b.Partition(1).Record("r1")
	b.Partition(1).Drop(rec)
	commit(t, b)
	flush(t, s)
	if after := store.Keys(t, s, 1); before != 4 || after != 0 {
		t.Errorf("%d keys before, %d after; want 4, 0", before, after)
	}
}

func TestRecordsCanBeDroppedWhileTheyAreListed(t *testing.T) {
	s, _ := openStore(t)
	b := s.Begin()
	for i := range uint64(10) {
		put(t, b.Partition(1), head(fmt.Sprintf("r%d", i), i))
	}
	commit(t, b)
	b = s.Begin()
	p := b.Partition(1)
	put(t, p, head("r5a", 20))
	seen := []string{}
	for rec := range p.Each(learn.Select{}) {
		seen = append(seen, rec.Header().Record)
		p.Drop(rec)
		if rec.Header().Record == "r3" {
			for _, id := range []string{"r5", "r5a"} {
				later, _ := p.Record(id)
				p.Drop(later)
			}
		}
	}
	equal(t, "seen", seen, []string{"r0", "r1", "r2", "r3", "r4", "r6", "r7", "r8", "r9"})
	commit(t, b)
	view(t, s, func(v *store.View) {
		if left := ids(v.Partition(1).Each(learn.Select{})); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
	})
}

func TestTheOldestAreFoundAfterManyWereDropped(t *testing.T) {
	s, _ := openStore(t)
	for round := range uint64(20) {
		b := s.Begin()
		p := b.Partition(1)
		for i := range uint64(10) {
			put(t, p, head(fmt.Sprintf("r%03d", round*10+i), round*10+i))
		}
		for rec := range p.Oldest(events.FeedbackFix.Kind) {
			if p.Count(events.FeedbackFix.Kind) <= 15 {
				break
			}
			p.Drop(rec)
		}
		commit(t, b)
	}
	b := s.Begin()
	put(t, b.Partition(1), head("late", 3)) // below all that are left
	commit(t, b)
	b = s.Begin()
	defer b.Discard()
	got := ids(b.Partition(1).Oldest(""))
	if len(got) != 16 || got[0] != "late@3" || got[1] != "r185@185" {
		t.Errorf("got %v", got)
	}
}
