package analyze

import (
	"context"
	"fmt"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
	"golang.org/x/sync/semaphore"
)

// The ledger recognises an entry that ends the process, which no recover can
// catch. It stands in the store and is not synced: it has to survive the
// process, not the machine.
const ledgerMeta = "ledger"

// ledger is what the last life of the stage left behind.
type ledger struct {
	// Crashes in a row that happened near the same place.
	Crashes int `json:"crashes"`
	// At is the last log sequence folded when that life began.
	At uint64 `json:"at"`
	// Trying is the entry that was folded alone when it ended, for the Tries-th
	// life in a row.
	Trying uint64 `json:"trying,omitzero"`
	Tries  int    `json:"tries,omitzero"`
	// Clean is true when it ended in order.
	Clean bool `json:"clean,omitzero"`
}

// near is how many entries may have been folded and not flushed: crashes closer
// together than this have the same cause.
const near = 2 * flushEntries

// strikes is how many lives may end while the same entry is folded alone, before
// the entry is held to be the cause: one could be chance.
const strikes = 3

// begin opens the ledger and starts a life.
func begin(s Stage) (*run, error) {
	r := &run{folder: newFolder(s), room: semaphore.NewWeighted(aheadBytes), moved: map[int]bool{}, dirty: true,
		out: make(chan publication, 1), done: make(chan publication, 1),
		condemned: make(chan erasure, 1), erased: make(chan erasure, 1)}
	var last ledger
	data, err := s.Store.Meta(ledgerMeta)
	if err != nil {
		return nil, fmt.Errorf("read crash ledger: %w", err)
	}
	if data != nil {
		if err := json.Unmarshal(data, &last); err != nil {
			return nil, fmt.Errorf("read crash ledger: %w", err)
		}
	}
	for _, p := range s.Partitions { // the first refresh tells where all are
		r.moved[p] = true
	}
	r.folded = s.Store.Folded()
	next := ledger{At: r.folded}
	if data != nil && !last.Clean {
		next = r.suspect(last)
		if err := r.recall(); err != nil {
			return nil, err
		}
	}
	if err := r.note(next); err != nil {
		return nil, err
	}
	return r, s.Store.SetMeta(bootMeta, []byte(s.Boot))
}

// open makes out how far the log goes and what of the state has to be folded again.
func (r *run) open(ctx context.Context) error {
	if err := r.find(ctx); err != nil {
		return err
	}
	if err := r.catchUp(ctx); err != nil {
		return err
	}
	return r.arrive(ctx, false)
}

// bootMeta remembers since when the machine was up.
const bootMeta = "boot"

// recall has everything published again when the machine went down without notice:
// nobody waits until insights and contexts are on disk. What a crash of the process
// alone can take is published again in any case (see store).
func (r *run) recall() error {
	boot, err := r.Store.Meta(bootMeta)
	if err != nil || string(boot) == r.Boot {
		return err
	}
	for _, p := range r.Partitions {
		if err := r.Store.MarkAll(p); err != nil {
			return err
		}
	}
	return nil
}

// suspect decides how carefully to go on after a crash.
func (r *run) suspect(last ledger) ledger {
	next := ledger{Crashes: 1, At: r.folded}
	if r.folded-last.At < near {
		next.Crashes = last.Crashes + 1
	}
	if next.Crashes >= 2 {
		r.alone = near
		next.Trying, next.Tries = last.Trying, last.Tries
	}
	if next.Tries >= strikes {
		r.poison[next.Trying] = events.ReasonCrashed
	}
	return next
}

// note writes the ledger.
func (f *folder) note(l ledger) error {
	data, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("encode crash ledger: %w", err)
	}
	f.ledger = l
	return f.Store.SetMeta(ledgerMeta, data)
}

// rest ends a life in order.
func (r *run) rest() error {
	if err := r.flush(); err != nil {
		return err
	}
	return r.note(ledger{At: r.folded, Clean: true})
}

// careful folds a batch; after crashes near this place it folds one entry at a
// time and notes which one first.
func (r *run) careful(ctx context.Context, batch []entry) error {
	for len(batch) > 0 && r.alone > 0 {
		if err := r.suspectAlone(batch[0].Seq); err != nil {
			return err
		}
		if err := r.fold(ctx, batch[:1]); err != nil {
			return err
		}
		if err := r.flush(); err != nil { // the next life begins at the entry that ended this one
			return err
		}
		batch = batch[1:]
		r.alone--
	}
	if len(batch) == 0 {
		return nil
	}
	return r.fold(ctx, batch)
}

// suspectAlone notes that an entry is about to be folded alone; one that was folded
// before is only passed over.
func (r *run) suspectAlone(seq uint64) error {
	if seq <= r.folded {
		return nil
	}
	return r.tries(seq)
}

// suspectAgain notes that a record is about to be folded again alone. Those before the
// one that ended the last life did not end it.
func (r *run) suspectAgain(seq uint64) error {
	if trying := r.ledger.Trying; !r.past && trying != 0 && trying != seq && trying <= r.folded {
		return nil
	}
	r.past = true
	return r.tries(seq)
}

func (r *run) tries(seq uint64) error {
	l := r.ledger
	l.Tries++
	if l.Trying != seq {
		l.Trying, l.Tries = seq, 1
	}
	return r.note(l)
}
