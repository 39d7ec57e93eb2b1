package experiments

import (
	"cmp"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Designs keeps the definitions of experiments in the bucket of settings, for whoever
// assigns units: each as it stands, under "experiment." and its name.
func Designs() learn.Model {
	return learn.Define(learn.Spec[current]{
		Name:    "designs",
		Version: 1,
		Group:   events.Everywhere,
		Kinds:   []string{KindExperiment},
		Folds:   []learn.Fold{learn.On(events.ControlExperimentChanged, redefine, nil)},
		Know:    redefined,
		Spread:  func(learn.Key) bool { return true }, // every partition hears of every definition
		Render:  publish,
		Bucket:  learn.Settings,
	})
}

// Definition is an experiment as it stands in the bucket of settings.
type Definition struct {
	Name   string                  `json:"name"`
	Status Status                  `json:"status"`
	Design events.ExperimentDesign `json:"definition"`
}

// current is the last definition of an experiment.
type current struct {
	At     moment                `json:"at"`
	Change events.ExperimentStep `json:"change"`
	Design jsontext.Value        `json:"design"`
}

const currentRow = "current" // version

// redefine replaces a definition, unless a later one is known. Of two at one time the
// later in the log counts.
func redefine(rows learn.Rows, f *events.Fact[events.ExperimentChanged]) {
	data, err := json.Marshal(f.Data.Definition, json.Deterministic(true))
	if err != nil {
		return // of what was read as JSON: never
	}
	key, at := Key(string(f.Data.Experiment)), momentOf(f.Time)
	if known := learn.Peek[version](rows, key, currentRow); known.Design != "" && at < known.At {
		return
	}
	*learn.At[version](rows, key, currentRow) = version{at, f.Data.Change, string(data)}
}

func redefined(rows learn.Rows, key learn.Key) (current, bool) {
	v := learn.Peek[version](rows, key, currentRow)
	return current{v.At, v.Change, jsontext.Value(v.Design)}, v.Design != ""
}

// publish takes the latest of what the partitions know: one may not have heard of the
// last change yet.
func publish(key learn.Key, parts []current) (any, bool) {
	if len(parts) == 0 {
		return nil, false
	}
	latest := slices.MaxFunc(parts, func(a, b current) int { return cmp.Compare(a.At, b.At) })
	d := Definition{Name: key.ID}
	if json.Unmarshal(latest.Design, &d.Design) != nil {
		return nil, false
	}
	d.Status = history{{latest.At, latest.Change, d.Design}}.status()
	return d, true
}
