package bus

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	purgeEvery = 100 * time.Millisecond
	purgeAfter = 1000 // messages
	purgeIdle  = 5 * time.Second
)

// Inbox is the queue of raw events that the ingest processes share. What is acknowledged is deleted
// soon after by Purge: nothing that is not anonymised stays.
type Inbox struct {
	*Queue
	acks    atomic.Uint64 // since the last purge
	highest atomic.Uint64 // sequence acknowledged here
	wake    chan struct{} // there is something to purge
	full    chan struct{} // there is a lot to purge
}

// NewInbox is the reader of LEARN_INBOX.
func NewInbox(js jetstream.JetStream) *Inbox {
	in := &Inbox{
		Queue: newQueue(js, InboxStream, "ingest"),
		wake:  make(chan struct{}, 1),
		full:  make(chan struct{}, 1),
	}
	in.acked = in.note
	in.pull.bytes, in.pull.batch = inboxBytes, inboxBatch
	in.wake <- struct{}{} // something may be left from before
	return in
}

func (in *Inbox) note(seq uint64) {
	for {
		old := in.highest.Load()
		if seq <= old || in.highest.CompareAndSwap(old, seq) {
			break
		}
	}
	signal(in.wake)
	if in.acks.Add(1) == purgeAfter {
		signal(in.full)
	}
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Purge deletes acknowledged messages from the stream every 1000 messages or 100 ms, and nothing while
// nothing is acknowledged. It ends without an error when ctx is done, and fails when the connection is closed.
func (in *Inbox) Purge(ctx context.Context) error {
	var done uint64 // every message up to here is deleted
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-in.wake:
		}
		if err := in.purgeBehind(ctx, &done); err != nil {
			return err
		}
	}
}

// purgeBehind purges until it has caught up with what was acknowledged here. Acknowledgements under way
// and messages that another process still holds keep the floor down, so it looks again, less and less often.
func (in *Inbox) purgeBehind(ctx context.Context, done *uint64) error {
	for pause := purgeEvery; ; pause = min(2*pause, purgeIdle) {
		select {
		case <-ctx.Done():
			return nil
		case <-in.full:
		case <-time.After(pause):
		}
		in.acks.Store(0)
		floor, err := in.purge(ctx, *done)
		if err != nil && ctx.Err() == nil && in.js.Conn().IsClosed() {
			return err
		}
		if floor > *done {
			*done, pause = floor, purgeEvery/2
		}
		if err == nil && *done >= in.highest.Load() {
			return nil
		}
	}
}

// purge deletes up to the floor of the queue and returns it.
func (in *Inbox) purge(ctx context.Context, done uint64) (uint64, error) {
	floor, err := in.Floor(ctx)
	if err != nil || floor.Acked <= done {
		return done, err
	}
	if err := PurgeUpTo(ctx, in.js, Purge{InboxStream, "", floor.Acked}); err != nil {
		return done, fmt.Errorf("purge inbox: %w", err)
	}
	return floor.Acked, nil
}
