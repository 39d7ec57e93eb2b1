package analyze

import (
	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

// entry is a log entry on its way into the store.
type entry struct {
	bus.Entry
	partition int
	spec      events.Spec     // nil: of no kind we know
	rec       events.Recorded // nil: not decoded yet, or not to be decoded
}

// hear finds out what entries are about. Decoding takes as long as folding, so it
// is done ahead of it, unless ingest has just handed the fact over; but not while we
// look for an entry that ends the process.
func hear(batch []bus.Entry, ahead bool) []entry {
	heard := make([]entry, len(batch))
	for i, e := range batch {
		heard[i].Entry = e
		if p, kind, ok := pipeline.ParseLog(e.Subject); ok {
			heard[i].partition = p
			heard[i].spec, _ = events.Lookup(kind)
		}
		if ahead && heard[i].spec != nil {
			heard[i].decodeAhead()
		}
	}
	return heard
}

// decodeAhead leaves what cannot be decoded to whoever folds it.
func (e *entry) decodeAhead() {
	defer func() {
		if recover() != nil {
			e.rec = nil
		}
	}()
	_ = e.decode() // comes again
}

func (e *entry) decode() error {
	if e.rec != nil {
		return nil
	}
	rec, handed := e.Value.(events.Recorded)
	if !handed {
		var err error
		if rec, err = e.spec.ReadFact(e.Data); err != nil {
			return err
		}
	}
	rec.Header().Seq = e.Seq
	e.rec = rec
	return nil
}
