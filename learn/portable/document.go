// Package portable is the form in which what was learned from rule feedback travels
// between installations: a JSON document of counts by their sources, with a checksum over
// its canonical form, written and read a piece at a time.
package portable

import (
	"cmp"
	_ "embed" // the schema
	"strings"
	"time"

	"learnloop.dev/events"
)

// Version is that of the form. A reader takes every version with the same first number.
const Version = "1.0"

// Schema is the JSON Schema of a document.
//
//go:embed export.v1.json
var Schema []byte

// Header is what an export says of itself.
type Header struct {
	ExportedAt time.Time `json:"exported_at"`
	Options    Options   `json:"options"`
	Source     string    `json:"source"` // the installation that exported
	// Until is when the last count was read: decisions from before it are in the counts.
	Until   time.Time `json:"until"`
	Version string    `json:"version"`
}

// Options are what an export was asked for (000, LearningExportOptions).
type Options struct {
	AnonymizeAll        bool     `json:"anonymize_all"`
	IncludeOriginalText bool     `json:"include_original_text"`
	IncludePatterns     bool     `json:"include_patterns"`
	IncludeStatistics   bool     `json:"include_statistics"`
	Period              *Period  `json:"period,omitzero"`
	Rules               []string `json:"rules,omitzero"`
}

// Pattern is what one source counted of one pattern of a rule.
type Pattern struct {
	Place
	PatternType string `json:"pattern_type"` // accepted, rejected, or neither: ""
	events.ImportedPattern
	Count       int64   `json:"count"`
	SuccessRate float64 `json:"success_rate"`
}

// Rule is what one source counted of a rule.
type Rule struct {
	Place
	events.ImportedRule
	FeedbackCount  int64    `json:"feedback_count"`
	AcceptanceRate *float64 `json:"acceptance_rate"`
	Patterns       int64    `json:"patterns"` // how many there are of the source, in this export or not
}

// Place is what an entry is about.
type Place struct {
	RuleID events.ID `json:"rule_id"`
	Source string    `json:"source"`
	// AsOf is when another installation exported the counts; absent where the header says it.
	AsOf time.Time `json:"as_of,omitzero"`
}

// Exported is when the counts were exported first.
func (p Place) Exported(h *Header) time.Time {
	if p.AsOf.IsZero() {
		return h.ExportedAt
	}
	return p.AsOf
}

// Same reports whether entries are about the same rule by the same source.
func (p Place) Same(o Place) bool { return p.RuleID == o.RuleID && p.Source == o.Source }

// Key is where an entry stands in the order of an export.
type Key struct {
	Rule    string `json:"rule"`
	Source  string `json:"source"`
	Pattern string `json:"pattern,omitzero"`
}

// Compare is negative when k comes first.
func (k Key) Compare(o Key) int {
	return cmp.Or(strings.Compare(k.Rule, o.Rule), strings.Compare(k.Source, o.Source), strings.Compare(k.Pattern, o.Pattern))
}

// Key is where the pattern stands.
func (p Pattern) Key() Key { return Key{string(p.RuleID), p.Source, p.Pattern} }

// Key is where the rule stands.
func (r Rule) Key() Key { return Key{Rule: string(r.RuleID), Source: r.Source} }

// Period is a time from its start to before its end; what is not given is open.
type Period struct {
	Start time.Time `json:"start,omitzero"`
	End   time.Time `json:"end,omitzero"`
}
