package rules

import (
	"cmp"
	"strconv"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// Day is the feedback of one day (UTC): a point of the learning metrics over time.
type Day struct {
	Date           string   `json:"date"` // YYYY-MM-DD
	FeedbackCount  int64    `json:"feedback_count"`
	Tally          Tally    `json:"decisions"`
	AcceptanceRate *float64 `json:"acceptance_rate"`
	BrierScore     *float64 `json:"brier_score"` // how well stated confidences predicted
	Graded         int64    `json:"graded"`      // decisions that stated one
	Squares        int64    `json:"squares"`     // their squared errors, in 1e-10
	// CalibrationError is the ECE and ConfidenceAccuracy the documented share; both are
	// known of days that were read from records.
	CalibrationError   *float64 `json:"calibration_error"`
	ConfidenceAccuracy *float64 `json:"confidence_accuracy"`

	Confidence *stats.Calibration `json:"confidence,omitzero"` // of the days of a period
}

// answerDays reads the rows, or for a period or less than everything the records.
func answerDays(q learn.Question) (any, error) {
	filter, err := readFilter(q.Args)
	if err != nil || filter.everything() {
		return daysOf(q.Rows), err
	}
	by := map[string]*Day{}
	for f := range filter.records(q.Records, filter.From, filter.To) {
		at := date(day(f.Time))
		if by[at] == nil {
			by[at] = &Day{Date: at, Confidence: new(stats.Calibration)}
		}
		by[at].add(f)
	}
	days := []Day{}
	for _, d := range by {
		d.Graded, d.Squares = d.Confidence.Count(), d.Confidence.Squares
		days = append(days, *d)
	}
	return MergeDays(days), nil
}

func (d *Day) add(f *events.Fact[events.FixFeedback]) {
	d.Tally.add(f.Data.Decision, 1)
	one := decision{Fact: f}
	if c, ok := one.confidence(); ok {
		d.Confidence.Add(c, one.kept(), 1)
	}
}

func daysOf(rows learn.Rows) []Day {
	days := []Day{}
	for row, h := range learn.Scan[hour](rows, summaryKey(), hourRows) {
		days = append(days, Day{Date: dateOf(row), Tally: h.Tally, Graded: h.Graded, Squares: h.Squares})
	}
	return MergeDays(days)
}

// dateOf is the day of an hour's row.
func dateOf(row string) string {
	h, err := strconv.ParseInt(strings.TrimPrefix(row, hourRows), 10, 64)
	if err != nil {
		return "" // not written by hourOf
	}
	return date(floor(h-hoursToEpoch, 24))
}

// MergeDays joins the days of the partitions, in order of time.
func MergeDays(parts ...[]Day) []Day {
	byDate := map[string]Day{}
	for _, part := range parts {
		for _, d := range part {
			all := byDate[d.Date]
			byDate[d.Date] = Day{
				Date: d.Date, Tally: all.Tally.plus(d.Tally, 1),
				Graded: all.Graded + d.Graded, Squares: all.Squares + d.Squares,
				Confidence: together(all.Confidence, d.Confidence),
			}
		}
	}
	days := make([]Day, 0, len(byDate))
	for _, d := range byDate {
		d.FeedbackCount = d.Tally.Total()
		d.AcceptanceRate = rate(d.Tally.acceptance())
		d.BrierScore = rounded(stats.Share{X: d.Squares, N: d.Graded * squareUnit}.Rate())
		if d.Confidence != nil {
			d.CalibrationError = rounded(d.Confidence.ECE())
			d.ConfidenceAccuracy = rounded(d.Confidence.ConfidenceAccuracy())
		}
		days = append(days, d)
	}
	inorder.Sort(days, func(a, b Day) int { return cmp.Compare(a.Date, b.Date) })
	return days
}

// ModificationRate is the share of the modified among the decisions.
func (d Day) ModificationRate() *float64 { return rate(d.Tally.modification()) }

// SkipRate is the share of the skipped among all feedback.
func (d Day) SkipRate() *float64 { return rate(d.Tally.skips()) }

// together are confidences of two parts, nil where neither knows any.
func together(a, b *stats.Calibration) *stats.Calibration {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	sum := *a
	sum.Merge(*b, 1)
	return &sum
}

// squareUnit is how many units of stats.Calibration.Squares make an error of 1.
const squareUnit = confidenceUnit * confidenceUnit
