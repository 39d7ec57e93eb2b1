package app

import (
	"context"
	"fmt"
	"strings"

	"learnloop.dev/learn"
	"learnloop.dev/learn/settings"

	"github.com/nats-io/nats.go/jetstream"
)

// followSettings applies settings that change while the loop runs: the next
// event meets the new ones.
func (l *Loop) followSettings(ctx context.Context, up func()) error {
	bucket, err := l.js.KeyValue(ctx, learn.Settings)
	if err != nil {
		return fmt.Errorf("open bucket %s: %w", learn.Settings, err)
	}
	watcher, err := bucket.WatchFiltered(ctx, append(groups(), everyChoice),
		jetstream.ResumeFromRevision(l.bucketAt+1))
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
