package effect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn/extract"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// source names the loop as the producer of what it concludes.
const source = "/learnloop"

// discovery is one that is being worked on.
type discovery struct {
	bus.Delivery
	fact *events.Fact[events.Discovery]
}

// attempt works on a delivery, and returns after which time it is to come again, 0
// when it is done with. An error ends the stage.
func (w *worker) attempt(ctx context.Context, d bus.Delivery) (later time.Duration, err error) {
	rec, err := events.DiscoveryObserved.ReadFact(d.Data)
	if err != nil {
		return 0, nil //nolint:nilerr // the analyzer writes the dead letter
	}
	found := discovery{d, rec.(*events.Fact[events.Discovery])}
	if why := extract.Skip(&found.fact.Data); why != "" {
		w.Observe.Declined(stageName, why)
		return 0, nil
	}
	if d.Tries > fatal {
		return 0, w.bury(ctx, found, events.Refusal{Reason: events.ReasonCrashed})
	}
	if err := pause(ctx, d.Stored.Add(grace).Sub(w.Now())); err != nil {
		return 0, err
	}
	return w.extract(ctx, found)
}

// pause waits for a while, if it is one.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func (w *worker) extract(ctx context.Context, d discovery) (later time.Duration, err error) {
	if known, err := w.known(ctx, d); err != nil || known {
		return 0, err
	}
	draft, by, err := w.draft(ctx, d)
	if err == nil {
		err = w.settle(ctx, d, draft.Learning(d.fact, by))
	}
	if err == nil || ctx.Err() != nil {
		return 0, err
	}
	return w.fail(ctx, d, err)
}

// known reports whether a discovery has its learning already.
func (w *worker) known(ctx context.Context, d discovery) (known bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.catchUp(ctx); err != nil {
		return false, err
	}
	if known = w.memory.Knows(d.fact); known {
		w.Observe.Declined(stageName, "known")
	}
	return known, nil
}

// draft asks the extractor. A panic says no more than that: its value may hold text.
func (w *worker) draft(ctx context.Context, d discovery) (draft extract.Draft, by string, err error) {
	defer func() {
		if recover() != nil {
			err = &RefusedError{events.Refusal{Reason: events.ReasonCrashed}}
		}
	}()
	return w.Extractor.Extract(ctx, &d.fact.Data)
}

// settle compares a learning with those that are known and tells what follows. One
// discovery after the other: two that say the same must not both be new.
func (w *worker) settle(ctx context.Context, d discovery, l *events.Learning) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.catchUp(ctx); err != nil {
		return err
	}
	if err := w.overtake(ctx); err != nil {
		return err
	}
	if w.memory.Knows(d.fact) {
		w.Observe.Declined(stageName, "known")
		return nil
	}
	var there bool
	err := w.insist(ctx, "look for a discovery", func() (err error) {
		there, err = w.There(ctx, d.Seq)
		return err
	})
	if err != nil {
		return err
	}
	if !there {
		w.Observe.Declined(stageName, "cleared")
		return nil
	}
	list, verdict := w.memory.Conclude(d.fact, l)
	if len(list) == 0 {
		w.Observe.Declined(stageName, outcomes[verdict.Finding])
		return nil
	}
	return w.tell(ctx, d.fact.Head, list)
}

// overtake gives way to what others wrote about discoveries that the stage had
// extracted already. It is called with mu held.
func (w *worker) overtake(ctx context.Context) error {
	list := w.memory.Overtaken()
	if len(list) == 0 {
		return nil
	}
	return w.tell(ctx, events.Head{}, list)
}

// outcomes are why nothing is told of a finding.
var outcomes = map[extract.Finding]string{extract.Undecided: "proposed", extract.Unwanted: "rejected"}

// tell hands over what follows from a fact, and remembers it as if it were in the log.
func (w *worker) tell(ctx context.Context, cause events.Head, list []extract.Conclusion) error {
	batch := make([]events.Envelope, len(list))
	for i, c := range list {
		data, err := json.Marshal(c.Payload, json.Deterministic(true))
		if err != nil {
			return fmt.Errorf("encode %s: %w", c.Kind, err)
		}
		batch[i] = events.Envelope{ID: c.ID, Source: source, Kind: c.Kind, Time: c.At, Received: w.Now(), Data: data,
			Extensions: extensions(cause)}
	}
	err := w.insist(ctx, "hand over what was concluded", func() error { return w.Hand(ctx, batch) })
	if err != nil {
		return err
	}
	for i, c := range list {
		spec, _ := events.Lookup(c.Kind)
		w.memory.Take(spec.Fact(events.Head{ID: c.ID, Source: source, Type: c.Kind.Type(), Time: c.At,
			Recorded: batch[i].Received, Group: events.Learnings, Cause: cause.Record}, c.Payload))
	}
	return nil
}

// extensions say what an event follows from.
func extensions(cause events.Head) map[string]string {
	all := map[string]string{}
	if cause.Record != "" {
		all[events.ExtCause] = cause.Record
	}
	if cause.Trace != "" {
		all[events.ExtTrace] = cause.Trace
	}
	return all
}

// insist repeats what fails until it succeeds, is refused, or the stage stops.
func (w *worker) insist(ctx context.Context, what string, do func() error) error {
	return pipeline.Retry(ctx, do, refused, func(err error) { w.Observe.Retried(what, err) })
}

func refused(err error) bool {
	_, is := errors.AsType[*RefusedError](err)
	return is
}
