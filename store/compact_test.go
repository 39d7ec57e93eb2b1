package store_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/store"
)

// combed reports how many versions there are, and in how many a text stands.
func combed(tb testing.TB, s *store.Store, text string) (versions, found int) {
	tb.Helper()
	err := s.Comb(func(v store.Version) error {
		versions++
		if bytes.Contains(v.Text, []byte(text)) || bytes.Contains(v.Facts, []byte(text)) {
			found++
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return versions, found
}

func TestAfterCompactingNothingIsLeftOfWhatWasRemoved(t *testing.T) {
	s, _ := openStore(t)
	for round := range 4 {
		b := s.Begin()
		for i := range 600 {
			h := head(fmt.Sprintf("r%d-%d", round, i), uint64(round*1000+i+1))
			h.Person = []string{"planted", "other"}[i%2]
			put(t, b.Partition(i%3), h)
			key := learn.Key{Kind: "user", ID: h.Person}
			learn.At[tally](rows(b.Partition(i%3), "m"), key, "n").Text = strings.Repeat(h.Person, 1+i%900)
			learn.At[tally](rows(b.Partition(i%3), "m"), passive, h.Person+fmt.Sprint(i)).Count = 1 // in a packed page
		}
		commit(t, b)
		flush(t, s)
	}
	if _, found := combed(t, s, "planted"); found == 0 {
		t.Fatal("nothing was planted")
	}
	b := s.Begin()
	for p := range 3 {
		for rec := range b.Partition(p).Each(learn.Select{Person: "planted"}) {
			b.Partition(p).Drop(rec)
		}
		*learn.At[tally](rows(b.Partition(p), "m"), learn.Key{Kind: "user", ID: "planted"}, "n") = tally{}
		for i := p; i < 600; i += 3 {
			*learn.At[tally](rows(b.Partition(p), "m"), passive, fmt.Sprint("planted", i)) = tally{}
		}
	}
	commit(t, b)
	s.Published(s.Dirty())
	if err := s.Compact(all); err != nil {
		t.Fatal(err)
	}
	versions, found := combed(t, s, "planted")
	if _, others := combed(t, s, "other"); found > 0 || others == 0 {
		t.Errorf("%d of %d versions hold what was removed, %d what was not", found, versions, others)
	}
	if _, digests := combed(t, s, string(store.Digests("planted")[0])); digests > 0 {
		t.Errorf("the digest stands in %d versions", digests)
	}
	view(t, s, func(v *store.View) {
		for p := range 3 {
			if n := v.Partition(p).Count(events.FeedbackFix.Kind); n != 400 {
				t.Errorf("partition %d counts %d records", p, n)
			}
		}
	})
}

// all keys that were published.
func all(store.Mark) bool { return true }

func TestAfterCompactingNothingNamesAKeyThatSettled(t *testing.T) {
	s, dir := openStore(t)
	touch(t, s, 1, "other", "planted")
	flush(t, s)
	b := s.Begin()
	*count(b.Partition(1), learn.Key{Kind: "rule", ID: "planted"}, "a") = 0
	commit(t, b)
	flush(t, s)
	s.Published(s.Dirty()) // and nothing else is written after that
	if err := s.Compact(func(m store.Mark) bool { return m.Key.ID == "planted" }); err != nil {
		t.Fatal(err)
	}
	if versions, found := combed(t, s, "planted"); found > 0 || versions == 0 {
		t.Errorf("%d of %d versions name it", found, versions)
	}
	equal(t, "after a crash", marked(openDir(t, copyDir(t, dir))), []string{"1 rules rule.other"})
}
