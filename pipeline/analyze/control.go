package analyze

import (
	"fmt"
	"iter"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"
)

// sweepSize is how many records are taken back between two flushes.
const sweepSize = 500

// sweeps reports whether a log entry may take many records back.
func (e *entry) sweeps() bool {
	if e.spec == nil {
		return false
	}
	switch e.spec.Name() {
	case events.ControlCleared.Kind, events.ControlExpired.Kind, events.ControlExperimentExpired.Kind, events.ControlForgotten.Kind,
		events.ControlPersonSummed.Kind:
		return true
	}
	return false
}

// sweep takes back every record a control fact names, some at a time: what a
// crash interrupts is taken up again, because the cursor stands before the fact
// until the fact itself is folded.
func (f *folder) sweep(e entry) error {
	if e.decode() != nil {
		return nil //nolint:nilerr // folding the entry writes the dead letter
	}
	p, rec := e.partition, e.rec
	err := f.Store.View(func(v *store.View) error {
		frozen := v.Partition(p)
		if e.Seq <= frozen.Cursor() {
			return nil
		}
		next, stop := iter.Pull(doomed(frozen, rec))
		defer stop()
		for n := sweepSize; n == sweepSize; {
			var err error
			if n, err = f.takeBack(p, next); err != nil {
				return err
			}
			f.took(rec, n)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("take back records for log entry %d: %w", e.Seq, err)
	}
	return nil
}

// takeBack takes back the next records, as many as go between two flushes.
func (f *folder) takeBack(p int, next func() (events.Recorded, bool)) (n int, err error) {
	b := f.Store.Begin()
	at := site{b.Partition(p), p, b}
	for ; n < sweepSize; n++ {
		rec, ok := next()
		if !ok {
			break
		}
		f.retract(at, rec)
		b.Purge(wasteOf(p, rec.Header()))
	}
	if err := b.Commit(); err != nil {
		return n, err
	}
	return n, f.flush()
}

// doomed yields the records that a control fact takes back, in the order of the log.
func doomed(p store.Frozen, fact events.Recorded) iter.Seq[events.Recorded] {
	s, ok := fact.Payload().(events.Sweeper)
	return func(yield func(events.Recorded) bool) {
		if !ok {
			return
		}
		for r := range p.InLogOrder(selects(s)) {
			if s.Takes(fact.Header(), r.Header()) && !yield(r) {
				return
			}
		}
	}
}

// selects narrows down what a control fact may take, as closely as the index can.
func selects(s events.Sweeper) learn.Select {
	switch c := s.(type) {
	case *events.DataCleared:
		sel := learn.Select{Kind: c.Kind, From: c.From, To: c.To}
		if len(c.Rules) == 1 {
			sel.Key = string(c.Rules[0])
		}
		return sel
	case *events.DataExpired:
		return learn.Select{Kind: c.Kind}
	case *events.ExperimentExpired:
		return learn.Select{Key: string(c.Experiment)}
	case *events.SubjectForgotten:
		return learn.Select{Person: c.Subject}
	case *events.PersonSummed:
		return learn.Select{Key: c.Of}
	}
	return learn.Select{}
}

// took counts what a control fact took; its parts, one per partition, are told
// together where they come together, and so are sums.
func (f *folder) took(rec events.Recorded, n int) {
	clear(f.told) // conclusions may be among them
	id := rec.Header().ID
	if _, sum := rec.Payload().(*events.PersonSummed); sum {
		id = "sums" // of however many people
	}
	if f.swept.ID != id {
		f.tell()
		f.swept = pipeline.Sweep{ID: id, Kind: rec.Header().Kind()}
		switch x := rec.Payload().(type) {
		case *events.DataExpired:
			f.swept.Before, f.swept.Limit = x.Before, x.Record != ""
		case *events.ExperimentExpired:
			f.swept.Before = x.Before
		}
	}
	f.swept.Count += n
}

// tell says what was taken since it was told last.
func (f *folder) tell() {
	if f.swept.Count > 0 {
		f.Observe.Swept(f.swept)
	}
	f.swept = pipeline.Sweep{}
}
