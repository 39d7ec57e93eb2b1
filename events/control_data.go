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

// DataImported brings what another installation learned (000, export). A large
// export comes in several chunks. The counts are that installation's whole ones:
// a later import from it replaces them, the same one changes nothing.
type DataImported struct {
	Origin     ID                `json:"origin" privacy:"id"` // the exporting installation
	ExportedAt time.Time         `json:"exported_at"`
	Version    string            `json:"version" privacy:"id"`
	Checksum   string            `json:"checksum" privacy:"blind"` // SHA-256 of the whole export, hex
	Chunk      int64             `json:"chunk,omitzero"`           // from 0
	Chunks     int64             `json:"chunks"`
	Patterns   []ImportedPattern `json:"patterns,omitzero"`
	Rules      []ImportedRule    `json:"rules,omitzero"`
	Actor      string            `json:"actor,omitzero" privacy:"id"`
	Moment
}

// ImportedPattern is one pattern of an export, its decisions counted.
type ImportedPattern struct {
	RuleID           ID     `json:"rule_id" privacy:"id"`
	PatternType      string `json:"pattern_type,omitzero" privacy:"id"` // "accepted", "rejected"
	OriginalPattern  string `json:"original_pattern" privacy:"text"`
	SuggestedPattern string `json:"suggested_pattern" privacy:"text"`
	Accepted         int64  `json:"accepted,omitzero"`
	Modified         int64  `json:"modified,omitzero"`
	Rejected         int64  `json:"rejected,omitzero"`
}

// ImportedRule is one rule of an export, its decisions counted.
type ImportedRule struct {
	RuleID   ID     `json:"rule_id" privacy:"id"`
	Category string `json:"category,omitzero" privacy:"id"`
	Accepted int64  `json:"accepted,omitzero"`
	Modified int64  `json:"modified,omitzero"`
	Rejected int64  `json:"rejected,omitzero"`
	Skipped  int64  `json:"skipped,omitzero"`
}

// Identity is the envelope's source and id.
func (*DataImported) Identity() []string { return nil }

// Parts addresses every partition.
func (i *DataImported) Parts() []Part { return everywhere(ControlImported.Kind, i) }

// Person is nobody.
func (*DataImported) Person() string { return "" }

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
