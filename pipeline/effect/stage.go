// Package effect works beside the log: it reads facts in a consumer of its own,
// does what a fold must not, such as asking a model, and hands back what came of it
// as facts. Folding the log again never repeats an effect.
package effect

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn/extract"
	"learnloop.dev/pipeline"

	"golang.org/x/sync/errgroup"
)

// Facts hands out facts of one kind in the log, each until it is acknowledged.
type Facts interface {
	Next(ctx context.Context) ([]bus.Delivery, error)
}

// Learnings are the facts about learnings in the log, read in order.
type Learnings interface {
	Next(ctx context.Context) ([]bus.Entry, error)
	// Last is the log sequence of the last that there is now.
	Last(ctx context.Context) (uint64, error)
}

// Hand takes in what the loop concluded from facts, and returns when it will reach
// the log for certain. What can never be taken in is a [RefusedError].
type Hand func(ctx context.Context, list []events.Envelope) error

// RefusedError means that what was concluded cannot be taken in.
type RefusedError struct{ Refusal events.Refusal }

// Error says why; never what stands there.
func (r *RefusedError) Error() string { return "refused: " + string(r.Refusal.Reason) }

// Extractor makes a learning of a discovery. What it cannot do now but perhaps
// later, or never, is a [FailedError].
type Extractor interface {
	// Extract returns a draft, and what made it.
	Extract(ctx context.Context, d *events.Discovery) (extract.Draft, string, error)
}

// DeadLetters keeps what could not be done.
type DeadLetters interface {
	Put(ctx context.Context, letters []bus.Letter) (seqs []uint64, err error)
}

// Stage makes learnings of discoveries. The text of a discovery is data: nothing in
// it decides what the stage does.
type Stage struct {
	Discoveries Facts
	Learnings   Learnings
	Extractor   Extractor
	Hand        Hand
	// There reports whether the log still has a discovery.
	There   func(ctx context.Context, seq uint64) (bool, error)
	Dead    DeadLetters
	Now     func() time.Time
	Observe pipeline.Observer
	// AtOnce is how many discoveries are worked on at a time.
	AtOnce int
	// Recurring lists what keeps coming back, as far as it is known now; nil looks for
	// nothing.
	Recurring func(ctx context.Context) ([]extract.Recurrence, error)
}

const stageName = "effect"

// Pace of the consumer.
const (
	// Hold is how long a process may be silent about a discovery that it has.
	Hold = time.Minute
	// grace is what a producer has to send the learning of its own discovery.
	grace = time.Second
)

// Run works until the context ends.
func (s Stage) Run(ctx context.Context) error {
	s.Observe = s.Observe.EnsureDefaults()
	w := &worker{Stage: s, memory: extract.NewMemory()}
	batches := make(chan bus.Delivery)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.read(ctx, batches) })
	if s.Recurring != nil {
		g.Go(func() error { return w.propose(ctx) })
	}
	for range max(s.AtOnce, 1) {
		g.Go(func() error { return w.run(ctx, batches) })
	}
	return g.Wait()
}

// read hands deliveries to the workers until the context ends.
func (s Stage) read(ctx context.Context, out chan<- bus.Delivery) error {
	defer close(out)
	for {
		batch, err := s.Discoveries.Next(ctx)
		if ctx.Err() != nil {
			return nil // the stage was asked to stop
		}
		if err != nil {
			return fmt.Errorf("read discoveries: %w", err)
		}
		for _, d := range batch {
			select {
			case out <- d:
			case <-ctx.Done():
				return nil
			}
		}
	}
}

// worker is shared by the loops of a stage.
type worker struct {
	Stage
	mu     sync.Mutex // held while it is decided what to tell, one discovery after the other
	memory *extract.Memory
	seq    uint64 // guarded by mu; up to where the memory goes
}

func (w *worker) run(ctx context.Context, in <-chan bus.Delivery) error {
	for d := range in {
		if err := w.handle(ctx, d); err != nil && ctx.Err() == nil {
			return fmt.Errorf("extract from log entry %d: %w", d.Seq, err)
		}
	}
	return nil
}

// handle works on one discovery and holds it meanwhile. A stage that stops hands it
// back.
func (w *worker) handle(ctx context.Context, d bus.Delivery) error {
	work, done := context.WithCancel(ctx)
	var g errgroup.Group
	g.Go(func() error { return w.hold(work, d) })
	later, err := w.attempt(ctx, d)
	done()
	said := g.Wait()
	switch {
	case ctx.Err() != nil:
		said = errors.Join(said, d.Nak(0))
	case err != nil:
		return err
	case later > 0:
		said = errors.Join(said, d.Nak(later))
	default:
		said = errors.Join(said, d.Ack())
	}
	if said != nil {
		w.Observe.Retried("say what became of a discovery", said) // it will be delivered again
	}
	return nil
}

// hold says now and then that a discovery is being worked on.
func (w *worker) hold(ctx context.Context, d bus.Delivery) error {
	t := time.NewTicker(Hold / 3)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := d.Extend(); err != nil {
				return err
			}
		}
	}
}
