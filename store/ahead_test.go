package store_test

import (
	"fmt"
	"slices"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/store"
)

// history is a log in which records come, are replaced and go.
type history struct{}

// fold brings partitions forward from where each stands, in batches of 50 entries;
// after each does something.
func (h history) fold(t *testing.T, s *store.Store, to uint64, each func(seq uint64)) {
	t.Helper()
	b := s.Begin()
	for seq := uint64(1); seq <= to; seq++ {
		if p := b.Partition(int(seq) % 3); seq > p.Cursor() {
			p.SetCursor(seq)
			h.apply(t, p, seq)
		}
		if seq%50 == 0 {
			commit(t, b)
			each(seq)
			b = s.Begin()
		}
	}
	commit(t, b)
}

// apply has every third entry of a partition replace a record of 40 to 200 entries
// before, and every seventh take one out.
func (h history) apply(t *testing.T, p *store.Partition, seq uint64) {
	t.Helper()
	back := 40 + seq*seq%160
	old, known := p.Record(fmt.Sprint("r", seq-min(seq, back-back%3)))
	n := count(p, passive, "records")
	switch {
	case seq%7 == 0 && known:
		p.Drop(old)
		*n--
	case seq%9 < 3 && known:
		put(t, p, head(old.Header().Record, seq))
	default:
		put(t, p, head(fmt.Sprint("r", seq), seq))
		*n++
	}
}

// state is all that a store shows.
func (h history) state(t *testing.T, s *store.Store) (all []string) {
	t.Helper()
	view(t, s, func(v *store.View) {
		for i := range 3 {
			p := v.Partition(i)
			records := ids(p.Oldest(""))
			all = append(all, fmt.Sprint(p.Cursor(), p.Count(events.FeedbackFix.Kind), *count(p, passive, "records"), records))
			if n := *count(p, passive, "records"); int(n) != len(records) || len(ids(p.Each(learn.Select{}))) != len(records) {
				t.Errorf("partition %d counts %d records and has %d", i, n, len(records))
			}
		}
	})
	return all
}

func TestWhatWasAheadIsTakenBackAndFoldedAgain(t *testing.T) {
	var h history
	nothing := func(uint64) {}
	plain, _ := openStore(t)
	h.fold(t, plain, 3000, nothing)
	want := h.state(t, plain)
	for _, flushed := range []uint64{0, 50, 1400} {
		early, _ := openStore(t)
		h.fold(t, early, flushed, nothing)
		before := h.state(t, early)

		s, dir := openStore(t)
		h.fold(t, s, 3000, func(seq uint64) {
			if seq == flushed {
				flush(t, s)
			} else if seq > flushed && seq%100 == 0 {
				if err := s.Shelve(); err != nil {
					t.Fatal(err)
				}
			}
		})
		store.Shelved(t, s) // files are not copied at one moment
		killed := copyDir(t, dir)
		equal(t, "without a crash", h.state(t, s), want)
		crashed := openDir(t, killed)
		equal(t, fmt.Sprint("flushed at ", flushed), h.state(t, crashed), before)
		h.fold(t, crashed, 3000, nothing)
		equal(t, "folded again", h.state(t, crashed), want)
		equal(t, "keys", keys(t, crashed), keys(t, plain))
	}
}

// keys counts the keys of each partition.
func keys(t *testing.T, s *store.Store) []int {
	t.Helper()
	return []int{store.Keys(t, s, 0), store.Keys(t, s, 1), store.Keys(t, s, 2)}
}

func TestTakingBackGoesOnWhereACrashInterruptedIt(t *testing.T) {
	var h history
	s, dir := openStore(t)
	h.fold(t, s, 9000, func(seq uint64) {
		if err := s.Shelve(); err != nil || seq == 600 {
			flush(t, s)
		}
	})
	before, _ := openStore(t)
	h.fold(t, before, 600, func(uint64) {})
	want := h.state(t, before)
	for some, of := 0, 9; some <= of; some++ {
		crashed := copyDir(t, dir)
		of = store.TakeBackSome(t, store.Options{Dir: crashed, Key: seven}, some)
		if of < 4 {
			t.Fatalf("%d transactions: there is nothing to interrupt", of)
		}
		if got := h.state(t, openDir(t, crashed)); !slices.Equal(got, want) {
			t.Errorf("%d of %d: got %v, want %v", some, of, got, want)
		}
	}
}

func TestRecordsChangeWhileTheyArePutAside(t *testing.T) {
	var h history
	plain, _ := openStore(t)
	h.fold(t, plain, 3000, func(uint64) {})
	s, _ := openStore(t)
	h.fold(t, s, 3000, func(seq uint64) { // h goes on at once, with the records before it
		if err := s.Shelve(); err != nil {
			t.Fatal(err)
		}
		if seq%1000 == 0 {
			flush(t, s)
		}
	})
	equal(t, "state", h.state(t, s), h.state(t, plain))
}
