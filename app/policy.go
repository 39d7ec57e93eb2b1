package app

import (
	"context"
	"fmt"
	"strings"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/settings"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/ingest"

	"github.com/nats-io/nats.go/jetstream"
)

// followChanges applies changes of settings in the order in which they count, whoever
// made them. The bucket is no authority for who takes events in: it is behind the log.
func (l *Loop) followChanges(ctx context.Context) error {
	log := bus.ReadLog(l.js, bus.EventsStream, 1, pipeline.LogSubject(0, events.ControlSettings.Kind))
	defer log.Close()
	latest := map[string]ingest.Change{} // not applied before it is known what came after it
	for {
		entries, err := log.Next(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read changes of settings: %w", err)
		}
		for _, e := range entries {
			c, ok := changeOf(e)
			if last, known := latest[c.Key]; ok && (!known || !c.At.Before(last.At)) {
				latest[c.Key] = c
			}
		}
		if entries[len(entries)-1].Pending > 0 {
			continue
		}
		for _, c := range latest {
			l.authority.know(c)
		}
		clear(latest)
	}
}

// changeOf reads a change of settings; one of another version changes nothing.
func changeOf(e bus.Entry) (c ingest.Change, ok bool) {
	rec, err := events.ControlSettings.ReadFact(e.Data)
	if err != nil {
		return c, false
	}
	set := rec.Payload().(*events.SettingsChanged)
	return ingest.Change{Key: set.Key, Value: set.Value, At: rec.Header().Time, Received: rec.Header().Recorded}, true
}

// followSettings applies settings that change while the loop runs: the next
// event meets the new ones.
func (l *Loop) followSettings(ctx context.Context, up func()) error {
	bucket, err := l.js.KeyValue(ctx, learn.Settings)
	if err != nil {
		return fmt.Errorf("open bucket %s: %w", learn.Settings, err)
	}
	watcher, err := watch(ctx, func(ctx context.Context) (jetstream.KeyWatcher, error) {
		return bucket.WatchFiltered(ctx, append(groups(), everyChoice), jetstream.ResumeFromRevision(l.bucketAt+1))
	})
	if err != nil {
		return fmt.Errorf("watch settings: %w", err)
	}
	defer func() { _ = watcher.Stop() }() // ends with the connection anyway
	up()
	for {
		select {
		case <-ctx.Done():
			return nil
		case entry, open := <-watcher.Updates():
			if !open {
				return nil
			}
			switch {
			case entry == nil:
			case entry.Operation() == jetstream.KeyValuePut:
				l.authority.see(entry.Key(), entry.Value())
			case strings.HasPrefix(entry.Key(), settings.Person+"."):
				l.authority.see(entry.Key(), []byte("null"))
			}
		}
	}
}
