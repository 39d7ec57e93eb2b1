package app

import (
	"maps"
	"sync"
	"time"

	"learnloop.dev/api"
)

// tally counts what ingest removed, by type. Safe for concurrent use.
type tally struct {
	since time.Time

	mu    sync.Mutex
	types map[string]uint64 // guarded by mu
}

func newTally(since time.Time) *tally { return &tally{since: since, types: map[string]uint64{}} }

func (t *tally) add(entity string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.types[entity] += uint64(max(n, 0))
}

// noteRemoved counts what ingest removed, for whoever watches and for the dashboard.
func (l *Loop) noteRemoved(entity string, n int) {
	l.metrics.removed.WithLabelValues(entity).Add(float64(n))
	l.tally.add(entity, n)
}

// removed is what was counted so far.
func (t *tally) removed() *api.Removed {
	t.mu.Lock()
	defer t.mu.Unlock()
	return &api.Removed{Since: t.since, Types: maps.Clone(t.types)}
}
