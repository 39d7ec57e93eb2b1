package events

import "strconv"

// DataImported brings what an installation counted about one rule (000, import). It is a
// record like those of feedback: the rule, the installation and the chunk name it, and of
// two that were exported at different times the later one stays. So the same import
// changes nothing, and the order of several does not matter.
type DataImported struct {
	Origin   string `json:"origin" privacy:"blind"` // the installation that counted
	RuleID   ID     `json:"rule_id" privacy:"id"`
	Version  string `json:"version" privacy:"plain"`  // of the export's form
	Checksum string `json:"checksum" privacy:"blind"` // SHA-256 of the export it came in, hex
	// Chunk 0 has the counts of the rule, the ones from 1 on have patterns.
	Chunk    int64             `json:"chunk,omitzero"`
	Counts   *ImportedRule     `json:"counts,omitzero"`
	Patterns []ImportedPattern `json:"patterns,omitzero"`
	Actor    string            `json:"actor,omitzero" privacy:"id"`
	Moment                     // when it was exported
}

// ImportedRule is what was decided about a rule, in integers.
type ImportedRule struct {
	Cells      []ImportedCell `json:"cells"`
	Confidence []ImportedBin  `json:"confidence,omitzero"`
	// Errors are the squared errors of the stated confidences: whole ones, and beyond
	// those in 1e-10.
	Errors    int64 `json:"errors,omitzero"`
	ErrorRest int64 `json:"error_rest,omitzero"`
	// First and Last are the days with the first and the last decision, YYYY-MM-DD.
	First string `json:"first,omitzero" privacy:"plain"`
	Last  string `json:"last,omitzero" privacy:"plain"`
}

// ImportedCell is what was decided within a category, in bulk or one by one.
type ImportedCell struct {
	Category string `json:"category" privacy:"id"`
	Bulk     bool   `json:"bulk,omitzero"`
	Accepted int64  `json:"accepted,omitzero"`
	Modified int64  `json:"modified,omitzero"`
	Rejected int64  `json:"rejected,omitzero"`
	Skipped  int64  `json:"skipped,omitzero"`
	Graded   int64  `json:"graded,omitzero"` // decisions that stated a confidence
	Hits     int64  `json:"hits,omitzero"`   // those it predicted
}

// ImportedBin is what became of the confidences in one of thirteen equal bins.
type ImportedBin struct {
	Bin  int64 `json:"bin"`
	N    int64 `json:"n"`
	Kept int64 `json:"kept,omitzero"`
	Sum  int64 `json:"sum,omitzero"` // of the confidences, in 1e-5
}

// ImportedPattern is one pattern, its decisions counted.
type ImportedPattern struct {
	Pattern          string `json:"pattern" privacy:"blind"` // keyed hash of the pair
	OriginalPattern  string `json:"original_pattern" privacy:"text"`
	SuggestedPattern string `json:"suggested_pattern" privacy:"text"`
	Mode             string `json:"mode" privacy:"plain"` // how the texts are masked
	Accepted         int64  `json:"accepted,omitzero"`
	Modified         int64  `json:"modified,omitzero"`
	Rejected         int64  `json:"rejected,omitzero"`
}

// Identity is the chunk, of an installation and a rule.
func (i *DataImported) Identity() []string {
	return []string{i.Origin, string(i.RuleID), strconv.FormatInt(i.Chunk, 10)}
}

// Parts addresses the counts to their rule.
func (i *DataImported) Parts() []Part {
	return []Part{{Group: ByRule, Key: string(i.RuleID), Kind: ControlImported.Kind, Data: i}}
}

// Person is nobody: counts stand for all who decided.
func (*DataImported) Person() string { return "" }
