package analyze

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// sweepSize is how many records are taken back between two flushes.
const sweepSize = 500

// sweeps reports whether a log entry may take many records back.
func (e *entry) sweeps() bool {
	return e.spec != nil && (e.spec.Name() == events.ControlCleared.Kind || e.spec.Name() == events.ControlExpired.Kind)
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
		if _, again := frozen.Record(rec.Header().Record); again || e.Seq <= frozen.Cursor() {
			return nil
		}
		next, stop := iter.Pull(doomed(frozen, rec))
		defer stop()
		for n := sweepSize; n == sweepSize; {
			var err error
			if n, err = f.takeBack(p, next); err != nil {
				return err
			}
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
		b.Purge(rec.Header().Seq)
	}
	if err := b.Commit(); err != nil {
		return n, err
	}
	return n, f.flush()
}

// doomed yields the records that a control fact takes back; control facts never do
// take back each other.
func doomed(p store.Frozen, fact events.Recorded) iter.Seq[events.Recorded] {
	sel, match := condemned(fact)
	return func(yield func(events.Recorded) bool) {
		for r := range p.Each(sel) {
			if r.Header().Group != events.Everywhere && match(r) && !yield(r) {
				return
			}
		}
	}
}

// condemned says which records a control fact takes back.
func condemned(rec events.Recorded) (learn.Select, func(events.Recorded) bool) {
	switch c := rec.Payload().(type) {
	case *events.DataCleared:
		return learn.Select{Kind: c.Kind, From: c.From, To: c.To}, func(r events.Recorded) bool {
			return c.All || len(c.Rules) == 0 || slices.Contains(c.Rules, events.ID(r.Header().Key))
		}
	case *events.DataExpired:
		return learn.Select{Kind: c.Kind}, func(r events.Recorded) bool {
			return r.Header().Recorded.Before(c.Before)
		}
	}
	return learn.Select{}, func(events.Recorded) bool { return false }
}

// bounds are the retention boundaries of a partition by kind; the empty kind is
// for all.
type bounds map[events.Kind]time.Time

const boundsMeta = "retention"

// boundary is the time before which records of the kind have no effect for ever.
func (f *folder) boundary(at site, kind events.Kind) time.Time {
	b, loaded := f.bounds[at.number]
	if !loaded {
		b = bounds{}
		if data := at.Meta(boundsMeta); data != nil {
			if err := json.Unmarshal(data, &b); err != nil {
				panic(err) // we wrote it; the entry is poison until the state is rebuilt
			}
		}
		f.bounds[at.number] = b
	}
	if all := b[""]; all.After(b[kind]) {
		return all
	}
	return b[kind]
}

// command carries out what a control fact orders the runtime to do.
func (f *folder) command(at site, rec events.Recorded) {
	x, ok := rec.Payload().(*events.DataExpired)
	if !ok || !x.Before.After(f.boundary(at, x.Kind)) {
		return
	}
	b := maps.Clone(f.bounds[at.number])
	b[x.Kind] = x.Before
	data, err := json.Marshal(b, json.Deterministic(true))
	if err != nil {
		panic(err) // a map of times always encodes
	}
	at.SetMeta(boundsMeta, data)
	delete(f.bounds, at.number) // read again once this transaction has committed
}
