package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

// suspicious is the delivery from which on a message is tried alone: it was in
// flight twice when a process died.
const suspicious = 3

// strikes is how often a process may end while it tries a message alone, before
// the message is held to be the cause: one could be chance.
const strikes = 3

// Lease is how long a trial counts as going on without a word of whoever tries.
const Lease = 30 * time.Second

// Trials remembers across crashes which message is being tried alone, and by whom.
type Trials interface {
	// Begin notes that the message is about to be tried, for the delivery of this number, and returns how many
	// earlier trials of it ended with their process; ErrTried while one goes on. Who lost the answer begins the
	// same delivery again.
	Begin(ctx context.Context, seq, delivery uint64) (fatal int, err error)
	// Extend notes that the trial goes on.
	Extend(ctx context.Context, seq uint64) error
	// End notes that the process outlived the trial, whatever came of it.
	End(ctx context.Context, seq uint64) error
}

// ErrTried means that a trial of the message has not ended yet.
var ErrTried = errors.New("is being tried")

// isolate tries one message alone. If its earlier trials all ended with the
// process, the message ended it, and becomes a dead letter. Every return is an end
// of the trial that is no crash; a panic must not be one.
func (w worker) isolate(ctx context.Context, d bus.Delivery) error {
	var fatal int
	err := w.persist(ctx, "note a trial", func() (err error) {
		fatal, err = w.Trials.Begin(ctx, d.Seq, d.Tries)
		return err
	})
	switch {
	case errors.Is(err, ErrTried):
		return d.Nak(Lease)
	case err != nil:
		return fmt.Errorf("note trial of inbox message %d: %w", d.Seq, err)
	}
	w.extending(ctx, d.Seq)
	if fatal < strikes {
		err = w.take(ctx, []bus.Delivery{d})
	} else {
		err = w.bury(ctx, d)
	}
	return errors.Join(err, w.persist(ctx, "forget a trial", func() error {
		return w.Trials.End(context.WithoutCancel(ctx), d.Seq)
	}))
}

// persist notes something about a trial, however long that takes: a server that is slow to
// answer is no reason to end, least of all while messages come again and again because
// of it.
func (w worker) persist(ctx context.Context, what string, note func() error) error {
	tried := func(err error) bool { return errors.Is(err, ErrTried) }
	return pipeline.Retry(ctx, note, tried, func(err error) { w.Observe.Retried(what, err) })
}

// extending lets the trial go on for as long as the worker waits for the log.
func (w *worker) extending(ctx context.Context, seq uint64) {
	told := w.Observe.Retried
	w.Observe.Retried = func(what string, err error) {
		told(what, err)
		if err := w.Trials.Extend(ctx, seq); err != nil {
			told("extend a trial", err)
		}
	}
}

// bury writes a dead letter for a message that crashes the process.
func (w worker) bury(ctx context.Context, d bus.Delivery) error {
	from := origin{stage: stageName, sequence: d.Seq, payload: &payload{data: d.Data}}
	var out outcome
	if err := w.note(refuse(events.ReasonCrashed), from, events.Envelope{Received: d.Stored}, &out); err != nil {
		return err
	}
	if err := w.keep(ctx, out); err != nil {
		return err
	}
	return d.Ack()
}
