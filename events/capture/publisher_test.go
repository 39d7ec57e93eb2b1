package capture_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"learnloop.dev/events"
	"learnloop.dev/events/capture"
)

func fix(n int) events.Envelope {
	return events.Envelope{
		ID: strconv.Itoa(n), Source: "/agents/editor", Kind: events.FeedbackFix.Kind, Data: fmt.Appendf(nil, `{"rule_id":"%d"}`, n),
	}
}

// arrived counts the events that the inbox holds, by id, and checks each message's form.
func arrived(tb testing.TB, s jetstream.Stream) map[string]int {
	tb.Helper()
	info, err := s.Info(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	seen := map[string]int{}
	for seq := info.State.FirstSeq; seq <= info.State.LastSeq; seq++ {
		m, err := s.GetMsg(tb.Context(), seq)
		if err != nil {
			tb.Fatal(err)
		}
		if kind := m.Header.Get("Content-Type"); m.Subject != "learn.in.batch" || kind != events.ContentBatch {
			tb.Fatalf("%s on %s", kind, m.Subject)
		}
		var list []event.Event
		if err := json.Unmarshal(m.Data, &list); err != nil {
			tb.Fatal(err)
		}
		if len(list) == 0 || len(list) > 128 {
			tb.Fatalf("a message of %d events", len(list))
		}
		for _, e := range list {
			seen[e.ID()]++
		}
	}
	return seen
}

func within(tb testing.TB) context.Context {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), 30*time.Second)
	tb.Cleanup(cancel)
	return ctx
}

func flush(tb testing.TB, p *capture.Publisher) {
	tb.Helper()
	if err := p.Flush(within(tb)); err != nil {
		tb.Fatal(err)
	}
}

func finish(tb testing.TB, p *capture.Publisher) {
	tb.Helper()
	if err := p.Close(within(tb)); err != nil {
		tb.Fatal(err)
	}
}

func TestEveryCapturedEventReachesTheInboxOnce(t *testing.T) {
	nc := start(t).connect()
	s := inbox(t, nc, -1)
	p := capture.New(nc, capture.Options{})
	var agents sync.WaitGroup
	for agent := range 8 {
		agents.Go(func() {
			for n := range 500 {
				if err := p.Capture(fix(agent*500 + n)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	agents.Wait()
	flush(t, p)
	if got := p.Stats(); got != (capture.Stats{Captured: 4000, Sent: 4000}) {
		t.Fatalf("%+v", got)
	}
	seen := arrived(t, s)
	for n := range 4000 {
		if seen[strconv.Itoa(n)] != 1 {
			t.Fatalf("event %d came %d times", n, seen[strconv.Itoa(n)])
		}
	}
	finish(t, p)
}

func TestKindsWithPermissionsOfTheirOwnTravelByThemselves(t *testing.T) {
	nc := start(t).connect()
	s := inbox(t, nc, -1)
	p := capture.New(nc, capture.Options{Source: "/console"})
	if err := capture.Publish(p, events.ControlTick, events.Tick{Date: "2026-03-04"}); err != nil {
		t.Fatal(err)
	}
	if err := capture.Publish(p, events.FeedbackFix, events.FixFeedback{RuleID: "passive"}); err != nil {
		t.Fatal(err)
	}
	if err := capture.Publish(p, events.LearningArchived, events.Archival{}); err != nil {
		t.Fatal(err)
	}
	finish(t, p)
	for _, subject := range []string{"learn.in.control.clock.tick", "learn.in.learning.archived", "learn.in.batch"} {
		m, err := s.GetLastMsgForSubject(t.Context(), subject)
		if err != nil {
			t.Fatal(subject, err)
		}
		if alone := m.Header.Get("Content-Type") == events.ContentStructured; alone != (subject != "learn.in.batch") {
			t.Errorf("%s: %v", subject, m.Header)
		}
	}
}

func TestTheAgentGoesOnWhileTheServerIsAway(t *testing.T) {
	b := start(t)
	inbox(t, b.connect(), -1)
	p := capture.New(b.connect(), capture.Options{MaxEvents: 300})
	capturing(t, p, 0, 10)
	flush(t, p)
	b.down()
	if full := capturing(t, p, 10, 400); full != 90 {
		t.Fatalf("%d found no room", full)
	}
	if got := p.Stats(); got != (capture.Stats{Captured: 400, Sent: 10, Dropped: 90, Pending: 300}) {
		t.Fatalf("%+v", got)
	}
	b.up()
	flush(t, p)
	capturing(t, p, 400, 410)
	finish(t, p)
	if got := p.Stats(); got != (capture.Stats{Captured: 410, Sent: 320, Dropped: 90}) {
		t.Fatalf("%+v", got)
	}
	s := inbox(t, b.connect(), -1)
	seen := arrived(t, s)
	for n := range 310 {
		if seen[strconv.Itoa(n)] == 0 {
			t.Fatalf("event %d is lost", n)
		}
	}
}

// capturing captures the events from one number up to another and returns how
// many found no room.
func capturing(tb testing.TB, p *capture.Publisher, from, to int) (full int) {
	tb.Helper()
	for n := from; n < to; n++ {
		switch err := p.Capture(fix(n)); {
		case errors.Is(err, capture.ErrFull):
			full++
		case err != nil:
			tb.Fatalf("event %d: %v", n, err)
		}
	}
	return full
}

func TestNothingIsLostWhileTheServerRestarts(t *testing.T) {
	b := start(t)
	inbox(t, b.connect(), -1)
	p := capture.New(b.connect(), capture.Options{MaxEvents: 1 << 20})
	done := make(chan struct{})
	var agent sync.WaitGroup
	n := 0
	agent.Go(func() {
		pace := time.NewTicker(100 * time.Microsecond)
		defer pace.Stop()
		for {
			select {
			case <-done:
				return
			case <-pace.C:
			}
			if err := p.Capture(fix(n)); err != nil {
				t.Error(err)
				return
			}
			n++
		}
	})
	for range 3 {
		flush(t, p) // traffic flows
		b.down()
		b.up()
	}
	close(done)
	agent.Wait()
	finish(t, p)
	if got := p.Stats(); got.Sent != uint64(n) || got.Dropped != 0 {
		t.Fatalf("%+v, captured %d", got, n)
	}
	seen := arrived(t, inbox(t, b.connect(), -1))
	for i := range n {
		if seen[strconv.Itoa(i)] == 0 {
			t.Fatalf("event %d of %d is lost", i, n)
		}
	}
}

func TestAFullInboxIsTriedAgain(t *testing.T) {
	nc := start(t).connect()
	inbox(t, nc, 1)
	p := capture.New(nc, capture.Options{})
	capturing(t, p, 0, 200)
	soon, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := p.Flush(soon); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("flush: %v", err)
	}
	if got := p.Stats(); got != (capture.Stats{Captured: 200, Pending: 200}) {
		t.Fatalf("%+v", got)
	}
	s := inbox(t, nc, -1)
	finish(t, p)
	if seen := arrived(t, s); len(seen) != 200 {
		t.Fatalf("%d events", len(seen))
	}
}

func TestAnInboxThatComesLaterIsWaitedFor(t *testing.T) {
	nc := start(t).connect()
	p := capture.New(nc, capture.Options{})
	capturing(t, p, 0, 50)
	s := inbox(t, nc, -1)
	finish(t, p)
	if seen := arrived(t, s); len(seen) != 50 {
		t.Fatalf("%d events", len(seen))
	}
}

func TestAClosedConnectionLosesWhatWaits(t *testing.T) {
	b := start(t)
	nc := b.connect()
	b.down()
	lost := make(chan uint64, 10)
	p := capture.New(nc, capture.Options{OnDrop: func(n uint64, _ error) { lost <- n }})
	capturing(t, p, 0, 5)
	nc.Close()
	if err := p.Close(t.Context()); !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("closing: %v", err)
	}
	close(lost)
	sum := uint64(0)
	for n := range lost {
		sum += n
	}
	if got := p.Stats(); got.Dropped != 5 || sum != 5 {
		t.Fatalf("%+v, told of %d", got, sum)
	}
	b.up()
}

func BenchmarkSend(b *testing.B) {
	nc := start(b).connect()
	inbox(b, nc, -1)
	p := capture.New(nc, capture.Options{MaxEvents: 1 << 20, MaxBytes: 1 << 30})
	e := fix(0)
	e.Data = fmt.Appendf(nil, `{"rule_id":"passive","original_text":%q}`, strings.Repeat("It was shown. ", 70))
	for b.Loop() {
		if err := p.Capture(e); err != nil {
			b.Fatal(err)
		}
	}
	flush(b, p)
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
	finish(b, p)
}
