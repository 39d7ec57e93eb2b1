package analyze

import (
	"fmt"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// mostTold is how many conclusions are remembered beside the record index, which does not
// have those of a moment ago yet.
const mostTold = 100_000

// conclude is what follows from dirty keys and is not in the log yet. A key stays dirty
// until this is: so a crash in between loses nothing.
func (r *run) conclude(dirty []store.Mark) (msgs []bus.Message, err error) {
	b := r.Store.Begin()
	defer b.Discard()
	for _, m := range dirty {
		model, ok := r.model(m.Model)
		if !ok || !model.Tells(m.Key) {
			continue
		}
		for _, c := range model.Conclude(b.Partition(m.Partition), m.Key) {
			fact, err := concluded(c)
			if err != nil {
				return nil, err
			}
			if r.tells(b, c.Partition, fact) {
				continue
			}
			data, err := events.Encode(fact)
			if err != nil {
				return nil, err
			}
			msgs = append(msgs, bus.Message{Subject: pipeline.LogSubject(c.Partition, c.Part.Kind), Data: data})
		}
	}
	return msgs, nil
}

// tells reports whether the log says what a fact says, or it would have no effect there,
// and notes that the log is going to say it.
func (r *run) tells(b *store.Batch, partition int, fact events.Recorded) bool {
	h := fact.Header()
	content, known := r.told[h.Record]
	if !known {
		if old, stored := b.Partition(partition).Record(h.Record); stored {
			content = old.Header().Content
		}
	}
	if len(r.told) >= mostTold {
		clear(r.told)
	}
	r.told[h.Record] = h.Content
	if content == h.Content {
		return true
	}
	l, loaded := r.laws[partition]
	if !loaded {
		l = lawOf(b.Partition(partition)) // the partition may be another process's: its law changes without us
	}
	_, gone := l.forbids(h)
	return gone
}

// concluded is a conclusion as the log keeps it. As with all derived facts, another
// content replaces it.
func concluded(c learn.Conclusion) (events.Recorded, error) {
	spec, ok := events.Lookup(c.Part.Kind)
	if !ok {
		return nil, fmt.Errorf("conclude %s: not in the vocabulary", c.Part.Kind)
	}
	content, err := json.Marshal(c.Part.Data, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("conclude %s: %w", c.Part.Kind, events.Unquoted(err))
	}
	return spec.Fact(events.Head{
		SpecVersion: "1.0", ID: "concluded/" + c.Record, Source: source, Type: c.Part.Kind.Type(), Time: c.Cause.Time,
		Recorded: c.Cause.Recorded, Stamp: c.Cause.Time, Record: c.Record, Content: digest(string(content), c.Cause.Record),
		Group: c.Part.Group, Key: c.Part.Key, Person: c.Cause.Person, Cause: c.Cause.Record,
	}, c.Part.Data), nil
}
