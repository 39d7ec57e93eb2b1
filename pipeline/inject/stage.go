// Package inject is the third stage: it turns insights into learning contexts
// and puts those whose bytes changed into the buckets that generators read.
package inject

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"

	"golang.org/x/sync/errgroup"
)

// Insights hands out what the analyzers published; several injectors share it.
type Insights interface {
	Next(ctx context.Context) ([]bus.Delivery, error)
	// Floor tells how far all injectors together have come.
	Floor(ctx context.Context) (bus.Floor, error)
}

// Parts reads the last insight of every subject that matches, as of the sequence
// since or later.
type Parts interface {
	PerSubject(ctx context.Context, since uint64, filters ...string) ([]bus.Entry, error)
}

// Bucket is where contexts stand.
type Bucket interface {
	// Put puts entries that changed, and skips those older than what it holds.
	Put(ctx context.Context, entries []kv.Entry) (changed []kv.Change, err error)
	// Keep puts back, until ctx is done, what another injector replaces by something older.
	Keep(ctx context.Context) error
}

// Stage renders insights until its context ends. Of a model it renders the
// version that it was built with: to raise a version, replace the injectors
// before the analyzers.
type Stage struct {
	Models   []learn.Model
	Insights Insights
	Parts    Parts
	Buckets  map[string]Bucket
	Reflect  Reflector
	Herald   Herald
	Personal Personal
	Observe  pipeline.Observer
	// Settle is how long a context is in its bucket before the insight behind it is
	// acknowledged: as long as the bucket may take until it has written it.
	Settle time.Duration
	done   chan stored

	ack func(bus.Delivery) error
}

// Run works until the context ends. One batch is rendered while the one before
// it is on its way into the buckets.
func (s Stage) Run(ctx context.Context) error {
	s.Observe = s.Observe.EnsureDefaults()
	s.Herald.news = newNews()
	if s.ack == nil {
		s.ack = bus.Delivery.Ack
	}
	s.done = make(chan stored, 1024)
	ready, marks := make(chan rendered), newMarks()
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.render(ctx, ready) })
	g.Go(func() error { return s.store(ctx, ready, marks) })
	g.Go(func() error { return s.reflect(ctx, marks) })
	g.Go(func() error { return s.acknowledge(ctx) })
	g.Go(func() error { return s.anew(ctx) })
	g.Go(func() error { return s.Herald.run(ctx, s.Observe) })
	for _, name := range sorted(s.Buckets) {
		g.Go(func() error { return s.keep(ctx, name) })
	}
	return g.Wait()
}

// render reads and renders one batch after the other.
func (s Stage) render(ctx context.Context, ready chan<- rendered) error {
	for {
		batch, err := s.Insights.Next(ctx)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the stage was asked to stop
		}
		if err != nil {
			return fmt.Errorf("read insights: %w", err)
		}
		r, err := s.read(ctx, batch)
		if err != nil {
			if ctx.Err() != nil {
				return nil //nolint:nilerr // as above
			}
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case ready <- r:
		}
	}
}

// store finishes one rendered batch after the other, in their order.
func (s Stage) store(ctx context.Context, ready <-chan rendered, marks *marks) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case r := <-ready:
			if err := s.finish(ctx, r); err != nil {
				if ctx.Err() != nil {
					return nil //nolint:nilerr // the stage was asked to stop
				}
				return err
			}
			marks.hold(r.marks...)
		}
	}
}

// trace tells of the contexts that follow from an event with a trace context.
func (s Stage) trace(r rendered, begin time.Time) {
	for _, entries := range r.entries {
		for _, e := range entries {
			if trace := e.Header[events.ExtTrace]; len(trace) > 0 {
				s.Observe.Traced(pipeline.Span{Name: "put context", Parent: trace[0], Begin: begin, End: time.Now()})
			}
		}
	}
}

// finish stores what changed, and only then acknowledges the batch.
func (s Stage) finish(ctx context.Context, r rendered) error {
	begin := time.Now()
	changed, err := s.put(ctx, r.entries)
	if err != nil {
		return err
	}
	s.trace(r, begin)
	for _, e := range r.entries[learn.Contexts] {
		s.Observe.Context(e.Key, e.Value)
	}
	if err := s.later(ctx, r.batch); err != nil {
		return err
	}
	s.Observe.Rendered(len(r.batch)-len(r.marks), changed, time.Since(r.batch[0].Stored))
	return nil
}

// put stores entries bucket by bucket, trying until they are stored, and leaves
// to the herald which contexts changed.
func (s Stage) put(ctx context.Context, entries map[string][]kv.Entry) (changed int, err error) {
	for _, name := range sorted(entries) {
		bucket, ok := s.Buckets[name]
		if !ok {
			return changed, fmt.Errorf("put contexts: no bucket %s", name)
		}
		err := s.retry(ctx, "put contexts", func() error {
			changes, err := bucket.Put(ctx, entries[name])
			changed += len(changes)
			if name == learn.Contexts {
				s.Herald.news.add(changes)
			}
			if errors.Is(err, kv.ErrUnfit) {
				s.Observe.Retried("put contexts", err) // when there is a new insight about it
				return nil
			}
			return err
		})
		if err != nil {
			return changed, err
		}
	}
	return changed, nil
}

// keep keeps a bucket from going back.
func (s Stage) keep(ctx context.Context, bucket string) error {
	err := s.retry(ctx, "keep contexts", func() error { return s.Buckets[bucket].Keep(ctx) })
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the stage was asked to stop
	}
	return err
}

// retry repeats what may fail for a while.
func (s Stage) retry(ctx context.Context, what string, do func() error) error {
	return pipeline.Retry(ctx, do, pipeline.Never, func(err error) { s.Observe.Retried(what, err) })
}
