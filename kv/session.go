package kv

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	firstPause = 50 * time.Millisecond // before trying again, doubled each time
	lastPause  = 2 * time.Second
)

var errReconnected = errors.New("the connection is a new one")

// run follows the bucket until the reader or the connection is closed.
func (r *Reader) run(ctx context.Context) {
	defer close(r.ended)
	for ctx.Err() == nil && !r.feed.nc.IsClosed() {
		err := r.session(ctx)
		if errors.Is(err, errReconnected) {
			continue
		}
		r.report(err)
		r.pause(ctx)
	}
}

// report tells NewReader how the first load went.
func (r *Reader) report(err error) {
	select {
	case r.first <- err:
	default: // it knows
	}
}

// session follows the bucket over one connection, or waits for one.
func (r *Reader) session(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer r.live.Store(false)
	defer r.heed(cancel)()
	if !r.feed.nc.IsConnected() {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	return cause(ctx, r.feed.follow(ctx, r))
}

// heed ends the session when the connection is a new one, until stop is called.
func (r *Reader) heed(end context.CancelCauseFunc) (stop func()) {
	nc := r.feed.nc
	changes := nc.StatusChanged(nats.CONNECTED, nats.RECONNECTING, nats.CLOSED)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for status := range changes {
			r.live.Store(false)
			if status != nats.RECONNECTING {
				end(errReconnected)
			}
		}
	}()
	return func() {
		nc.RemoveStatusListener(changes)
		<-done
	}
}

// pause waits before another try, longer after each failure.
func (r *Reader) pause(ctx context.Context) {
	wait := min(firstPause<<min(r.failures, 16), lastPause)
	r.failures++
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
}
