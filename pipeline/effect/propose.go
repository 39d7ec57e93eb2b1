package effect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/extract"
)

// When it is looked for what keeps coming back: not while the loop starts, and then
// now and then.
const (
	firstLook = time.Minute
	lookEvery = time.Hour
)

// propose asks people about what keeps coming back.
func (w *worker) propose(ctx context.Context) error {
	for wait := firstLook; ; wait = lookEvery {
		if err := pause(ctx, wait); err != nil {
			return nil //nolint:nilerr // the stage was asked to stop
		}
		if err := w.look(ctx); err != nil && ctx.Err() == nil {
			return fmt.Errorf("propose what keeps coming back: %w", err)
		}
	}
}

// look proposes what nobody has been asked about.
func (w *worker) look(ctx context.Context) error {
	var all []extract.Recurrence
	err := w.insist(ctx, "look for what keeps coming back", func() (err error) {
		all, err = w.Recurring(ctx)
		return err
	})
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.catchUp(ctx); err != nil {
		return err
	}
	if err := w.overtake(ctx); err != nil {
		return err
	}
	for _, c := range w.memory.Propose(all) {
		err := w.tell(ctx, events.Head{}, []extract.Conclusion{c})
		if r, is := errors.AsType[*RefusedError](err); is {
			w.Observe.Refused(stageName, r.Refusal.Reason) // the door has written its dead letter
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}
