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

// confidence is what the suggestion stated, false when it stated none or nobody
// decided.
func (d decision) confidence() (float64, bool) {
	if d.Data.OriginalConfidence == nil || !d.opinion() {
		return 0, false
	}
	return *d.Data.OriginalConfidence, true
}

// The rows of a rule, a category and the summary; patterns, edits and remarks
// have rows of their own.
const (
	totalRow = "total"     // graded, of a rule; overall, of the summary
	spanSet  = "day"       // learn.Ends of days since 1970
	cellRows = "cell/"     // cell, by rule and bulk; of a category
	listRows = "category/" // listed, by category; of the summary
)

// graded is a tally and how the stated confidences fared.
type graded struct {
	Tally      Tally             `json:"tally"`
	Confidence stats.Calibration `json:"confidence,omitzero"`
}

func (d decision) countRule() {
	r := learn.At[graded](d.rows, d.rule, totalRow)
	was := r.Tally
	r.Tally.add(d.Data.Decision, d.by)
	if c, ok := d.confidence(); ok {
		r.Confidence.Add(c, d.kept(), d.by)
	}
	rankRule(d.rows, d.token, was, r.Tally)
	d.span(d.rule, d.by)
	if d.opinion() {
		d.countPattern()
		d.countRemark()
		d.countEdit()
	}
}

// span keeps the first and the last day with evidence, which comes or goes.
func (d decision) span(key learn.Key, by int64) {
	learn.EndsOf(d.rows, key, spanSet).Add(day(d.Time), by)
}

// cell is the smallest part that statistics are added up from: what was decided
// about a rule within a category, in bulk or one by one.
type cell struct {
	Rule     string `json:"rule"`
	Category string `json:"category"`
	Bulk     bool   `json:"bulk,omitzero"`
	Tally    Tally  `json:"tally"`
	// Graded are the decisions that stated a confidence, Hits those it predicted.
	Graded int64 `json:"graded,omitzero"`
	Hits   int64 `json:"hits,omitzero"`
}

// listed is a category and how many cells it has. Its tally is theirs.
type listed struct {
	Category string `json:"category"`
	Cells    int64  `json:"cells"`
}

func (d decision) countCategory() {
	d.span(d.category, d.by)
	one := cell{Rule: string(d.Data.RuleID), Category: d.Data.Category, Bulk: d.Data.IsBulkOperation}
	one.Tally.add(d.Data.Decision, 1)
	if confidence, ok := d.confidence(); ok {
		var c stats.Calibration
		c.Add(confidence, d.kept(), 1)
		one.Graded, one.Hits = c.Count(), c.Hits
	}
	addCell(d.rows, d.token, one, d.by)
}

// addCell adds to a cell of a rule, whose token is given; the cell may appear or go.
func addCell(rows learn.Rows, token string, more cell, by int64) {
	row := cellRows + token
	if more.Bulk {
		row += ".bulk"
	}
	c := learn.At[cell](rows, categoryKey(more.Category), row)
	was := c.Tally
	c.Tally = c.Tally.plus(more.Tally, by)
	c.Graded += by * more.Graded
	c.Hits += by * more.Hits
	c.Rule, c.Category, c.Bulk = more.Rule, more.Category, more.Bulk
	change := appeared(was, c.Tally)
	if c.Tally == (Tally{}) {
		*c = cell{}
	}
	if change != 0 {
		l := learn.At[listed](rows, summaryKey(), listRows+events.Token(more.Category))
		l.Category, l.Cells = more.Category, l.Cells+change
		if l.Cells == 0 {
			*l = listed{}
		}
	}
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
