package rules

import (
	"strings"

	"learnloop.dev/stats"
)

// Block is the table of fix feedback that published figures are compared with.
// Unlike elsewhere a rate without anything to divide by is 0 here, as documented.
type Block struct {
	Overall              Counts                    `json:"overall"`
	OverallExcludingBulk Counts                    `json:"overall_excluding_bulk"`
	RulesWithFeedback    int64                     `json:"rules_with_feedback"`
	ByRule               map[string]Counts         `json:"by_rule"`
	ByCategory           map[string]Counts         `json:"by_category"`
	Over1000             []string                  `json:"over_1000"`               // rules with more feedback than the source document looks at
	InsufficientData     []string                  `json:"insufficient_data_rules"` // rules with fewer than ten samples
	LowAcceptance        []string                  `json:"low_acceptance_rules"`    // of the others: below 0.5
	HighAcceptance       []string                  `json:"high_acceptance_rules"`   // of the others: above 0.9
	Patterns             map[string]PatternsOfRule `json:"patterns"`                // of the twenty rules with the most feedback, with ten samples
	TopRejectionComments map[string][]Comment      `json:"top_rejection_comments"`
	Calibration          Calibration               `json:"calibration"`
	ByUser               map[string]int64          `json:"by_user"`
	EdgeRows             EdgeRows                  `json:"edge_rows"`
}

// Counts are decisions and the documented rates of them.
type Counts struct {
	FeedbackCount      int64    `json:"feedback_count"`
	Accepted           int64    `json:"accepted"`
	Modified           int64    `json:"modified"`
	Rejected           int64    `json:"rejected"`
	Skipped            int64    `json:"skipped"`
	AcceptanceRate     float64  `json:"acceptance_rate"`
	ModificationRate   float64  `json:"modification_rate"`
	SkipRate           float64  `json:"skip_rate"`
	ConfidenceAccuracy *float64 `json:"confidence_accuracy"`
}

// PatternsOfRule are the best patterns of a rule and how many there are in all.
type PatternsOfRule struct {
	AcceptedTotal    int64           `json:"accepted_total"`
	RejectedTotal    int64           `json:"rejected_total"`
	Top5AcceptCounts []int64         `json:"top5_accept_counts"`
	Top5RejectCounts []int64         `json:"top5_reject_counts"`
	Accepted         []AcceptedCount `json:"accepted"`
	Rejected         []RejectedCount `json:"rejected"`
}

// AcceptedCount is an accepted pattern.
type AcceptedCount struct {
	Original    string  `json:"original"`
	Suggested   string  `json:"suggested"`
	AcceptCount int64   `json:"accept_count"`
	SuccessRate float64 `json:"success_rate"`
	N           int64   `json:"n"`
}

// RejectedCount is a rejected pattern.
type RejectedCount struct {
	Original    string   `json:"original"`
	Suggested   string   `json:"suggested"`
	RejectCount int64    `json:"reject_count"`
	SuccessRate float64  `json:"success_rate"`
	N           int64    `json:"n"`
	Reasons     []string `json:"common_rejection_reasons_lower"` // all of the highest count
}

// Comment is a remark and how often it was made, as a pair.
type Comment = [2]any

// Calibration compares stated confidences with what was kept.
type Calibration struct {
	N     int64                `json:"n"`
	Brier *float64             `json:"brier"`
	Bins  map[string]BinCounts `json:"bins"` // by range: "0.5-0.6"
}

// BinCounts is one bin of stated confidence; rates to four digits.
type BinCounts struct {
	N              int64   `json:"n"`
	MeanConfidence float64 `json:"mean_confidence"`
	Kept           float64 `json:"kept"`
}

// EdgeRows are Edges and the length of the longest original text, in runes.
type EdgeRows struct {
	Edges       `json:",inline"`
	LongestText int64 `json:"longest_text"`
}

// Limits of the lists of rules.
const (
	documentedScan = 1000 // records per rule that the source document looks at
	fewestRemarks  = 3    // before a rule's remarks are listed
)

func blockOf(p Part, byRule map[string]total, texts []Texts) Block {
	b := Block{
		Overall:              sum(p.Cells).counts(),
		OverallExcludingBulk: grouped(p.Cells, bulk)["no"].counts(),
		ByRule:               countsOf(byRule),
		ByCategory:           countsOf(grouped(p.Cells, categoryName)),
		Over1000:             []string{},
		InsufficientData:     []string{},
		LowAcceptance:        []string{},
		HighAcceptance:       []string{},
		Patterns:             map[string]PatternsOfRule{},
		TopRejectionComments: map[string][]Comment{},
		Calibration:          calibrationOf(p),
		ByUser:               p.Users,
		EdgeRows:             EdgeRows{p.Edges, p.LongestText},
	}
	b.RulesWithFeedback = int64(len(b.ByRule))
	b.sortRules()
	for _, t := range texts {
		for id, patterns := range t.Patterns {
			b.Patterns[id] = patterns.listed()
		}
		for id, said := range t.Remarks {
			b.listRemarks(id, said)
		}
	}
	return b
}

func bulk(c cell) string {
	if c.Bulk {
		return "yes"
	}
	return "no"
}

func (b *Block) sortRules() {
	for _, id := range sortedNames(b.ByRule) {
		c := b.ByRule[id]
		if c.FeedbackCount > documentedScan {
			b.Over1000 = append(b.Over1000, id)
		}
		switch decisions := c.FeedbackCount - c.Skipped; {
		case c.FeedbackCount < enough:
			b.InsufficientData = append(b.InsufficientData, id)
		case decisions > 0 && c.AcceptanceRate < low:
			b.LowAcceptance = append(b.LowAcceptance, id)
		case c.AcceptanceRate > high:
			b.HighAcceptance = append(b.HighAcceptance, id)
		}
	}
}

func (b *Block) listRemarks(id string, said []Remark) {
	var n int64
	for _, r := range said {
		n += r.N
	}
	if n < fewestRemarks {
		return
	}
	for _, r := range said {
		b.TopRejectionComments[id] = append(b.TopRejectionComments[id], Comment{r.Text, r.N})
	}
}

func countsOf(totals map[string]total) map[string]Counts {
	counts := make(map[string]Counts, len(totals))
	for id, t := range totals {
		counts[id] = t.counts()
	}
	return counts
}

func (t total) counts() Counts {
	return Counts{
		FeedbackCount:      t.tally.Total(),
		Accepted:           t.tally.Accepted,
		Modified:           t.tally.Modified,
		Rejected:           t.tally.Rejected,
		Skipped:            t.tally.Skipped,
		AcceptanceRate:     orZero(t.tally.acceptance()),
		ModificationRate:   orZero(t.tally.modification()),
		SkipRate:           orZero(t.tally.skips()),
		ConfidenceAccuracy: rate(t.accuracy()),
	}
}

func (p rulePatterns) listed() PatternsOfRule {
	list := PatternsOfRule{
		AcceptedTotal: p.Count.Accepted, RejectedTotal: p.Count.Rejected,
		Top5AcceptCounts: []int64{}, Top5RejectCounts: []int64{},
		Accepted: []AcceptedCount{}, Rejected: []RejectedCount{},
	}
	for i, d := range p.Accepted {
		if i < mostPatterns {
			list.Top5AcceptCounts = append(list.Top5AcceptCounts, d.Tally.Kept())
		}
		list.Accepted = append(list.Accepted,
			AcceptedCount{d.Original, d.Suggested, d.Tally.Kept(), orZero(d.Tally.acceptance()), d.Tally.Decided()})
	}
	for i, d := range p.Rejected {
		if i < mostPatterns {
			list.Top5RejectCounts = append(list.Top5RejectCounts, d.Tally.Rejected)
		}
		list.Rejected = append(list.Rejected,
			RejectedCount{d.Original, d.Suggested, d.Tally.Rejected, orZero(d.Tally.acceptance()), d.Tally.Decided(), folded(commonest(d.Reasons))})
	}
	return list
}

func folded(reasons []Remark) []string {
	list := make([]string, len(reasons))
	for i, r := range reasons {
		list[i] = strings.ToLower(r.Text)
	}
	return list
}

// binDigits is how far the published bins are written out.
const binDigits = 4

func calibrationOf(p Part) Calibration {
	c := Calibration{N: p.Confidence.Count(), Brier: rounded(p.Confidence.Brier()), Bins: map[string]BinCounts{}}
	for _, b := range p.Reliability.Bins() {
		c.Bins[b.Range] = BinCounts{b.N, stats.Round(b.MeanConfidence, binDigits), stats.Round(b.Kept, binDigits)}
	}
	return c
}
