package events

import (
	"cmp"
	"slices"
	"time"
)

// Sweeper is a control fact that takes records out for ever: those that are there
// and those that come after it. What it says about a record never depends on where
// the two stand in the log, so that a log folded again says the same.
type Sweeper interface {
	// Takes reports whether a record goes; fact is the head of the control fact.
	Takes(fact, record *Head) bool
}

// Takes reports whether the record was stored before the clearing and meets every
// condition. Without a condition only a clearing of all takes anything.
func (c *DataCleared) Takes(fact, record *Head) bool {
	switch {
	case record.stays() || !record.Recorded.Before(fact.Recorded) || !c.Conditional() && !c.All:
		return false
	case c.Kind != "" && c.Kind != record.Kind():
		return false
	case record.Time.Before(c.From) || !c.To.IsZero() && !record.Time.Before(c.To):
		return false
	}
	return len(c.Rules) == 0 || record.Group == ByRule && slices.Contains(c.Rules, ID(record.Key))
}

// Conditional reports whether the clearing names a period, rules or a kind.
func (c *DataCleared) Conditional() bool {
	return !c.From.IsZero() || !c.To.IsZero() || len(c.Rules) > 0 || c.Kind != ""
}

// Takes reports whether the record lies behind the boundary.
func (x *DataExpired) Takes(_, record *Head) bool {
	return !record.stays() && (x.Kind == "" || x.Kind == record.Kind()) &&
		Age{record.Recorded, record.Record}.Compare(Age{x.Before, x.Record}) < 0
}

// Takes reports whether the record is the experiment's and was stored before the boundary.
func (x *ExperimentExpired) Takes(_, record *Head) bool {
	return record.Group == ByExperiment && record.Key == string(x.Experiment) && record.Recorded.Before(x.Before)
}

// stays reports whether a record is no data that goes with time or with a clearing:
// what a person deleted would come back from what stays.
func (h *Head) stays() bool {
	return h.Group == Everywhere || h.Kind() == ControlPreferenceCorrected.Kind
}

// Age orders records by when they were stored, those stored at once by identity.
type Age struct {
	Recorded time.Time
	Record   string
}

// Compare is negative when a is older.
func (a Age) Compare(b Age) int {
	return cmp.Or(a.Recorded.Compare(b.Recorded), cmp.Compare(a.Record, b.Record))
}

// Takes reports whether the record is about the person and older than the cut-off,
// control facts about the person too.
func (f *SubjectForgotten) Takes(_, record *Head) bool {
	return record.Person == f.Subject && record.Older(f.Before)
}

// Older reports whether a fact happened, or was stored, before a time: what a
// producer sends again later is as old as it says.
func (h *Head) Older(than time.Time) bool {
	return h.Time.Before(than) || h.Recorded.Before(than)
}
