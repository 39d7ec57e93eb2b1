// Package inject is the third stage: it turns insights into learning contexts
// and puts those whose bytes changed into the buckets that generators read.
package inject

import (
	"context"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"
)

// Insights hands out what the analyzers published; several injectors share it.
type Insights interface {
	Next(ctx context.Context) ([]bus.Delivery, error)
	// Floor tells how far all injectors together have come.
	Floor(ctx context.Context) (bus.Floor, error)
}

// Parts reads the last insight of every partition about one key.
type Parts interface {
	LastPerSubject(ctx context.Context, filter string) ([]bus.Entry, error)
}

// Bucket puts entries that changed, and skips those older than what it holds.
type Bucket interface {
	Put(ctx context.Context, entries []kv.Entry) (changed []kv.Change, err error)
}

// Stage renders insights until its context ends.
type Stage struct {
	Models   []learn.Model
	Insights Insights
	Parts    Parts
	Buckets  map[string]Bucket
	Reflect  Reflector
	Herald   Herald
	Observe  pipeline.Observer
}

// Run works until the context ends.
func (s Stage) Run(ctx context.Context) error {
	s.Observe = s.Observe.EnsureDefaults()
	s.Herald.news = newNews()
	seen := make(chan seenMark, 1024)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.render(ctx, seen) })
	g.Go(func() error { return s.Reflect.run(ctx, s.Insights, seen) })
	g.Go(func() error { return s.Herald.run(ctx, s.Observe) })
	return g.Wait()
}

func (s Stage) render(ctx context.Context, seen chan<- seenMark) error {
	for {
		batch, err := s.Insights.Next(ctx)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // the stage was asked to stop
		}
		if err != nil {
			return fmt.Errorf("read insights: %w", err)
		}
		if err := s.handle(ctx, batch, seen); err != nil {
			if ctx.Err() != nil {
				return nil //nolint:nilerr // as above
			}
			return err
		}
	}
}

// handle renders one batch, stores what changed, and only then acknowledges.
func (s Stage) handle(ctx context.Context, batch []bus.Delivery, seen chan<- seenMark) error {
	entries, marks, err := s.read(ctx, batch)
	if err != nil {
		return err
	}
	changed, err := s.put(ctx, entries)
	if err != nil {
		return err
	}
	for _, e := range entries[learn.Contexts] {
		s.Observe.Context(e.Key, e.Value)
	}
	for _, d := range batch {
		if err := d.Ack(); err != nil {
			s.Observe.Retried("acknowledge", err) // it will be delivered again
		}
	}
	for _, m := range marks {
		select {
		case seen <- m:
		case <-ctx.Done():
			return nil
		}
	}
	s.Observe.Rendered(len(batch)-len(marks), changed, time.Since(batch[0].Stored))
	return nil
}

// read renders every key of a batch once, from its latest insight, and collects
// the markers.
func (s Stage) read(ctx context.Context, batch []bus.Delivery) (map[string][]kv.Entry, []seenMark, error) {
	latest := map[string]bus.Delivery{}
	var order []string
	var marks []seenMark
	for _, d := range batch {
		if m, ok := parseMark(d); ok {
			marks = append(marks, m)
			continue
		}
		if _, again := latest[d.Subject]; !again {
			order = append(order, d.Subject)
		}
		latest[d.Subject] = d
	}
	entries := map[string][]kv.Entry{}
	done := map[string]bool{}
	for _, subject := range order {
		bucket, entry, err := s.one(ctx, latest[subject], done)
		if err != nil {
			return nil, nil, err
		}
		if bucket != "" {
			entries[bucket] = append(entries[bucket], entry)
		}
	}
	return entries, marks, nil
}

// one renders the key of one insight; a key that lies in several partitions is
// rendered once per batch.
func (s Stage) one(ctx context.Context, d bus.Delivery, done map[string]bool) (string, kv.Entry, error) {
	var in pipeline.Insight
	if err := json.Unmarshal(d.Data, &in); err != nil {
		return "", kv.Entry{}, fmt.Errorf("decode insight %d: %w", d.Seq, err)
	}
	model, known := s.model(in.Model)
	if !known {
		return "", kv.Entry{}, nil // a newer analyzer knows more models than we render
	}
	key, parts, at := in.Key(), []jsontext.Value{in.Value}, d.Seq
	if in.Value == nil {
		parts = nil
	}
	if model.Spread(key) {
		subject := pipeline.KnowAnywhere(in.Model, key)
		if done[subject] {
			return "", kv.Entry{}, nil
		}
		done[subject] = true
		var err error
		if parts, at, err = s.gather(ctx, subject); err != nil {
			return "", kv.Entry{}, err
		}
	}
	value, err := model.Render(key, parts)
	if err != nil {
		return "", kv.Entry{}, fmt.Errorf("render %s of %s: %w", events.Token(key.ID), key.Kind, err)
	}
	return model.Bucket, kv.Entry{Key: bucketKey(key), Value: value, Insight: at}, nil
}

// bucketKey is where a key stands in its bucket; the only one of its kind stands
// under the kind.
func bucketKey(k learn.Key) string {
	if k.ID == "" {
		return k.Kind
	}
	return kv.Key(k.Kind, k.ID)
}

// gather reads what all partitions know about a key, in partition order.
func (s Stage) gather(ctx context.Context, subject string) (parts []jsontext.Value, at uint64, err error) {
	entries, err := s.Parts.LastPerSubject(ctx, subject)
	if err != nil {
		return nil, 0, fmt.Errorf("gather insights of all partitions: %w", err)
	}
	byPartition := map[int]jsontext.Value{}
	for _, e := range entries {
		var in pipeline.Insight
		if err := json.Unmarshal(e.Data, &in); err != nil {
			return nil, 0, fmt.Errorf("decode insight %d: %w", e.Seq, err)
		}
		if in.Value != nil {
			byPartition[in.Partition] = in.Value
		}
		at = max(at, e.Seq)
	}
	for _, p := range sorted(byPartition) {
		parts = append(parts, byPartition[p])
	}
	return parts, at, nil
}

// put stores entries bucket by bucket, trying until they are stored, and leaves
// to the herald which contexts changed.
func (s Stage) put(ctx context.Context, entries map[string][]kv.Entry) (changed int, err error) {
	for _, name := range sorted(entries) {
		bucket, ok := s.Buckets[name]
		if !ok {
			return changed, fmt.Errorf("put contexts: no bucket %s", name)
		}
		err := pipeline.Retry(ctx, func() error {
			changes, err := bucket.Put(ctx, entries[name])
			changed += len(changes)
			if name == learn.Contexts {
				s.Herald.news.add(changes)
			}
			return err
		}, pipeline.Never, func(err error) { s.Observe.Retried("put contexts", err) })
		if err != nil {
			return changed, err
		}
	}
	return changed, nil
}

func (s Stage) model(name string) (learn.Model, bool) {
	for _, m := range s.Models {
		if m.Name == name {
			return m, true
		}
	}
	return learn.Model{}, false
}
