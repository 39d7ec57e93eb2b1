package ingest

import (
	"fmt"
	"slices"
	"testing"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json/jsontext"
)

func TestAGateRemembersSomePartitionsAndGetsAllRight(t *testing.T) {
	g := gate(t, defaults())
	for round := range 2 {
		for i := range lately + 10 {
			key := fmt.Sprint("rule//", i)
			if got, want := g.partition(events.ByRule, key), events.Partition(g.Keys.Blind("group", key), g.Partitions); got != want {
				t.Fatalf("round %d: %s goes to %d, want %d", round, key, got, want)
			}
		}
	}
	if len(g.where) > lately {
		t.Errorf("%d keys remembered, want at most %d", len(g.where), lately)
	}
	clear(g.where)
	g.partition(events.ByPerson, "person/user/jane")
	g.partition(events.ByRule, fmt.Sprintf("rule//%0*d", shortKeys, 1))
	if len(g.where) > 0 {
		t.Errorf("remembered %v, want neither a person nor a long key", g.where)
	}
}

func FuzzCompactDropsWhiteSpaceBetweenValues(f *testing.F) {
	f.Add(`{"a":1,"b":["x y","\\"," \" ","\\\" "]}`)
	f.Add(" { \"a b\" :\t1 ,\r\n\"\\\\\" : [ ] } ")
	f.Add(`"\\\\" `)
	f.Add(" 1")
	f.Fuzz(func(t *testing.T, text string) {
		want := jsontext.Value(slices.Clone([]byte(text)))
		if want.Compact() != nil {
			t.Skip("not JSON")
		}
		if got := compact([]byte(text)); string(got) != string(want) {
			t.Fatalf("%q became %q, want %q", text, got, want)
		}
	})
}
