// Package settings remembers what is set: the current value of every group of
// settings, who set it and when.
package settings

import (
	"slices"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json/jsontext"
)

// Model hears control.settings.changed and keeps the bucket of settings.
func Model() learn.Model {
	return learn.Define(learn.Spec[Setting]{
		Name:    Name,
		Version: 1,
		Group:   events.Everywhere,
		Folds:   []learn.Fold{learn.On(events.ControlSettings, change, nil)},
		Know:    know,
		Spread:  func(learn.Key) bool { return true }, // every partition hears of every change
		Render:  render,
		Bucket:  learn.Settings,
		Answers: map[string]learn.Answer{AskHistory: answerHistory},
	})
}

// Name is the model's name, in questions to it.
const Name = "settings"

// Person is what the keys of people's own choices begin with; the keyed hash of a
// person follows.
const Person = "person"

// keyOf is where a group of settings is kept: one that has many members, such as
// person.<hash>, has its own key for each.
func keyOf(group string) learn.Key {
	kind, id, _ := strings.Cut(group, ".")
	return learn.Key{Kind: kind, ID: id}
}

// Setting is the current value of one group of settings.
type Setting struct {
	Value jsontext.Value `json:"value"`
	Actor string         `json:"actor,omitzero"` // who set it
	At    time.Time      `json:"at"`             // since when; event time
}

const currentRow = "current"

// current is a Setting as a row.
type current struct {
	Value string `json:"value"` // JSON
	Actor string `json:"actor,omitzero"`
	At    int64  `json:"at"` // Unix nanoseconds
}

// change replaces a group of settings, unless a later change is known. Of two
// changes at one time the later in the log counts.
func change(rows learn.Rows, f *events.Fact[events.SettingsChanged]) {
	key := keyOf(f.Data.Key)
	at := f.Time.UnixNano()
	if known := learn.Peek[current](rows, key, currentRow); known.Value != "" && at < known.At {
		return
	}
	*learn.At[current](rows, key, currentRow) = current{string(f.Data.Value), f.Data.Actor, at}
}

func know(rows learn.Rows, key learn.Key) (Setting, bool) {
	c := learn.Peek[current](rows, key, currentRow)
	if c.Value == "" {
		return Setting{}, false
	}
	return Setting{jsontext.Value(c.Value), c.Actor, time.Unix(0, c.At).UTC()}, true
}

// render takes the latest of what the partitions know: one may not have heard
// of the last change yet. A value of null means that nothing is set. Who set it
// and when stays in the insight.
func render(_ learn.Key, parts []Setting) (any, bool) {
	if len(parts) == 0 {
		return nil, false
	}
	latest := slices.MaxFunc(parts, func(a, b Setting) int { return a.At.Compare(b.At) })
	return latest.Value, latest.Value.Kind() != 'n'
}
