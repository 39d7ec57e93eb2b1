package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestAnAnswerFromBeforeWhatIsKnownIsRefused(t *testing.T) {
	js := ensured(t, serve(t))
	l := NewLatest(js, InsightsStream)
	if _, err := l.PerSubject(t.Context(), 1, "learn.know.*.a"); !errors.Is(err, ErrBehind) {
		t.Errorf("an empty replica: %v", err)
	}
	appendTo(t, js, InsightsStream, Message{Subject: "learn.know.0.a"}, Message{Subject: "learn.know.1.a"}, Message{Subject: "learn.know.0.b"})
	for since := range uint64(4) {
		entries, err := l.PerSubject(t.Context(), since, "learn.know.*.a")
		if err != nil || !slices.Equal(seqs(entries), []uint64{1, 2}) {
			t.Errorf("since %d: %v, %v", since, seqs(entries), err)
		}
	}
	if _, err := l.PerSubject(t.Context(), 4, "learn.know.*.a"); !errors.Is(err, ErrBehind) {
		t.Errorf("a replica that lacks the last message: %v", err)
	}
}

func TestTheMessagesOfOneSubjectAreFoundFromASequenceOn(t *testing.T) {
	js := ensured(t, serve(t))
	if none, err := FactsFrom(t.Context(), js, "learn.ev.0.a", 1); err != nil || len(none) != 0 {
		t.Fatalf("%v, %v", seqs(none), err)
	}
	const n = 2*someMsgs + 1
	msgs := make([]Message, 2*n)
	for i := range msgs { // every other one is another subject's
		msgs[i].Subject = fmt.Sprintf("learn.ev.%d.a", i%2)
	}
	appendTo(t, js, EventsStream, msgs...)
	for from, want := range map[uint64]int{0: n, 1: n, 2: n - 1, 2*n - 1: 1, 2 * n: 0, 9 * n: 0} {
		got, err := FactsFrom(t.Context(), js, "learn.ev.0.a", from)
		if err != nil || len(got) != want || !slices.IsSorted(seqs(got)) {
			t.Errorf("from %d: %d messages, want %d; %v", from, len(got), want, err)
		}
	}
}

func TestSeveralFiltersAreAnsweredAtOnce(t *testing.T) {
	js := ensured(t, serve(t))
	for _, key := range []string{"0.a", "0.b", "0.c", "1.c"} {
		appendTo(t, js, InsightsStream, Message{Subject: "learn.know." + key})
	}
	entries, err := NewLatest(js, InsightsStream).PerSubject(t.Context(), 4, "learn.know.*.a", "learn.know.*.c")
	if err != nil || !slices.Equal(seqs(entries), []uint64{1, 3, 4}) {
		t.Errorf("%v, %v", seqs(entries), err)
	}
}

func TestReadingManySubjectsEndsThoughSomeVanishMeanwhile(t *testing.T) {
	js := ensured(t, serve(t))
	l := NewLatest(js, InsightsStream)
	a, err := l.many(t.Context(), []string{"learn.know.>"}) // all of them vanished
	if err != nil || len(a.entries) != 0 {
		t.Fatalf("%v, %v", a.entries, err)
	}
	const n = 3 * window
	msgs := make([]Message, n)
	for i := range msgs {
		msgs[i].Subject = fmt.Sprintf("learn.know.0.rules.%d", i)
	}
	appendTo(t, js, InsightsStream, msgs...)
	log := ReadLog(js, InsightsStream, 1, "learn.know.>")
	log.latest = true
	defer log.Close()
	got, all, err := log.upToDate(t.Context())
	if err != nil || all {
		t.Fatalf("%d entries, all %t, %v", len(got), all, err)
	}
	if err := PurgeUpTo(t.Context(), js, Purge{InsightsStream, "", n}); err != nil { // what has not been sent yet
		t.Fatal(err)
	}
	for !all {
		if _, all, err = log.upToDate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReadingManySubjectsEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewLatest(ensured(t, serve(t)), InsightsStream).many(ctx, []string{"learn.know.>"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Who looks for a moment at a time has to get through a pause that is longer.
func TestAPauseEndsForWhoGivesUpAndComesBack(t *testing.T) {
	p := puller{failures: 9, again: time.Now().Add(100 * time.Millisecond)}
	for p.failures == 9 {
		short, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		if err := p.pause(short); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		cancel()
	}
	if next := time.Until(p.again); next < restartLast/2 {
		t.Errorf("the next pause is %s", next)
	}
}
