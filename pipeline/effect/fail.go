package effect

import (
	"context"
	"errors"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

// Bounds of trying. A provider that is away for an hour loses nothing.
const (
	attempts   = 12 // failures, counted by deliveries
	fatal      = 3 * attempts
	firstLater = 2 * time.Second // doubles
	lastLater  = 10 * time.Minute
)

// FailedError is why a discovery was not extracted.
type FailedError struct {
	// Expected says what should have come, in words of our own.
	Expected string
	// Most is how many deliveries are worth trying; 0 is as many as the stage tries.
	Most uint64
	// After is when to try again; 0 leaves that to the stage.
	After time.Duration
	Err   error // never quotes a text
}

// Error is what happened.
func (f *FailedError) Error() string { return f.Err.Error() }

// Unwrap is what happened.
func (f *FailedError) Unwrap() error { return f.Err }

// fail decides what becomes of a discovery that was not extracted.
func (w *worker) fail(ctx context.Context, d discovery, err error) (later time.Duration, _ error) {
	if r, is := errors.AsType[*RefusedError](err); is {
		return 0, w.bury(ctx, d, r.Refusal)
	}
	f, is := errors.AsType[*FailedError](err)
	if !is {
		f = &FailedError{Expected: "a learning", Err: err}
	}
	if d.Tries >= attempts || f.Most > 0 && d.Tries >= f.Most {
		return 0, w.bury(ctx, d, events.Refusal{Reason: events.ReasonGaveUp,
			Violations: []events.Violation{{Pointer: "/content", Expected: f.Expected}}})
	}
	w.Observe.Retried("extract a learning", err)
	return max(f.After, min(firstLater<<min(d.Tries-1, 20), lastLater)), nil
}

// bury writes the dead letter of a discovery.
func (w *worker) bury(ctx context.Context, d discovery, r events.Refusal) error {
	w.Observe.Refused(stageName, r.Reason)
	l := pipeline.Letter{Stage: stageName, Reason: r.Reason, At: w.Now().UTC(), Kind: events.DiscoveryObserved.Kind,
		Size: len(d.Data), SHA256: pipeline.Digest(d.Data), Violations: r.Violations, Sequence: d.Seq}
	data, err := l.Encode()
	if err != nil {
		return err
	}
	letter := bus.Letter{Stage: l.Stage, Reason: string(l.Reason), Cause: l.Cause(), Data: data}
	return w.insist(ctx, "write dead letters", func() error {
		_, err := w.Dead.Put(ctx, []bus.Letter{letter})
		return err
	})
}
