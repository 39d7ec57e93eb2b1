package inorder_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"learnloop.dev/inorder"
)

type line struct {
	Name  string
	Score float64
	About [4]int64
}

func byScore(a, b line) int { return cmp.Compare(b.Score, a.Score) }

func lines(n int) []line {
	chance := rand.New(rand.NewPCG(1, 2))
	list := make([]line, n)
	for i := range list {
		list[i] = line{Score: float64(chance.IntN(n/3 + 1)), About: [4]int64{int64(i)}}
	}
	return list
}

func TestAListIsSortedAndEqualOnesStayAsTheyCame(t *testing.T) {
	for n := range 60 {
		got, want := lines(n), lines(n)
		inorder.Sort(got, byScore)
		slices.SortStableFunc(want, byScore)
		if !slices.Equal(got, want) {
			t.Fatalf("%d lines are sorted %v, want %v", n, got, want)
		}
	}
}

func TestWhatComesIsCollectedAndSorted(t *testing.T) {
	got := inorder.Sorted(slices.Values([]string{"b", "c", "a"}), cmp.Compare)
	if want := []string{"a", "b", "c"}; !slices.Equal(got, want) {
		t.Errorf("sorted %v, want %v", got, want)
	}
}

func BenchmarkSort(b *testing.B) {
	for _, size := range []struct {
		name string
		n    int
	}{{"5 lines", 5}, {"50 lines", 50}, {"10000 lines", 10_000}} {
		from := lines(size.n)
		list := make([]line, size.n)
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				copy(list, from)
				inorder.Sort(list, byScore)
			}
		})
		b.Run(size.name+" by slices", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				copy(list, from)
				slices.SortStableFunc(list, byScore)
			}
		})
		b.Run(size.name+" by slices, unstable", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				copy(list, from)
				slices.SortFunc(list, byScore)
			}
		})
	}
}
