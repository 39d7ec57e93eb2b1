package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"learnloop.dev/events"
)

func ids(tb testing.TB, messages []*nats.Msg) map[string]int {
	tb.Helper()
	seen := map[string]int{}
	for _, m := range messages {
		body := m.Data
		if m.Subject != batch {
			body = fmt.Appendf(nil, "[%s]", body)
		}
		var list []struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(body, &list); err != nil {
			tb.Fatalf("%s: %v", m.Data, err)
		}
		for _, e := range list {
			seen[e.ID]++
		}
	}
	return seen
}

func TestWhatComesInDuringASendFormsTheNextMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		wire := &faults{answer: func(context.Context, *nats.Msg) error { <-gate; return nil }}
		p := start(wire, Options{})
		for n := range inFlight {
			mustCapture(t, p, n, n+1)
			synctest.Wait() // one more sender is on its way
		}
		mustCapture(t, p, inFlight, inFlight+300)
		close(gate)
		if err := p.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		var sizes []int
		for _, m := range wire.stored {
			sizes = append(sizes, len(ids(t, []*nats.Msg{m})))
		}
		if len(sizes) != inFlight+3 {
			t.Fatalf("messages of %v events", sizes)
		}
	})
}

func TestAMessageStaysWithinTheServersLimit(t *testing.T) {
	wire := &faults{limit: 1000}
	p := start(wire, Options{})
	mustCapture(t, p, 0, 200)
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, m := range wire.stored {
		if len(m.Data) > 1000 {
			t.Fatalf("a message of %d bytes", len(m.Data))
		}
	}
	if n := len(ids(t, wire.stored)); n != 200 {
		t.Fatalf("%d events", n)
	}
}

// moody is a server that stores, refuses, is away or takes its time.
func moody(seed uint64) func(context.Context, *nats.Msg) error {
	var mu sync.Mutex
	chance := rand.New(rand.NewPCG(seed, 0))
	draw := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return chance.IntN(n)
	}
	return func(context.Context, *nats.Msg) error {
		switch draw(5) {
		case 0:
			return errRefused
		case 1:
			return errAway
		case 2:
			return nats.ErrNoResponders
		case 3:
			<-time.After(time.Duration(draw(300)) * time.Millisecond)
		}
		return nil
	}
}

func TestWhateverTheServerDoesNothingIsLostAndEverythingCounted(t *testing.T) {
	for seed := range uint64(4) {
		synctest.Test(t, func(t *testing.T) {
			wire := &faults{answer: moody(seed)}
			var lost told
			p := start(wire, Options{MaxEvents: 500, OnDrop: lost.note})
			kept := captureSome(t, p)
			if err := p.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := p.Stats()
			addsUp(t, s)
			if s.Sent != uint64(len(kept)) || s.Captured != 3000 || s.Pending != 0 || lost.sum() != s.Dropped {
				t.Fatalf("seed %d: %+v, kept %d, told of %d", seed, s, len(kept), lost.sum())
			}
			stored := ids(t, wire.stored)
			for _, id := range kept {
				if stored[id] != 1 {
					t.Fatalf("seed %d: event %s was stored %d times", seed, id, stored[id])
				}
			}
		})
	}
}

// captureSome captures 3 000 events in bursts and returns the ids of those taken.
func captureSome(t *testing.T, p *Publisher) (kept []string) {
	t.Helper()
	for n := range 3000 {
		switch err := p.Capture(fix(n)); {
		case err == nil:
			kept = append(kept, strconv.Itoa(n))
		case !errors.Is(err, ErrFull):
			t.Fatal(err)
		}
		addsUp(t, p.Stats())
		if n%100 == 0 {
			<-time.After(10 * time.Millisecond)
		}
	}
	return kept
}

func TestTheAgentNeverWaitsForAServerThatDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wire := &faults{answer: func(ctx context.Context, _ *nats.Msg) error { <-ctx.Done(); return ctx.Err() }}
		var lost told
		p := start(wire, Options{MaxEvents: 100, OnDrop: lost.note})
		began := time.Now()
		full := 0
		for n := range 250 {
			if err := p.Capture(fix(n)); errors.Is(err, ErrFull) {
				full++
			}
		}
		if full != 150 || time.Since(began) != 0 {
			t.Fatalf("%d refused in %v", full, time.Since(began))
		}
		if s := p.Stats(); s != (Stats{Captured: 250, Dropped: 150, Pending: 100}) {
			t.Fatalf("%+v", s)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := p.Flush(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("flush: %v", err)
		}
		if err := p.Close(ctx); err == nil || !strings.Contains(err.Error(), "100 events") {
			t.Fatalf("close: %v", err)
		}
		if s := p.Stats(); s != (Stats{Captured: 250, Dropped: 250}) {
			t.Fatalf("%+v", s)
		}
		if lost.lost[ErrFull] != 150 || lost.lost[ErrClosed] != 100 {
			t.Fatalf("told of %v", lost.lost)
		}
		if err := p.Capture(fix(1)); !errors.Is(err, ErrClosed) {
			t.Fatalf("after close: %v", err)
		}
	})
}

func TestTheBufferIsBoundedInBytesToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wire := &faults{answer: func(ctx context.Context, _ *nats.Msg) error { <-ctx.Done(); return ctx.Err() }}
		p := start(wire, Options{MaxBytes: 10_000})
		large := fix(1)
		large.Data = fmt.Appendf(nil, "%q", strings.Repeat("x", 4000))
		var got []error
		for range 3 {
			got = append(got, p.Capture(large))
		}
		if got[0] != nil || got[1] != nil || !errors.Is(got[2], ErrFull) {
			t.Fatalf("got %v", got)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := p.Close(ctx); err == nil {
			t.Fatal("nothing was lost")
		}
	})
}

func TestFlushWaitsForWhatWasCapturedBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := make(chan struct{})
		wire := &faults{answer: func(_ context.Context, m *nats.Msg) error {
			if bytes.Contains(m.Data, []byte(`"id":"0"`)) {
				<-first
			}
			return nil
		}}
		p := start(wire, Options{})
		mustCapture(t, p, 0, 1)
		synctest.Wait()
		mustCapture(t, p, 1, 50)
		flushed := make(chan error, 1)
		go func() { flushed <- p.Flush(context.Background()) }()
		synctest.Wait()
		if s := p.Stats(); s.Sent != 49 || len(flushed) != 0 {
			t.Fatalf("%+v, flushed %d", s, len(flushed))
		}
		close(first)
		if err := <-flushed; err != nil {
			t.Fatal(err)
		}
		if err := p.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestFlushDoesNotWaitForWhatComesAfterIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		second := make(chan struct{})
		wire := &faults{answer: func(_ context.Context, m *nats.Msg) error {
			if bytes.Contains(m.Data, []byte(`"id":"1"`)) {
				<-second
			}
			return nil
		}}
		p := start(wire, Options{})
		mustCapture(t, p, 0, 1)
		synctest.Wait()
		if err := p.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		mustCapture(t, p, 1, 2)
		synctest.Wait()
		if err := p.Flush(canceled(t)); err == nil {
			t.Fatal("flushed what is under way")
		}
		close(second)
		if err := p.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

func canceled(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func TestAnEventThatMayNotBePublishedDoesNotStopTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wire := &faults{answer: func(_ context.Context, m *nats.Msg) error {
			if m.Subject != batch {
				return fmt.Errorf("publish: %w", context.DeadlineExceeded)
			}
			return nil
		}}
		var lost told
		p := start(wire, Options{OnDrop: lost.note})
		tick := fix(0)
		tick.Kind = events.ControlTick.Kind
		if err := p.Capture(tick); err != nil {
			t.Fatal(err)
		}
		mustCapture(t, p, 1, 10)
		if err := p.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := p.Stats(); s.Sent != 9 || s.Dropped != 1 {
			t.Fatalf("%+v", s)
		}
		if err := p.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if lost.lost[ErrUnanswered] != 1 {
			t.Fatalf("told of %v", lost.lost)
		}
	})
}

func TestWhatTheServerWillNeverTakeIsDropped(t *testing.T) {
	for why, answer := range map[error]error{
		ErrInvalid:               nats.ErrMaxPayload,
		nats.ErrConnectionClosed: nats.ErrConnectionClosed,
	} {
		var lost told
		p := start(&faults{answer: func(context.Context, *nats.Msg) error { return answer }}, Options{OnDrop: lost.note})
		mustCapture(t, p, 0, 10)
		if err := p.Close(t.Context()); errors.Is(why, nats.ErrConnectionClosed) != (err != nil) {
			t.Fatal(err)
		}
		if s := p.Stats(); s.Dropped != 10 || lost.lost[why] != 10 {
			t.Fatalf("%+v, told of %v", s, lost.lost)
		}
	}
}

func TestTheServersAnswerIsUnderstood(t *testing.T) {
	for answer, want := range map[string]string{
		`{"stream":"LEARN_INBOX","seq":1}`:                                               "",
		`{"error":{"code":503,"err_code":10077,"description":"maximum bytes exceeded"}}`: "refused: maximum bytes exceeded",
		`{"error":{"code":400,"err_code":10054,"description":"message too large"}}`:      nats.ErrMaxPayload.Error(),
		`{}`:   "the answer is not an acknowledgement",
		`+ACK`: "the answer is not an acknowledgement",
	} {
		got := ""
		if err := stored([]byte(answer)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", answer, got, want)
		}
	}
}
