package ingest

import (
	"context"
	"sync"
	"time"

	"learnloop.dev/bus"
)

// What nobody says anything about is delivered again after a while, and would be worked on
// twice: just when there is too much to do, or the disk is slow.

// pass hands a batch to a worker, and holds it and what comes behind it until one is free.
// It reports false when the stage is asked to stop. What comes behind may wait for many
// batches, each of them shortly: when it is time goes on from one to the next.
func (s Stage) pass(ctx context.Context, batch []bus.Delivery, out chan<- []bus.Delivery, due <-chan time.Time) bool {
	for {
		select {
		case out <- batch:
			return true
		case <-ctx.Done():
			return false
		case <-due:
			s.hold(batch)
			if err := s.Inbox.Hold(); err != nil {
				s.Observe.Retried("hold", err) // it will be delivered again
			}
		}
	}
}

// held works on a batch, and holds it meanwhile.
func (s Stage) held(ctx context.Context, batch []bus.Delivery, work func() error) error {
	ctx, done := context.WithCancel(ctx)
	var holding sync.WaitGroup
	holding.Go(func() {
		t := time.NewTicker(s.holding)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				s.hold(batch)
			}
		}
	})
	defer holding.Wait()
	defer done()
	return work()
}

// hold says that a batch is worked on.
func (s Stage) hold(batch []bus.Delivery) {
	for _, d := range batch {
		if err := d.Extend(); err != nil {
			s.Observe.Retried("hold", err) // it will be delivered again
			return
		}
	}
}
