package bus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

func facts(from, n, size int) []Message {
	data := bytes.Repeat([]byte("x"), size)
	msgs := make([]Message, n)
	for i := range msgs {
		msgs[i] = Message{Subject: fmt.Sprintf("learn.ev.%d.feedback.fix", (from+i)%32), Data: data}
	}
	return msgs
}

func TestAppendReturnsTheSequenceOfTheLastMessage(t *testing.T) {
	js := ensured(t, serve(t))
	a := NewAppender(js.Conn(), EventsStream)
	for _, step := range []struct{ n, want int }{{1, 1}, {3, 4}, {1000, 1004}, {2500, 3504}, {0, 0}} {
		got, err := a.Append(t.Context(), facts(0, step.n, 10))
		if err != nil || got != uint64(step.want) {
			t.Fatalf("append %d: got %d %v, want %d", step.n, got, err, step.want)
		}
	}
	if got := lastSeq(t, js, EventsStream); got != 3504 {
		t.Fatalf("log ends at %d", got)
	}
}

func TestSixtyFourCallersShareTheirCommits(t *testing.T) {
	js := ensured(t, serve(t))
	a := NewAppender(js.Conn(), EventsStream)
	const callers, appends = 64, 20
	seen := make([]int, callers*appends+1)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for range appends {
				seq, err := a.Append(t.Context(), facts(c, 1, 100))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				seen[seq]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for seq, n := range seen[1:] {
		if n != 1 {
			t.Fatalf("sequence %d was given out %d times", seq+1, n)
		}
	}
}

func TestAFenceViolationLeavesNothing(t *testing.T) {
	js := ensured(t, serve(t))
	a := NewAppender(js.Conn(), EventsStream)
	marker := func(expected uint64) []Message {
		return []Message{
			{Subject: "learn.ev.0.a", Data: []byte("insight")},
			{Subject: "learn.ev.0.mark", Data: []byte("position"), ExpectLast: &expected},
			{Subject: "learn.ev.0.b", Data: []byte("insight")},
		}
	}
	if last, err := a.Append(t.Context(), marker(0)); err != nil || last != 3 {
		t.Fatalf("first claim: %d %v", last, err)
	}
	if _, err := a.Append(t.Context(), marker(0)); !errors.Is(err, ErrFenced) {
		t.Fatalf("second claim: %v", err)
	}
	if _, err := a.Append(t.Context(), marker(1)); !errors.Is(err, ErrFenced) {
		t.Fatalf("stale claim: %v", err)
	}
	if got := lastSeq(t, js, EventsStream); got != 3 {
		t.Fatalf("stream ends at %d", got)
	}
	if last, err := a.Append(t.Context(), marker(2)); err != nil || last != 6 {
		t.Fatalf("next claim: %d %v", last, err)
	}
}

func TestAFullStreamIsTold(t *testing.T) {
	js := stage(t, serve(t))
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: EventsStream, Subjects: []string{"learn.ev.>"}, MaxMsgs: 51, Discard: jetstream.DiscardNew, AllowAtomicPublish: true,
	}); err != nil {
		t.Fatal(err)
	}
	a := NewAppender(js.Conn(), EventsStream)
	if _, err := a.Append(t.Context(), facts(0, 50, 10)); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{41, 42} {
		if _, err := a.Append(t.Context(), facts(0, n, 10)); !errors.Is(err, ErrFull) {
			t.Fatalf("append %d: %v", n, err)
		}
	}
	if got := lastSeq(t, js, EventsStream); got != 50 {
		t.Fatalf("stream ends at %d", got)
	}
	if _, err := a.Append(t.Context(), facts(0, 1, 10)); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Append(t.Context(), facts(0, 1, 10)); !errors.Is(err, ErrFull) {
		t.Fatalf("single: %v", err)
	}
}

// together has the appends committed by one turn, in this order.
func together(t *testing.T, a *Appender, appends ...[]Message) []error {
	t.Helper()
	a.turn <- struct{}{} // a commit that takes its time
	errs := make([]error, len(appends))
	var wg sync.WaitGroup
	for i, msgs := range appends {
		wg.Go(func() { _, errs[i] = a.Append(t.Context(), msgs) })
		for queued := 0; queued <= i; {
			a.mu.Lock()
			queued = len(a.waiting)
			a.mu.Unlock()
		}
	}
	<-a.turn
	wg.Wait()
	return errs
}

func TestOneCallersFenceFailsNobodyElse(t *testing.T) {
	js := ensured(t, serve(t))
	a := NewAppender(js.Conn(), EventsStream)
	insight := []Message{{Subject: "learn.ev.0.a"}, {Subject: "learn.ev.0.b"}}
	stale := []Message{{Subject: "learn.ev.0.mark", ExpectLast: new(uint64(99))}, {Subject: "learn.ev.0.c"}}
	for _, appends := range [][][]Message{{stale, insight, insight}, {insight, stale, insight}} {
		for i, err := range together(t, a, appends...) {
			if fenced := &appends[i][0] == &stale[0]; fenced != errors.Is(err, ErrFenced) || !fenced && err != nil {
				t.Errorf("append %d: %v", i, err)
			}
		}
	}
}

func TestOneCallersBadMessageFailsNobodyElse(t *testing.T) {
	js := ensured(t, serve(t))
	a := NewAppender(js.Conn(), EventsStream)
	bad := facts(0, 1, 1)
	bad[0].Header = map[string][]string{"Nats-TTL": {"1h"}} // not allowed on the log
	errs := together(t, a, facts(0, 2, 1), bad, facts(0, 1, 1))
	if errs[0] != nil || errs[1] == nil || errs[2] != nil {
		t.Fatal(errs)
	}
	if got := lastSeq(t, js, EventsStream); got != 3 {
		t.Fatalf("log ends at %d", got)
	}
}

func TestWaitingAppendsShareOneBatch(t *testing.T) {
	js := ensured(t, serve(t))
	a := NewAppender(js.Conn(), EventsStream)
	if err := errors.Join(together(t, a, facts(0, 15, 1), facts(15, 16, 1), facts(31, 10, 1))...); err != nil {
		t.Fatal(err)
	}
	if a.count != 1 {
		t.Fatalf("%d batches", a.count)
	}
	l := ReadLog(js, EventsStream, 1)
	defer l.Close()
	for i, e := range read(t, l, 41) {
		if want := fmt.Sprintf("learn.ev.%d.feedback.fix", i%32); e.Subject != want {
			t.Errorf("entry %d is %s", e.Seq, e.Subject)
		}
	}
}

func TestAnAppendWhoseCallerGaveUpWaitingIsNotMade(t *testing.T) {
	js := ensured(t, serve(t))
	a := NewAppender(js.Conn(), EventsStream)
	a.turn <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := a.Append(ctx, facts(0, 1, 1))
	<-a.turn
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnknown) {
		t.Fatalf("got %v", err)
	}
	if last, err := a.Append(t.Context(), facts(0, 1, 1)); err != nil || last != 1 {
		t.Fatalf("%d %v", last, err)
	}
}

func TestWhatTheServerWouldNotTakeIsNotSent(t *testing.T) {
	js := ensured(t, serve(t, func(o *Options) { o.MaxPayload = 1 << 20 }))
	a := NewAppender(js.Conn(), EventsStream)
	for _, subject := range []string{"", ".", "a.", ".a", "a..b", "learn.ev.*", "learn.>", "a b", "a\r\nPUB x 0", strings.Repeat("x", 1001)} {
		if _, err := a.Append(t.Context(), []Message{{Subject: subject}}); !errors.Is(err, ErrSubject) {
			t.Errorf("%q: %v", subject, err)
		}
	}
	if _, err := a.Append(t.Context(), facts(0, 1, 1<<20)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("large message: %v", err)
	}
	fenced := facts(0, 1001, 1)
	fenced[1000].ExpectLast = new(uint64(0))
	if _, err := a.Append(t.Context(), fenced); !errors.Is(err, ErrTooLarge) {
		t.Errorf("large fenced batch: %v", err)
	}
	if last, err := a.Append(t.Context(), facts(0, 180, 100<<10)); err != nil || last != 180 || a.count != 2 {
		t.Errorf("18 MB: %d in %d batches, %v", last, a.count, err)
	}
}

func TestAnAppendElsewhereIsRefused(t *testing.T) {
	js := ensured(t, serve(t))
	a := NewAppender(js.Conn(), EventsStream)
	for name, msgs := range map[string][]Message{
		"another stream":  {{Subject: "learn.know.0.a"}},
		"others":          {{Subject: "learn.know.0.a"}, {Subject: "learn.know.0.b"}},
		"ours and others": append(facts(0, singles, 1), Message{Subject: "learn.know.0.b"}),
		"nowhere":         {{Subject: "nowhere"}},
	} {
		if _, err := a.Append(t.Context(), msgs); err == nil {
			t.Errorf("%s: appended", name)
		}
	}
	if lastSeq(t, js, EventsStream)+lastSeq(t, js, InsightsStream) != 0 {
		t.Error("something was stored")
	}
}

func TestContextsAreComparedAndSet(t *testing.T) {
	js := ensured(t, serve(t))
	kv, err := js.KeyValue(t.Context(), "learn_contexts")
	if err != nil {
		t.Fatal(err)
	}
	a := NewAppender(js.Conn(), "KV_learn_contexts")
	set := func(revision uint64) error {
		_, err := a.Append(t.Context(), []Message{
			{Subject: "$KV.learn_contexts.rule.a", Data: []byte("a"), ExpectLast: &revision},
			{Subject: "$KV.learn_contexts.rule.b", Data: []byte("b")},
		})
		return err
	}
	if err := set(0); err != nil {
		t.Fatal(err)
	}
	if err := set(0); !errors.Is(err, ErrFenced) {
		t.Fatalf("got %v", err)
	}
	entry, err := kv.Get(t.Context(), "rule.a")
	if err != nil || entry.Revision() != 1 {
		t.Fatalf("%v %v", entry, err)
	}
	if err := set(entry.Revision()); err != nil {
		t.Fatal(err)
	}
}

func TestAnAppendWithoutAServerHasNoOutcome(t *testing.T) {
	s := serve(t)
	js := ensured(t, s)
	a := NewAppender(js.Conn(), EventsStream)
	js.Conn().Close()
	if _, err := a.Append(t.Context(), facts(0, 2, 1)); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("got %v", err)
	}
	if _, err := a.Append(t.Context(), facts(0, 1, 1)); err == nil {
		t.Fatal("appended")
	}
}

func TestAFewMessagesAreStoredOneByOneAndKnowTheirPlaces(t *testing.T) {
	js := ensured(t, serve(t))
	a := NewAppender(js.Conn(), EventsStream)
	if err := errors.Join(together(t, a, facts(0, 2, 1), facts(2, 3, 1))...); err != nil || a.count != 0 {
		t.Fatalf("%v, %d batches", err, a.count)
	}
	if last, err := a.Append(t.Context(), facts(5, 4, 1)); err != nil || last != 9 {
		t.Fatalf("ends at %d, %v", last, err)
	}
}
