package analyze

import (
	"fmt"
	"iter"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// versionsMeta remembers which version of every model folded the rows.
const versionsMeta = "models"

// rebuildSize is how many records are folded again between two flushes.
const rebuildSize = 1000

// rebuild folds the records again for every model that is new or whose version
// changed. What a crash interrupts starts over: the version is noted last.
func (f *folder) rebuild() error {
	folded := map[string]int{}
	data, err := f.Store.Meta(versionsMeta)
	if err == nil && data != nil {
		err = json.Unmarshal(data, &folded)
	}
	if err != nil {
		return fmt.Errorf("read versions of the models: %w", err)
	}
	for _, m := range f.Models {
		if folded[m.Name] == m.Version {
			continue
		}
		for p := range f.Marks {
			if err := f.refold(m, p); err != nil {
				return fmt.Errorf("rebuild model %s in partition %d: %w", m.Name, p, err)
			}
		}
		folded[m.Name] = m.Version
	}
	if err := f.flush(); err != nil {
		return err
	}
	if data, err = json.Marshal(folded, json.Deterministic(true)); err != nil {
		return fmt.Errorf("encode versions of the models: %w", err)
	}
	return f.Store.SetMeta(versionsMeta, data)
}

// refold folds all records of a partition for one model, in log order.
func (f *folder) refold(m learn.Model, p int) error {
	if err := f.Store.Wipe(p, m.Name); err != nil {
		return err
	}
	return f.Store.View(func(v *store.View) error {
		next, stop := iter.Pull(v.Partition(p).Oldest(""))
		defer stop()
		for {
			n, err := f.refoldSome(m, p, next)
			if err != nil || n < rebuildSize {
				return err
			}
		}
	})
}

func (f *folder) refoldSome(m learn.Model, p int, next func() (events.Recorded, bool)) (n int, err error) {
	b := f.Store.Begin()
	for ; n < rebuildSize; n++ {
		rec, ok := next()
		if !ok {
			break
		}
		m.Apply(b.Partition(p), rec)
	}
	if err := b.Commit(); err != nil {
		return n, err
	}
	return n, f.Store.Flush()
}
