// Package analyze is the second stage: it folds the log into rows, batch by
// batch, and publishes what it now knows.
package analyze

import (
	"context"
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// Log is read in order, without gaps, from wherever the reader left off.
type Log interface {
	Next(ctx context.Context) ([]bus.Entry, error)
}

// Sender stores messages one by one and returns their sequences; a message may
// expect the last sequence of its subject or of another one.
type Sender interface {
	Send(ctx context.Context, msgs []bus.Message) (seqs []uint64, err error)
}

// Told finds the last insight of every subject that matches.
type Told interface {
	PerSubject(ctx context.Context, since uint64, subjects ...string) ([]bus.Entry, error)
}

// Appender appends messages; what was appended before an error stays.
type Appender interface {
	Append(ctx context.Context, msgs []bus.Message) (last uint64, err error)
}

// DeadLetters keeps what could not be folded.
type DeadLetters interface {
	Put(ctx context.Context, letters []bus.Letter) (seqs []uint64, err error)
}

// Eraser deletes entries of the log for good.
type Eraser interface {
	DeleteMsgs(ctx context.Context, seqs []uint64) error
	// DeleteUpTo deletes all entries of a subject up to a sequence.
	DeleteUpTo(ctx context.Context, subject string, seq uint64) error
}

// Stage folds every partition it is given. One goroutine owns the store.
type Stage struct {
	Models   []learn.Model
	Store    *store.Store
	Log      Log
	Insights Sender
	Told     Told // nil: unknown, everything is told
	Dead     DeadLetters
	Eraser   Eraser
	Fences   Fences
	// Facts appends derived facts to the log; Address finds their partition.
	Facts   Appender
	Address func(learn.Derived) (partition int, rec events.Recorded, err error)
	Observe pipeline.Observer
	Replays *Replays
	Owner   string // names this process in markers
	Boot    string // names the time since which the machine is up
	// Partitions are those that the stage folds.
	Partitions []int
	// End finds the last entry of the log about them, 0 where there is none.
	End func(context.Context) (uint64, error)
	// Current is called once the log is folded as far as it goes: only then is what the
	// stage knows whole.
	Current func()
	// Now is the clock of the operator, for measuring; folds never see it.
	Now func() time.Time
}

const stageName = pipeline.AnalyzeStage

// Pace of refreshing what is known: at once when idle, else not more often than
// refresh, and such that finding out what is known takes at most a fifth of the
// time. Waiting for the disk does not count: folding goes on meanwhile. The more
// comes in, the more of it one refresh serves.
const (
	refresh    = 15 * time.Millisecond
	share      = 4                      // waits this many times the cost of the last refresh
	putOff     = 400 * time.Microsecond // longer for each entry since: 25 ms at 1000 a second, refreshMax from 2400 on
	refreshMax = 250 * time.Millisecond // but no longer
)

// How much is read and decoded while others fold or write: so much that neither waits
// for the other. Batches are small where entries are large or rare.
const (
	aheadBytes   = 4 << 20
	aheadBatches = 64
)

// Run works until the context ends; what is folded by then is published.
func (s Stage) Run(ctx context.Context) error {
	s.Observe = s.Observe.EnsureDefaults()
	run, err := begin(s)
	if err != nil {
		return err
	}
	if err := run.open(ctx); err != nil && ctx.Err() != nil {
		return run.rest() // the stage was asked to stop
	} else if err != nil {
		return err
	}
	batches := make(chan []entry, aheadBatches)
	asked := ctx
	g, ctx := errgroup.WithContext(ctx)
	ahead := run.alone == 0
	g.Go(func() error { return run.read(ctx, batches, ahead) })
	g.Go(func() error { return run.publisher(ctx) })
	g.Go(func() error { return run.eraser(ctx) })
	g.Go(func() error { return run.loop(ctx, batches) })
	if err := g.Wait(); err != nil && asked.Err() == nil {
		return err
	}
	return run.rest()
}

// read hands batches over until the context ends.
func (r *run) read(ctx context.Context, out chan<- []entry, ahead bool) error {
	defer close(out)
	for {
		batch, err := r.Log.Next(ctx)
		if ctx.Err() != nil {
			return nil // the stage was asked to stop
		}
		if err != nil {
			return fmt.Errorf("read log: %w", err)
		}
		heard := hear(batch, ahead)
		if r.room.Acquire(ctx, weightOf(heard)) != nil {
			return nil
		}
		select {
		case out <- heard:
		case <-ctx.Done():
			return nil
		}
	}
}

// weightOf is what a batch takes of what may be read ahead: one that is larger waits
// until there is nothing else.
func weightOf(batch []entry) int64 {
	size := 0
	for _, e := range batch {
		size += len(e.Data)
	}
	return int64(min(size, aheadBytes))
}

// run is one life of the stage.
type run struct {
	*folder
	room      *semaphore.Weighted // for what is read ahead, in bytes
	moved     map[int]bool        // partitions whose cursor moved since their last marker
	dirty     bool                // something was folded since the last refresh
	refreshed time.Time           // when the last refresh began
	since     int                 // entries folded since then
	cost      time.Duration       // what finding out took then
	under     bool                // a publication is under way
	claimed   bool                // the fences are ours
	current   bool                // and the log is folded as far as the owner before us can have
	out       chan publication    // to the publisher
	done      chan publication    // and back
	past      bool                // records are folded again behind the one that ended the last life
	erasing   bool                // log entries are being deleted
	condemned chan erasure        // to the eraser
	erased    chan erasure        // and back
}

// loop folds what arrives, and refreshes what is known when it is time and the
// last refresh is published.
func (r *run) loop(ctx context.Context, batches <-chan []entry) error {
	for {
		due, late, quiet := r.alarms(len(batches))
		select {
		case <-late:
			if err := r.rinse(); err != nil {
				return err
			}
		case batch, open := <-batches:
			if !open {
				return nil
			}
			r.room.Release(weightOf(batch))
			if err := r.take(ctx, r.join(batch, batches)); err != nil {
				return err
			}
		case <-quiet:
			if err := r.look(ctx); err != nil {
				return err
			}
		case <-due:
			if err := r.refresh(); err != nil {
				return err
			}
		case p := <-r.done:
			if err := r.settled(ctx, p); err != nil {
				return err
			}
		case e := <-r.erased:
			if err := r.gone(e); err != nil {
				return err
			}
		}
	}
}

// alarms say when it is time to refresh, to write what is folded to disk, and to look
// where the log ends; nil when it is not going to be.
func (r *run) alarms(waiting int) (due, late, quiet <-chan time.Time) {
	if !r.current {
		return nil, nil, time.After(lookAgain)
	}
	if r.dirty && !r.under {
		due = time.After(r.wait(waiting))
	}
	if r.loose.entries > 0 {
		late = time.After(flushDelay - r.Now().Sub(r.loose.since))
	}
	return due, late, nil
}

// join takes in what else has been read: many are folded together for less.
func (r *run) join(batch []entry, batches <-chan []entry) []entry {
	for len(batch) < most {
		select {
		case next := <-batches: // nothing once it is closed
			if next == nil {
				return batch
			}
			r.room.Release(weightOf(next))
			batch = append(batch, next...)
		default:
			return batch
		}
	}
	return batch
}

// wait is how long the next refresh is put off.
func (r *run) wait(waiting int) time.Duration {
	pause := max(refresh+min(time.Duration(r.since)*putOff, refreshMax-refresh), share*r.cost)
	if since := r.Now().Sub(r.refreshed); since < pause {
		return pause - since
	}
	if waiting > 0 {
		return time.Millisecond // fold what is already here first
	}
	return 0
}

// take folds one batch and says so.
func (r *run) take(ctx context.Context, batch []entry) error {
	start := r.Now()
	if err := r.careful(ctx, batch); err != nil {
		return err
	}
	r.dirty = true
	r.since += len(batch)
	for _, e := range batch {
		if e.spec != nil {
			r.moved[e.partition] = true
		}
	}
	last := batch[len(batch)-1]
	r.folded = last.Seq
	if err := r.arrive(ctx, last.Pending == 0); err != nil {
		return err
	}
	r.Observe.Folded(len(batch), last.Seq, last.Pending, r.Now().Sub(start))
	return nil
}
