package bus

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// owned is the bucket of owners at a server of its own.
func owned(t *testing.T) *Bucket {
	t.Helper()
	js := stage(t, serve(t))
	if _, err := Ensure(t.Context(), js, small); err != nil {
		t.Fatal(err)
	}
	return NewBucket(js, "learn_owners")
}

func (b *Bucket) put(t *testing.T, cells ...Cell) {
	t.Helper()
	if err := b.Put(t.Context(), cells); err != nil {
		t.Fatal(err)
	}
}

func (b *Bucket) find(t *testing.T, patterns ...string) []Cell {
	t.Helper()
	cells, err := b.Find(t.Context(), patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

func TestABucketFindsByKeyAndByPattern(t *testing.T) {
	b := owned(t)
	if got := b.find(t, "a", "wait.>"); len(got) > 0 {
		t.Fatalf("found %v in nothing", got)
	}
	b.put(t, Cell{Key: "wait.b.2", Value: []byte("two")}, Cell{Key: "a", Value: []byte("one"), Keep: time.Hour}, Cell{Key: "wait.c.1"})
	got := b.find(t, "a", "wait.b.*", "missing")
	if len(got) != 2 || got[0].Key != "wait.b.2" || got[1].Key != "a" || string(got[1].Value) != "one" || got[1].Revision != 2 {
		t.Errorf("found %+v", got)
	}
	e, err := LastMsg(t.Context(), b.js, "KV_learn_owners", "$KV.learn_owners.a")
	if err != nil || len(e.Header["Nats-TTL"]) != 1 {
		t.Errorf("%v, headers %v: want a time to live", err, e.Header)
	}
}

func TestABucketIsFenced(t *testing.T) {
	b := owned(t)
	b.put(t, Cell{Key: "a"})
	if err := b.Put(t.Context(), []Cell{{Key: "b"}, {Key: "a"}}); !errors.Is(err, ErrFenced) {
		t.Errorf("a key that stands: %v, want it fenced", err)
	}
	if got := b.find(t, "b"); len(got) > 0 {
		t.Error("a part of a refused put is there")
	}
	b.put(t, Cell{Key: "a", Revision: 1, Value: []byte("next")})
}

func TestWhatChangedSinceItWasFoundIsNotRemoved(t *testing.T) {
	b := owned(t)
	b.put(t, Cell{Key: "a"})
	old := b.find(t, "a")[0]
	b.put(t, Cell{Key: "a", Revision: old.Revision, Value: []byte("next")})
	for range 2 {
		if err := b.Remove(t.Context(), old); err != nil {
			t.Fatal(err)
		}
	}
	next := b.find(t, "a")
	if len(next) != 1 || string(next[0].Value) != "next" {
		t.Fatalf("found %+v, want the next", next)
	}
	if err := b.Remove(t.Context(), next[0]); err != nil {
		t.Fatal(err)
	}
	if got := b.find(t, ">"); len(got) > 0 {
		t.Errorf("found %+v, want nothing", got)
	}
	b.put(t, Cell{Key: "a"}) // as if it had never been there
}

func TestAKeyDeletedInTheMannerOfAClientIsNotFound(t *testing.T) {
	b := owned(t)
	values, err := b.js.KeyValue(t.Context(), "learn_owners")
	if err != nil {
		t.Fatal(err)
	}
	b.put(t, Cell{Key: "a"})
	if err := values.Delete(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if got := b.find(t, ">"); len(got) > 0 {
		t.Errorf("found %+v", got)
	}
}

func TestOfAGreatDealTheOldestAreFoundAndInTheEndAll(t *testing.T) {
	b := owned(t)
	cells := make([]Cell, 2500)
	for i := range cells {
		cells[i] = Cell{Key: fmt.Sprintf("wait.x.%d", i)}
	}
	cells[3].Value = make([]byte, 5<<20) // two of these fit into no batch
	cells[4].Value = cells[3].Value
	b.put(t, cells...)
	found := 0
	for got := b.find(t, "wait.>"); len(got) > 0; got = b.find(t, "wait.>") {
		if got[0].Key != cells[found].Key {
			t.Fatalf("the first of the rest is %s, want %s", got[0].Key, cells[found].Key)
		}
		found += len(got)
		if err := b.Remove(t.Context(), Cell{Key: "wait.>", Revision: got[len(got)-1].Revision}); err != nil {
			t.Fatal(err)
		}
	}
	if found != len(cells) {
		t.Errorf("found %d of %d", found, len(cells))
	}
}
