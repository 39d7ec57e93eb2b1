package kv_test

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"testing"
)

func TestChangesAreThoseUnderThePrefix(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, false)
	put(t, values, "rule.old", "known before")
	r := read(t, nc)
	next, stop := iter.Pull(r.Changes(within(t), "rule."))
	defer stop()
	put(t, values, "task.a", "not asked for")
	put(t, values, "rule.a", "one")
	if err := values.Delete(t.Context(), "rule.old"); err != nil {
		t.Fatal(err)
	}
	if c, ok := next(); !ok || c.Key != "rule.a" || c.Prompt != "one" || c.Gone() {
		t.Fatalf("got %+v %t", c, ok)
	}
	if c, ok := next(); !ok || c.Key != "rule.old" || !c.Gone() {
		t.Fatalf("got %+v %t", c, ok)
	}
}

func TestASlowWatcherSeesOnlyTheLatest(t *testing.T) {
	nc := start(t).connect()
	values := bucket(t, nc, false)
	r := read(t, nc)
	slow := r.Changes(within(t), "rule.")
	for i := range 200 {
		put(t, values, "rule.a", strconv.Itoa(i))
	}
	put(t, values, "rule.b", "last")
	eventually(t, r, "rule.b", says("last")) // nobody waits for the slow one
	var got []string
	for c := range slow {
		got = append(got, c.Key+" "+c.Prompt)
		if c.Key == "rule.b" {
			break
		}
	}
	if fmt.Sprint(got) != "[rule.a 199 rule.b last]" {
		t.Fatalf("got %q", got)
	}
}

func TestChangesEndWithTheirContextAndWithTheReader(t *testing.T) {
	nc := start(t).connect()
	bucket(t, nc, false)
	r := read(t, nc)
	ctx, cancel := context.WithCancel(t.Context())
	cancelled, closed := r.Changes(ctx, ""), r.Changes(t.Context(), "")
	cancel()
	for c := range cancelled {
		t.Fatalf("got %+v", c)
	}
	r.Close()
	for c := range closed {
		t.Fatalf("got %+v", c)
	}
}

func TestAClosedReaderStillAnswers(t *testing.T) {
	nc := start(t).connect()
	put(t, bucket(t, nc, false), "rule.a", "known")
	r := read(t, nc)
	r.Close()
	r.Close()
	if got := r.Prompt("rule", "a"); got != "known" {
		t.Fatalf("got %q", got)
	}
}
