package rules

import (
	"strconv"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// More rows of the summary.
const (
	rulesRow   = "rules"      // int64: rules with feedback
	personRows = learn.People // personal, by person
	hourRows   = "hour/"      // hour, by hour since 1970
	lengthSet  = "length"     // learn.Ends of text lengths
	busySet    = "busy"       // learn.Top of rules, as tokens, by decisions
)

// overall is what is counted over all rules.
type overall struct {
	Tally       Tally             `json:"tally"`
	Edges       Edges             `json:"edges,omitzero"`
	Confidence  stats.Calibration `json:"confidence,omitzero"`
	Reliability stats.Reliability `json:"reliability,omitzero"`
	// Imported is what of the tally other installations counted, or this one before.
	Imported Tally `json:"imported,omitzero"`
}

// Edges counts feedback at the edge of what the contract allows.
type Edges struct {
	EmptyOriginal       int64 `json:"empty_original"`
	EmptySuggestion     int64 `json:"empty_suggestion"`
	ModifiedWithoutText int64 `json:"modified_without_final_text"`
	NullConfidence      int64 `json:"null_confidence"`
	NonASCII            int64 `json:"non_ascii"`
}

// personal is what one person decided. By rule there would be as many rows as
// records: that question is answered from the records.
type personal struct {
	Person string `json:"person"`
	Tally  Tally  `json:"tally"`
}

// hour is the feedback of one hour.
type hour struct {
	Tally   Tally `json:"tally"`
	Graded  int64 `json:"graded,omitzero"`
	Squares int64 `json:"squares,omitzero"` // of errors of stated confidences, in 1e-10
}

func (d decision) countSummary() {
	key := summaryKey()
	all := learn.At[overall](d.rows, key, totalRow)
	all.Tally.add(d.Data.Decision, d.by)
	all.Edges.add(&d.Data, d.by)
	h := learn.At[hour](d.rows, key, hourRow(d.Time))
	was := h.Tally
	h.Tally.add(d.Data.Decision, d.by)
	if change := appeared(was, h.Tally); change != 0 {
		d.span(key, change) // by hours: they are counted anyway
	}
	if c, ok := d.confidence(); ok {
		squares := all.Confidence.Squares
		all.Confidence.Add(c, d.kept(), d.by)
		all.Reliability.Add(c, d.kept(), d.by)
		h.Graded += d.by
		h.Squares += all.Confidence.Squares - squares
	}
	d.countPerson(key)
	if d.Data.Derived != nil {
		learn.EndsOf(d.rows, key, lengthSet).Add(int64(d.Data.Derived.LongestText), d.by)
	}
}

func (e *Edges) add(f *events.FixFeedback, by int64) {
	count := func(n *int64, is bool) {
		if is {
			*n += by
		}
	}
	count(&e.ModifiedWithoutText, f.Decision == events.Modified && f.FinalText == nil)
	count(&e.NullConfidence, f.OriginalConfidence == nil)
	if f.Derived == nil {
		return
	}
	count(&e.EmptyOriginal, f.Derived.EmptyOriginal)
	count(&e.EmptySuggestion, f.Derived.EmptySuggestion)
	count(&e.NonASCII, f.Derived.NonASCII)
}

func (d decision) countPerson(key learn.Key) {
	person := d.person()
	if person == "" {
		return
	}
	p := learn.At[personal](d.rows, key, personRows+events.Token(person))
	p.Tally.add(d.Data.Decision, d.by)
	p.Person = named(person, p.Tally)
}

// rankRule keeps the rules with most decisions at hand, and their number.
func rankRule(rows learn.Rows, token string, was, is Tally) {
	key := summaryKey()
	learn.TopOf(rows, key, busySet).Move(token, was.Decided(), is.Decided())
	if change := appeared(was, is); change != 0 {
		*learn.At[int64](rows, key, rulesRow) += change
	}
}

const secondsPerHour = 60 * 60

func hourRow(t time.Time) string { return hourOf(floor(t.Unix(), secondsPerHour)) }

// hourOf names an hour so that byte order is the order of time.
func hourOf(h int64) string { return hourRows + strconv.FormatInt(h+hoursToEpoch, 10) }

const hoursToEpoch = 200_000_000 // so that every year a timestamp can name has nine digits
