package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/learn"
	"learnloop.dev/store"
)

// copyDir copies a store's folder as a crash would leave it.
func copyDir(tb testing.TB, dir string) string {
	tb.Helper()
	target := tb.TempDir()
	if err := os.CopyFS(target, os.DirFS(dir)); err != nil {
		tb.Fatal(err)
	}
	return target
}

// foldSome commits batches of five facts each over three partitions, and flushes
// every other one. Afterwards every partition's cursor, number of records and tally
// say how many there were.
func foldSome(tb testing.TB, s *store.Store, from, to uint64) {
	tb.Helper()
	for n := from; n < to; n++ {
		b := s.Begin()
		for i := range uint64(5) {
			p := b.Partition(int(i) % 3)
			put(tb, p, head(fmt.Sprintf("r%d-%d", n, i), n*5+i))
			*count(p, passive, "a")++
			p.SetCursor(n)
		}
		commit(tb, b)
		if n%2 == 0 {
			flush(tb, s)
		}
	}
}

// folded returns how many batches a store shows, and complains when its parts
// show different ones.
func folded(tb testing.TB, s *store.Store) uint64 {
	tb.Helper()
	var batches uint64
	view(tb, s, func(v *store.View) {
		batches = v.Partition(0).Cursor()
		for i, each := range []int64{2, 2, 1} {
			p, want := v.Partition(i), each*int64(batches)
			if got := *count(p, passive, "a"); got != want || p.Cursor() != batches {
				tb.Errorf("partition %d: tally %d, cursor %d; want %d, %d", i, got, p.Cursor(), want, batches)
			}
			if got := len(ids(p.Each(learn.Select{Key: passive.ID}))); int64(got) != want {
				tb.Errorf("partition %d: %d records, want %d", i, got, want)
			}
			if got := len(ids(p.Oldest(""))); int64(got) != want {
				tb.Errorf("partition %d: %d sequences, want %d", i, got, want)
			}
		}
	})
	return batches
}

func TestAKilledProcessLosesNothingFlushed(t *testing.T) {
	s, dir := openStore(t)
	foldSome(t, s, 1, 22) // the last one is not flushed
	b := s.Begin()
	*count(b.Partition(0), passive, "a") = 99 // in the middle of a batch
	crashed := openDir(t, copyDir(t, dir))
	b.Discard()
	if got := folded(t, crashed); got != 20 {
		t.Errorf("%d batches, want 20", got)
	}
	foldSome(t, crashed, 21, 23)
	if got := folded(t, crashed); got != 22 {
		t.Errorf("%d batches after going on, want 22", got)
	}
}

func TestATornFileLeavesAnEarlierBatchWhole(t *testing.T) {
	s, dir := openStore(t)
	foldSome(t, s, 1, 41)
	closed := copyDir(t, dir)
	random := rand.New(rand.NewPCG(3, 4))
	used := writtenBytes(t, memFile(t, closed))
	for range 12 {
		torn := copyDir(t, closed)
		if err := os.Truncate(memFile(t, torn), 20+random.Int64N(used)); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(store.Options{Dir: torn, Key: seven})
		if err != nil {
			t.Fatal(err)
		}
		if got := folded(t, s); got > 40 {
			t.Errorf("%d batches, want at most 40", got)
		}
		closeStore(t, s)
	}
}

func TestAFlushThatACrashInterruptsLeavesEveryPartitionWhole(t *testing.T) {
	fold := func(s *store.Store, entries int) {
		b := s.Begin()
		for n := range entries {
			p, seq := b.Partition(n%8), uint64(n+1)
			if seq <= p.Cursor() {
				continue // as the analyzer does
			}
			put(t, p, head(fmt.Sprint("r", n), seq))
			learn.At[tally](rows(p, "rules"), passive, fmt.Sprint(n%3)).Count++
			learn.At[tally](rows(p, "rules"), learn.Key{Kind: "rule", ID: fmt.Sprint(n)}, "one").Count++ // a page of its own
			learn.At[tally](rows(p, "rules"), passive, fmt.Sprint("text", n)).Text = strings.Repeat(fmt.Sprint(n), 300)
			p.SetCursor(seq)
		}
		commit(t, b)
	}
	state := func(s *store.Store) (all []string) {
		view(t, s, func(v *store.View) {
			for i := range 8 {
				p := v.Partition(i)
				all = append(all, fmt.Sprint(p.Cursor(), ids(p.Oldest("")), tallies(p, passive, ""), p.Count("feedback.fix")))
			}
		})
		return all
	}
	const entries = 2400
	whole, _ := openStore(t)
	fold(whole, entries)
	want := state(whole)
	for some, of := 0, 9; some <= of; some++ {
		s, dir := openStore(t)
		fold(s, entries)
		if of = store.FlushSome(t, s, some); of < 3 {
			t.Fatalf("%d transactions: there is nothing to interrupt", of)
		}
		crashed := openDir(t, copyDir(t, dir))
		if got := crashed.Folded(); got != 0 && some < of || got != entries && some == of {
			t.Errorf("%d of %d: the log is read on from %d", some, of, got)
		}
		for i := range 8 {
			view(t, crashed, func(v *store.View) {
				p := v.Partition(i)
				if n := p.Count("feedback.fix"); p.Cursor() == 0 != (n == 0) || n != len(ids(p.Oldest(""))) {
					t.Errorf("%d of %d: partition %d has %d records, cursor %d", some, of, i, n, p.Cursor())
				}
				if p.Cursor() > 0 && !slices.ContainsFunc(crashed.Dirty(), func(m store.Mark) bool { return m.Partition == i }) {
					t.Errorf("%d of %d: partition %d is not marked", some, of, i)
				}
			})
		}
		fold(crashed, entries)
		if got := state(crashed); !slices.Equal(got, want) {
			t.Errorf("%d of %d: not as without a crash", some, of)
		}
	}
}

// memFile is the file that the newest batches are in.
func memFile(tb testing.TB, dir string) string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.mem"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("memtables: %v, %v", files, err)
	}
	return files[len(files)-1]
}

// writtenBytes is the size of a file without the zeros at its end.
func writtenBytes(tb testing.TB, name string) int64 {
	tb.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	n := len(data)
	for n > 0 && data[n-1] == 0 {
		n--
	}
	return int64(n)
}

func TestAMissingTableIsDamage(t *testing.T) {
	s, dir := openStore(t)
	foldSome(t, s, 1, 5)
	closeStore(t, s)
	files, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(files) == 0 {
		t.Fatalf("tables: %v, %v", files, err)
	}
	for name, spoil := range map[string]func(string) error{
		"missing":   os.Remove,
		"cut":       func(name string) error { return os.Truncate(name, 100) },
		"scribbled": scribble,
	} {
		spoiled := copyDir(t, dir)
		if err := spoil(filepath.Join(spoiled, filepath.Base(files[0]))); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(store.Options{Dir: spoiled, Key: seven})
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: got %v, want ErrDamaged", name, err)
		}
		if err == nil {
			closeStore(t, s)
		}
	}
}

// scribble changes the end of a file.
func TestAStoreWithoutItsKeysIsDamage(t *testing.T) {
	s, dir := openStore(t)
	foldSome(t, s, 1, 5)
	closeStore(t, s)
	if err := os.Remove(filepath.Join(dir, "KEYREGISTRY")); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(store.Options{Dir: dir, Key: seven}); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
}

func scribble(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for i := len(data) - 200; i < len(data)-100; i++ {
		data[i] ^= 0x55
	}
	return os.WriteFile(name, data, 0o600)
}

func TestNothingIsWrittenOverWhatCannotBeRead(t *testing.T) {
	s, dir := openStore(t)
	b := s.Begin()
	put(t, b.Partition(1), head("r1", 1))
	b.Partition(1).SetCursor(1)
	commit(t, b)
	flush(t, s)
	if err := store.Spoil(s, 1); err != nil {
		t.Fatal(err)
	}
	keys := store.Keys(t, s, 1)
	b = s.Begin()
	put(t, b.Partition(1), head("r2", 2)) // goes into the block that is damaged
	b.Partition(1).SetCursor(2)
	commit(t, b)
	if err := s.Flush(); err == nil {
		t.Error("the damaged block was replaced")
	}
	crashed := openDir(t, copyDir(t, dir))
	if n := store.Keys(t, crashed, 1); n != keys {
		t.Errorf("%d keys, want %d", n, keys)
	}
	view(t, crashed, func(v *store.View) {
		if got := v.Partition(1).Cursor(); got != 1 {
			t.Errorf("the cursor moved to %d over facts that are not there", got)
		}
	})
	if err := s.Close(); err == nil {
		t.Error("closing said nothing")
	}
}

func TestAWipedModelIsGoneAndItsKeysAreMarked(t *testing.T) {
	s, _ := openStore(t)
	b := s.Begin()
	for i := range 6000 { // more than are dropped at a time
		*count(b.Partition(1), learn.Key{Kind: "rule", ID: fmt.Sprint(i % 300)}, fmt.Sprint(i)) = 1
	}
	learn.At[tally](rows(b.Partition(1), "rules2"), passive, "a").Count = 1
	*count(b.Partition(2), passive, "a") = 1
	commit(t, b)
	s.Published(s.Dirty())
	if err := s.Wipe(1, "rules"); err != nil {
		t.Fatal(err)
	}
	if n := store.Keys(t, s, 1); n != 1 {
		t.Errorf("%d keys left in the partition, want that of the other model", n)
	}
	if n := len(s.Dirty()); n != 300 {
		t.Errorf("%d keys marked, want 300", n)
	}
	b = s.Begin()
	defer b.Discard()
	if got := *count(b.Partition(1), learn.Key{Kind: "rule", ID: "1"}, "1"); got != 0 {
		t.Errorf("a cell remembers %d", got)
	}
	if got := *count(b.Partition(2), passive, "a"); got != 1 {
		t.Errorf("the other partition has %d", got)
	}
}

func TestADroppedPartitionLeavesTheOthersAlone(t *testing.T) {
	s, dir := openStore(t)
	foldSome(t, s, 1, 5)
	b := s.Begin()
	b.Partition(0).Emit(derived("gone", false))
	b.Partition(1).Emit(derived("stays", false))
	b.Purge(store.Waste{Seq: 3})
	commit(t, b)
	if err := s.Drop(0); err != nil {
		t.Fatal(err)
	}
	check := func(s *store.Store) {
		t.Helper()
		if n := store.Keys(t, s, 0); n != 0 {
			t.Errorf("%d keys left", n)
		}
		equal(t, "marked", marked(s), []string{"1 rules rule.passive", "2 rules rule.passive"})
		_, keys := outbox(t, s, 9)
		equal(t, "outbox", keys, []string{"stays"})
		if queue, err := s.PurgeQueue(9); err != nil || len(queue) != 1 {
			t.Errorf("purge queue: %v, %v", queue, err)
		}
		view(t, s, func(v *store.View) {
			if got := v.Partition(1).Cursor(); got != 4 {
				t.Errorf("cursor of the next partition: %d", got)
			}
		})
	}
	check(s)
	closeStore(t, s)
	check(openDir(t, dir))
}

func TestAnInterruptedLargeCommitCountsWhollyOrNotAtAll(t *testing.T) {
	for _, complete := range []bool{false, true} {
		s, dir := openStore(t)
		for _, name := range []string{"a", "a2"} {
			if err := s.SetMeta(name, []byte("before")); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.BeginLarge(s, "a", "after", complete); err != nil {
			t.Fatal(err)
		}
		want := []string{"before", "before"}
		if complete {
			want = []string{"after", ""}
		}
		for range 2 { // and again: nothing of it is left to be done twice
			s = openDir(t, copyDir(t, dir))
			a, err := s.Meta("a")
			a2, err2 := s.Meta("a2")
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			equal(t, "facts", []string{string(a), string(a2)}, want)
			if n := store.Keys(t, s, 0xFFFF); n > 5 { // facts, format, tail
				t.Errorf("%d keys of the store's own", n)
			}
		}
	}
}

func TestAnInterruptedDropIsFinishedOnOpening(t *testing.T) {
	s, dir := openStore(t)
	foldSome(t, s, 1, 5)
	if err := store.BeginDrop(s, 0); err != nil {
		t.Fatal(err)
	}
	s = openDir(t, copyDir(t, dir))
	if n := store.Keys(t, s, 0); n != 0 {
		t.Errorf("%d keys left", n)
	}
	if n := store.Keys(t, s, 1); n == 0 {
		t.Error("the next partition is empty")
	}
	closeStore(t, openDir(t, copyDir(t, dir))) // and again from the same crash
}
