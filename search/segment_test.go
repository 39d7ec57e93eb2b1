package search

import (
	"fmt"
	"slices"
	"testing"
)

func TestTermsAreFoundHoweverAlikeTheyBegin(t *testing.T) {
	var terms []string
	for i := range 200 {
		terms = append(terms, fmt.Sprintf("internal/package%03d", 2*i), fmt.Sprintf("i%03d", 2*i), fmt.Sprintf("\xff\xff\xff\xff\xff\xff\xff\xff%d", i))
	}
	terms = append(terms, "a", "internal", "internal/")
	slices.Sort(terms)
	built := newDictionaryOf(len(terms), 0)
	for _, term := range terms {
		built.add(term)
	}
	d := built.build()
	for i, term := range terms {
		if got, ok := d.find(term); got != i || !ok {
			t.Errorf("%q is at %d (%v), want %d", term, got, ok, i)
		}
	}
	const top = "\xff\xff\xff\xff\xff\xff\xff\xff"
	for _, absent := range []string{"", "b", "internal/package", "internal/package001", "internal/package399x", "i001", "zz", top, top + "~"} {
		want, _ := slices.BinarySearch(terms, absent)
		if got, ok := d.find(absent); got != want || ok {
			t.Errorf("%q would be at %d (%v), want %d", absent, got, ok, want)
		}
	}
}

func TestATallyLeavesTheOldOneAlone(t *testing.T) {
	var none tally
	one := none.plus([]int{3, 700}, 1000)
	two := one.plus([]int{3, 4}, 1000)
	if none.of(3) != 0 || one.of(3) != 1 || one.of(4) != 0 || two.of(3) != 2 || two.of(4) != 1 || two.of(700) != 1 {
		t.Errorf("one %d %d, two %d %d %d", one.of(3), one.of(4), two.of(3), two.of(4), two.of(700))
	}
	if one.sum() != 2 || two.sum() != 4 {
		t.Errorf("sums %d and %d", one.sum(), two.sum())
	}
}
