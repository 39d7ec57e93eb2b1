package analyze

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"

	"golang.org/x/sync/errgroup"
)

// rebuildSize is how many records are folded again in one batch.
const rebuildSize = 1000

// rebuild folds the records again for the late models. What is interrupted starts
// over: the versions are noted last.
func (r *run) rebuild(ctx context.Context) error {
	if len(r.late) == 0 {
		return nil
	}
	if err := r.wipe(); err != nil {
		return err
	}
	again := make(chan pile, 1)
	g, inner := errgroup.WithContext(ctx)
	g.Go(func() error { return r.recollect(inner, again) })
	g.Go(func() error { return r.refold(inner, again) })
	if err := g.Wait(); ctx.Err() != nil {
		return nil //nolint:nilerr // the stage was asked to stop
	} else if err != nil {
		return fmt.Errorf("fold records again: %w", err)
	}
	return r.rebuilt()
}

// pile is some records of a partition, in the order of the log.
type pile struct {
	partition int
	records   []events.Recorded
}

// recollect hands over all records, partition by partition. Decoding them takes about
// as long as folding them does.
func (f *folder) recollect(ctx context.Context, out chan<- pile) error {
	defer close(out)
	for _, p := range f.Partitions {
		err := f.Store.View(func(v *store.View) error {
			for some := range chunks(v.Partition(p).Oldest(""), rebuildSize) {
				select {
				case out <- pile{p, some}:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// chunks gathers what a sequence yields, so many at a time.
func chunks[T any](all iter.Seq[T], size int) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		var some []T
		for v := range all {
			if some = append(some, v); len(some) < size {
				continue
			}
			if !yield(some) {
				return
			}
			some = nil
		}
		if len(some) > 0 {
			yield(some)
		}
	}
}

// refold folds what it is handed, after crashes one by one.
func (r *run) refold(ctx context.Context, again <-chan pile) error {
	for s := range again {
		if r.alone == 0 {
			if err := r.again(ctx, s); err != nil {
				return err
			}
			continue
		}
		for i, rec := range s.records {
			if err := r.suspectAgain(rec.Header().Seq); err != nil {
				return err
			}
			if err := r.again(ctx, pile{s.partition, s.records[i : i+1]}); err != nil {
				return err
			}
		}
	}
	return nil
}

// again folds records for the late models. One that makes a fold panic becomes a dead
// letter, as if it had done so when the log brought it.
func (f *folder) again(ctx context.Context, s pile) error {
	for {
		err := f.tryAgain(ctx, s)
		var bad *poisonError
		switch {
		case errors.As(err, &bad):
			f.poison[bad.seq] = bad.reason
		case err != nil:
			return err
		default:
			return f.gatherAgain(len(s.records))
		}
	}
}

// gatherAgain writes what was folded to disk when it is much.
func (f *folder) gatherAgain(n int) error {
	if f.loose.entries += n; f.loose.entries < flushEntries && !f.Store.Heavy() {
		return nil
	}
	return f.flush()
}

func (f *folder) tryAgain(ctx context.Context, s pile) error {
	b := f.Store.Begin()
	defer b.Discard()
	at := site{b.Partition(s.partition), s.partition, b}
	var letters []pipeline.Letter
	for _, rec := range s.records {
		reason, skip := f.poison[rec.Header().Seq]
		if !skip {
			if err := f.applyLate(at, rec); err != nil {
				return err
			}
			continue
		}
		letter, err := f.spit(at, rec, reason)
		if err != nil {
			return err
		}
		letters = append(letters, letter)
	}
	if err := f.bury(ctx, letters); err != nil {
		return err
	}
	return b.Commit()
}

// applyLate folds a record for the late models; a panic names it and nothing else.
func (f *folder) applyLate(at site, rec events.Recorded) (err error) {
	defer func() {
		if recover() != nil {
			err = &poisonError{rec.Header().Seq, events.ReasonCrashed}
		}
	}()
	for _, m := range f.late {
		m.Apply(at.Partition, rec)
	}
	return nil
}

// spit takes a record out that cannot be folded, and writes down which one it was.
func (f *folder) spit(at site, rec events.Recorded, reason events.Reason) (pipeline.Letter, error) {
	data, err := events.Encode(rec)
	if err != nil {
		return pipeline.Letter{}, errors.New("encode a record that cannot be folded") // the error itself may quote the payload
	}
	f.retract(at, rec)
	h := rec.Header()
	return *letterOf(&entry{Entry: bus.Entry{Seq: h.Seq, Subject: pipeline.LogSubject(at.number, h.Kind()), Data: data}}, reason), nil
}
