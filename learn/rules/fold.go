package rules

import (
	"cmp"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// decision is one feedback on its way into the rows, or out of them.
type decision struct {
	*events.Fact[events.FixFeedback]
	rows learn.Rows
	by   int64 // 1 counts it, −1 takes it back

	rule     learn.Key
	category learn.Key
	token    string // the rule, as part of a row's name
}

// count folds a feedback into what is known about its rule, its category and
// all of them.
func count(rows learn.Rows, f *events.Fact[events.FixFeedback], weight int64) {
	switch f.Data.Decision {
	case events.Accepted, events.Modified, events.Rejected, events.Skipped:
	default:
		return
	}
	d := decision{
		Fact: f, rows: rows, by: weight,
		rule:     ruleKey(string(f.Data.RuleID)),
		category: categoryKey(f.Data.Category),
		token:    events.Token(string(f.Data.RuleID)),
	}
	d.countRule()
	d.countCategory()
	d.countSummary()
}

// opinion reports whether somebody decided: a skip is not an opinion.
func (d decision) opinion() bool { return d.Data.Decision != events.Skipped }

func (d decision) kept() bool { return d.opinion() && d.Data.Decision != events.Rejected }

// person is the display pseudonym of who decided, "" for nobody.
func (d decision) person() string {
	return cmp.Or(string(d.Data.UserID), string(d.Data.AnonymizedUserID), d.Person)
}

// graded calls grade with the stated confidence of a decided suggestion.
func (d decision) graded(grade func(confidence float64)) {
	if c := d.Data.OriginalConfidence; c != nil && d.opinion() {
		grade(*c)
	}
}

// The rows of a rule; patterns, edits and remarks have rows of their own.
const (
	tallyRow      = "tally"      // Tally
	confidenceRow = "confidence" // stats.Calibration, of the summary too
	spanSet       = "day"        // learn.Ends of days since 1970, of every key
)

func (d decision) countRule() {
	t := learn.At[Tally](d.rows, d.rule, tallyRow)
	was := *t
	t.add(d.Data.Decision, d.by)
	d.rankRule(was, *t)
	d.span(d.rule)
	d.graded(func(c float64) {
		learn.At[stats.Calibration](d.rows, d.rule, confidenceRow).Add(c, d.kept(), d.by)
	})
	if d.opinion() {
		d.countPattern()
		d.countRemark()
		d.countEdit()
	}
}

// span keeps the first and the last day with evidence.
func (d decision) span(key learn.Key) {
	learn.EndsOf(d.rows, key, spanSet).Add(day(d.Time), d.by)
}

// The rows of a category and of the summary.
const (
	rulesRow   = "rules" // int64: rules with feedback
	memberRows = "rule/" // member, by rule; of a category
)

// member is a rule within a category.
type member struct {
	Rule  string `json:"rule"`
	Tally Tally  `json:"tally"`
}

func (d decision) countCategory() {
	learn.At[Tally](d.rows, d.category, tallyRow).add(d.Data.Decision, d.by)
	m := learn.At[member](d.rows, d.category, memberRows+d.token)
	was := m.Tally
	m.Tally.add(d.Data.Decision, d.by)
	m.Rule = named(string(d.Data.RuleID), m.Tally)
	*learn.At[int64](d.rows, d.category, rulesRow) += appeared(was, m.Tally)
	d.span(d.category)
}

// named is a name for a row to keep as long as it counts anything.
func named(name string, t Tally) string {
	if t == (Tally{}) {
		return ""
	}
	return name
}

// appeared is 1 when the first feedback comes, −1 when the last one goes.
func appeared(was, is Tally) int64 {
	switch none := (Tally{}); {
	case was == none && is != none:
		return 1
	case was != none && is == none:
		return -1
	}
	return 0
}

const secondsPerDay = 24 * 60 * 60

// day is the number of whole days since 1970 (UTC).
func day(t time.Time) int64 { return floor(t.Unix(), secondsPerDay) }

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
