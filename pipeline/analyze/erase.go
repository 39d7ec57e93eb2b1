package analyze

import (
	"context"
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"
)

const (
	// oneByOne is how many log entries are deleted singly between two looks at the
	// queue. Each waits for the disk, a third of a millisecond apart.
	oneByOne = 250
	// looked is how many entries of the queue are looked at, for those that go together.
	looked = 8192
	// together is how many make it worth while to find out what may go with them.
	together = 32
)

// wasteOf is a log entry that counts no more.
func wasteOf(partition int, h *events.Head) store.Waste {
	return store.Waste{Seq: h.Seq, Partition: partition, Kind: h.Kind()}
}

// shelf is where entries of one kind stand in the log: on one subject.
type shelf struct {
	partition int
	kind      events.Kind
}

func (s shelf) subject() string { return pipeline.LogSubject(s.partition, s.kind) }

// erasure is what is deleted at a time.
type erasure struct {
	upTo    map[shelf]uint64 // all of these, up to a sequence
	singles []uint64
	entries []store.Waste // that are gone then
}

// plan finds out how entries of the queue are deleted with the fewest requests. Where
// nothing that counts stands before some of them, at least so many, the log is cut off
// there: one request, and one write to disk, for all.
func plan(v *store.View, queue []store.Waste, least int) (e erasure) {
	e.upTo = map[shelf]uint64{}
	shelves := map[shelf][]store.Waste{}
	for _, w := range queue {
		at := shelf{w.Partition, w.Kind}
		shelves[at] = append(shelves[at], w)
	}
	for at, list := range shelves {
		if len(list) < least || at.kind == "" {
			continue
		}
		front := frontOf(v, at)
		n := 0
		for n < len(list) && list[n].Seq < front {
			n++
		}
		if n >= least {
			e.upTo[at] = list[n-1].Seq
		}
	}
	for _, w := range queue {
		switch cut, ok := e.upTo[shelf{w.Partition, w.Kind}]; {
		case ok && w.Seq <= cut:
			e.entries = append(e.entries, w)
		case len(e.singles) < oneByOne:
			e.singles, e.entries = append(e.singles, w.Seq), append(e.entries, w)
		}
	}
	return e
}

// frontOf is the sequence of the first entry of a kind that counts in a partition:
// none before it does.
func frontOf(v *store.View, at shelf) uint64 {
	p := v.Partition(at.partition)
	if p.Count(at.kind) > 0 {
		for rec := range p.Oldest(at.kind) {
			return rec.Header().Seq
		}
	}
	return p.Cursor() + 1
}

// erase hands log entries that count no more to the eraser, unless it is busy. What
// was not written to disk yet waits: nothing is flushed for it.
func (r *run) erase() error {
	if r.erasing || r.loose.entries > 0 {
		return nil
	}
	queue, err := r.Store.PurgeQueue(looked)
	if err != nil || len(queue) == 0 {
		return err
	}
	var next erasure
	err = r.Store.View(func(v *store.View) error { next = plan(v, queue, together); return nil })
	if err != nil {
		return fmt.Errorf("find out what leaves the log: %w", err)
	}
	r.erasing = true
	r.condemned <- next // the eraser is idle
	return nil
}

// gone notes that log entries are deleted, and goes on with the next ones.
func (r *run) gone(e erasure) error {
	r.erasing = false
	if err := r.Store.Purged(e.entries); err != nil {
		return err
	}
	r.Observe.Deleted(len(e.entries))
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
		case e := <-r.condemned:
			err := pipeline.Retry(ctx, func() error { return e.carryOut(ctx, r.Eraser) },
				pipeline.Never, func(err error) { r.Observe.Retried("delete log entries", err) })
			if ctx.Err() != nil {
				return nil //nolint:nilerr // the stage was asked to stop
			}
			if err != nil {
				return fmt.Errorf("delete %d log entries: %w", len(e.entries), err)
			}
			r.erased <- e // there is room for one
		}
	}
}

// carryOut deletes; doing it again changes nothing.
func (e erasure) carryOut(ctx context.Context, eraser Eraser) error {
	for at, seq := range e.upTo {
		if err := eraser.DeleteUpTo(ctx, at.subject(), seq); err != nil {
			return err
		}
	}
	if len(e.singles) == 0 {
		return nil
	}
	return eraser.DeleteMsgs(ctx, e.singles)
}
