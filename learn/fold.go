package learn

import (
	"iter"
	"time"

	"learnloop.dev/events"
)

// Fold is how a model takes in one kind and takes it back.
type Fold struct {
	Kind    events.Kind
	apply   func(Rows, events.Recorded)
	retract func(Rows, events.Recorded)
}

// On folds one kind. Both functions are total and pure: event time and log
// order only. A nil retract is for control facts, which are never taken back,
// and Define refuses it for all others: what clearing and forgetting cannot
// reach has to be meant, with a function that does nothing.
func On[P any](t *events.Type[P], apply, retract func(Rows, *events.Fact[P])) Fold {
	f := Fold{Kind: t.Kind}
	f.apply = func(r Rows, rec events.Recorded) { apply(r, rec.(*events.Fact[P])) }
	if retract != nil {
		f.retract = func(r Rows, rec events.Recorded) { retract(r, rec.(*events.Fact[P])) }
	}
	return f
}

// Sum folds one kind as a commutative sum: add is called with weight 1 to apply
// and -1 to take back exactly.
func Sum[P any](t *events.Type[P], add func(r Rows, f *events.Fact[P], weight int64)) Fold {
	return On(t,
		func(r Rows, f *events.Fact[P]) { add(r, f, 1) },
		func(r Rows, f *events.Fact[P]) { add(r, f, -1) })
}

// Select narrows records down; zero fields do not narrow.
type Select struct {
	Kind     events.Kind
	Key      string    // group key, for display
	Person   string    // blind index
	From, To time.Time // half-open period of event time
	After    uint64    // log sequence; records up to it are left out
}

// Records are the facts that count now, as the store keeps them.
type Records interface {
	// Each yields the selected records, by event time and then record id.
	Each(Select) iter.Seq[events.Recorded]
	// InLogOrder yields them in the order of the log, which costs less where they are many.
	InLogOrder(Select) iter.Seq[events.Recorded]
}
