package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/store"
)

func touch(tb testing.TB, s *store.Store, part int, ids ...string) {
	tb.Helper()
	b := s.Begin()
	for _, id := range ids {
		*count(b.Partition(part), learn.Key{Kind: "rule", ID: id}, "a")++
	}
	commit(tb, b)
}

func marked(s *store.Store) []string {
	list := []string{}
	for _, m := range s.Dirty() {
		list = append(list, fmt.Sprintf("%d %s %s", m.Partition, m.Model, m.Key))
	}
	return list
}

func TestChangedKeysAreMarkedUntilTheyArePublished(t *testing.T) {
	s, dir := openStore(t)
	touch(t, s, 2, "b", "a", "b")
	touch(t, s, 1, "c")
	equal(t, "marked", marked(s), []string{"1 rules rule.c", "2 rules rule.a", "2 rules rule.b"})
	s.Published(s.Dirty()[:2])
	equal(t, "still marked", marked(s), []string{"2 rules rule.b"})
	closeStore(t, s)
	s = openDir(t, dir)
	equal(t, "after reopening", marked(s), []string{"2 rules rule.b"})
	s.Published(s.Dirty())
	closeStore(t, s)
	equal(t, "after publishing and reopening", marked(openDir(t, dir)), []string{})
}

func TestAKeyChangedAfterItWasReadStaysMarked(t *testing.T) {
	s, dir := openStore(t)
	touch(t, s, 1, "a", "b")
	read := s.Dirty()
	touch(t, s, 1, "a")
	s.Published(read)
	equal(t, "marked", marked(s), []string{"1 rules rule.a"})
	closeStore(t, s)
	s = openDir(t, dir)
	equal(t, "after reopening", marked(s), []string{"1 rules rule.a"})
	s.Published(read) // a list from before
	equal(t, "with an old list", marked(s), []string{"1 rules rule.a"})
}

func TestAKeyMarkedAgainAfterPublishingIsOnDiskAgain(t *testing.T) {
	s, dir := openStore(t)
	for range 3 {
		touch(t, s, 1, "a")
		s.Published(s.Dirty())
	}
	touch(t, s, 1, "a")
	closeStore(t, s)
	equal(t, "after reopening", marked(openDir(t, dir)), []string{"1 rules rule.a"})
}

func TestAPublishedKeyIsPublishedAgainAfterACrashSoonAfter(t *testing.T) {
	s, dir := openStore(t)
	touch(t, s, 1, "a")
	s.Published(s.Dirty())
	flush(t, s)
	equal(t, "after a crash", marked(openDir(t, copyDir(t, dir))), []string{"1 rules rule.a"})
	touch(t, s, 1, "b")
	flush(t, s)
	equal(t, "a window later", marked(openDir(t, copyDir(t, dir))), []string{"1 rules rule.b"})
}

func TestAllKeysOfAPartitionCanBeMarked(t *testing.T) {
	s, _ := openStore(t)
	touch(t, s, 1, "a", strings.Repeat("long", 100))
	touch(t, s, 2, "b")
	s.Published(s.Dirty())
	if err := s.MarkAll(1); err != nil {
		t.Fatal(err)
	}
	equal(t, "marked", marked(s), []string{"1 rules rule.a", "1 rules rule." + strings.Repeat("long", 100)})
}

func derived(key string, withdrawn bool) learn.Derived {
	return learn.Derived{
		Cause: events.Head{Record: "cause", Seq: 12, Time: day},
		Part: events.Part{
			Group: events.ByRule, Key: key, Exchange: "x1", Kind: events.FeedbackFix.Kind,
			Data: &events.FixFeedback{RuleID: events.ID(key)},
		},
		Withdrawn: withdrawn,
	}
}

func outbox(tb testing.TB, s *store.Store, limit int) (list []store.Emitted, keys []string) {
	tb.Helper()
	list, err := s.Outbox(limit)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range list {
		keys = append(keys, e.Part.Key)
	}
	return list, keys
}

func TestDerivedFactsWaitInOrderUntilTheyAreSent(t *testing.T) {
	s, dir := openStore(t)
	for _, key := range []string{"a", "b", "c"} {
		b := s.Begin()
		learn.Emit(rows(b.Partition(7), "rules"), derived(key, key == "b"))
		commit(t, b)
	}
	list, keys := outbox(t, s, 2)
	equal(t, "first two", keys, []string{"a", "b"})
	e := list[1]
	data, ok := e.Part.Data.(*events.FixFeedback)
	if e.Partition != 7 || !e.Withdrawn || e.Cause.Record != "cause" || e.Cause.Seq != 12 || !e.Cause.Time.Equal(day) ||
		e.Part.Exchange != "x1" || e.Part.Group != events.ByRule || !ok || data.RuleID != "b" {
		t.Errorf("second: %+v", e)
	}
	if err := s.Sent([]uint64{list[0].ID, list[1].ID}); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)

	s = openDir(t, dir)
	b := s.Begin()
	learn.Emit(rows(b.Partition(7), "rules"), derived("d", false))
	commit(t, b)
	list, keys = outbox(t, s, 9)
	equal(t, "after reopening", keys, []string{"c", "d"})
	if err := s.Sent([]uint64{list[0].ID, list[1].ID}); err != nil {
		t.Fatal(err)
	}
	if _, keys = outbox(t, s, 9); len(keys) > 0 {
		t.Errorf("left: %v", keys)
	}
}

func TestADerivedFactOfADiscardedBatchIsNotKept(t *testing.T) {
	s, _ := openStore(t)
	b := s.Begin()
	b.Partition(1).Emit(derived("a", false))
	b.Discard()
	if _, keys := outbox(t, s, 9); len(keys) > 0 {
		t.Errorf("kept: %v", keys)
	}
}

// at is a log entry of a sequence, somewhere.
func at(seq uint64) store.Waste {
	return store.Waste{Seq: seq, Partition: int(seq % 32), Kind: []events.Kind{events.FeedbackFix.Kind, events.ControlTick.Kind}[seq%2]}
}

func wasted(seqs []uint64) (list []store.Waste) {
	for _, seq := range seqs {
		list = append(list, at(seq))
	}
	return list
}

func TestSequencesWaitUntilTheyArePurged(t *testing.T) {
	s, dir := openStore(t)
	queue := func(limit int) []uint64 {
		t.Helper()
		list, err := s.PurgeQueue(limit)
		if err != nil {
			t.Fatal(err)
		}
		var seqs []uint64
		for _, e := range list {
			if seqs = append(seqs, e.Seq); e != at(e.Seq) {
				t.Errorf("entry %d is %+v", e.Seq, e)
			}
		}
		return seqs
	}
	purge := func(seqs ...uint64) {
		t.Helper()
		b := s.Begin()
		b.Purge(wasted(seqs)...)
		commit(t, b)
	}
	purge(30, 10, 20)
	equal(t, "first", queue(2), []uint64{10, 20})
	if err := s.Purged(wasted([]uint64{10, 20})); err != nil {
		t.Fatal(err)
	}
	purge(5)
	equal(t, "a lower one came", queue(9), []uint64{5, 30})
	closeStore(t, s)
	s = openDir(t, dir)
	equal(t, "after reopening", queue(9), []uint64{5, 30})
	many := slices.Collect(func(yield func(uint64) bool) {
		for i := range uint64(12_000) {
			if !yield(100 + i) {
				return
			}
		}
	})
	purge(many[:6000]...)
	purge(many[6000:]...)
	if err := s.Purged(wasted(many)); err != nil {
		t.Fatal(err)
	}
	equal(t, "many", queue(9), []uint64{5, 30})
}

func TestMetaOfTheStoreIsKeptAtOnce(t *testing.T) {
	s, dir := openStore(t)
	b := s.Begin()
	defer b.Discard()
	if err := s.SetMeta("attempts", []byte("3")); err != nil { // beside a batch
		t.Fatal(err)
	}
	copied := copyDir(t, dir)
	if got, err := openDir(t, copied).Meta("attempts"); err != nil || string(got) != "3" {
		t.Errorf("got %q, %v", got, err)
	}
	if err := s.SetMeta("attempts", nil); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Meta("attempts"); err != nil || got != nil {
		t.Errorf("removed: got %q, %v", got, err)
	}
}
