package bus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func appendTo(tb testing.TB, js jetstream.JetStream, stream string, msgs ...Message) uint64 {
	tb.Helper()
	seqs, err := NewSender(js.Conn(), stream).Send(tb.Context(), msgs)
	if err != nil {
		tb.Fatal(err)
	}
	return seqs[len(seqs)-1]
}

// read collects n entries.
func read(tb testing.TB, l *Log, n int) (all []Entry) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 20*time.Second)
	defer cancel()
	for len(all) < n {
		entries, err := l.Next(ctx)
		if err != nil {
			tb.Fatalf("after %d of %d entries: %v", len(all), n, err)
		}
		all = append(all, entries...)
	}
	return all
}

func TestALogIsReadInOrderFromAnywhere(t *testing.T) {
	js := ensured(t, serve(t))
	appendTo(t, js, EventsStream, facts(0, 2500, 20)...)
	for _, from := range []uint64{0, 1, 2, 1300, 2500} {
		l := ReadLog(js, EventsStream, from)
		entries := read(t, l, 2501-int(max(from, 1)))
		for i, e := range entries {
			if e.Seq != max(from, 1)+uint64(i) {
				t.Fatalf("from %d: entry %d has sequence %d", from, i, e.Seq)
			}
		}
		if last := entries[len(entries)-1]; last.Pending != 0 || last.Stored.IsZero() || len(last.Data) != 20 {
			t.Fatalf("last entry %+v", last)
		}
		l.Close()
	}
}

func TestALogIsReadByPartition(t *testing.T) {
	js := ensured(t, serve(t))
	appendTo(t, js, EventsStream, facts(0, 64, 1)...)
	l := ReadLog(js, EventsStream, 1, "learn.ev.3.>", "learn.ev.7.>")
	defer l.Close()
	var seqs []uint64
	for _, e := range read(t, l, 4) {
		seqs = append(seqs, e.Seq)
	}
	if !slices.Equal(seqs, []uint64{4, 8, 36, 40}) {
		t.Fatalf("read %v", seqs)
	}
}

func TestAReaderWaitsForWhatComes(t *testing.T) {
	js := ensured(t, serve(t))
	l := ReadLog(js, EventsStream, 1)
	defer l.Close()
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := l.Next(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { appendTo(t, js, EventsStream, facts(0, 1, 1)...) })
	if got := read(t, l, 1); got[0].Seq != 1 {
		t.Fatalf("%+v", got)
	}
	wg.Wait()
}

func TestAReaderOfAStreamThatIsNotThereFails(t *testing.T) {
	l := ReadLog(stage(t, serve(t)), EventsStream, 1)
	defer l.Close()
	if _, err := l.Next(t.Context()); !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Fatalf("got %v", err)
	}
}

func TestAReaderWithImpossibleFiltersFails(t *testing.T) {
	l := ReadLog(ensured(t, serve(t)), EventsStream, 1, "learn.ev.>", "learn.ev.1.>")
	defer l.Close()
	var refusal jetstream.JetStreamError
	if _, err := l.Next(t.Context()); !errors.As(err, &refusal) {
		t.Fatalf("got %v", err)
	}
}

func TestAReaderEndsWithItsConnection(t *testing.T) {
	js := ensured(t, serve(t))
	l := ReadLog(js, EventsStream, 1)
	appendTo(t, js, EventsStream, facts(0, 1, 1)...)
	read(t, l, 1)
	js.Conn().Close()
	for range 2 {
		if _, err := l.Next(t.Context()); !errors.Is(err, nats.ErrConnectionClosed) {
			t.Fatalf("got %v", err)
		}
	}
}

func TestAReaderSurvivesTheLossOfItsConsumer(t *testing.T) {
	js := ensured(t, serve(t))
	appendTo(t, js, EventsStream, facts(0, 3, 1)...)
	l := ReadLog(js, EventsStream, 1)
	defer l.Close()
	read(t, l, 3)
	if err := js.DeleteConsumer(t.Context(), EventsStream, l.pull.consumer); err != nil {
		t.Fatal(err)
	}
	appendTo(t, js, EventsStream, facts(0, 2, 1)...)
	if got := read(t, l, 2); got[0].Seq != 4 || got[1].Seq != 5 {
		t.Fatalf("%+v", got)
	}
}

func TestReadersContinueAfterTheServerRestarts(t *testing.T) {
	creds, public := adminFile(t)
	options := Options{Dir: t.TempDir(), StoreKey: testKey, Admins: []string{public}}
	s, err := Serve(options)
	if err != nil {
		t.Fatal(err)
	}
	options.Port = s.port(t)
	nc, err := Connect(s.URL(), creds, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js := newJetStream(t, nc)
	if _, err := Ensure(t.Context(), js, small); err != nil {
		t.Fatal(err)
	}
	l, in := ReadLog(js, EventsStream, 1), NewInbox(js)
	defer l.Close()
	defer in.Close()
	appendTo(t, js, EventsStream, facts(0, 5, 1)...)
	publishInbox(t, js, 2)
	read(t, l, 5)
	for _, d := range receiveAll(t, in.Queue, 2) {
		if err := d.Ack(); err != nil {
			t.Fatal(err)
		}
	}
	if err := nc.FlushTimeout(soon); err != nil {
		t.Fatal(err)
	}

	s.Shutdown()
	if s, err = Serve(options); err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown()

	ours := stage(t, s)
	appendTo(t, ours, EventsStream, facts(0, 3, 1)...)
	publishInbox(t, ours, 1)
	if got := read(t, l, 3); got[0].Seq != 6 || got[2].Seq != 8 {
		t.Fatalf("%+v", got)
	}
	if got := receiveAll(t, in.Queue, 1); got[0].Seq != 3 || got[0].Tries != 1 {
		t.Fatalf("%+v", got)
	}
}

func publishInbox(tb testing.TB, js jetstream.JetStream, n int) {
	tb.Helper()
	for i := range n {
		m := &nats.Msg{Subject: "learn.in.feedback.fix", Header: nats.Header{"ce-id": {fmt.Sprint(i)}}, Data: []byte("{}")}
		if _, err := js.PublishMsg(tb.Context(), m); err != nil {
			tb.Fatal(err)
		}
	}
}

func receiveAll(tb testing.TB, q *Queue, n int) (all []Delivery) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 30*time.Second)
	defer cancel()
	for len(all) < n {
		batch, err := q.Next(ctx)
		if err != nil {
			tb.Fatalf("after %d of %d deliveries: %v", len(all), n, err)
		}
		all = append(all, batch...)
	}
	return all
}

func TestTheInboxIsSharedAndHandsBack(t *testing.T) {
	js := ensured(t, serve(t))
	publishInbox(t, js, 3)
	first := NewInbox(js)
	all := receiveAll(t, first.Queue, 3)
	if d := all[0]; d.Header["ce-id"][0] != "0" || d.Subject != "learn.in.feedback.fix" || d.Stored.IsZero() {
		t.Fatalf("%+v", d)
	}
	if err := errors.Join(all[0].Ack(), all[1].Nak(0), all[2].Ack()); err != nil {
		t.Fatal(err)
	}
	again := receiveAll(t, first.Queue, 1)
	if again[0].Seq != 2 || again[0].Tries != 2 {
		t.Fatalf("%+v", again)
	}
	if err := again[0].Nak(0); err != nil {
		t.Fatal(err)
	}
	first.Close()
	second := NewInbox(js)
	defer second.Close()
	if got := receiveAll(t, second.Queue, 1); got[0].Seq != 2 {
		t.Fatalf("%+v", got)
	}
}

func TestWhatIsAcknowledgedIsPurged(t *testing.T) {
	js := ensured(t, serve(t))
	in := NewInbox(js)
	defer in.Close()
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- in.Purge(ctx) }()

	publishInbox(t, js, 10)
	all := receiveAll(t, in.Queue, 10)
	for _, d := range all[:7] {
		if err := d.Ack(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, func() bool { return inboxMessages(t, js) == 3 })
	for _, d := range all[7:] {
		if err := d.Ack(); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, func() bool { return inboxMessages(t, js) == 0 })
	cancel()
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
}

func inboxMessages(t *testing.T, js jetstream.JetStream) uint64 {
	t.Helper()
	s, err := js.Stream(t.Context(), InboxStream)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

// eventually asks the server again and again for what happens beside the test.
func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); {
		if time.Now().After(end) {
			t.Fatal("it never happened")
		}
	}
}

func TestInsightsAreSharedAndTheirFloorIsKnown(t *testing.T) {
	js := ensured(t, serve(t))
	q := NewInsights(js)
	defer q.Close()
	insight := func(key string) Message { return Message{Subject: "learn.know.0.rules." + key, Data: []byte("{}")} }
	appendTo(t, js, InsightsStream, insight("a"), insight("b"), Message{Subject: "learn.at.0", Data: []byte("7")})
	all := receiveAll(t, q, 3)
	if err := errors.Join(all[0].Ack(), all[2].Ack()); err != nil {
		t.Fatal(err)
	}
	floor := func() Floor {
		f, err := q.Floor(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	eventually(t, func() bool { return floor() == Floor{Acked: 1, Sent: 3, Unacked: 1} })
	if err := all[1].Ack(); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return floor() == Floor{Acked: 3, Sent: 3} })
}
