package analyze

import (
	"context"
	"fmt"

	"learnloop.dev/pipeline"
)

// eraseAtOnce is how many log entries are deleted between two looks at the queue.
// Each is overwritten on disk, a third of a millisecond apart.
const eraseAtOnce = 250

// erase hands log entries that count no more to the eraser, unless it is busy. What
// was not written to disk yet waits: nothing is flushed for it.
func (r *run) erase() error {
	if r.erasing || r.loose.entries > 0 {
		return nil
	}
	seqs, err := r.Store.PurgeQueue(eraseAtOnce)
	if err != nil || len(seqs) == 0 {
		return err
	}
	r.erasing = true
	r.condemned <- seqs // the eraser is idle
	return nil
}

// gone notes that log entries are deleted, and goes on with the next ones.
func (r *run) gone(seqs []uint64) error {
	r.erasing = false
	if err := r.Store.Purged(seqs); err != nil {
		return err
	}
	r.Observe.Deleted(len(seqs))
	return r.erase()
}

// rinse writes what is pending to disk, and has deleted what counts no more since.
func (r *run) rinse() error {
	if err := r.flush(); err != nil {
		return err
	}
	return r.erase()
}

// eraser deletes what it is handed.
func (r *run) eraser(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case seqs := <-r.condemned:
			err := pipeline.Retry(ctx, func() error { return r.Eraser.DeleteMsgs(ctx, seqs) },
				pipeline.Never, func(err error) { r.Observe.Retried("delete log entries", err) })
			if ctx.Err() != nil {
				return nil //nolint:nilerr // the stage was asked to stop
			}
			if err != nil {
				return fmt.Errorf("delete %d log entries: %w", len(seqs), err)
			}
			r.erased <- seqs // there is room for one
		}
	}
}
