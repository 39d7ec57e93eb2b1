package learn_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var key = learn.Key{Kind: "rule", ID: "r"}

// open returns rows of a model that only exists for them.
func open(m *learn.Memory) learn.Rows {
	return learn.Define(learn.Spec[int]{
		Name: "test", Version: 1, Group: events.ByRule,
		Know:   func(learn.Rows, learn.Key) (int, bool) { return 0, false },
		Render: func(learn.Key, []int) (any, bool) { return nil, false },
	}).Open(m)
}

func TestTopRanksLikeSortingEverything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m learn.Memory
		top := learn.TopOf(open(&m), key, "words")
		other := learn.TopOf(open(&m), key, "words/too")
		counts := map[string]int64{}
		for i := range rapid.IntRange(0, 80).Draw(t, "bumps") {
			label := rapid.SampledFrom([]string{"", "a", "b", "ä", "a\x1fb", "#", "="}).Draw(t, "label")
			by := rapid.OneOf(rapid.Int64Range(-2, 3), rapid.Int64Range(-200, 300)).Draw(t, "by")
			top.Bump(label, by)
			other.Bump(label, 1)
			counts[label] += by
			if i%7 == 0 {
				m.Commit()
			}
		}
		k := rapid.IntRange(0, 9).Draw(t, "k")
		if diff := gocmp.Diff(sorted(counts, k), top.Best(k), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("-sorted +ranked\n%s", diff)
		}
		for label, n := range counts {
			top.Bump(label, -n)
		}
		if left := top.Best(1); left != nil {
			t.Fatalf("still ranked: %v", left)
		}
	})
}

func sorted(counts map[string]int64, k int) []learn.Ranked {
	var list []learn.Ranked
	for label, n := range counts {
		if n > 0 {
			list = append(list, learn.Ranked{Label: label, Count: n})
		}
	}
	slices.SortFunc(list, func(a, b learn.Ranked) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Label, b.Label))
	})
	return list[:min(k, len(list))]
}

func TestEndsAreThoseOfASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m learn.Memory
		ends := learn.EndsOf(open(&m), key, "days")
		members := rapid.SliceOf(rapid.OneOf(rapid.Int64(), rapid.Int64Range(-40, 40))).Draw(t, "members")
		for _, v := range members {
			ends.Add(v, 1)
		}
		for len(members) > 0 {
			checkEnds(t, ends, slices.Min(members), slices.Max(members))
			gone := rapid.IntRange(0, len(members)-1).Draw(t, "gone")
			ends.Add(members[gone], -1)
			members = slices.Delete(members, gone, gone+1)
		}
		if _, ok := ends.Least(); ok {
			t.Fatal("an empty set has a least member")
		}
		if _, ok := ends.Greatest(); ok {
			t.Fatal("an empty set has a greatest member")
		}
		m.Commit()
		for at := range m.All() {
			t.Fatalf("row left: %v", at)
		}
	})
}

func checkEnds(t *rapid.T, ends learn.Ends, least, greatest int64) {
	t.Helper()
	l, _ := ends.Least()
	g, _ := ends.Greatest()
	if l != least || g != greatest {
		t.Fatalf("got %d to %d, want %d to %d", l, g, least, greatest)
	}
}

func TestMemoryShowsChangesOfTheBatchAndRemembersWhatIsDirty(t *testing.T) {
	var m learn.Memory
	rows := open(&m)
	*learn.At[int64](rows, key, "b/2") = 2
	*learn.At[int64](rows, key, "b/1") = 1
	*learn.At[int64](rows, key, "c") = 3
	learn.Peek[int64](rows, learn.Key{Kind: "other"}, "x")
	if got := scan(rows, "b/"); got != "b/1=1 b/2=2 " {
		t.Errorf("scanned %q", got)
	}
	if dirty := m.Commit(); len(dirty) != 1 || dirty[0].Key != key {
		t.Errorf("dirty: %v", dirty)
	}
	*learn.At[int64](rows, key, "b/1") = 0
	if got := scan(rows, ""); got != "b/2=2 c=3 " {
		t.Errorf("scanned %q", got)
	}
	if dirty := m.Commit(); len(dirty) != 1 {
		t.Errorf("dirty after a change: %v", dirty)
	}
	learn.Peek[int64](rows, key, "c")
	if dirty := m.Commit(); dirty != nil {
		t.Errorf("dirty without a change: %v", dirty)
	}
}

func scan(rows learn.Rows, prefix string) string {
	var s string
	for row, v := range learn.Scan[int64](rows, key, prefix) {
		s += fmt.Sprintf("%s=%d ", row, v)
	}
	return s
}

func ExampleTop() {
	var m learn.Memory
	words := learn.TopOf(open(&m), key, "words")
	for _, w := range []string{"use", "utilize", "use", "apply", "use", "apply"} {
		words.Bump(w, 1)
	}
	words.Bump("use", -3) // taken back
	for _, w := range words.Best(2) {
		fmt.Println(w.Label, w.Count)
	}
	// Output:
	// apply 2
	// utilize 1
}
