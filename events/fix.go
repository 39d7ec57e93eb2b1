package events

import (
	"time"
	"unicode/utf8"
)

// Decision is what a person did with a suggested fix.
type Decision string

// The decisions of source document 000.
const (
	Accepted Decision = "accepted"
	Rejected Decision = "rejected"
	Modified Decision = "modified"
	Skipped  Decision = "skipped"
)

// FixFeedback is a person's decision about one suggested fix (000 section 4.2).
type FixFeedback struct {
	FeedbackID         ID        `json:"feedback_id,omitzero" privacy:"id"`
	SuggestionID       ID        `json:"suggestion_id" privacy:"id"`
	DeviationID        ID        `json:"deviation_id" privacy:"id"`
	RuleID             ID        `json:"rule_id" privacy:"id"`
	Category           string    `json:"category" privacy:"id"`
	Decision           Decision  `json:"decision" privacy:"enum"`
	OriginalText       string    `json:"original_text" privacy:"text"`
	SuggestedText      string    `json:"suggested_text" privacy:"text"`
	FinalText          *string   `json:"final_text,omitzero" privacy:"text"`
	UserModification   *string   `json:"user_modification,omitzero" privacy:"text"`
	OriginalConfidence *float64  `json:"original_confidence,omitzero"`
	UserComment        string    `json:"user_comment,omitzero" privacy:"text"`
	UserID             ID        `json:"user_id,omitzero" privacy:"person"`
	AnonymizedUserID   ID        `json:"anonymized_user_id,omitzero" privacy:"person"`
	IsBulkOperation    bool      `json:"is_bulk_operation,omitzero"`
	Language           string    `json:"language,omitzero" privacy:"id"`
	Model              string    `json:"model,omitzero" privacy:"id"`
	Timestamp          time.Time `json:"timestamp,omitzero"`
	// Derived is what ingest computed from the unmasked text; producers cannot send it.
	Derived *FixDerived `json:"derived,omitzero"`
}

// FixDerived is what stays known of a fix's texts however they are masked
// (SPEC section 3, text modes).
type FixDerived struct {
	// Pattern is the keyed hash of the normalised (original, suggested) pair.
	Pattern string `json:"pattern" privacy:"plain"`
	// Original and Suggested are the normalised pair, masked by Mode.
	Original  string `json:"original" privacy:"plain"`
	Suggested string `json:"suggested" privacy:"plain"`
	Mode      string `json:"mode" privacy:"plain"`
	// Improvement says how the user changed the suggestion, "" when it cannot be said.
	Improvement string `json:"improvement,omitzero" privacy:"plain"`
	// LongestText is the length of the original text as it was sent, in runes.
	LongestText int `json:"longest_text,omitzero"`
	// NonASCII, EmptyOriginal and EmptySuggestion describe the pair as it was sent.
	NonASCII        bool `json:"non_ascii,omitzero"`
	EmptyOriginal   bool `json:"empty_original,omitzero"`
	EmptySuggestion bool `json:"empty_suggestion,omitzero"`
}

// Identity is the feedback id.
func (f *FixFeedback) Identity() []string { return named(f.FeedbackID) }

// Parts addresses the feedback to its rule.
func (f *FixFeedback) Parts() []Part {
	return []Part{{Group: ByRule, Key: string(f.RuleID), Kind: FeedbackFix.Kind, Data: f}}
}

// Person is the user who decided.
func (f *FixFeedback) Person() string { return either(f.UserID, f.AnonymizedUserID) }

// When is the decision's own timestamp.
func (f *FixFeedback) When() time.Time { return f.Timestamp }

// named is an identity of one id, empty when the id is.
func named(id ID) []string {
	if id == "" {
		return nil
	}
	return []string{string(id)}
}

// either returns the first id that is set.
func either(a, b ID) string {
	if a != "" {
		return string(a)
	}
	return string(b)
}

// Settle notes what the texts were like as they were sent: later they are
// redacted and masked.
func (f *FixFeedback) Settle() {
	f.Derived = &FixDerived{
		LongestText:     utf8.RuneCountInString(f.OriginalText),
		NonASCII:        !ascii(f.OriginalText) || !ascii(f.SuggestedText),
		EmptyOriginal:   f.OriginalText == "",
		EmptySuggestion: f.SuggestedText == "",
	}
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
