package rules

import (
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// The rows of the summary.
const (
	cellRows       = "cell/"       // cell, by rule, category and bulk
	userRows       = "user/"       // user, by person
	personRows     = "who/"        // member, by person and rule
	hourRows       = "hour/"       // hour, by hour since 1970
	reliabilityRow = "reliability" // stats.Reliability
	edgesRow       = "edges"       // Edges
	lengthSet      = "length"      // learn.Ends of text lengths
	busySet        = "busy"        // learn.Top of rules by decisions
)

// cell is the smallest part that statistics are added up from.
type cell struct {
	Rule     string `json:"rule"`
	Category string `json:"category"`
	Bulk     bool   `json:"bulk,omitzero"`
	Tally    Tally  `json:"tally"`
	// Graded are the decisions that stated a confidence, Hits those it predicted.
	Graded int64 `json:"graded,omitzero"`
	Hits   int64 `json:"hits,omitzero"`
}

// user is a person's feedback.
type user struct {
	Name string `json:"name"`
	N    int64  `json:"n"`
}

// hour is the feedback of one hour.
type hour struct {
	Tally   Tally `json:"tally"`
	Graded  int64 `json:"graded,omitzero"`
	Squares int64 `json:"squares,omitzero"` // of errors of stated confidences, in 1e-10
}

// Edges counts feedback at the edge of what the contract allows.
type Edges struct {
	EmptyOriginal       int64 `json:"empty_original"`
	EmptySuggestion     int64 `json:"empty_suggestion"`
	ModifiedWithoutText int64 `json:"modified_without_final_text"`
	NullConfidence      int64 `json:"null_confidence"`
	NonASCII            int64 `json:"non_ascii"`
}

func (d decision) countSummary() {
	key := summaryKey()
	learn.At[Tally](d.rows, key, tallyRow).add(d.Data.Decision, d.by)
	d.span(key)
	d.countCell(key)
	d.countPerson(key)
	d.countEdges(key)
	grade := d.grade(key)
	h := learn.At[hour](d.rows, key, hourRow(d.Time))
	h.Tally.add(d.Data.Decision, d.by)
	h.Graded += grade.Count()
	h.Squares += grade.Squares
}

func (d decision) countCell(key learn.Key) {
	c := learn.At[cell](d.rows, key, cellRow(d.token, d.Data.Category, d.Data.IsBulkOperation))
	c.Tally.add(d.Data.Decision, d.by)
	d.graded(func(confidence float64) {
		var one stats.Calibration
		one.Add(confidence, d.kept(), d.by)
		c.Graded += one.Count()
		c.Hits += one.Hits
	})
	if c.Tally == (Tally{}) {
		*c = cell{}
		return
	}
	c.Rule, c.Category, c.Bulk = string(d.Data.RuleID), d.Data.Category, d.Data.IsBulkOperation
}

func cellRow(rule, category string, bulk bool) string {
	if bulk {
		return cellRows + rule + "." + events.Token(category) + ".bulk"
	}
	return cellRows + rule + "." + events.Token(category)
}

// grade adds the stated confidence to the calibration over all rules and
// returns what it added.
func (d decision) grade(key learn.Key) stats.Calibration {
	var one stats.Calibration
	d.graded(func(confidence float64) {
		one.Add(confidence, d.kept(), d.by)
		learn.At[stats.Calibration](d.rows, key, confidenceRow).Add(confidence, d.kept(), d.by)
		learn.At[stats.Reliability](d.rows, key, reliabilityRow).Add(confidence, d.kept(), d.by)
	})
	return one
}

func (d decision) countPerson(key learn.Key) {
	person := d.person()
	if person == "" {
		return
	}
	token := events.Token(person)
	u := learn.At[user](d.rows, key, userRows+token)
	u.N += d.by
	u.Name = person
	if u.N == 0 {
		u.Name = ""
	}
	m := learn.At[member](d.rows, key, personRows+token+"."+d.token)
	m.Tally.add(d.Data.Decision, d.by)
	m.Rule = named(string(d.Data.RuleID), m.Tally)
}

func (d decision) countEdges(key learn.Key) {
	e := learn.At[Edges](d.rows, key, edgesRow)
	tick := func(n *int64, is bool) {
		if is {
			*n += d.by
		}
	}
	tick(&e.ModifiedWithoutText, d.Data.Decision == events.Modified && d.Data.FinalText == nil)
	tick(&e.NullConfidence, d.Data.OriginalConfidence == nil)
	derived := d.Data.Derived
	if derived == nil {
		return
	}
	tick(&e.EmptyOriginal, derived.EmptyOriginal)
	tick(&e.EmptySuggestion, derived.EmptySuggestion)
	tick(&e.NonASCII, derived.NonASCII)
	learn.EndsOf(d.rows, key, lengthSet).Add(int64(derived.LongestText), d.by)
}

// rankRule keeps the rules with most decisions at hand, and their number.
func (d decision) rankRule(was, is Tally) {
	key := summaryKey()
	learn.TopOf(d.rows, key, busySet).Move(d.token, was.Decided(), is.Decided())
	*learn.At[int64](d.rows, key, rulesRow) += appeared(was, is)
}

const secondsPerHour = 60 * 60

func hourRow(t time.Time) string { return hourOf(floor(t.Unix(), secondsPerHour)) }

// hourOf names an hour so that byte order is the order of time from year 0 to 9999.
func hourOf(h int64) string { return fmt.Sprintf("%s%09d", hourRows, h+hoursToEpoch) }

const hoursToEpoch = 20_000_000 // more than the hours from year 0 to 1970
