package store_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"learnloop.dev/learn"
	"learnloop.dev/store"

	"pgregory.net/rapid"
)

// tallies reads the rows of a key as "name=count".
func tallies(t learn.Table, key learn.Key, prefix string) map[string]int64 {
	all := map[string]int64{}
	for name, row := range learn.Scan[tally](rows(t, "rules"), key, prefix) {
		all[name] = row.Count
	}
	return all
}

func names(t learn.Table, key learn.Key, prefix string) []string {
	list := []string{}
	for name := range learn.Scan[tally](rows(t, "rules"), key, prefix) {
		list = append(list, name)
	}
	return list
}

func count(t learn.Table, key learn.Key, row string) *int64 {
	return &learn.At[tally](rows(t, "rules"), key, row).Count
}

func equal[E comparable](t *testing.T, what string, got, want []E) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestRowsAreThereAfterReopening(t *testing.T) {
	s, dir := openStore(t)
	b := s.Begin()
	*count(b.Partition(3), passive, "a") = 4
	b.Partition(3).SetCursor(17)
	b.Partition(3).SetMeta("version", []byte("2"))
	commit(t, b)
	closeStore(t, s)

	view(t, openDir(t, dir), func(v *store.View) {
		p := v.Partition(3)
		if got := *count(p, passive, "a"); got != 4 {
			t.Errorf("row: got %d, want 4", got)
		}
		if p.Cursor() != 17 || string(p.Meta("version")) != "2" {
			t.Errorf("got cursor %d, version %q", p.Cursor(), p.Meta("version"))
		}
		if other := v.Partition(4); *count(other, passive, "a") != 0 || other.Cursor() != 0 || other.Meta("version") != nil {
			t.Error("another partition has them too")
		}
	})
}

func TestTheSamePlaceIsTheSameCellFromBatchToBatch(t *testing.T) {
	s, _ := openStore(t)
	place := learn.Place{Model: "rules", Key: passive, Row: "a"}
	b := s.Begin()
	first := b.Partition(1).Cell(place)
	if first != b.Partition(1).Cell(place) {
		t.Error("two cells in one batch")
	}
	*count(b.Partition(1), passive, "a") = 1
	commit(t, b)
	flush(t, s)
	if first.Changed || string(first.Stored) != `{"count":1}` {
		t.Errorf("after the flush: changed %v, stored %s", first.Changed, first.Stored)
	}
	b = s.Begin()
	defer b.Discard()
	if first != b.Partition(1).Cell(place) {
		t.Error("the row was decoded again")
	}
}

func TestAnUnchangedRowIsNeitherWrittenNorMarked(t *testing.T) {
	s, _ := openStore(t)
	b := s.Begin()
	*count(b.Partition(1), passive, "a") = 1
	commit(t, b)
	s.Published(s.Dirty())
	b = s.Begin()
	n := count(b.Partition(1), passive, "a")
	*n++
	*n--
	commit(t, b)
	if dirty := s.Dirty(); len(dirty) > 0 {
		t.Errorf("marked: %v", dirty)
	}
}

func TestATouchedKeyIsMarkedThoughNoRowChanges(t *testing.T) {
	s, _ := openStore(t)
	b := s.Begin()
	learn.Touch(rows(b.Partition(1), "rules"), passive)
	commit(t, b)
	if dirty := s.Dirty(); len(dirty) != 1 || dirty[0].Key != passive {
		t.Errorf("marked: %v", dirty)
	}
}

func TestARowTakenBackToZeroIsGone(t *testing.T) {
	s, _ := openStore(t)
	for _, n := range []int64{2, -2} {
		b := s.Begin()
		*count(b.Partition(1), passive, "a") += n
		commit(t, b)
	}
	view(t, s, func(v *store.View) {
		if got := names(v.Partition(1), passive, ""); len(got) > 0 {
			t.Errorf("rows left: %v", got)
		}
		if c := v.Partition(1).Cell(learn.Place{Model: "rules", Key: passive, Row: "a"}); c.Stored != nil {
			t.Errorf("stored: %s", c.Stored)
		}
	})
}

func TestADiscardedBatchLeavesNothing(t *testing.T) {
	s, _ := openStore(t)
	b := s.Begin()
	*count(b.Partition(1), passive, "a") = 1
	commit(t, b)

	b = s.Begin()
	*count(b.Partition(1), passive, "a") = 99
	*count(b.Partition(1), passive, "b") = 99
	b.Partition(1).SetCursor(9)
	put(t, b.Partition(1), head("r1", 9))
	b.Purge(store.Waste{Seq: 4})
	b.Discard()

	b = s.Begin()
	p := b.Partition(1)
	if got := *count(p, passive, "a"); got != 1 {
		t.Errorf("row a: got %d, want 1", got)
	}
	if got := *count(p, passive, "b"); got != 0 {
		t.Errorf("row b: got %d, want 0", got)
	}
	if _, known := p.Record("r1"); known || p.Cursor() != 0 {
		t.Error("the record or the cursor stayed")
	}
	b.Discard()
	if queue, err := s.PurgeQueue(10); err != nil || len(queue) > 0 {
		t.Errorf("purge queue: %v, %v", queue, err)
	}
}

func TestAScanSeesTheBatchsOwnChanges(t *testing.T) {
	s, _ := openStore(t)
	b := s.Begin()
	for _, row := range []string{"a", "b/1", "b/2", "c"} {
		*count(b.Partition(1), passive, row) = 1
	}
	*count(b.Partition(1), learn.Key{Kind: "rule", ID: "passive2"}, "b/1") = 7
	commit(t, b)

	b = s.Begin()
	defer b.Discard()
	p := b.Partition(1)
	*count(p, passive, "b/2") = 0   // goes
	*count(p, passive, "b/1") = 5   // changes
	*count(p, passive, "b/15") = 15 // comes, between
	*count(p, passive, "0") = 3     // comes, first
	*count(p, passive, "d") = 4     // comes, last
	equal(t, "all", names(p, passive, ""), []string{"0", "a", "b/1", "b/15", "c", "d"})
	equal(t, "prefix", names(p, passive, "b/"), []string{"b/1", "b/15"})
	if got := tallies(p, passive, ""); got["b/1"] != 5 || got["b/15"] != 15 {
		t.Errorf("values: %v", got)
	}
}

func TestNamesOfAnyLengthAndByteSurvive(t *testing.T) {
	s, dir := openStore(t)
	long := learn.Key{Kind: "rule", ID: strings.Repeat("é\x00", 20_000)}
	other := learn.Key{Kind: "rule", ID: strings.Repeat("é\x00", 20_000) + "x"}
	row := strings.Repeat("r", 2000)
	b := s.Begin()
	for i, name := range []string{"", "\x00", "s", row, row + "1", row[:1024], row[:1000]} {
		*count(b.Partition(1), passive, name) = int64(i + 1)
		*count(b.Partition(1), long, name) = int64(i + 10)
	}
	*count(b.Partition(1), other, row) = 100
	commit(t, b)
	closeStore(t, s)

	s = openDir(t, dir)
	view(t, s, func(v *store.View) {
		p := v.Partition(1)
		got := names(p, long, "")
		slices.Sort(got)
		equal(t, "rows", got, []string{"", "\x00", row[:1000], row[:1024], row, row + "1", "s"})
		if n := tallies(p, long, row); len(n) != 2 || n[row] != 13 || n[row+"1"] != 14 {
			t.Errorf("long prefix: %d rows", len(n))
		}
		if got := *count(p, other, row); got != 100 {
			t.Errorf("the other long key: got %d", got)
		}
	})
	var ids []string
	for _, m := range s.Dirty() {
		ids = append(ids, m.Key.ID)
	}
	equal(t, "marks", ids, []string{"passive", long.ID, other.ID})
}

func TestASecondBatchIsRefused(t *testing.T) {
	s, _ := openStore(t)
	b := s.Begin()
	*count(b.Partition(1), passive, "a") = 1
	if err := s.Begin().Commit(); err == nil {
		t.Error("the second batch was committed")
	}
	if err := s.Wipe(1, "rules"); err == nil {
		t.Error("wiped beside a batch")
	}
	commit(t, b)
}

func TestABatchOfAnySizeIsKeptWhole(t *testing.T) {
	s, dir := openStore(t)
	b := s.Begin()
	for i := range 200 { // 12 MB, several times what the engine takes at once
		learn.At[tally](rows(b.Partition(1), "rules"), passive, strconv.Itoa(i)).Text = strings.Repeat("t", 60_000)
	}
	b.Partition(1).SetCursor(7)
	commit(t, b)
	closeStore(t, s)
	view(t, openDir(t, dir), func(v *store.View) {
		if n := len(names(v.Partition(1), passive, "")); n != 200 || v.Partition(1).Cursor() != 7 {
			t.Errorf("%d rows, cursor %d, want 200, 7", n, v.Partition(1).Cursor())
		}
	})
}

func TestADiscardedBatchLeavesTheBatchesBeforeIt(t *testing.T) {
	for _, flushed := range []bool{false, true} {
		s, _ := openStore(t)
		b := s.Begin()
		*count(b.Partition(1), passive, "a") = 1
		put(t, b.Partition(1), head("r1", 3))
		b.Partition(1).SetMeta("m", []byte("1"))
		b.Partition(1).SetCursor(3)
		commit(t, b)
		if flushed {
			flush(t, s)
		}
		s.Published(s.Dirty())
		b = s.Begin()
		*count(b.Partition(1), passive, "a") = 2
		put(t, b.Partition(1), head("r1", 4))
		put(t, b.Partition(1), head("r2", 5))
		b.Partition(1).SetMeta("m", []byte("2"))
		b.Partition(1).SetCursor(5)
		b.Partition(1).Emit(derived("d", false))
		b.Discard()
		view(t, s, func(v *store.View) {
			p := v.Partition(1)
			equal(t, "records", ids(p.Each(learn.Select{})), []string{"r1@3"})
			if n := *count(p, passive, "a"); n != 1 || p.Cursor() != 3 || string(p.Meta("m")) != "1" || p.Count("feedback.fix") != 1 {
				t.Errorf("row %d, cursor %d, meta %s, %d records", n, p.Cursor(), p.Meta("m"), p.Count("feedback.fix"))
			}
		})
		if list, _ := outbox(t, s, 9); len(list)+len(s.Dirty()) > 0 {
			t.Errorf("derived facts %v, marks %v", list, s.Dirty())
		}
	}
}

func TestAGroupTooLargeForMemoryReadsTheSame(t *testing.T) {
	s, _ := openStore(t)
	const many = 9000
	want := []string{}
	for from := 0; from < many; from += 1000 {
		b := s.Begin()
		for i := from; i < from+1000; i++ {
			*count(b.Partition(1), passive, strconv.Itoa(100_000+i)) = 1
		}
		if from%2000 == 0 {
			*count(b.Partition(1), passive, strconv.Itoa(100_000+from+7)) = 0 // goes again
		}
		commit(t, b)
		if from%3000 == 0 {
			flush(t, s)
		}
	}
	for i := range many {
		if i%2000 != 7 {
			want = append(want, strconv.Itoa(100_000+i))
		}
	}
	b := s.Begin()
	defer b.Discard()
	equal(t, "all", names(b.Partition(1), passive, ""), want)
	equal(t, "some", names(b.Partition(1), passive, "10800"), []string{"108000", "108001", "108002", "108003", "108004", "108005", "108006", "108008", "108009"})
	if n := *count(b.Partition(1), passive, "100007"); n != 0 {
		t.Errorf("a row that went has %d", n)
	}
}

func TestARowThatComesBackStandsWhereItIsLookedFor(t *testing.T) {
	s, _ := openStore(t)
	name := func(i int) string { return strconv.Itoa(100_000 + i) }
	set := func(n int64, concerns func(i int) bool, after string) {
		b := s.Begin()
		for i := range 9000 {
			if concerns(i) {
				*count(b.Partition(1), passive, name(i)+after) = n
			}
		}
		commit(t, b)
		flush(t, s)
	}
	every, left, edge := func(int) bool { return true }, func(i int) bool { return i/50%2 == 0 }, func(i int) bool { return i%100 == 49 }
	set(1, every, "")
	store.ForgetRows(s) // they are read again
	set(0, left, "")    // some pages begin later now
	set(1, edge, "x")   // where those before them end
	set(1, left, "")
	store.CheckPages(t, s, 1)
	view(t, s, func(v *store.View) {
		for i := range 9000 {
			if got := *count(v.Partition(1), passive, name(i)); got != 1 {
				t.Fatalf("row %d: %d", i, got)
			}
		}
	})
}

// byBytes is the order of rows, as far as their names tell it.
func byBytes(a, b string) int { return strings.Compare(a[:min(1024, len(a))], b[:min(1024, len(b))]) }

// Whatever is done to the rows of a group, they are what a map would hold: pages come
// and go, also the first, and are dropped from memory in between.
func TestRowsAreWhatAMapWouldHold(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s, dir := openStore(t)
		want := map[string]int64{}
		name := rapid.Custom(func(r *rapid.T) string {
			return strings.Repeat(rapid.SampledFrom([]string{"", "a", "b", "zz"}).Draw(r, "part"), rapid.SampledFrom([]int{0, 1, 3, 600}).Draw(r, "times")) +
				strconv.Itoa(rapid.IntRange(0, 400).Draw(r, "n"))
		})
		for range rapid.IntRange(1, 6).Draw(r, "batches") {
			b := s.Begin()
			for range rapid.IntRange(0, 300).Draw(r, "changes") {
				row, n := name.Draw(r, "row"), int64(rapid.IntRange(0, 3).Draw(r, "count"))
				*count(b.Partition(1), passive, row) = n
				if want[row] = n; n == 0 {
					delete(want, row)
				}
			}
			if rapid.IntRange(0, 9).Draw(r, "clear") == 0 {
				for row := range want {
					*count(b.Partition(1), passive, row) = 0
				}
				clear(want)
			}
			commit(t, b)
			switch rapid.IntRange(0, 3).Draw(r, "then") {
			case 0:
				flush(t, s)
			case 1:
				flush(t, s)
				store.ForgetRows(s)
			case 2:
				closeStore(t, s)
				s = openDir(t, dir)
			}
			b = s.Begin()
			if got := tallies(b.Partition(1), passive, ""); !maps.Equal(got, want) {
				r.Fatalf("%d rows, want %d", len(got), len(want))
			}
			if got := names(b.Partition(1), passive, ""); !slices.IsSortedFunc(got, byBytes) {
				r.Fatalf("not in order: %d rows", len(got))
			}
			b.Discard()
		}
		view(t, s, func(v *store.View) {
			if got := tallies(v.Partition(1), passive, ""); !maps.Equal(got, want) {
				r.Fatalf("frozen: %d rows, want %d", len(got), len(want))
			}
			for row, n := range want {
				if got := *count(v.Partition(1), passive, row); got != n {
					r.Fatalf("frozen row: %d, want %d", got, n)
				}
			}
		})
		if len(want) == 0 && store.RowKeys(t, s, 1) > 0 {
			r.Fatal("pages without rows are left")
		}
		store.CheckPages(t, s, 1)
		closeStore(t, s)
	})
}
