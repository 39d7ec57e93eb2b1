package app

import (
	"context"
	"fmt"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/all"
	"learnloop.dev/pipeline"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// dropStrays deletes what is told of people of whom nothing is known.
//
// Our server keeps the last message of each subject. What a newer one replaced it has
// not forgotten on disk for minutes, and whoever kills it meanwhile may find the older
// one again where the newer was deleted: that of a person who was forgotten. The state
// knows better.
func (l *Loop) dropStrays(ctx context.Context) error {
	if l.server == nil || l.labels == nil {
		return nil
	}
	told, err := bus.LastPerSubject(ctx, l.js, bus.InsightsStream, pipeline.KnowPeople)
	if err != nil {
		return fmt.Errorf("find what is known of people: %w", err)
	}
	shown := map[string]bool{}
	var strays []bus.Entry
	err = l.state.View(func(v *store.View) error {
		for _, e := range told {
			var in pipeline.Insight
			if err := json.Unmarshal(e.Data, &in); err != nil {
				return fmt.Errorf("read insight %d: %w", e.Seq, err)
			}
			if stray(v, in) {
				strays = append(strays, e)
			} else {
				shown[l.labels.shown.Load().Show(in.ID)] = true
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := bus.EraseMsgs(ctx, l.js, bus.InsightsStream, strays); err != nil {
		return err
	}
	return l.dropContexts(ctx, shown)
}

// stray reports whether the state has come as far as an insight, and knows nothing of
// whom it is about.
func stray(v *store.View, in pipeline.Insight) bool {
	part := v.Partition(in.Partition)
	if in.Value == nil || in.At > part.Cursor() {
		return false
	}
	for _, m := range all.Models() {
		if m.Name != in.Model {
			continue
		}
		for range part.Each(learn.Select{Key: in.ID}) {
			return false
		}
		_, known := m.Know(part, in.Key())
		return !known
	}
	return false
}

// dropContexts deletes contexts of people who are shown under no name that is known.
func (l *Loop) dropContexts(ctx context.Context, shown map[string]bool) error {
	const stream, subjects = "KV_" + learn.Contexts, "$KV." + learn.Contexts + "."
	told, err := bus.LastPerSubject(ctx, l.js, stream, subjects+learn.KindPerson+".*")
	if err != nil {
		return fmt.Errorf("find contexts of people: %w", err)
	}
	var strays []bus.Entry
	for _, e := range told {
		_, id, ok := kv.ParseKey(e.Subject[len(subjects):])
		if ok && len(e.Data) > 0 && !shown[id] && !l.labels.shown.Load().Former(id) {
			strays = append(strays, e)
		}
	}
	return bus.EraseMsgs(ctx, l.js, stream, strays)
}
