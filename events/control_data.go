package events

import "time"

// DataCleared takes records out of the aggregates and out of the log: those in
// the half-open period [From, To) of event time, of the given rules, of a kind,
// that were stored before it; an empty condition matches all.
type DataCleared struct {
	From  time.Time `json:"from,omitzero"`
	To    time.Time `json:"to,omitzero"`
	Rules []ID      `json:"rules,omitzero" privacy:"id"`
	Kind  Kind      `json:"kind,omitzero" privacy:"id"`
	All   bool      `json:"all,omitzero"`
	Actor string    `json:"actor,omitzero" privacy:"id"`
	Moment
}

// Identity is the envelope's source and id.
func (*DataCleared) Identity() []string { return nil }

// Parts addresses every partition.
func (c *DataCleared) Parts() []Part { return everywhere(ControlCleared.Kind, c) }

// Person is nobody.
func (*DataCleared) Person() string { return "" }

// DataExpired is the retention boundary: records of the kind stored before it
// are taken out, and older ones have no effect for ever.
type DataExpired struct {
	Before time.Time `json:"before"`
	Kind   Kind      `json:"kind,omitzero" privacy:"id"` // empty: every kind
	// Record is the first of those stored at that very time that stays; empty: all do.
	Record string `json:"record,omitzero" privacy:"blind"`
	Moment
}

// Identity is the envelope's source and id.
func (*DataExpired) Identity() []string { return nil }

// Parts addresses every partition.
func (x *DataExpired) Parts() []Part { return everywhere(ControlExpired.Kind, x) }

// Person is nobody.
func (*DataExpired) Person() string { return "" }

// DataReset forgets everything one model has learned (004, reset), and leaves
// other models alone.
type DataReset struct {
	Model string `json:"model" privacy:"id"` // "outcomes"
	Actor string `json:"actor,omitzero" privacy:"id"`
	Moment
}

// Identity is the envelope's source and id.
func (*DataReset) Identity() []string { return nil }

// Parts addresses every partition.
func (r *DataReset) Parts() []Part { return everywhere(ControlReset.Kind, r) }

// Person is nobody.
func (*DataReset) Person() string { return "" }

// SubjectForgotten is the tombstone of a person: records about the person from
// before the cut-off have no effect for ever, newer ones count.
type SubjectForgotten struct {
	Subject string    `json:"subject" privacy:"blind"` // the person's blind index
	Before  time.Time `json:"before"`
	Actor   string    `json:"actor,omitzero" privacy:"id"`
	Moment
}

// Identity is the envelope's source and id.
func (*SubjectForgotten) Identity() []string { return nil }

// Parts addresses every partition.
func (f *SubjectForgotten) Parts() []Part { return everywhere(ControlForgotten.Kind, f) }

// Person is nobody: the fact must outlive what it forgets.
func (*SubjectForgotten) Person() string { return "" }
