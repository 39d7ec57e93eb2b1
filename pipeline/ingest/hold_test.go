package ingest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"learnloop.dev/bus"

	"github.com/nats-io/nats.go"
)

// stuck is a log that takes nothing until it is let go.
type stuck struct {
	Log
	free  chan struct{}
	asked chan int // how many messages each batch has
}

func (s *stuck) Append(ctx context.Context, msgs []bus.Message) (uint64, error) {
	select {
	case <-s.free:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	s.asked <- len(msgs)
	return s.Log.Append(ctx, msgs)
}

func TestWhatWaitsForASlowDiskIsHeldAndWorkedOnOnce(t *testing.T) {
	s := open(t, t.TempDir())
	nc := s.js.Conn()
	signs := make(chan *nats.Msg, 1<<16)
	if _, err := nc.ChanSubscribe("$JS.ACK."+bus.InboxStream+".ingest.>", signs); err != nil {
		t.Fatal(err)
	}
	disk := &stuck{s.Log, make(chan struct{}), make(chan int, 1<<10)}
	inbox := bus.NewInbox(s.js)
	s.Inbox, s.Log, s.Workers, s.holding = inbox, disk, 1, 20*time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- s.Run(ctx) }()

	// One batch is worked on, another waits for the worker, the rest for the reader.
	const n = 30
	held, acked := map[string]int{}, map[string]int{}
	hear := func(until func() bool) {
		for !until() {
			select {
			case m := <-signs:
				if seq := strings.Split(m.Subject, ".")[5]; string(m.Data) == "+WPI" {
					held[seq]++
				} else {
					acked[seq]++
				}
			case <-time.After(30 * time.Second):
				t.Fatalf("%d are held, %d acknowledged", len(held), len(acked))
			}
		}
	}
	for i := range n {
		body := fmt.Sprintf(`{"specversion":"1.0","id":"%d","source":"/t","type":"dev.learnloop.feedback.fix.v1","data":%s}`, i, fixData)
		if _, err := s.js.Publish(t.Context(), "learn.in.feedback.fix", []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	hear(func() bool { return len(held) == n })
	close(disk.free)
	hear(func() bool { return len(acked) == n })
	stop()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	inbox.Close()
	close(disk.asked)
	appended := 0
	for batch := range disk.asked {
		appended += batch
	}
	if appended < n || appended%n != 0 { // each makes as many facts
		t.Errorf("%d events became %d facts", n, appended)
	}
	for seq, times := range acked {
		if times != 1 {
			t.Errorf("message %s was acknowledged %d times", seq, times)
		}
	}
}

// brief is an inbox that always has something, and counts how often it was held.
type brief struct {
	Inbox
	held int
}

func (*brief) Next(ctx context.Context) ([]bus.Delivery, error) { return nil, ctx.Err() }

func (b *brief) Hold() error {
	b.held++
	return nil
}

func TestWhatWaitsForManyBatchesIsHeldThoughEachIsTakenSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inbox := &brief{}
		s := Stage{Inbox: inbox, holding: bus.HoldEvery}
		ctx, stop := context.WithCancel(t.Context())
		out := make(chan []bus.Delivery)
		done := make(chan error)
		go func() { done <- s.read(ctx, out) }()
		for range 10 {
			<-time.After(bus.HoldEvery * 9 / 10) // of the bubble
			<-out
		}
		stop()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if inbox.held < 8 {
			t.Errorf("held %d times while ten batches waited", inbox.held)
		}
	})
}
