package app

import (
	"context"
	"fmt"

	"learnloop.dev/learn"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// followSettings applies settings that change while the loop runs: the next
// event meets the new ones.
func (l *Loop) followSettings(ctx context.Context, up func()) error {
	bucket, err := l.js.KeyValue(ctx, learn.Settings)
	if err != nil {
		return fmt.Errorf("open bucket %s: %w", learn.Settings, err)
	}
	watcher, err := bucket.WatchFiltered(ctx, groups(),
		jetstream.ResumeFromRevision(l.settings.revision+1))
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
			if entry != nil && entry.Operation() == jetstream.KeyValuePut {
				l.apply(entry.Key(), entry.Value())
			}
		}
	}
}

// apply makes one group of settings the policy. Settings that cannot be read
// change nothing.
func (l *Loop) apply(name string, value []byte) {
	now, err := l.settings.with(name, value)
	if err != nil {
		l.log.Error("settings not applied", zap.String("group", name), zap.Error(err))
		return
	}
	l.settings = now
	l.policy.Store(now.policy())
	l.log.Info("settings applied", zap.String("group", name))
}
