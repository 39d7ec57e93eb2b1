package ingest

import (
	"context"
	"strconv"
	"sync"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

// Door takes events in process: protected here, durable in the log when it
// answers. It is safe for concurrent use; callers that arrive together share a
// commit.
type Door struct {
	stage Stage
	name  string

	mu   sync.Mutex
	idle []*Gate // guarded by mu
}

// NewDoor returns a door that keeps things as the stage does; its dead letters
// carry the door's name.
func NewDoor(name string, s Stage) *Door {
	s.Observe = s.Observe.EnsureDefaults()
	return &Door{stage: s, name: name}
}

// Result is what became of one item.
type Result struct {
	events.Refusal        // none: accepted or declined
	Declined       string // why nothing is kept though nothing is wrong
}

// Authority is what whoever hands in events may publish.
type Authority int

const (
	// Anyone may publish every kind but those that operators reserve.
	Anyone Authority = iota
	// Operator may publish every kind.
	Operator
	// Product is the loop itself: it may say what its events follow from.
	Product
)

// subject is one that may carry what the authority allows of a kind.
func (a Authority) subject(kind events.Kind) string {
	switch a {
	case Operator:
		return kind.Subject()
	case Product:
		return events.DerivedSubject
	case Anyone:
	}
	return events.InboxPrefix
}

// Take decides about items as if they had been published with an authority, and
// returns one result each, when everything accepted is on disk and everything
// refused has its dead letter.
func (d *Door) Take(ctx context.Context, by Authority, items []events.Item) ([]Result, error) {
	gate, err := d.borrow()
	if err != nil {
		return nil, err
	}
	defer d.giveBack(gate)
	w := worker{d.stage, gate}
	results := make([]Result, len(items))
	var out outcome
	w.Observe.Received(d.name, len(items))
	for i, item := range items {
		verdict, err := w.decide(by.subject(item.Kind), item, origin{stage: d.name, index: i}, &out)
		if err != nil {
			return nil, err
		}
		results[i] = Result{verdict.Refusal, verdict.Declined}
	}
	return results, d.stage.store(ctx, out)
}

// Again appends an entry of the log once more, for the dead letter that it left: it was
// protected when it came first. An entry that was folded meanwhile counts once.
func (d *Door) Again(ctx context.Context, e bus.Entry, letter uint64) (seq uint64, err error) {
	header := map[string][]string{pipeline.RedrivenHeader: {strconv.FormatUint(letter, 10)}}
	return d.stage.Log.Append(ctx, []bus.Message{{Subject: e.Subject, Header: header, Data: e.Data}})
}

func (d *Door) borrow() (*Gate, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := len(d.idle); n > 0 {
		g := d.idle[n-1]
		d.idle = d.idle[:n-1]
		return g, nil
	}
	return NewGate(d.stage.House)
}

func (d *Door) giveBack(g *Gate) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.idle = append(d.idle, g)
}
