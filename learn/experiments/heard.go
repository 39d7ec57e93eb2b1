package experiments

import (
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// heard is what a partition has of an experiment.
type heard struct {
	Records int64 `json:"records,omitzero"`
	Named   int64 `json:"named,omitzero"` // of them, those that name a variant
}

// mostUndeclared is how many experiments a partition tells of that nobody defined: who
// makes up a name for every event does not get a context for each.
const mostUndeclared = 100

// count notes which experiments the partition has records of.
func count(rows learn.Rows, id events.ID, named bool, weight int64) {
	row := learn.At[heard](rows, allKey(), string(id))
	before := row.Named > 0
	row.Records += weight
	if named {
		row.Named += weight
	}
	if before != (row.Named > 0) && !declared(rows, string(id)) {
		shift(rows)
	}
}

// records is how many an experiment has.
func records(rows learn.Rows, name string) int64 {
	return learn.Peek[heard](rows, allKey(), name).Records
}

// declared reports whether somebody defined an experiment.
func declared(rows learn.Rows, name string) bool {
	for range learn.Scan[version](rows, designKey(name), versionRows) {
		return true
	}
	return false
}

// told reports whether there is a context of an experiment: where somebody defined it, or
// where its records name variants and it is among the first by name.
func told(rows learn.Rows, name string) bool {
	switch is := learn.Peek[heard](rows, allKey(), name); {
	case is.Records == 0:
		return false
	case declared(rows, name):
		return true
	case is.Named == 0:
		return false
	}
	return slices.Contains(undeclared(rows, mostUndeclared), name)
}

// undeclared are the first experiments by name, no more than so many, whose records name
// variants and that nobody defined.
func undeclared(rows learn.Rows, most int) (names []string) {
	for name, is := range learn.Scan[heard](rows, allKey(), "") {
		if is.Named > 0 && !declared(rows, name) {
			if names = append(names, name); len(names) == most {
				break
			}
		}
	}
	return names
}

// shift has those published anew that came among the first, or no longer are: one of them
// is new, or went.
func shift(rows learn.Rows) {
	names := undeclared(rows, mostUndeclared+1)
	for _, name := range names[min(len(names), mostUndeclared-1):] {
		learn.Touch(rows, Key(name))
	}
}
