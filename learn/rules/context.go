package rules

import (
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// Schemas of the contexts.
const (
	schemaRule     = "dev.learnloop.context.rule.v1"
	schemaCategory = "dev.learnloop.context.category.v1"
	schemaSummary  = "dev.learnloop.context.summary.v1"
)

// Context is what generators are told about a rule: the source document's
// LearningContext with its bounds and evidence. Rates are 0..1, rounded to six
// digits, and null where there is nothing to divide by.
type Context struct {
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Schema string `json:"schema"`
	// Prompt is ready to inject; PromptEnhancement is the same text under the
	// source document's name.
	Prompt            string `json:"prompt"`
	PromptEnhancement string `json:"prompt_enhancement"`

	RuleID                 string   `json:"rule_id"`
	SampleCount            int64    `json:"sample_count"`
	DecisionCount          int64    `json:"decision_count"` // without skips
	AcceptanceRate         *float64 `json:"acceptance_rate"`
	UnchangedRate          *float64 `json:"unchanged_rate"` // kept just as suggested
	ModificationRate       *float64 `json:"modification_rate"`
	SkipRate               *float64 `json:"skip_rate"`
	HasSufficientData      bool     `json:"has_sufficient_data"`      // as documented: ten samples
	HasSufficientDecisions bool     `json:"has_sufficient_decisions"` // ten decisions; gates what follows
	DocumentedNote         *string  `json:"documented_note"`          // by the rate alone: "low" below 0.5, "high" above 0.9

	AcceptedPatterns    []AcceptedPattern `json:"accepted_patterns"`
	RejectedPatterns    []RejectedPattern `json:"rejected_patterns"`
	UsefulModifications []Modification    `json:"useful_modifications"`

	// AdjustedConfidenceBaseline is what a stated confidence of this rule is worth on average.
	AdjustedConfidenceBaseline *float64 `json:"adjusted_confidence_baseline"`
	// ConfidenceAdjustment is the baseline minus the mean stated confidence.
	ConfidenceAdjustment *float64        `json:"confidence_adjustment"`
	Calibration          []CalibratedBin `json:"calibration"`
	ConfidenceAccuracy   *float64        `json:"confidence_accuracy"` // as documented: stated ≥ 0.8 means kept
	BrierScore           *float64        `json:"brier_score"`
	CalibrationError     *float64        `json:"calibration_error"` // ECE over the bins of Calibration

	Evidence *Evidence `json:"evidence"` // null when there is none
}

// AcceptedPattern is a fix that people keep.
type AcceptedPattern struct {
	Pattern          string  `json:"pattern"` // keyed hash of the pair
	OriginalPattern  string  `json:"original_pattern"`
	SuggestedPattern string  `json:"suggested_pattern"`
	AcceptCount      int64   `json:"accept_count"`
	Count            int64   `json:"count"`
	SuccessRate      float64 `json:"success_rate"`
	Lower            float64 `json:"lower"` // 95 % bounds of the success rate
	Upper            float64 `json:"upper"`
	Tentative        bool    `json:"tentative"` // could still be luck
}

// RejectedPattern is a fix that people turn down.
type RejectedPattern struct {
	Pattern               string  `json:"pattern"`
	OriginalPattern       string  `json:"original_pattern"`
	SuggestedPattern      string  `json:"suggested_pattern"`
	RejectCount           int64   `json:"reject_count"`
	Count                 int64   `json:"count"`
	SuccessRate           float64 `json:"success_rate"`
	Lower                 float64 `json:"lower"`
	Upper                 float64 `json:"upper"`
	Tentative             bool    `json:"tentative"`
	CommonRejectionReason *string `json:"common_rejection_reason"` // a person's words

	reason string // what the prompt gives: one of the most common
}

// Modification is how people changed a suggestion before they kept it.
type Modification struct {
	Modification       string `json:"modification"` // digest of the texts
	OriginalSuggestion string `json:"original_suggestion"`
	UserModification   string `json:"user_modification"`
	Improvement        string `json:"improvement"`
	Count              int64  `json:"count"`
}

// CalibratedBin says what stated confidences in [From, To) turned out to be worth.
type CalibratedBin struct {
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	Count    int64   `json:"count"` // decisions of this rule in the bin
	Adjusted float64 `json:"adjusted"`
}

// Evidence is what a context rests on.
type Evidence struct {
	First      string          `json:"first"` // day of the first feedback, YYYY-MM-DD
	Last       string          `json:"last"`
	Accepted   int64           `json:"accepted"`
	Modified   int64           `json:"modified"`
	Rejected   int64           `json:"rejected"`
	Skipped    int64           `json:"skipped"`
	Acceptance *stats.Interval `json:"acceptance"` // 95 % bounds, from Beta(1, 1); null without decisions
	// PatternsAccepted and PatternsRejected count all, listed or not.
	PatternsAccepted int64 `json:"patterns_accepted"`
	PatternsRejected int64 `json:"patterns_rejected"`
}

// Empty is the context of a rule nothing is known about.
func Empty(ruleID string) Context { return contextOf(ruleID, &ruleKnown{}) }

// render makes the context of a key from what the partitions know.
func render(key learn.Key, parts []insight) (any, bool) {
	var groups []*groupKnown
	for _, p := range parts {
		if p.Rule != nil {
			return contextOf(key.ID, p.Rule), true
		}
		if p.Group != nil {
			groups = append(groups, p.Group)
		}
	}
	switch {
	case len(groups) == 0:
		return nil, false
	case key.Kind == kindCategory:
		return categoryOf(key.ID, merged(groups)), true
	default:
		return summaryOf(merged(groups)), true
	}
}

func contextOf(id string, k *ruleKnown) Context {
	c := Context{
		Kind: kindRule, ID: id, Schema: schemaRule,
		RuleID:                 id,
		SampleCount:            k.Tally.Total(),
		DecisionCount:          k.Tally.Decided(),
		AcceptanceRate:         rate(k.Tally.acceptance()),
		UnchangedRate:          rate(k.Tally.unchanged()),
		ModificationRate:       rate(k.Tally.modification()),
		SkipRate:               rate(k.Tally.skips()),
		HasSufficientData:      k.Tally.Total() >= enough,
		HasSufficientDecisions: k.Tally.Decided() >= enough,
		DocumentedNote:         documentedNote(k.Tally),
		Calibration:            calibratedBins(k),
		AcceptedPatterns:       []AcceptedPattern{},
		RejectedPatterns:       []RejectedPattern{},
		UsefulModifications:    []Modification{},
		ConfidenceAccuracy:     rounded(k.Confidence.ConfidenceAccuracy()),
		BrierScore:             rounded(k.Confidence.Brier()),
		CalibrationError:       rounded(k.Confidence.ECE()),
		Evidence:               evidence(k.Tally, k.Span),
	}
	c.AdjustedConfidenceBaseline, c.ConfidenceAdjustment = baseline(k)
	c.list(k)
	c.Prompt = c.prompt()
	c.PromptEnhancement = c.Prompt
	return c
}

// The documented notes.
const (
	noteLow  = "low"
	noteHigh = "high"
)

func documentedNote(t Tally) *string {
	share, _ := t.acceptance().Rate()
	switch {
	case t.Decided() < enough:
		return nil
	case share < low:
		return new(noteLow)
	case share > high:
		return new(noteHigh)
	}
	return nil
}

func (c *Context) list(k *ruleKnown) {
	for _, d := range k.Accepted {
		c.AcceptedPatterns = append(c.AcceptedPatterns, d.accepted())
	}
	for _, d := range k.Rejected {
		c.RejectedPatterns = append(c.RejectedPatterns, d.rejected())
	}
	for _, e := range k.Edits {
		c.UsefulModifications = append(c.UsefulModifications,
			Modification{e.ID, e.Edit.Suggestion, e.Edit.Edit, e.Edit.Improvement, e.Edit.N})
	}
	if c.Evidence != nil {
		c.Evidence.PatternsAccepted, c.Evidence.PatternsRejected = k.Patterns.Accepted, k.Patterns.Rejected
	}
}

func (d decided) accepted() AcceptedPattern {
	bounds := round(d.Tally.bounds())
	sure := d.Tally.Decided() >= enough && bounds.Lower > low
	return AcceptedPattern{d.Hash, d.Original, d.Suggested, d.Tally.Kept(), d.Tally.Decided(),
		orZero(d.Tally.acceptance()), bounds.Lower, bounds.Upper, !sure}
}

func (d decided) rejected() RejectedPattern {
	bounds := round(d.Tally.bounds())
	sure := d.Tally.Decided() >= enough && bounds.Upper < low
	p := RejectedPattern{d.Hash, d.Original, d.Suggested, d.Tally.Rejected, d.Tally.Decided(),
		orZero(d.Tally.acceptance()), bounds.Lower, bounds.Upper, !sure, nil, steady(d.Reasons)}
	if len(d.Reasons) > 0 {
		p.CommonRejectionReason = &d.Reasons[0].Text
	}
	return p
}

func evidence(t Tally, s span) *Evidence {
	if t.Total() == 0 {
		return nil
	}
	e := &Evidence{First: date(s.First), Last: date(s.Last),
		Accepted: t.Accepted, Modified: t.Modified, Rejected: t.Rejected, Skipped: t.Skipped}
	if t.Decided() > 0 {
		bounds := round(t.bounds())
		e.Acceptance = &bounds
	}
	return e
}

func round(i stats.Interval) stats.Interval {
	return stats.Interval{Lower: stats.Round(i.Lower, digits), Upper: stats.Round(i.Upper, digits)}
}
