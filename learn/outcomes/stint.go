package outcomes

import (
	"strconv"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// A fortnight is the step in which evidence ages.
const fortnight = 14 // days

const secondsPerDay = 24 * 60 * 60

// dayOf is the number of whole days since 1970 (UTC).
func dayOf(t time.Time) int64 { return floor(t.Unix(), secondsPerDay) }

// floor is ⌊x/unit⌋, below zero too.
func floor(x, unit int64) int64 {
	if x < 0 {
		return -((-x + unit - 1) / unit)
	}
	return x / unit
}

// date writes a day as YYYY-MM-DD.
func date(day int64) string {
	return time.Unix(day*secondsPerDay, 0).UTC().Format(time.DateOnly)
}

// calendar counts what happened on the days of one fortnight.
type calendar [fortnight]int64

func (c *calendar) add(day, by int64) { c[day-floor(day, fortnight)*fortnight] += by }

func (c *calendar) sum() (n int64) {
	for _, k := range c {
		n += k
	}
	return n
}

// span is the first and the last day of something, and how often it was; zero of nothing.
type span struct {
	N     int64 `json:"n"`
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

func (s span) first() string { return s.day(s.First) }

func (s span) last() string { return s.day(s.Last) }

// day writes a day of the span, "" of nothing.
func (s span) day(day int64) string {
	if s.N == 0 {
		return ""
	}
	return date(day)
}

// with is the span and a fortnight.
func (s span) with(c calendar, period int64) span {
	for i, n := range c {
		if n == 0 {
			continue
		}
		day := period*fortnight + int64(i)
		if s.N == 0 {
			s.First, s.Last = day, day
		}
		s.N, s.First, s.Last = s.N+n, min(s.First, day), max(s.Last, day)
	}
	return s
}

// Rows of a type of step.
const (
	stintRows   = "stint/"   // stint, by model, tier and fortnight
	lastingRows = "lasting/" // octave of durations in microseconds, by model, tier and size
	tokenRows   = "tokens/"  // octave of tokens, likewise
	featureRows = "feature/" // featured, by feature, model and fortnight
	forgoneRows = "forgone/" // featured, likewise: of patterns that were deleted
	chosenRows  = "chosen/"  // picked, by model and tier
	whySet      = "why"      // learn.Top of failure reasons
	whoseRows   = "whose/"   // int64: how often a model gave a reason, by both
)

// stint is what one model did at one tier within a fortnight.
type stint struct {
	Model   string   `json:"model"`
	Tier    int64    `json:"tier,omitzero"`
	Period  int64    `json:"period"`
	Days    calendar `json:"days"`             // runs
	Failed  calendar `json:"failed,omitzero"`  // those that did
	Retried calendar `json:"retried,omitzero"` // those with retries
	Retries int64    `json:"retries,omitzero"`
	Raised  int64    `json:"raised,omitzero"` // runs with so many retries that the tier below had failed twice
	Timed   int64    `json:"timed,omitzero"`  // runs with a duration
	Micros  int64    `json:"micros,omitzero"`
	Counted int64    `json:"counted,omitzero"` // runs with a number of tokens
	Tokens  int64    `json:"tokens,omitzero"`
}

// name is the row of a stint among those of its type.
func (s *stint) name() string { return doer{s.Model, s.Tier}.name() + "/" + ordered(s.Period) }

// ordered writes a period so that byte order is the order of time.
func ordered(period int64) string { return strconv.FormatInt(period+periodsToEpoch, 10) }

const periodsToEpoch = 5_000_000 // so that every year a timestamp can name has seven digits

// doer is a model at a tier.
type doer struct {
	Model string
	Tier  int64
}

func (d doer) name() string { return learn.RowPart(d.Model) + "/" + strconv.FormatInt(d.Tier, 10) }

// record adds sums up: those of a doer, a model or a type.
type record struct {
	Runs      int64 `json:"runs"`
	Successes int64 `json:"successes"`
	Retries   int64 `json:"retries,omitzero"`
	Escalated int64 `json:"escalated,omitzero"`
	Timed     int64 `json:"timed,omitzero"`
	Micros    int64 `json:"micros,omitzero"`
	Counted   int64 `json:"counted,omitzero"`
	Tokens    int64 `json:"tokens,omitzero"`
}

func (s *stint) record() record {
	runs := s.Days.sum()
	return record{runs, runs - s.Failed.sum(), s.Retries, s.Retried.sum(), s.Timed, s.Micros, s.Counted, s.Tokens}
}

func (r record) plus(o record) record {
	return record{
		r.Runs + o.Runs, r.Successes + o.Successes, r.Retries + o.Retries, r.Escalated + o.Escalated,
		r.Timed + o.Timed, r.Micros + o.Micros, r.Counted + o.Counted, r.Tokens + o.Tokens,
	}
}

func (r record) success() stats.Share { return stats.Share{X: r.Successes, N: r.Runs} }

// stints lists those of a type, by model, tier and time.
func stints(rows learn.Rows, key learn.Key) (all []stint) {
	for _, s := range learn.Scan[stint](rows, key, stintRows) {
		all = append(all, s)
	}
	return all
}

// The most that one run counts for: more is taken for a slip, and would let sums
// overflow.
const (
	longestRun = 100_000_000       // seconds
	dearestRun = 1_000_000_000_000 // tokens
	maxRetries = 1_000_000         // of one run
	raisedFrom = 2                 // retries: one where it was, one above (004)
	perSecond  = 1_000_000         // microseconds
)

// micros is how long a run took, false when it does not say.
func micros(s *events.Subtask) (int64, bool) {
	if s.DurationSeconds == nil {
		return 0, false
	}
	return int64(float64(min(max(*s.DurationSeconds, 0), longestRun)*perSecond) + 0.5), true
}

func tokens(s *events.Subtask) (int64, bool) {
	if s.TokensUsed == nil {
		return 0, false
	}
	return min(max(*s.TokensUsed, 0), dearestRun), true
}
