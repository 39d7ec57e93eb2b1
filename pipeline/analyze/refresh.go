package analyze

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// atOnce is the most insights that are published at a time.
const atOnce = 1000

// publication is what is known about dirty keys, and a marker for every partition
// that moved. The markers go last: they say that the insights are out.
type publication struct {
	dirty    []store.Mark
	moved    []int
	insights []bus.Message
	gone     []string      // subjects of those that say that nothing is known any more
	facts    []bus.Message // that follow for other groups
	marks    []bus.Message
	fences   map[int]uint64 // what the markers expected when they were made
	complete bool           // nothing else was dirty
	began    time.Time
	at       []uint64 // the sequences of the markers
}

// refresh finds out what is known about every dirty key and hands it to the
// publisher.
func (r *run) refresh() error {
	p := publication{began: r.Now(), dirty: r.Store.Dirty(), fences: maps.Clone(r.fences)}
	p.complete = len(p.dirty) <= atOnce
	p.dirty = p.dirty[:min(len(p.dirty), atOnce)]
	r.dirty = !p.complete
	var err error
	if err = r.insights(&p); err != nil {
		return err
	}
	if p.facts, err = r.conclude(p.dirty); err != nil {
		return err
	}
	p.moved = slices.Sorted(maps.Keys(r.moved))
	if p.marks, err = r.marks(p.moved, p.complete); err != nil {
		return err
	}
	if p.complete {
		clear(r.moved)
	}
	r.refreshed, r.since, r.under = p.began, 0, true
	r.cost = r.Now().Sub(p.began)
	r.out <- p // the publisher is idle
	return nil
}

// publisher sends one publication after the other.
func (r *run) publisher(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case p := <-r.out:
			var err error
			if p.at, err = r.publish(ctx, p); err != nil {
				if ctx.Err() != nil {
					return nil //nolint:nilerr // the stage was asked to stop
				}
				return fmt.Errorf("publish %d insights: %w", len(p.insights), err)
			}
			r.done <- p // there is room for one
		}
	}
}

// settled notes that a publication is out: its keys are clean and its markers
// are the new fences.
func (r *run) settled(ctx context.Context, p publication) error {
	r.under = false
	for i, partition := range p.moved {
		r.fences[partition] = p.at[i]
	}
	r.Store.Published(p.dirty)
	if err := r.afterwards(ctx); err != nil {
		return err
	}
	now := r.Now()
	r.Observe.Published(len(p.dirty), now.Sub(p.began))
	for _, m := range p.dirty {
		if m.Trace != "" {
			r.Observe.Traced(pipeline.Span{Name: "publish insight", Parent: m.Trace, Begin: p.began, End: now})
		}
	}
	return nil
}

// insights asks the models about every dirty key.
func (r *run) insights(p *publication) error {
	b := r.Store.Begin()
	defer b.Discard()
	for _, m := range p.dirty {
		r.moved[m.Partition] = true // the fence goes with every insight
		if model, ok := r.model(m.Model); ok && !model.Tells(m.Key) {
			continue
		}
		msg, known, err := r.ask(b.Partition(m.Partition), m)
		if err != nil {
			return err
		}
		if !known {
			p.gone = append(p.gone, msg.Subject)
		}
		p.insights = append(p.insights, msg)
	}
	return nil
}

func (r *run) ask(part *store.Partition, m store.Mark) (msg bus.Message, known bool, err error) {
	in := pipeline.Insight{Partition: m.Partition, Model: m.Model, Kind: m.Key.Kind, ID: m.Key.ID, At: part.Cursor()}
	if model, ok := r.model(m.Model); ok {
		in.Version = model.Version
		in.Value, known = model.Know(part, m.Key)
	}
	data, err := json.Marshal(in)
	if err != nil {
		return msg, known, fmt.Errorf("encode insight of %s: %w", m.Model, err)
	}
	fence := r.fences[m.Partition]
	return bus.Message{Subject: pipeline.KnowSubject(m.Partition, m.Model, m.Key), Header: traced(m), Data: data,
		ExpectLast: &fence, ExpectOn: pipeline.MarkSubject(m.Partition)}, known, nil
}

// traced carries the trace context of the fact that an insight follows from.
func traced(m store.Mark) map[string][]string {
	if m.Trace == "" {
		return nil
	}
	return map[string][]string{events.ExtTrace: {m.Trace}}
}

// marks are the markers of partitions. They tell the log position only when
// everything that was dirty goes with them.
func (r *run) marks(partitions []int, complete bool) ([]bus.Message, error) {
	b := r.Store.Begin()
	defer b.Discard()
	var out []bus.Message
	for _, p := range partitions {
		m := pipeline.Mark{Partition: p, Owner: r.Owner}
		if complete {
			m.Seq = b.Partition(p).Cursor()
		}
		data, err := json.Marshal(m)
		if err != nil {
			return nil, fmt.Errorf("encode marker of partition %d: %w", p, err)
		}
		expect := r.fences[p]
		out = append(out, bus.Message{Subject: pipeline.MarkSubject(p), Data: data, ExpectLast: &expect})
	}
	return out, nil
}

func (r *run) model(name string) (learn.Model, bool) {
	for _, m := range r.Models {
		if m.Name == name {
			return m, true
		}
	}
	return learn.Model{}, false
}

// afterwards does what follows from committed batches: derived facts go to the
// log, entries that count no more leave it.
func (r *run) afterwards(ctx context.Context) error {
	if err := r.forward(ctx); err != nil {
		return err
	}
	return r.erase()
}

// forward appends derived facts. While the log is being caught up with they are
// held back, and those it turns out to hold already are dropped.
func (r *run) forward(ctx context.Context) error {
	if !r.claimed || r.folded < r.head {
		return nil
	}
	pending, err := r.Store.Outbox(atOnce)
	if err != nil || len(pending) == 0 {
		return err
	}
	var msgs []bus.Message
	var ids []uint64
	for _, p := range pending {
		ids = append(ids, p.ID)
		m, isNew, err := r.derive(p.Derived)
		if err != nil {
			return err
		}
		if isNew {
			msgs = append(msgs, m)
		}
	}
	if len(msgs) > 0 {
		if _, err := r.Facts.Append(ctx, msgs); err != nil {
			return fmt.Errorf("append %d derived facts: %w", len(msgs), err)
		}
	}
	return r.Store.Sent(ids)
}

// derive addresses a derived fact; false when the record index holds it as it is.
func (r *run) derive(d learn.Derived) (bus.Message, bool, error) {
	partition, rec, err := r.Address(d)
	if err != nil {
		return bus.Message{}, false, fmt.Errorf("address derived fact of %s: %w", d.Cause.Record, err)
	}
	b := r.Store.Begin()
	defer b.Discard()
	h := rec.Header()
	if _, forbidden := r.law(site{b.Partition(partition), partition, b}).forbids(h); forbidden {
		return bus.Message{}, false, nil
	}
	if old, known := b.Partition(partition).Record(h.Record); known == !h.Withdrawn {
		if !known || old.Header().Content == h.Content {
			return bus.Message{}, false, nil
		}
	}
	data, err := events.Encode(rec)
	return bus.Message{Subject: pipeline.LogSubject(partition, h.Kind()), Data: data}, true, err
}
