package inject

import (
	"context"
	"time"

	"learnloop.dev/bus"
)

// stored is a batch that is in the buckets.
type stored struct {
	batch []bus.Delivery
	at    time.Time
}

// later hands a stored batch over to be acknowledged.
func (s Stage) later(ctx context.Context, batch []bus.Delivery) error {
	select {
	case s.done <- stored{batch, time.Now()}:
		return nil
	case <-ctx.Done():
		return ctx.Err() // it will be delivered again
	}
}

// acknowledge acknowledges what has been in the buckets for long enough. What is
// left when the stage is stopped in order is as safe as it will be.
func (s Stage) acknowledge(ctx context.Context) error {
	for {
		select {
		case b := <-s.done:
			select {
			case <-time.After(time.Until(b.at.Add(s.Settle))):
			case <-ctx.Done():
			}
			s.ackAll(b.batch)
		case <-ctx.Done():
			for len(s.done) > 0 {
				s.ackAll((<-s.done).batch)
			}
			return nil
		}
	}
}

func (s Stage) ackAll(batch []bus.Delivery) {
	for _, d := range batch {
		if err := s.ack(d); err != nil {
			s.Observe.Retried("acknowledge", err) // it will be delivered again
		}
	}
}
