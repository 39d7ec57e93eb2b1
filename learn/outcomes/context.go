package outcomes

import (
	"strconv"

	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// Schemas of the contexts.
const (
	schemaTask     = "dev.learnloop.context.task.v1"
	schemaGoal     = "dev.learnloop.context.goal.v1"
	schemaTemplate = "dev.learnloop.context.template.v1"
)

// What makes evidence.
const (
	sure = 0.95 // confidence of every bound

	enough     = 10   // runs before a model is spoken of
	many       = 20   // runs before failing, or not failing, is told (SPEC section 4.4)
	failing    = 0.40 // rate of failure above which a model fails (004)
	retried    = 1.5  // mean retries of retried runs from which on a tier is skipped (004)
	secondTier = 2    // where the documented rule starts then
)

// TypeContext is what generators are told about a type of step. Rates are 0..1,
// rounded to six digits, and null where there is nothing to divide by; means have four.
type TypeContext struct {
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Schema string `json:"schema"`
	Prompt string `json:"prompt"`

	Type               string          `json:"type"`
	SampleCount        int64           `json:"sample_count"`
	SuccessRate        *float64        `json:"success_rate"`
	Success            stats.Interval  `json:"success"` // 95 % bounds
	AvgRetries         *float64        `json:"avg_retries"`
	AvgDurationSeconds *float64        `json:"avg_duration_seconds"`
	AvgTokens          *float64        `json:"avg_tokens"`
	Models             []ModelRecord   `json:"models"` // by runs
	ModelsUnlisted     int64           `json:"models_unlisted"`
	RetryPattern       *RetryPattern   `json:"retry_pattern"`
	FailureReasons     []Reason        `json:"failure_reasons"`
	PromptFeatures     []FeatureEffect `json:"prompt_features"`
	Corrections        []Correction    `json:"corrections"`
	Defaults           Defaults        `json:"defaults"`
	Evidence           Evidence        `json:"evidence"`
}

// ModelRecord is how a model does at a tier.
type ModelRecord struct {
	Model               string   `json:"model"`
	Tier                int64    `json:"tier"` // 0: the reports do not say
	Runs                int64    `json:"runs"`
	Successes           int64    `json:"successes"`
	SuccessRate         *float64 `json:"success_rate"`
	Lower               float64  `json:"lower"` // 95 % bounds of the success rate
	Upper               float64  `json:"upper"`
	AvgRetries          *float64 `json:"avg_retries"`
	AvgDurationSeconds  *float64 `json:"avg_duration_seconds"`
	HalfDurationSeconds *float64 `json:"p50_duration_seconds"`
	LongDurationSeconds *float64 `json:"p95_duration_seconds"`
	AvgTokens           *float64 `json:"avg_tokens"`
	HalfTokens          *int64   `json:"p50_tokens"`
	LongTokens          *int64   `json:"p95_tokens"`
	Fails               bool     `json:"model_failure"` // as documented: more than 0.40 of at least 20
	FailsForSure        bool     `json:"model_failure_certain"`
}

// RetryPattern is how often runs of a type were tried again.
type RetryPattern struct {
	Escalated        int64    `json:"escalated"` // runs with retries
	AvgRetriesNeeded *float64 `json:"avg_retries_needed"`
	SkipTier         bool     `json:"skip_tier"` // as documented: the mean of those exceeds 1.5
}

// Reason is why runs failed, and how often.
type Reason struct {
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
}

// FeatureEffect is how runs go whose prompt has a feature, beside those whose has not.
type FeatureEffect struct {
	Feature     string   `json:"feature"`
	With        int64    `json:"with"`
	Without     int64    `json:"without"`
	SuccessWith *float64 `json:"success_with"`
	SuccessElse *float64 `json:"success_without"`
	Difference  *float64 `json:"difference"`
	Lower       float64  `json:"lower"` // 95 % bounds of the difference
	Upper       float64  `json:"upper"`
	Effective   bool     `json:"effective"` // the lower bound is above 0
	Harmful     bool     `json:"harmful"`   // the upper bound is below 0
}

// Correction is what people said, ready for a prompt but for the quotation marks.
type Correction struct {
	Tag         string  `json:"tag"`
	Instruction string  `json:"instruction"`
	Count       int64   `json:"count"`
	First       string  `json:"first"` // day, YYYY-MM-DD
	Last        string  `json:"last"`
	OutdatedBy  *string `json:"outdated_by"` // what was said later, to the contrary
}

// Evidence is what a context of a type rests on.
type Evidence struct {
	First    string        `json:"first"` // day of the first run, YYYY-MM-DD
	Last     string        `json:"last"`
	Recent   []Period      `json:"recent"` // by model, tier and time: what model choice weighs
	Routed   []RoutedCount `json:"routed"` // how often each was chosen
	Failures int64         `json:"failures"`
}

// Period is how a model did within a fortnight, counted since 1970.
type Period struct {
	Model     string `json:"model"`
	Tier      int64  `json:"tier"`
	Fortnight int64  `json:"fortnight"`
	Runs      int64  `json:"runs"`
	Successes int64  `json:"successes"`
	// Raised are the runs with two retries or more. A step that fails is tried once more
	// where it was and then above: told as one run, it failed at the tier below.
	Raised int64 `json:"raised,omitzero"`
}

// Below are the runs of the tier below that failed before these; false when there are
// none, or no tier is named.
func (p Period) Below() (Period, bool) {
	return Period{Tier: p.Tier - 1, Fortnight: p.Fortnight, Runs: p.Raised}, p.Raised > 0 && p.Tier > 1
}

// RoutedCount is how often a model was chosen for a type.
type RoutedCount struct {
	Model string `json:"model"`
	Tier  int64  `json:"tier"`
	Count int64  `json:"count"`
}

// render makes the context of a key: all evidence of a key lies in one partition.
func render(key learn.Key, parts []insight) (any, bool) {
	for _, p := range parts {
		switch {
		case p.Type != nil:
			return typeContext(key.ID, p.Type), true
		case p.Goal != nil:
			return goalContext(key.ID, p.Goal), true
		case p.Template != nil:
			return templateContext(key.ID, p.Template), true
		}
	}
	return nil, false
}

// Empty is the context of a type of step that nothing is known about: be careful.
func Empty(id string) TypeContext { return typeContext(id, &typeKnown{}) }

func typeContext(id string, k *typeKnown) TypeContext {
	c := TypeContext{
		Kind: KindTask, ID: id, Schema: schemaTask, Type: id,
		SampleCount: k.Total.Runs, SuccessRate: rate(k.Total.success()), Success: bounds(k.Total.success()),
		AvgRetries: mean(k.Total.Retries, k.Total.Runs), AvgDurationSeconds: seconds(k.Total.Micros, k.Total.Timed),
		AvgTokens: mean(k.Total.Tokens, k.Total.Counted),
		Models:    []ModelRecord{}, ModelsUnlisted: k.Unlisted, RetryPattern: retryPattern(k.Total),
		FailureReasons: []Reason{}, PromptFeatures: []FeatureEffect{}, Corrections: corrections(k.Said),
		Defaults: defaultsFor(k.Total.Successes, k.Total.Runs),
		Evidence: Evidence{First: k.Span.first(), Last: k.Span.last(), Recent: []Period{}, Routed: []RoutedCount{},
			Failures: k.Total.Runs - k.Total.Successes},
	}
	for _, d := range k.Doers {
		c.Models = append(c.Models, d.shown())
		for _, p := range d.Periods {
			c.Evidence.Recent = append(c.Evidence.Recent, Period{d.Model, d.Tier, p.Fortnight, p.Runs, p.Successes, p.Raised})
		}
	}
	for _, w := range k.Why {
		c.FailureReasons = append(c.FailureReasons, Reason{w.Label, w.Count})
	}
	for _, f := range k.Features {
		c.PromptFeatures = append(c.PromptFeatures, f.effect(k.Total))
	}
	for _, p := range k.Picked {
		c.Evidence.Routed = append(c.Evidence.Routed, RoutedCount{p.Model, p.Tier, p.N})
	}
	c.Prompt = c.prompt()
	return c
}

func (d doerKnown) shown() ModelRecord {
	r := d.Record
	b := bounds(r.success())
	m := ModelRecord{
		Model: d.Model, Tier: d.Tier, Runs: r.Runs, Successes: r.Successes, SuccessRate: rate(r.success()),
		Lower: b.Lower, Upper: b.Upper, AvgRetries: mean(r.Retries, r.Runs),
		AvgDurationSeconds: seconds(r.Micros, r.Timed), AvgTokens: mean(r.Tokens, r.Counted),
		Fails: r.fails(), FailsForSure: r.failsForSure(),
	}
	if len(d.Lasting) == 2 {
		m.HalfDurationSeconds, m.LongDurationSeconds = seconds(d.Lasting[0], 1), seconds(d.Lasting[1], 1)
	}
	if len(d.Tokens) == 2 {
		m.HalfTokens, m.LongTokens = &d.Tokens[0], &d.Tokens[1]
	}
	return m
}

// fails is the documented rule.
func (r record) fails() bool {
	return r.Runs >= many && float64(r.Runs-r.Successes) > failing*float64(r.Runs)
}

func (r record) failsForSure() bool {
	return r.Runs >= many && above(r.Runs-r.Successes, r.Runs, failing)
}

func retryPattern(r record) *RetryPattern {
	if r.Escalated <= 0 {
		return nil
	}
	return &RetryPattern{r.Escalated, mean(r.Retries, r.Escalated), r.skipsTier()}
}

// skipsTier is the documented rule (004): it looks at retried runs alone.
func (r record) skipsTier() bool {
	return r.Escalated > 0 && float64(r.Retries) > retried*float64(r.Escalated)
}

func (f featureKnown) effect(total record) FeatureEffect {
	with := stats.Share{X: f.Successes, N: f.Span.N}
	without := stats.Share{X: max(total.Successes-with.X-f.Forgone.X, 0), N: max(total.Runs-with.N-f.Forgone.N, 0)}
	without.X = min(without.X, without.N)
	b := stats.Newcombe(with, without, sure)
	e := FeatureEffect{
		Feature: f.Feature, With: with.N, Without: without.N, SuccessWith: rate(with), SuccessElse: rate(without),
		Lower: stats.Round(b.Lower, rateDigits), Upper: stats.Round(b.Upper, rateDigits),
	}
	if with.N > 0 && without.N > 0 {
		x, _ := with.Rate()
		y, _ := without.Rate()
		e.Difference = new(stats.Round(x-y, rateDigits))
		e.Effective, e.Harmful = b.Lower > 0, b.Upper < 0
	}
	return e
}

func corrections(said []remark) []Correction {
	list := []Correction{}
	for _, r := range said {
		c := Correction{r.Tag, r.Text, r.N, date(r.First), date(r.Last), nil}
		if r.By != "" {
			c.OutdatedBy = &r.By
		}
		list = append(list, c)
	}
	return list
}

// How far numbers are written out.
const (
	rateDigits = 6
	meanDigits = 4
)

func rate(s stats.Share) *float64 {
	r, ok := s.Rate()
	if !ok {
		return nil
	}
	return new(written(r, rateDigits))
}

// mean is sum/n, nil of nothing.
func mean(sum, n int64) *float64 {
	if n <= 0 {
		return nil
	}
	return new(written(float64(sum)/float64(n), meanDigits))
}

// seconds is the mean of n times in microseconds together, to a tenth of a millisecond,
// halves up; nil of nothing.
func seconds(micros, n int64) *float64 {
	const tenth, perSecond = 100, 10_000
	if n <= 0 {
		return nil
	}
	return new(float64((micros+tenth/2*n)/(tenth*n)) / perSecond)
}

// written is a number as it is written with so many digits: halves go to the even
// digit, as in the figures that others publish.
func written(x float64, digits int) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', digits, 64), 64)
	if err != nil {
		return x // it is no number, and was none
	}
	return short
}

func bounds(s stats.Share) stats.Interval {
	b := stats.BetaOf(s.X, s.N).Interval(sure)
	return stats.Interval{Lower: stats.Round(b.Lower, rateDigits), Upper: stats.Round(b.Upper, rateDigits)}
}

// above reports whether the rate behind x out of n is above a limit for sure. The more
// is known the stricter: looked at after every run, a fixed bound is crossed again and
// again (ADR 0010).
func above(x, n int64, limit float64) bool {
	const left = 5
	return n > 0 && stats.Wilson(x, n, max(sure, 1-left/float64(n))).Lower > limit
}
