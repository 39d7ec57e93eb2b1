package bus

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

func seqs(entries []Entry) (all []uint64) {
	for _, e := range entries {
		all = append(all, e.Seq)
	}
	return all
}

func TestLastPerSubjectMergesPartitions(t *testing.T) {
	js := ensured(t, serve(t))
	for range 2 {
		for p := range 3 {
			appendTo(t, js, InsightsStream, Message{Subject: fmt.Sprintf("learn.know.%d.rules.global", p), Data: []byte{byte(p)}})
		}
	}
	appendTo(t, js, InsightsStream, Message{Subject: "learn.know.0.rules.other"})
	entries, err := LastPerSubject(t.Context(), js, InsightsStream, "learn.know.*.rules.global")
	if err != nil || !slices.Equal(seqs(entries), []uint64{4, 5, 6}) {
		t.Fatalf("%v %v", seqs(entries), err)
	}
	if e := entries[2]; e.Subject != "learn.know.2.rules.global" || len(e.Data) != 1 || e.Data[0] != 2 || e.Stored.IsZero() {
		t.Fatalf("%+v", e)
	}
	if entries, err = LastPerSubject(t.Context(), js, InsightsStream, "learn.know.9.>"); err != nil || len(entries) != 0 {
		t.Fatalf("%v %v", entries, err)
	}
}

func TestLastPerSubjectOfMoreThanTheServerAnswersAtOnce(t *testing.T) {
	js := ensured(t, serve(t))
	msgs := make([]Message, 1500)
	for i := range msgs {
		msgs[i].Subject = fmt.Sprintf("learn.know.0.rules.%d", i)
	}
	appendTo(t, js, InsightsStream, msgs...)
	appendTo(t, js, InsightsStream, msgs[7])
	entries, err := LastPerSubject(t.Context(), js, InsightsStream, "learn.know.>")
	if err != nil || len(entries) != 1500 || entries[1499].Subject != "learn.know.0.rules.7" {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
}

func TestSingleMessagesAreFound(t *testing.T) {
	js := ensured(t, serve(t))
	appendTo(t, js, EventsStream, facts(0, 40, 5)...)
	if last, err := Last(t.Context(), js, EventsStream); err != nil || last != 40 {
		t.Fatalf("%d %v", last, err)
	}
	if e, err := GetMsg(t.Context(), js, EventsStream, 3); err != nil || e.Seq != 3 || e.Subject != "learn.ev.2.feedback.fix" {
		t.Fatalf("%+v %v", e, err)
	}
	if _, err := GetMsg(t.Context(), js, EventsStream, 41); !errors.Is(err, ErrNotFound) {
		t.Fatalf("got %v", err)
	}
	if e, err := LastMsg(t.Context(), js, EventsStream, "learn.ev.2.>"); err != nil || e.Seq != 35 {
		t.Fatalf("%+v %v", e, err)
	}
	if _, err := LastMsg(t.Context(), js, EventsStream, "learn.ev.99.>"); !errors.Is(err, ErrNotFound) {
		t.Fatalf("got %v", err)
	}
}

func TestPurgeAndDeleteTakeWhatTheyAreTold(t *testing.T) {
	js := ensured(t, serve(t))
	appendTo(t, js, EventsStream, facts(0, 40, 5)...)
	if err := PurgeUpTo(t.Context(), js, Purge{EventsStream, "learn.ev.2.>", 34}); err != nil {
		t.Fatal(err)
	}
	if err := PurgeUpTo(t.Context(), js, Purge{EventsStream, "", 1}); err != nil {
		t.Fatal(err)
	}
	for range 2 { // again is fine
		if err := DeleteMsgs(t.Context(), js, EventsStream, []uint64{1, 3, 5, 40, 99}); err != nil {
			t.Fatal(err)
		}
	}
	l := ReadLog(js, EventsStream, 1)
	defer l.Close()
	got := seqs(read(t, l, 36))
	if want := []uint64{2, 4, 6, 7}; !slices.Equal(got[:4], want) || !slices.Contains(got, 35) || got[35] != 39 {
		t.Fatalf("left %v", got)
	}
	if err := DeleteMsgs(t.Context(), js, "NO_STREAM", []uint64{1}); err == nil {
		t.Fatal("deleted from nowhere")
	}
}

func TestManyMessagesAreDeletedTogether(t *testing.T) {
	js := ensured(t, serve(t))
	appendTo(t, js, EventsStream, facts(0, 1000, 5)...)
	all := make([]uint64, 1000)
	for i := range all {
		all[i] = uint64(i + 1)
	}
	if err := DeleteMsgs(t.Context(), js, EventsStream, all); err != nil {
		t.Fatal(err)
	}
	if _, err := GetMsg(t.Context(), js, EventsStream, 500); !errors.Is(err, ErrNotFound) {
		t.Fatalf("got %v", err)
	}
}

func letters(n int) []Letter {
	all := make([]Letter, n)
	for i := range all {
		all[i] = Letter{Stage: "ingest", Reason: "schema", Cause: fmt.Sprint(i), Data: fmt.Append(nil, i)}
	}
	return all
}

func TestOneCauseIsOneLetter(t *testing.T) {
	js := ensured(t, serve(t))
	d := NewDeadLetters(js)
	for range 2 {
		seqs, err := d.Put(t.Context(), letters(700))
		if err != nil || seqs[0] != 1 || seqs[699] != 700 {
			t.Fatalf("%v, %v", seqs, err)
		}
	}
	if last, err := Last(t.Context(), js, LettersStream); err != nil || last != 700 {
		t.Fatalf("%d letters, %v", last, err)
	}
	if _, err := d.Put(t.Context(), []Letter{{Stage: "ingest", Reason: "a.b"}}); !errors.Is(err, ErrSubject) {
		t.Fatalf("got %v", err)
	}
}

func TestOneCauseIsOneLetterAfterARestartToo(t *testing.T) {
	options := Options{Dir: t.TempDir(), StoreKey: testKey}
	for life := range 2 {
		s, err := Serve(options)
		if err != nil {
			t.Fatal(err)
		}
		js := ensured(t, s)
		if life == 0 { // made by a version that remembered for ten minutes
			shorten(t, js)
			if _, err := Ensure(t.Context(), js, small); err != nil {
				t.Fatal(err)
			}
		}
		if seqs, err := NewDeadLetters(js).Put(t.Context(), letters(3)); err != nil || !slices.Equal(seqs, []uint64{1, 2, 3}) {
			t.Errorf("life %d: %v, %v", life, seqs, err)
		}
		stream, err := js.Stream(t.Context(), LettersStream)
		if err != nil {
			t.Fatal(err)
		}
		if state := stream.CachedInfo(); state.State.Msgs != 3 || state.Config.Duplicates != state.Config.MaxAge {
			t.Errorf("life %d: %d letters, remembered for %v", life, state.State.Msgs, state.Config.Duplicates)
		}
		js.Conn().Close()
		s.Shutdown()
	}
}

// shorten has the letters' stream remember causes for ten minutes.
func shorten(tb testing.TB, js jetstream.JetStream) {
	tb.Helper()
	s, err := js.Stream(tb.Context(), LettersStream)
	if err != nil {
		tb.Fatal(err)
	}
	c := s.CachedInfo().Config
	c.Duplicates = 10 * time.Minute
	if _, err := js.UpdateStream(tb.Context(), c); err != nil {
		tb.Fatal(err)
	}
}

func TestLettersAreListedNewestFirst(t *testing.T) {
	js := ensured(t, serve(t))
	d := NewDeadLetters(js)
	if got, err := d.List(t.Context(), 10, 0); err != nil || len(got) != 0 {
		t.Fatalf("%v %v", got, err)
	}
	if _, err := d.Put(t.Context(), letters(20)); err != nil {
		t.Fatal(err)
	}
	if err := DeleteMsgs(t.Context(), js, LettersStream, []uint64{1, 17, 18}); err != nil {
		t.Fatal(err)
	}
	page, err := d.List(t.Context(), 4, 0)
	if err != nil || !slices.Equal(seqs(page), []uint64{20, 19, 16, 15}) {
		t.Fatalf("%v %v", seqs(page), err)
	}
	if page, err = d.List(t.Context(), 100, 4); err != nil || !slices.Equal(seqs(page), []uint64{3, 2}) {
		t.Fatalf("%v %v", seqs(page), err)
	}
	e, err := d.Get(t.Context(), 3)
	if err != nil || e.Subject != "learn.dlq.ingest.schema" || string(e.Data) != "2" {
		t.Fatalf("%+v %v", e, err)
	}
	if _, err := d.Get(t.Context(), 17); !errors.Is(err, ErrNotFound) {
		t.Fatalf("got %v", err)
	}
}

func TestLettersGetLostWithoutTheirStream(t *testing.T) {
	if _, err := NewDeadLetters(stage(t, serve(t))).Put(t.Context(), letters(1)); !errors.Is(err, ErrUnavailable) {
		t.Fatalf("got %v", err)
	}
}
