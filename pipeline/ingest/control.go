package ingest

import (
	"context"
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// Source names the product itself as the producer of control facts.
const Source = "/learnloop"

// Order is a control fact to be issued. The id makes it the same fact when it is
// issued again.
type Order struct {
	ID      string
	Kind    events.Kind
	At      time.Time
	Payload events.Payload
}

// Change is a group of settings that changed.
type Change struct {
	Key      string
	Value    []byte    // JSON, whole
	At       time.Time // event time: of two changes the later one counts
	Received time.Time
}

// Control appends a control fact in every partition.
func (d *Door) Control(ctx context.Context, o Order) error { return d.Controls(ctx, o) }

// Controls appends control facts, each where it belongs. After an error some may be
// there; issuing all again changes nothing.
func (d *Door) Controls(ctx context.Context, orders ...Order) error {
	items := make([]events.Item, len(orders))
	for i, o := range orders {
		data, err := json.Marshal(o.Payload, json.Deterministic(true))
		if err != nil {
			return fmt.Errorf("encode %s: %w", o.Kind, err)
		}
		items[i].Envelope = events.Envelope{ID: o.ID, Source: Source, Kind: o.Kind, Time: o.At, Received: o.At, Data: data}
	}
	results, err := d.Take(ctx, Operator, items)
	if err != nil {
		return fmt.Errorf("issue control facts: %w", err)
	}
	for i, r := range results {
		if r.Refused() {
			return fmt.Errorf("issue %s: refused: %s %v", orders[i].Kind, r.Reason, r.Violations) //nolint:gosec // one result for each order
		}
	}
	return nil
}

// Clock tells all folds when a day (UTC) has begun. Any number of clocks may
// run: a day is one record.
type Clock struct {
	Door *Door
	Now  func() time.Time
}

// Run ticks for today and then at every midnight, until the context ends.
func (c Clock) Run(ctx context.Context) error {
	for {
		day := c.Now().UTC().Truncate(24 * time.Hour)
		date := day.Format(time.DateOnly)
		tick := Order{"clock/" + date, events.ControlTick.Kind, day, &events.Tick{Date: date}}
		err := pipeline.Retry(ctx, func() error { return c.Door.Control(ctx, tick) },
			pipeline.Never, func(err error) { c.Door.stage.Observe.Retried("tick "+date, err) })
		if err != nil {
			return stopped(ctx, err)
		}
		t := time.NewTimer(day.Add(24 * time.Hour).Sub(c.Now()))
		select {
		case <-ctx.Done():
			t.Stop()
			return nil
		case <-t.C:
		}
	}
}
