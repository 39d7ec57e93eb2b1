package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/learn"
	"learnloop.dev/learn/experiments"
	"learnloop.dev/pipeline/ingest"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// openDesigns reads the definitions of experiments that the log has, before anything is
// taken in: a unit that comes without its arm never gets one. Later ones are followed.
func (l *Loop) openDesigns(ctx context.Context) error {
	log := bus.ReadLog(l.js, bus.EventsStream, 1, ingest.DesignSubject())
	l.onClose(func() error { log.Close(); return nil })
	end, err := bus.LastMsg(ctx, l.js, bus.EventsStream, ingest.DesignSubject())
	if err != nil && !errors.Is(err, bus.ErrNotFound) {
		return fmt.Errorf("find definitions of experiments: %w", err)
	}
	for at := uint64(0); at < end.Seq; {
		if at, err = l.designs.Read(ctx, log); err != nil {
			return err
		}
	}
	l.run("experiments", func(ctx context.Context) error { return l.designs.Follow(ctx, log) })
	return nil
}

// openVerdicts has experiments decided that have come out.
func (l *Loop) openVerdicts(context.Context) error {
	l.rise("verdicts", l.decideExperiments)
	return nil
}

// decideExperiments gives the verdict about every experiment that has come out, and is
// told so by its context. What a process did not get to, the next one finds: it begins
// with all contexts there are.
func (l *Loop) decideExperiments(ctx context.Context, up func()) error {
	bucket, err := l.js.KeyValue(ctx, learn.Contexts)
	if err != nil {
		return fmt.Errorf("open bucket %s: %w", learn.Contexts, err)
	}
	watcher, err := watch(ctx, func(ctx context.Context) (jetstream.KeyWatcher, error) {
		return bucket.Watch(ctx, experiments.KindExperiment+".>")
	})
	if err != nil {
		return fmt.Errorf("watch experiments: %w", err)
	}
	defer func() { _ = watcher.Stop() }() // ends with the connection anyway
	up()
	var again <-chan time.Time
	open := map[string]experiments.Context{} // verdicts to be told
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-again:
		case entry, more := <-watcher.Updates():
			if !more {
				return nil
			}
			if entry == nil || entry.Operation() != jetstream.KeyValuePut {
				continue
			}
			var c experiments.Context
			if json.Unmarshal(entry.Value(), &c) != nil {
				continue // of another version
			}
			open[c.ID] = c
		}
		again = nil
		if l.tellVerdicts(ctx, open); len(open) > 0 {
			again = time.After(verdictRetry)
		}
	}
}

// verdictRetry is after how long a verdict is told again that could not be told.
const verdictRetry = 5 * time.Second

// tellVerdicts tells those that are due, and leaves what could not be told.
func (l *Loop) tellVerdicts(ctx context.Context, open map[string]experiments.Context) {
	for name, c := range open {
		if verdict, due := c.Decided(); due {
			if err := l.operations.DecideExperiment(ctx, &verdict); err != nil {
				l.log.Warn("verdict not told", zap.String("experiment", name), zap.Error(err))
				continue
			}
			l.log.Info("experiment decided", zap.String("experiment", name), zap.String("recommendation", string(verdict.Recommendation)))
		}
		delete(open, name)
	}
}
