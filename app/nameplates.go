package app

import (
	"context"
	"fmt"

	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline/inject"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// nameplates are the contexts of people, which change their keys when people are shown
// under new names. Nil where nothing is injected.
type nameplates struct {
	contexts *kv.Reader
	bucket   inject.Bucket
}

// plate is the context of a person and the stored name.
type plate struct {
	kv.Context
	id, name string
}

// known are the contexts of people whose stored names are known.
func (n *nameplates) known(p people) (plates []plate) {
	if n == nil {
		return nil
	}
	for c := range n.contexts.All(learn.KindPerson + ".") {
		_, id, ok := kv.ParseKey(c.Key)
		if name, known := p.loop.labels.shown.Load().Find(id, p.loop.labels.now()); ok && known {
			plates = append(plates, plate{c, id, name})
		}
	}
	return plates
}

// move writes contexts under the names that people are shown by now, and deletes those
// under their former ones.
func (n *nameplates) move(ctx context.Context, plates []plate, p people) error {
	var entries []kv.Entry
	for _, was := range plates {
		id := p.loop.labels.shown.Load().Show(was.name)
		if id == was.id {
			continue
		}
		value, err := renamed(was.Value, id)
		if err != nil {
			return err
		}
		entries = append(entries,
			kv.Entry{Key: kv.Key(learn.KindPerson, id), Value: value, Insight: was.Insight, Header: was.Header},
			kv.Entry{Key: was.Key, Insight: was.Insight})
	}
	if len(entries) == 0 {
		return nil
	}
	_, err := n.bucket.Put(ctx, entries)
	return err
}

// renamed is a context with another id.
func renamed(value []byte, id string) ([]byte, error) {
	fields := map[string]jsontext.Value{}
	if err := json.Unmarshal(value, &fields); err != nil {
		return nil, fmt.Errorf("read the context of a person: %w", err)
	}
	name, err := json.Marshal(id)
	if err != nil {
		return nil, fmt.Errorf("name the context of a person: %w", err)
	}
	fields["id"] = name
	return learn.Canonical(fields)
}

// clear deletes contexts under former names, which a crash left behind: under the
// present ones all are written again at the start. Who does not hold the labels leaves
// it to who does.
func (n *nameplates) clear(ctx context.Context, l *labels) error {
	if l == nil {
		return nil
	}
	var entries []kv.Entry
	for c := range n.contexts.All(learn.KindPerson + ".") {
		if _, id, ok := kv.ParseKey(c.Key); ok && l.shown.Load().Former(id) {
			entries = append(entries, kv.Entry{Key: c.Key, Insight: c.Insight})
		}
	}
	if len(entries) == 0 {
		return nil
	}
	if _, err := n.bucket.Put(ctx, entries); err != nil {
		return fmt.Errorf("delete contexts under former names: %w", err)
	}
	return nil
}
