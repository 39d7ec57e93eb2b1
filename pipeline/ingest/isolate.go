package ingest

import (
	"context"
	"fmt"

	"learnloop.dev/bus"
	"learnloop.dev/events"
)

// suspicious is the delivery from which on a message is tried alone: it was in
// flight twice when a process died.
const suspicious = 3

// strikes is how often a process may end while it tries a message alone, before
// the message is held to be the cause: one could be chance.
const strikes = 3

// Trials remembers across crashes which message is being tried alone.
type Trials interface {
	// Begin notes that the message is about to be tried and returns how many
	// earlier trials of it never ended.
	Begin(ctx context.Context, seq uint64) (unended int, err error)
	// End notes that the trial ended, however it ended.
	End(ctx context.Context, seq uint64) error
}

// isolate tries one message alone. If its earlier trials all ended with the
// process, the message ended it, and becomes a dead letter.
func (w worker) isolate(ctx context.Context, d bus.Delivery) error {
	unended, err := w.Trials.Begin(ctx, d.Seq)
	if err != nil {
		return fmt.Errorf("note trial of inbox message %d: %w", d.Seq, err)
	}
	if unended < strikes {
		err = w.take(ctx, []bus.Delivery{d})
	} else {
		err = w.bury(ctx, d)
	}
	if err != nil {
		return err
	}
	return w.Trials.End(ctx, d.Seq)
}

// bury writes a dead letter for a message that crashes the process.
func (w worker) bury(ctx context.Context, d bus.Delivery) error {
	from := origin{stage: stageName, sequence: d.Seq, payload: d.Data}
	var out outcome
	if err := w.note(refuse(events.ReasonCrashed), from, events.Envelope{Received: d.Stored}, &out); err != nil {
		return err
	}
	if err := w.keep(ctx, out); err != nil {
		return err
	}
	return d.Ack()
}
