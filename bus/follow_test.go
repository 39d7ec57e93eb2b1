package bus

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// follow reads n entries and fails the test unless they are 1 to n in order.
func follow(t *testing.T, f *Follower, from, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for next := from; next < from+n; {
		batch, err := f.Next(ctx)
		if err != nil {
			t.Fatalf("after entry %d: %v", next-1, err)
		}
		for _, e := range batch {
			if e.Seq != uint64(next) || e.Subject == "" || e.Stored.IsZero() {
				t.Fatalf("got %d %s, want entry %d", e.Seq, e.Subject, next)
			}
			next++
		}
	}
}

func TestAFollowerReadsEverythingOnceWhoeverAppends(t *testing.T) {
	js := ensured(t, serve(t))
	tap := NewTap()
	ours, theirs := NewAppender(js.Conn(), EventsStream), NewAppender(js.Conn(), EventsStream)
	ours.Tell(tap)
	if _, err := ours.Append(t.Context(), facts(0, 100, 1)); err != nil { // before anybody follows
		t.Fatal(err)
	}
	f := Follow(js, EventsStream, 1, tap)
	defer f.Close()
	var appends sync.WaitGroup
	random := rand.New(rand.NewPCG(1, 2))
	sizes := make([]int, 60)
	total := 100
	for i := range sizes {
		sizes[i] = 1 + random.IntN(60)
		total += sizes[i]
	}
	appends.Go(func() {
		for i, n := range sizes {
			a := ours
			if i%7 == 3 {
				a = theirs // past the tap
			}
			if _, err := a.Append(t.Context(), facts(0, n, 1)); err != nil {
				t.Error(err)
			}
		}
	})
	follow(t, f, 1, total-sizes[len(sizes)-1]) // the last may be theirs, and then nobody says so
	appends.Wait()
	if _, err := ours.Append(t.Context(), facts(0, 1, 1)); err != nil {
		t.Fatal(err)
	}
}

// tapped is an appender and a follower that gets from it what comes after entry 1.
func tapped(t *testing.T) (*Appender, *Follower) {
	t.Helper()
	js := ensured(t, serve(t))
	tap := NewTap()
	a := NewAppender(js.Conn(), EventsStream)
	a.Tell(tap)
	f := Follow(js, EventsStream, 1, tap)
	t.Cleanup(f.Close)
	if _, err := a.Append(t.Context(), facts(0, 1, 1)); err != nil {
		t.Fatal(err)
	}
	follow(t, f, 1, 1)
	return a, f
}

func TestAFollowerThatWasBusyFindsTheRestInTheStream(t *testing.T) {
	a, f := tapped(t)
	const many = 2 * tapBytes / (400 << 10)
	if _, err := a.Append(t.Context(), facts(0, many, 400<<10)); err != nil {
		t.Fatal(err)
	}
	follow(t, f, 2, many)
	if _, err := a.Append(t.Context(), facts(0, 3, 1)); err != nil {
		t.Fatal(err)
	}
	follow(t, f, many+2, 3)
	if f.log != nil {
		t.Error("it did not come back to the tap")
	}
}

func TestAFollowerEndsWithItsContext(t *testing.T) {
	_, f := tapped(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Next(ctx); err == nil {
		t.Error("there was something to read")
	}
}
