package ingest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

// Graveyard is read in order, without gaps: the tombstones in the log.
type Graveyard interface {
	Next(ctx context.Context) ([]bus.Entry, error)
}

// TombstoneSubject is where one partition, and so each, hears of forgotten people.
func TombstoneSubject() string { return pipeline.LogSubject(0, events.ControlForgotten.Kind) }

// Tombstones knows who was forgotten. It is safe for concurrent use.
type Tombstones struct {
	mu     sync.RWMutex
	before map[string]time.Time // guarded by mu; cut-offs by blind index
}

// NewTombstones knows nobody yet.
func NewTombstones() *Tombstones { return &Tombstones{before: map[string]time.Time{}} }

// Before is the cut-off of a person: what is older has no effect. Zero for most.
func (t *Tombstones) Before(person string) time.Time {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.before[person]
}

// Follow takes tombstones in until the context ends.
func (t *Tombstones) Follow(ctx context.Context, log Graveyard) error {
	for {
		entries, err := log.Next(ctx)
		if err != nil {
			return stopped(ctx, fmt.Errorf("read tombstones: %w", err))
		}
		for _, e := range entries {
			if fact, err := events.ControlForgotten.ReadFact(e.Data); err == nil { // else the analyzer buries it
				t.add(fact.Payload().(*events.SubjectForgotten))
			}
		}
	}
}

func (t *Tombstones) add(f *events.SubjectForgotten) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f.Before.After(t.before[f.Subject]) {
		t.before[f.Subject] = f.Before
	}
}
