package api

import (
	"context"
	"time"

	"learnloop.dev/learn"
	"learnloop.dev/privacy"
)

// People knows the names of people: the one that is stored never changes, the
// one that is shown does when its key is rotated.
type People interface {
	// Stored is the stored name of a raw user id.
	Stored(user string) string
	// Show is the shown name of a stored one; whatever is not one stays as it is.
	Show(name string) string
	// Find is the stored name behind a shown one, present or former.
	Find(shown string) (name string, known bool)
}

// name is the stored name of whom a raw user id or a shown name means.
func (a *API) name(user string) string {
	if name, known := a.deps.People.Find(user); known {
		return name
	}
	return a.deps.People.Stored(user)
}

// shown is the present shown name of the same.
func (a *API) shown(user string) string { return a.deps.People.Show(a.name(user)) }

// current is the key under which contexts are now, for a key that may name a
// person as they were shown before.
func (a *API) current(key learn.Key) learn.Key {
	if stored := a.stored(key); stored != key {
		return learn.Key{Kind: key.Kind, ID: a.deps.People.Show(stored.ID)}
	}
	return key
}

// stored is the key as the models know it.
func (a *API) stored(key learn.Key) learn.Key {
	if key.Kind != kindUser || a.deps.People == nil {
		return key
	}
	if name, known := a.deps.People.Find(key.ID); known {
		key.ID = name
	}
	return key
}

// labelled shows the people of a count.
func (a *API) labelled(counts map[string]int64) map[string]int64 {
	if a.deps.People == nil {
		return counts
	}
	shown := make(map[string]int64, len(counts))
	for name, n := range counts {
		shown[a.deps.People.Show(name)] += n
	}
	return shown
}

// RotateArgs order that people are shown under new names.
type RotateArgs struct {
	Caller `json:"-"`

	Window string `json:"window,omitzero" query:"window" example:"7d" doc:"How long former names still find people: 12h, 7d, 0. By default as alias_window says."`
	Actor  string `json:"actor,omitzero" query:"actor" maxLength:"200" doc:"Who orders it, for the history."`
}

// RotateOrder is what a process that holds the keys is told.
type RotateOrder struct {
	Actor  string
	Window *time.Duration // nil: as the settings say
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
		window := time.Duration(age) * time.Second
		o.Window = &window
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
