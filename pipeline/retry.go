package pipeline

import (
	"context"
	"fmt"
	"time"
)

// Waits between attempts: doubling, bounded, until the context ends.
const (
	firstWait = 20 * time.Millisecond
	lastWait  = 5 * time.Second
)

// Retry calls do until it succeeds, ends with the context's error, or meets an
// error that final calls final. Each failure is told to seen first.
func Retry(ctx context.Context, do func() error, final func(error) bool, seen func(error)) error {
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		err := do()
		if err == nil || final(err) {
			return err
		}
		if ctx.Err() != nil {
			return fmt.Errorf("give up: %w", context.Cause(ctx))
		}
		seen(err)
		t := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			t.Stop()
			return fmt.Errorf("give up after %w: %w", err, context.Cause(ctx))
		case <-t.C:
		}
	}
}

// Never is the final of an operation that is worth repeating whatever happens.
func Never(error) bool { return false }
