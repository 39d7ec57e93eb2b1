package analyze

import (
	"context"
	"fmt"

	"learnloop.dev/store"

	"github.com/go-json-experiment/json"
)

// versionsMeta remembers which version of every model folded the rows.
const versionsMeta = "models"

// Models are late while their rows are not what the records make of them: new ones,
// those whose version rose, and all of them where an empty state has a long log ahead
// and its rows do not fit into memory. Rows that wait until the records are in are
// folded partition by partition, and each page of them is written about once.

// longWay is how much of the log has to be ahead for rows to wait.
const longWay = 4 * flushEntries

// hasLongWay reports whether much of the log is still to come. After crashes nothing
// waits: entries have to be folded one by one then.
func (f *folder) hasLongWay() bool { return f.alone == 0 && f.head > f.folded+longWay }

// catchUp folds the records again for the models that are late, unless more of them
// are about to come. Where there is nothing to fold that costs nothing.
func (r *run) catchUp(ctx context.Context) error {
	folded, err := Versions(r.Store)
	if err != nil {
		return err
	}
	for _, m := range r.Models {
		if folded[m.Name] == m.Version {
			r.prompt = append(r.prompt, m)
		} else {
			r.late = append(r.late, m)
		}
	}
	if r.folded > 0 && r.hasLongWay() {
		return nil
	}
	return r.rebuild(ctx)
}

// Versions tells which version of each model folded the rows of a state; a model that
// is not there has yet to fold the records.
func Versions(s *store.Store) (map[string]int, error) {
	folded := map[string]int{}
	data, err := s.Meta(versionsMeta)
	if err == nil && data != nil {
		err = json.Unmarshal(data, &folded)
	}
	if err != nil {
		return nil, fmt.Errorf("read versions of the models: %w", err)
	}
	return folded, nil
}

// postpone makes all models late: the rows on disk count no more.
func (f *folder) postpone() error {
	if err := f.flush(); err != nil {
		return err
	}
	f.prompt, f.late = nil, f.Models
	if err := f.Store.SetMeta(versionsMeta, nil); err != nil {
		return err
	}
	return f.wipe()
}

// wipe removes the rows of the late models.
func (f *folder) wipe() error {
	for _, p := range f.Partitions {
		for _, m := range f.late {
			if err := f.Store.Wipe(p, m.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// rebuilt notes that the rows are what the records make of them.
func (f *folder) rebuilt() error {
	if err := f.flush(); err != nil {
		return err
	}
	folded := map[string]int{}
	for _, m := range f.Models {
		folded[m.Name] = m.Version
	}
	data, err := json.Marshal(folded, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encode versions of the models: %w", err)
	}
	f.prompt, f.late = f.Models, nil
	return f.Store.SetMeta(versionsMeta, data)
}
