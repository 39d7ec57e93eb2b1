package inject

import (
	"context"
	"fmt"
	"slices"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// rendered is a batch, ready to be put.
type rendered struct {
	batch   []bus.Delivery
	entries map[string][]kv.Entry // by bucket
	marks   []seenMark
}

// topic is a key to be rendered, and what is known about it.
type topic struct {
	model learn.Model
	key   learn.Key
	shown learn.Key // as generators know it: people have another name there
	// withheld says that generators are told nothing, whatever is known.
	withheld bool
	parts    map[int]jsontext.Value // by partition
	at       uint64                 // the newest insight that this takes in
	header   map[string][]string    // what that one carried beside it: the trace context of the fact behind it
}

// learn takes in what a partition knows.
func (t *topic) learn(in pipeline.Insight, seq uint64) {
	t.at = max(t.at, seq)
	if in.Value != nil && in.Version == t.model.Version {
		t.parts[in.Partition] = in.Value
	}
}

func (t *topic) entry() (kv.Entry, error) {
	var parts []jsontext.Value
	for _, partition := range sorted(t.parts) {
		parts = append(parts, t.parts[partition])
	}
	value, err := t.model.Render(t.shown, parts)
	if err != nil {
		return kv.Entry{}, fmt.Errorf("render %s of %s: %w", events.Token(t.key.ID), t.key.Kind, err)
	}
	if t.withheld {
		value = nil
	}
	return kv.Entry{Key: bucketKey(t.model, t.shown), Value: value, Insight: t.at, Header: t.header}, nil
}

// bucketKey is where a key stands in its model's bucket; the only one of its kind
// stands under the kind. A bucket of entries does not name their kind, the first of
// its model.
func bucketKey(m learn.Model, k learn.Key) string {
	switch {
	case k.ID == "":
		return k.Kind
	case m.Bucket == learn.Entries && slices.Index(m.Kinds, k.Kind) == 0:
		return kv.EntryKey(k.ID)
	}
	return kv.Key(k.Kind, k.ID)
}

// read renders every key of a batch once, from its latest insight, and collects
// the markers.
func (s Stage) read(ctx context.Context, batch []bus.Delivery) (rendered, error) {
	r := rendered{batch: batch, entries: map[string][]kv.Entry{}}
	latest := map[string]bus.Delivery{}
	for _, d := range batch {
		if m, ok := parseMark(d.Subject, d.Data, d.Seq); ok {
			r.marks = append(r.marks, m)
			continue
		}
		if d.Seq >= latest[d.Subject].Seq {
			latest[d.Subject] = d
		}
	}
	topics, spread, err := s.topics(latest)
	if err != nil {
		return r, err
	}
	if err := s.gather(ctx, spread); err != nil {
		return r, err
	}
	if err := s.label(ctx, topics); err != nil {
		return r, err
	}
	for _, t := range topics {
		e, err := t.entry()
		if err != nil {
			return r, err
		}
		r.entries[t.model.Bucket] = append(r.entries[t.model.Bucket], e)
	}
	return r, nil
}

// topics are the keys that insights are about, and among them those that lie in
// several partitions, by the subjects of all of them.
func (s Stage) topics(latest map[string]bus.Delivery) (all []*topic, spread map[string]*topic, err error) {
	spread = map[string]*topic{}
	for _, subject := range sorted(latest) {
		d := latest[subject]
		var in pipeline.Insight
		if err := json.Unmarshal(d.Data, &in); err != nil {
			return nil, nil, fmt.Errorf("decode insight %d: %w", d.Seq, events.Unquoted(err))
		}
		model, known := s.model(in)
		if !known || !model.Tells(in.Key()) {
			continue
		}
		t := &topic{model: model, key: in.Key(), shown: in.Key(), parts: map[int]jsontext.Value{}, header: traced(d)}
		if !model.Spread(t.key) {
			t.learn(in, d.Seq)
			all = append(all, t)
			continue
		}
		everywhere := pipeline.KnowAnywhere(in.Model, t.key)
		if spread[everywhere] == nil {
			spread[everywhere] = t
			all = append(all, t)
		}
		if t := spread[everywhere]; d.Seq > t.at {
			t.at, t.header = d.Seq, traced(d)
		}
	}
	return all, spread, nil
}

// traced is the trace context that an insight carries.
func traced(d bus.Delivery) map[string][]string {
	if trace := d.Header[events.ExtTrace]; len(trace) > 0 {
		return map[string][]string{events.ExtTrace: trace}
	}
	return nil
}

// model is the model of an insight; false when another injector knows it better:
// a newer analyzer knows more models, and newer ones.
func (s Stage) model(in pipeline.Insight) (learn.Model, bool) {
	for _, m := range s.Models {
		if m.Name == in.Model {
			return m, m.Version == in.Version
		}
	}
	return learn.Model{}, false
}

// gathered is how many keys are asked for at a time: of 32 partitions that is
// half of what the server answers at once.
const gathered = 16

// gather reads what all partitions know about keys, each as of the insight that
// was delivered about it: what has that one has all that were before it.
func (s Stage) gather(ctx context.Context, spread map[string]*topic) error {
	for filters := range slices.Chunk(sorted(spread), gathered) {
		var since uint64
		for _, f := range filters {
			since = max(since, spread[f].at)
		}
		var entries []bus.Entry
		err := s.retry(ctx, "gather insights", func() (err error) {
			entries, err = s.Parts.PerSubject(ctx, since, filters...)
			return err
		})
		if err != nil {
			return fmt.Errorf("gather insights of all partitions: %w", err)
		}
		for _, e := range entries {
			var in pipeline.Insight
			if err := json.Unmarshal(e.Data, &in); err != nil {
				return fmt.Errorf("decode insight %d: %w", e.Seq, events.Unquoted(err))
			}
			if t, asked := spread[pipeline.KnowAnywhere(in.Model, in.Key())]; asked {
				t.learn(in, e.Seq)
			}
		}
	}
	return nil
}
