package rules

import (
	"maps"
	"slices"
	"time"

	"learnloop.dev/stats"
)

// Statistics are the source document's LearningStatistics with bounds and
// counts beside the rates. Rates are null where there is nothing to divide by.
type Statistics struct {
	TotalFeedback         int64                         `json:"total_feedback"`
	Accepted              int64                         `json:"accepted"`
	Modified              int64                         `json:"modified"`
	Rejected              int64                         `json:"rejected"`
	Skipped               int64                         `json:"skipped"`
	OverallAcceptanceRate *float64                      `json:"overall_acceptance_rate"`
	AcceptanceRateTrend   *float64                      `json:"acceptance_rate_trend"`
	Trend                 Trend                         `json:"trend"`
	RulesWithFeedback     int64                         `json:"rules_with_feedback"`
	ByRule                map[string]RuleStatistics     `json:"by_rule"`
	ByCategory            map[string]CategoryStatistics `json:"by_category"`
	Period                Period                        `json:"period"`
	ModificationRate      *float64                      `json:"modification_rate"`
	UnchangedRate         *float64                      `json:"unchanged_rate"`
	SkipRate              *float64                      `json:"skip_rate"`
	ConfidenceAccuracy    *float64                      `json:"confidence_accuracy"`
	BrierScore            *float64                      `json:"brier_score"`
	CalibrationError      *float64                      `json:"calibration_error"`
	// ImportedFeedback is what of the total was imported: counts without times, which no
	// period holds.
	ImportedFeedback int64    `json:"imported_feedback"`
	Sources          []Source `json:"sources"` // that it came from
	FixFeedback      Block    `json:"fix_feedback"`
}

// Source is an installation whose counts were imported.
type Source struct {
	Source        string `json:"source"` // the name that its exports give
	FeedbackCount int64  `json:"feedback_count"`
}

// Period is what the statistics were asked for; an open end is null.
type Period struct {
	Start *time.Time `json:"start"`
	End   *time.Time `json:"end"`
}

// Trend is how acceptance moved from one week to the next: the seven days before
// the period's end, else before the question, against the seven before those.
type Trend struct {
	Status        stats.TrendStatus `json:"status"`
	Change        *float64          `json:"change"` // 0 without a previous week, null without a recent one
	Lower         float64           `json:"lower"`  // 95 % interval of the change
	Upper         float64           `json:"upper"`
	RecentRate    *float64          `json:"recent_rate"`
	RecentCount   int64             `json:"recent_count"`
	PreviousRate  *float64          `json:"previous_rate"`
	PreviousCount int64             `json:"previous_count"`
}

// RuleStatistics are the decisions about one rule.
type RuleStatistics struct {
	RuleID             string          `json:"rule_id"`
	RuleName           string          `json:"rule_name"` // the id: names are not in the events
	FeedbackCount      int64           `json:"feedback_count"`
	Accepted           int64           `json:"accepted"`
	Modified           int64           `json:"modified"`
	Rejected           int64           `json:"rejected"`
	Skipped            int64           `json:"skipped"`
	AcceptanceRate     *float64        `json:"acceptance_rate"`
	Acceptance         *stats.Interval `json:"acceptance"` // 95 % bounds
	ModificationRate   *float64        `json:"modification_rate"`
	UnchangedRate      *float64        `json:"unchanged_rate"`
	SkipRate           *float64        `json:"skip_rate"`
	ConfidenceAccuracy *float64        `json:"confidence_accuracy"`
}

// CategoryStatistics are the decisions about the rules of one category.
type CategoryStatistics struct {
	Category         string          `json:"category"`
	FeedbackCount    int64           `json:"feedback_count"`
	Accepted         int64           `json:"accepted"`
	Modified         int64           `json:"modified"`
	Rejected         int64           `json:"rejected"`
	Skipped          int64           `json:"skipped"`
	AcceptanceRate   *float64        `json:"acceptance_rate"`
	Acceptance       *stats.Interval `json:"acceptance"`
	TopAcceptedRules []string        `json:"top_accepted_rules"` // by the lower bound, at least three decisions
	TopRejectedRules []string        `json:"top_rejected_rules"` // by the upper bound
}

// Merge joins the parts of the partitions into statistics, and what they say of the
// loudest rules.
func Merge(parts []Part, texts []Texts) Statistics {
	all := joined(parts)
	total, byRule := sum(all.Cells), grouped(all.Cells, ruleOf)
	s := Statistics{
		TotalFeedback:         total.tally.Total(),
		Accepted:              total.tally.Accepted,
		Modified:              total.tally.Modified,
		Rejected:              total.tally.Rejected,
		Skipped:               total.tally.Skipped,
		OverallAcceptanceRate: rate(total.tally.acceptance()),
		Trend:                 trendOf(all.Previous, all.Recent),
		ByRule:                make(map[string]RuleStatistics, len(byRule)),
		ByCategory:            map[string]CategoryStatistics{},
		Period:                Period{timeOrNil(all.Filter.From), timeOrNil(all.Filter.To)},
		ModificationRate:      rate(total.tally.modification()),
		UnchangedRate:         rate(total.tally.unchanged()),
		SkipRate:              rate(total.tally.skips()),
		ConfidenceAccuracy:    rate(total.accuracy()),
		BrierScore:            rounded(all.Confidence.Brier()),
		CalibrationError:      rounded(all.Confidence.ECE()),
		ImportedFeedback:      all.Imported.Total(),
		Sources:               sourcesOf(all.Sources),
		FixFeedback:           blockOf(all, byRule, texts),
	}
	s.AcceptanceRateTrend = s.Trend.Change
	known := bounds{}
	for id, t := range byRule {
		s.ByRule[id] = t.ofRule(id, known)
	}
	for id, cells := range split(all.Cells, categoryName) {
		s.ByCategory[id] = ofCategory(id, cells, known)
	}
	s.RulesWithFeedback = int64(len(s.ByRule))
	return s
}

// joined adds the parts up.
func joined(parts []Part) Part {
	cells := 0
	for _, p := range parts {
		cells += len(p.Cells)
	}
	all := Part{Users: map[string]int64{}, Cells: make([]cell, 0, cells)}
	for _, p := range parts {
		all.Filter = p.Filter
		all.Cells = append(all.Cells, p.Cells...)
		all.Confidence.Merge(p.Confidence, 1)
		all.Reliability.Merge(p.Reliability, 1)
		all.Edges = all.Edges.plus(p.Edges)
		all.Imported = all.Imported.plus(p.Imported, 1)
		all.Sources = append(all.Sources, p.Sources...)
		all.LongestText = max(all.LongestText, p.LongestText)
		all.Previous = added(all.Previous, p.Previous)
		all.Recent = added(all.Recent, p.Recent)
		for name, n := range p.Users {
			all.Users[name] += n
		}
	}
	return all
}

// sourcesOf adds up what came from each installation.
func sourcesOf(parts []source) []Source {
	by := map[string]int64{}
	for _, s := range parts {
		by[s.Origin] += s.Tally.Total()
	}
	list := []Source{}
	for _, origin := range sortedNames(by) {
		list = append(list, Source{origin, by[origin]})
	}
	return list
}

func (e Edges) plus(o Edges) Edges {
	return Edges{
		EmptyOriginal:       e.EmptyOriginal + o.EmptyOriginal,
		EmptySuggestion:     e.EmptySuggestion + o.EmptySuggestion,
		ModifiedWithoutText: e.ModifiedWithoutText + o.ModifiedWithoutText,
		NullConfidence:      e.NullConfidence + o.NullConfidence,
		NonASCII:            e.NonASCII + o.NonASCII,
	}
}

func added(a, b stats.Share) stats.Share { return stats.Share{X: a.X + b.X, N: a.N + b.N} }

// total is a sum of cells.
type total struct {
	tally        Tally
	graded, hits int64
}

func (t total) accuracy() stats.Share { return stats.Share{X: t.hits, N: t.graded} }

func (t total) plus(c cell) total {
	return total{t.tally.plus(c.Tally, 1), t.graded + c.Graded, t.hits + c.Hits}
}

func sum(cells []cell) total {
	var t total
	for _, c := range cells {
		t = t.plus(c)
	}
	return t
}

func ruleOf(c cell) string { return c.Rule }

func categoryName(c cell) string { return c.Category }

// split sorts cells by a name.
func split(cells []cell, name func(cell) string) map[string][]cell {
	groups := map[string][]cell{}
	for _, c := range cells {
		groups[name(c)] = append(groups[name(c)], c)
	}
	return groups
}

// grouped adds cells up by a name.
func grouped(cells []cell, name func(cell) string) map[string]total {
	totals := map[string]total{}
	for _, c := range cells {
		totals[name(c)] = totals[name(c)].plus(c)
	}
	return totals
}

func (t total) ofRule(id string, known bounds) RuleStatistics {
	return RuleStatistics{
		RuleID: id, RuleName: id,
		FeedbackCount:      t.tally.Total(),
		Accepted:           t.tally.Accepted,
		Modified:           t.tally.Modified,
		Rejected:           t.tally.Rejected,
		Skipped:            t.tally.Skipped,
		AcceptanceRate:     rate(t.tally.acceptance()),
		Acceptance:         known.interval(t.tally),
		ModificationRate:   rate(t.tally.modification()),
		UnchangedRate:      rate(t.tally.unchanged()),
		SkipRate:           rate(t.tally.skips()),
		ConfidenceAccuracy: rate(t.accuracy()),
	}
}

func ofCategory(id string, cells []cell, known bounds) CategoryStatistics {
	t := sum(cells).tally
	var members []member
	for rule, own := range grouped(cells, ruleOf) {
		members = append(members, member{rule, own.tally})
	}
	return CategoryStatistics{
		Category:         id,
		FeedbackCount:    t.Total(),
		Accepted:         t.Accepted,
		Modified:         t.Modified,
		Rejected:         t.Rejected,
		Skipped:          t.Skipped,
		AcceptanceRate:   rate(t.acceptance()),
		Acceptance:       known.interval(t),
		TopAcceptedRules: names(mostAccepted(members)),
		TopRejectedRules: names(mostRejected(members)),
	}
}

func names(members []member) []string {
	list := make([]string, len(members))
	for i, m := range members {
		list[i] = m.Rule
	}
	return list
}

func trendOf(previous, recent stats.Share) Trend {
	t := stats.TrendOf(previous, recent, sure)
	interval := round(t.Interval)
	return Trend{
		Status:        t.Status,
		Change:        rounded(t.Value()),
		Lower:         interval.Lower,
		Upper:         interval.Upper,
		RecentRate:    rate(recent),
		RecentCount:   recent.N,
		PreviousRate:  rate(previous),
		PreviousCount: previous.N,
	}
}

func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// sortedNames lists the names of a map in order.
func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
