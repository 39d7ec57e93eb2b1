package store

import (
	"fmt"
	"testing"
)

func TestAnIndexKnowsEveryIdentityAndFewOthers(t *testing.T) {
	var x index
	const some = 20 * rollSize
	vain := 0
	for i := range some {
		number, room := x.open()
		if room == 0 || number != uint64(i/rollSize) {
			t.Fatalf("identity %d goes to roll %d, where there is room for %d", i, number, room)
		}
		x.add(number, []sight{{identity: digestOf(fmt.Sprint("met", i))}})
	}
	for i := range some {
		found := false
		for _, number := range x.holding(digestOf(fmt.Sprint("met", i))) {
			found = found || number == uint64(i/rollSize)
		}
		if !found {
			t.Fatalf("identity %d is not looked for where it is", i)
		}
		vain += len(x.holding(digestOf(fmt.Sprint("new", i))))
	}
	if vain > some*20/200 {
		t.Errorf("%d rolls are looked into for %d new identities, want about %d", vain, some, some*20/1000)
	}
}

func TestARollTellsWhereIdentitiesLie(t *testing.T) {
	var r roll
	for i := range 100 {
		r = append(r, sight{digestOf(fmt.Sprint(i % 50)), spot{uint64(i), 7}})
	}
	r = roll(nil).with(r)
	r = r.with(roll{r[3]})
	read, err := readRoll(r.bytes())
	if err != nil || len(read) != 100 {
		t.Fatalf("%d read, %v", len(read), err)
	}
	for i := range 50 {
		if got := read.of(digestOf(fmt.Sprint(i))); len(got) != 2 || got[0].seq != uint64(i) || got[1].seq != uint64(i+50) {
			t.Errorf("identity %d lies at %v", i, got)
		}
	}
	if got := read.of(digestOf("other")); len(got) != 0 {
		t.Errorf("an identity that is not there lies at %v", got)
	}
	if _, err := readRoll(r.bytes()[1:]); err == nil {
		t.Error("a cut roll was read")
	}
}
