package outcomes

import (
	"cmp"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// Pattern is one of the learned patterns of source document 004.
type Pattern struct {
	Type      events.LearnedPattern `json:"pattern_type"`
	Key       string                `json:"pattern_key"`
	Data      any                   `json:"data"` // by type: what is told of it
	Frequency int64                 `json:"frequency"`
	LastSeen  string                `json:"last_seen"`  // day of the last observation, YYYY-MM-DD
	CreatedAt string                `json:"created_at"` // day of the first
}

// PatternArgs choose patterns; zero fields do not narrow.
type PatternArgs struct {
	Type         events.LearnedPattern `json:"type,omitzero"`
	Key          string                `json:"key,omitzero"`    // exactly
	Search       string                `json:"search,omitzero"` // in the key, whatever its case
	MinFrequency int64                 `json:"min_frequency,omitzero"`
	Offset       int                   `json:"offset,omitzero"`
	Limit        int                   `json:"limit,omitzero"` // 0: 100
}

// Patterns are a part of the patterns that were asked for, the most frequent first.
type Patterns struct {
	Total    int       `json:"total"`
	Patterns []Pattern `json:"patterns"`
}

// usualLimit is how many patterns are listed when nobody says.
const usualLimit = 100

// found is a pattern whose data is not looked up yet.
type found struct {
	kind events.LearnedPattern
	key  string
	span span
	data func() any
}

// finder collects patterns.
type finder struct {
	rows learn.Rows
	args PatternArgs
	list []found
}

// wants reports whether patterns of a type are looked for.
func (f *finder) wants(kind events.LearnedPattern) bool {
	return f.args.Type == "" || f.args.Type == kind
}

// note adds a pattern that was looked for, unless it was seen once and too long ago.
func (f *finder) note(p found) {
	switch {
	case !f.wants(p.kind), p.span.N <= 0, p.span.N < f.args.MinFrequency, stale(f.rows, p.span.N, p.span.Last):
	case f.args.Key != "" && f.args.Key != p.key:
	case !strings.Contains(strings.ToLower(p.key), strings.ToLower(f.args.Search)):
	default:
		f.list = append(f.list, p)
	}
}

func answerPatterns(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[PatternArgs](q, "which patterns are meant")
	if err != nil {
		return nil, err
	}
	return patternsOf(q.Rows, args), nil
}

func patternsOf(rows learn.Rows, args PatternArgs) Patterns {
	f := finder{rows: rows, args: args}
	if f.wants(events.SubtaskSuccess) || f.wants(events.ModelFailure) || f.wants(events.RetryPattern) || f.wants(events.PromptEffective) {
		for _, l := range seen(rows, KindTask) {
			f.ofType(l.ID)
		}
	}
	if f.wants(events.TaskTemplate) {
		for _, l := range seen(rows, KindGoal) {
			f.ofGoal(l.ID)
		}
	}
	if f.wants(events.UserCorrection) {
		for _, l := range seen(rows, kindTag) {
			f.ofTag(l)
		}
	}
	return f.page()
}

// page sorts what was found, and looks up the data of what is shown.
func (f *finder) page() Patterns {
	inorder.Sort(f.list, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.span.N, a.span.N), cmp.Compare(a.kind, b.kind), cmp.Compare(a.key, b.key))
	})
	limit := cmp.Or(f.args.Limit, usualLimit)
	out := Patterns{Total: len(f.list), Patterns: []Pattern{}}
	from := min(max(f.args.Offset, 0), len(f.list))
	for _, p := range f.list[from:min(from+limit, len(f.list))] {
		out.Patterns = append(out.Patterns, Pattern{p.kind, p.key, p.data(), p.span.N, date(p.span.Last), date(p.span.First)})
	}
	return out
}

// ofType finds the patterns of a type of step.
func (f *finder) ofType(id string) {
	key := typeKey(id)
	var seen, retried span
	models := map[string]modelSpan{}
	for _, s := range stints(f.rows, key) {
		seen, retried = seen.with(s.Days, s.Period), retried.with(s.Retried, s.Period)
		m := models[s.Model]
		m.record, m.failed = m.record.plus(s.record()), m.failed.with(s.Failed, s.Period)
		models[s.Model] = m
	}
	context := func() TypeContext { return typeContext(id, knowType(f.rows, key)) }
	f.note(found{events.SubtaskSuccess, id, seen, func() any { return successData(context()) }})
	f.note(found{events.RetryPattern, id, retried, func() any { return retryData(context()) }})
	for model, m := range models {
		if m.record.fails() {
			f.note(found{events.ModelFailure, id + "/" + model, m.failed, func() any { return m.data(id, model) }})
		}
	}
	for _, e := range featuresOf(f.rows, key) {
		f.note(found{events.PromptEffective, id + "/" + e.Feature, e.Span, func() any {
			return featureData{id, e.effect(knowType(f.rows, key).Total)}
		}})
	}
}

// modelSpan is what a model did of a type, and when it failed.
type modelSpan struct {
	record record
	failed span
}

// failureData tells of a model that fails.
type failureData struct {
	Type        string   `json:"type"`
	Model       string   `json:"model"`
	Runs        int64    `json:"runs"`
	Failures    int64    `json:"failures"`
	FailureRate *float64 `json:"failure_rate"`
	Lower       float64  `json:"lower"` // 95 % bounds of the failure rate
	Upper       float64  `json:"upper"`
	Certain     bool     `json:"certain"` // the bound lies above 0.40, too
}

func (m modelSpan) data(id, model string) failureData {
	failures := m.record
	failures.Successes = failures.Runs - failures.Successes
	b := bounds(failures.success())
	return failureData{id, model, failures.Runs, failures.Successes, rate(failures.success()), b.Lower, b.Upper, m.record.failsForSure()}
}

// successValue tells how a type of step goes.
type successValue struct {
	Runs        int64         `json:"runs"`
	SuccessRate *float64      `json:"success_rate"`
	Lower       float64       `json:"lower"`
	Upper       float64       `json:"upper"`
	Models      []ModelRecord `json:"models"`
}

func successData(c TypeContext) successValue {
	return successValue{c.SampleCount, c.SuccessRate, c.Success.Lower, c.Success.Upper, c.Models}
}

// retryValue tells how often a type of step was tried again, and why.
type retryValue struct {
	RetryPattern   `json:",inline"`
	Runs           int64    `json:"runs"`
	FailureReasons []Reason `json:"failure_reasons"`
}

func retryData(c TypeContext) retryValue {
	v := retryValue{Runs: c.SampleCount, FailureReasons: c.FailureReasons}
	if c.RetryPattern != nil {
		v.RetryPattern = *c.RetryPattern
	}
	return v
}

// featureData tells what a feature of the prompt does for a type.
type featureData struct {
	Type          string `json:"type"`
	FeatureEffect `json:",inline"`
}

// ofGoal finds the plan that completed tasks with a goal.
func (f *finder) ofGoal(id string) {
	var seen span
	for _, s := range learn.Scan[spell](f.rows, goalKey(id), spellRows) {
		seen = seen.with(s.Done, s.Period)
	}
	f.note(found{events.TaskTemplate, id, seen, func() any { return f.planData(id) }})
}

// planData tells of the plans of a goal; goal and plan are those of the best.
func (f *finder) planData(id string) any {
	c := goalContext(id, knowGoal(f.rows, goalKey(id)))
	data := struct {
		Goal               string       `json:"goal"`
		Plan               []Step       `json:"plan"`
		AvgDurationSeconds *float64     `json:"avg_duration_seconds"`
		Completed          int64        `json:"completed"`
		Failed             int64        `json:"failed"`
		Plans              []PlanRecord `json:"plans"`
	}{id, []Step{}, c.AvgDurationSeconds, c.Completed, c.Failed, c.Plans}
	for _, p := range c.Plans {
		for _, w := range learn.Scan[wording](f.rows, templateKey(p.Template), wordingRows+learn.RowPart(id)+"/") {
			data.Goal = w.Goal
			_ = json.Unmarshal([]byte(w.Steps), &data.Plan) // we wrote it
			return data
		}
	}
	return data
}

// ofTag finds what people said under a tag.
func (f *finder) ofTag(l listed) {
	var seen span
	for _, s := range learn.Scan[said](f.rows, tagKey(l.ID), saidRows) {
		if seen.N == 0 {
			seen.First, seen.Last = s.Day, s.Day
		}
		seen.N, seen.First, seen.Last = seen.N+1, min(seen.First, s.Day), max(seen.Last, s.Day)
	}
	f.note(found{events.UserCorrection, l.ID, seen, func() any {
		all := gathered(f.rows, tagKey(l.ID), heardRemarks)
		settle(all)
		inorder.Sort(all, func(a, b remark) int { return cmp.Compare(b.N, a.N) })
		return map[string]any{"instructions": corrections(all[:min(len(all), mostListed)])}
	}})
}

// mostListed is how many instructions of a tag are listed.
const mostListed = 20

// MergePatterns joins the parts of the partitions: all but one of them are empty.
func MergePatterns(parts ...Patterns) Patterns {
	for _, p := range parts {
		if p.Total > 0 {
			return p
		}
	}
	return Patterns{Patterns: []Pattern{}}
}
