package search

import (
	"fmt"
	"strings"
	"testing"
)

func TestBoundsHoldAfterDocumentsBecameLonger(t *testing.T) {
	x := New(Options{})
	for i := range 100 {
		x.Put(note(fmt.Sprint("short", i), strings.Repeat("retry ", 1+i%3)+"pool configure configuring"))
	}
	for i := range 300 {
		x.Put(note(fmt.Sprint("long", i), strings.Repeat("retry other words at length ", 20)))
	}
	s := x.Snapshot()
	terms, _ := Options{}.read("retry pool conf*")
	p := s.newPlan(terms)
	for i, sh := range s.shards {
		for _, l := range p.lists(i, sh) {
			for j, doc := range l.docs {
				if earned := l.grains(p.shares[int(sh.lengths[doc])<<countBits|int(l.counts[j])]); earned > l.most {
					t.Fatalf("a document earns %d, the bound is %d", earned, l.most)
				}
			}
		}
	}
}

func TestWhatAPrefixStandsForAddsUp(t *testing.T) {
	x := indexOf(note("a-one", "configure elsewhere"), note("b-two", "configure confirm"), note("c-none", "zebra crossing"))
	if got := first(t, x, "conf*"); got != "b-two" {
		t.Errorf("found %s first, want b-two", got)
	}
}
