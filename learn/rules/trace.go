package rules

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// labels name the lines of a context by the feedback that stands behind them.
// The prompt is none: it restates the others.
type labels struct {
	all     []string // of any feedback
	rules   []string // lists of rules, of any feedback about the rule
	decided []string // of feedback with an opinion
	graded  []string // of decisions that stated a confidence
}

// labelsOf lists the lines of a context by its kind, without those of texts. The
// baseline rests on acceptance where no decision stated a confidence.
func labelsOf(kind string) labels {
	switch kind {
	case kindRule:
		return labels{
			all: []string{"sample_count", "skip_rate", "has_sufficient_data", "evidence"},
			decided: []string{"decision_count", "acceptance_rate", "unchanged_rate", "modification_rate",
				"has_sufficient_decisions", "documented_note", "adjusted_confidence_baseline"},
			graded: []string{"confidence_adjustment", "calibration", "confidence_accuracy", "brier_score", "calibration_error"},
		}
	case kindCategory:
		return labels{
			all:     []string{"feedback_count", "skip_rate", "rules_with_feedback", "evidence"},
			rules:   []string{"top_accepted_rules", "top_rejected_rules"},
			decided: []string{"decision_count", "acceptance_rate", "unchanged_rate", "modification_rate"},
		}
	default:
		return labels{
			all:     []string{"total_feedback", "skip_rate", "rules_with_feedback", "evidence"},
			rules:   []string{"rules"},
			decided: []string{"decision_count", "overall_acceptance_rate", "unchanged_rate", "modification_rate"},
			graded:  []string{"confidence_accuracy", "brier_score", "calibration_error"},
		}
	}
}

// trace names the lines of a key's context that a feedback stands behind: a
// field, or field/id for the element of a list. A pattern or a rule is an element
// on one side at most, if it is listed at all; both are named.
func trace(_ learn.Rows, key learn.Key, r events.Recorded) []string {
	if f, ok := r.(*events.Fact[events.DataImported]); ok {
		return traceImport(key, &f.Data)
	}
	f, ok := r.(*events.Fact[events.FixFeedback])
	if !ok || !behind(key, &f.Data) {
		return nil
	}
	of := labelsOf(key.Kind)
	list := of.all
	for _, name := range of.rules {
		list = append(list, name+"/"+string(f.Data.RuleID))
	}
	if f.Data.Decision == events.Skipped {
		return list
	}
	list = append(list, of.decided...)
	if f.Data.OriginalConfidence != nil {
		list = append(list, of.graded...)
	}
	if key.Kind == kindRule {
		list = append(list, traceTexts(&f.Data)...)
	}
	return list
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

// traceTexts names the pattern of a feedback, whose line gives the reasons of
// those who rejected it too, and the edit.
func traceTexts(f *events.FixFeedback) []string {
	var list []string
	if f.Derived != nil && f.Derived.Pattern != "" {
		list = append(list, "accepted_patterns/"+f.Derived.Pattern, "rejected_patterns/"+f.Derived.Pattern)
	}
	if _, id, ok := editOf(f); ok {
		list = append(list, "useful_modifications/"+id)
	}
	return list
}
