package rules

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// trace names the lines of a key's context that a feedback stands behind. A
// pattern's line exists in a context on one side at most; both are named.
func trace(key learn.Key, r events.Recorded) []string {
	f, ok := r.(*events.Fact[events.FixFeedback])
	if !ok || !behind(key, &f.Data) {
		return nil
	}
	if f.Data.Decision == events.Skipped {
		return []string{"sample_count", "skip_rate"}
	}
	lines := []string{"sample_count", "acceptance_rate"}
	if f.Data.OriginalConfidence != nil {
		lines = append(lines, "calibration")
	}
	if key.Kind != kindRule {
		return append(lines, "rules/"+string(f.Data.RuleID))
	}
	return append(lines, traceTexts(&f.Data)...)
}

// behind reports whether a feedback is evidence for a key.
func behind(key learn.Key, f *events.FixFeedback) bool {
	switch key.Kind {
	case kindRule:
		return key.ID == string(f.RuleID)
	case kindCategory:
		return key.ID == f.Category
	}
	return key.Kind == kindSummary
}

func traceTexts(f *events.FixFeedback) []string {
	var lines []string
	if f.Derived != nil && f.Derived.Pattern != "" {
		lines = append(lines, "accepted_patterns/"+f.Derived.Pattern, "rejected_patterns/"+f.Derived.Pattern)
	}
	if _, id, ok := editOf(f); ok {
		lines = append(lines, "useful_modifications/"+id)
	}
	if f.Decision == events.Rejected && remark(f.UserComment) != "" {
		lines = append(lines, "comment")
	}
	return lines
}
