package effect

import (
	"context"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

// patience is how long an entry is waited for that may have been deleted meanwhile.
const patience = 2 * time.Second

// catchUp has the memory know everything about learnings that the log has now. It is
// called with mu held.
func (w *worker) catchUp(ctx context.Context) error {
	return w.insist(ctx, "read learnings", func() error {
		for {
			last, err := w.Learnings.Last(ctx)
			if err != nil {
				return fmt.Errorf("find the last learning: %w", err)
			}
			if w.seq >= last {
				return nil
			}
			if err := w.readOn(ctx); err != nil {
				return err
			}
		}
	})
}

// readOn takes in what there is.
func (w *worker) readOn(ctx context.Context) error {
	soon, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	batch, err := w.Learnings.Next(soon)
	if err != nil && soon.Err() != nil && ctx.Err() == nil {
		return nil // it is gone: ask again which is the last
	}
	if err != nil {
		return fmt.Errorf("read learnings: %w", err)
	}
	for _, e := range batch {
		w.seq = e.Seq
		if rec := read(e); rec != nil {
			w.memory.Take(rec)
		}
	}
	return nil
}

// read decodes a fact; what cannot be decoded is the analyzer's to tell.
func read(e bus.Entry) events.Recorded {
	_, kind, ok := pipeline.ParseLog(e.Subject)
	if !ok {
		return nil
	}
	spec, ok := events.Lookup(kind)
	if !ok {
		return nil
	}
	rec, err := spec.ReadFact(e.Data)
	if err != nil {
		return nil
	}
	rec.Header().Seq = e.Seq
	return rec
}
