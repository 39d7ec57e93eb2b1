package rules

// Group is what generators are told about a category.
type Group struct {
	Kind              string    `json:"kind"`
	ID                string    `json:"id"`
	Schema            string    `json:"schema"`
	Prompt            string    `json:"prompt"`
	Category          string    `json:"category"`
	FeedbackCount     int64     `json:"feedback_count"`
	DecisionCount     int64     `json:"decision_count"`
	AcceptanceRate    *float64  `json:"acceptance_rate"`
	UnchangedRate     *float64  `json:"unchanged_rate"`
	ModificationRate  *float64  `json:"modification_rate"`
	SkipRate          *float64  `json:"skip_rate"`
	RulesWithFeedback int64     `json:"rules_with_feedback"`
	TopAcceptedRules  []Ruling  `json:"top_accepted_rules"` // by the lower bound, at least three decisions
	TopRejectedRules  []Ruling  `json:"top_rejected_rules"` // by the upper bound
	Evidence          *Evidence `json:"evidence"`
}

// Summary is what generators are told about all rules together.
type Summary struct {
	Kind                  string    `json:"kind"`
	ID                    string    `json:"id"`
	Schema                string    `json:"schema"`
	Prompt                string    `json:"prompt"`
	TotalFeedback         int64     `json:"total_feedback"`
	DecisionCount         int64     `json:"decision_count"`
	OverallAcceptanceRate *float64  `json:"overall_acceptance_rate"`
	UnchangedRate         *float64  `json:"unchanged_rate"`
	ModificationRate      *float64  `json:"modification_rate"`
	SkipRate              *float64  `json:"skip_rate"`
	RulesWithFeedback     int64     `json:"rules_with_feedback"`
	ConfidenceAccuracy    *float64  `json:"confidence_accuracy"`
	BrierScore            *float64  `json:"brier_score"`
	CalibrationError      *float64  `json:"calibration_error"`
	Rules                 []Ruling  `json:"rules"` // the five with most decisions
	Evidence              *Evidence `json:"evidence"`
}

// Ruling is how people decided about one rule.
type Ruling struct {
	RuleID         string   `json:"rule_id"`
	FeedbackCount  int64    `json:"feedback_count"`
	DecisionCount  int64    `json:"decision_count"`
	AcceptanceRate *float64 `json:"acceptance_rate"`
	Lower          float64  `json:"lower"` // 95 % bounds of the acceptance rate
	Upper          float64  `json:"upper"`

	kept int64
}

func rulings(members []member) []Ruling {
	list := []Ruling{}
	for _, m := range members {
		bounds := round(m.Tally.bounds())
		list = append(list, Ruling{m.Rule, m.Tally.Total(), m.Tally.Decided(), rate(m.Tally.acceptance()), bounds.Lower, bounds.Upper, m.Tally.Kept()})
	}
	return list
}

func categoryOf(id string, k groupKnown) Group {
	accepted, rejected := rulings(k.Accepted), rulings(k.Rejected)
	return Group{
		Kind: kindCategory, ID: id, Schema: schemaCategory, Category: id,
		Prompt:            groupPrompt("What people decided about earlier suggestions in this category.", accepted, rejected),
		FeedbackCount:     k.Tally.Total(),
		DecisionCount:     k.Tally.Decided(),
		AcceptanceRate:    rate(k.Tally.acceptance()),
		UnchangedRate:     rate(k.Tally.unchanged()),
		ModificationRate:  rate(k.Tally.modification()),
		SkipRate:          rate(k.Tally.skips()),
		RulesWithFeedback: k.Rules,
		TopAcceptedRules:  accepted,
		TopRejectedRules:  rejected,
		Evidence:          evidence(k.Tally, k.Span),
	}
}

func summaryOf(k groupKnown) Summary {
	busiest := rulings(k.Busiest)
	return Summary{
		Kind: kindSummary, Schema: schemaSummary,
		Prompt:                groupPrompt("What people decided about earlier suggestions.", busiest),
		TotalFeedback:         k.Tally.Total(),
		DecisionCount:         k.Tally.Decided(),
		OverallAcceptanceRate: rate(k.Tally.acceptance()),
		UnchangedRate:         rate(k.Tally.unchanged()),
		ModificationRate:      rate(k.Tally.modification()),
		SkipRate:              rate(k.Tally.skips()),
		RulesWithFeedback:     k.Rules,
		ConfidenceAccuracy:    rounded(k.Confidence.ConfidenceAccuracy()),
		BrierScore:            rounded(k.Confidence.Brier()),
		CalibrationError:      rounded(k.Confidence.ECE()),
		Rules:                 busiest,
		Evidence:              evidence(k.Tally, k.Span),
	}
}
