package api

import (
	"context"
	"maps"
	"slices"
	"time"

	"learnloop.dev/learn"
	"learnloop.dev/privacy"
)

// People knows the names of people: the one that is stored never changes, the
// one that is shown does when its key is rotated.
type People interface {
	// Show returns the shown names of stored ones; whatever is not one stays as it is.
	Show(ctx context.Context, names []string) ([]string, error)
	// Find tells whom a raw user id or a shown name, present or former, means.
	Find(ctx context.Context, user string) (Found, error)
}

// Found is whom a name means.
type Found struct {
	Name  string `json:"name"`  // the stored name
	Shown bool   `json:"shown"` // a shown name was given, else it was taken for a raw id
}

// Known is all that a person may be known by in what is stored.
type Known struct {
	Subjects []string `json:"subjects"` // blind indexes
	Names    []string `json:"names"`    // stored names, and those that were shown
}

// shown is the present shown name of whom a raw user id or a shown name means.
func (a *API) shown(ctx context.Context, user string) (string, error) {
	found, err := a.deps.People.Find(ctx, user)
	if err != nil {
		return "", outOfReach(err)
	}
	return a.show(ctx, found.Name)
}

// show is the shown name of a stored one.
func (a *API) show(ctx context.Context, name string) (string, error) {
	shown, err := a.deps.People.Show(ctx, []string{name})
	if err != nil {
		return "", outOfReach(err)
	}
	return shown[0], nil
}

// current is the key under which contexts are now, for a key that may name a
// person as they were shown before.
func (a *API) current(ctx context.Context, key learn.Key) (learn.Key, error) {
	stored, err := a.stored(ctx, key)
	if err != nil || stored == key {
		return key, err
	}
	key.ID, err = a.show(ctx, stored.ID)
	return key, err
}

// stored is the key as the models know it.
func (a *API) stored(ctx context.Context, key learn.Key) (learn.Key, error) {
	if key.Kind != kindUser || a.deps.People == nil {
		return key, nil
	}
	found, err := a.deps.People.Find(ctx, key.ID)
	if err != nil {
		return key, outOfReach(err)
	}
	if found.Shown {
		key.ID = found.Name
	}
	return key, nil
}

// labelled shows the people of a count.
func (a *API) labelled(ctx context.Context, counts map[string]int64) (map[string]int64, error) {
	if a.deps.People == nil || len(counts) == 0 {
		return counts, nil
	}
	names := slices.Sorted(maps.Keys(counts))
	labels, err := a.deps.People.Show(ctx, names)
	if err != nil {
		return nil, outOfReach(err)
	}
	shown := make(map[string]int64, len(counts))
	for i, label := range labels {
		shown[label] += counts[names[i]]
	}
	return shown, nil
}

// RotateArgs order that people are shown under new names.
type RotateArgs struct {
	Caller `json:"-"`

	Window string `json:"window,omitzero" query:"window" example:"7d" doc:"How long former names still find people: 12h, 7d, 0. By default as alias_window says."`
	Actor  string `json:"actor,omitzero" query:"actor" maxLength:"200" doc:"Who orders it, for the history."`
}

// RotateOrder is what a process that holds the keys is told.
type RotateOrder struct {
	Actor  string       `json:"actor"`
	Window *privacy.Age `json:"window,omitzero"` // nil: as the settings say
}

// Rotation says which keys of shown names there are.
type Rotation struct {
	KeyID  string      `json:"key_id" doc:"Names the key in use, as pseudonyms begin: p<key_id>_."`
	Since  time.Time   `json:"since"`
	Former []FormerKey `json:"former" nullable:"false" doc:"Former keys, whose pseudonyms still find people."`
}

// FormerKey is a key that was rotated away from.
type FormerKey struct {
	KeyID string    `json:"key_id"`
	Until time.Time `json:"until" doc:"When it is destroyed."`
}

// longestWindow is the longest that former names may find people.
const longestWindow = 3650 * privacy.Day

// rotate has people shown under new names.
func (a *API) rotate(ctx context.Context, in *RotateArgs) (*Rotation, error) {
	o := RotateOrder{Actor: actorOf(in.Actor)}
	if in.Window != "" {
		var age privacy.Age
		if err := age.UnmarshalText([]byte(in.Window)); err != nil || age < 0 || age > longestWindow {
			return nil, wrong(Invalid, "/window", "a number of days, or a number with d, h, m or s, of ten years at most")
		}
		o.Window = &age
	}
	return a.deps.Rotate(ctx, o)
}

// actorOf is who did something, for the history.
func actorOf(given string) string {
	if given == "" {
		return "operator"
	}
	return given
}
