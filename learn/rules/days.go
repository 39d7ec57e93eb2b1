package rules

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

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
			}
		}
	}
	days := make([]Day, 0, len(byDate))
	for _, d := range byDate {
		d.FeedbackCount = d.Tally.Total()
		d.AcceptanceRate = rate(d.Tally.acceptance())
		d.BrierScore = rounded(stats.Share{X: d.Squares, N: d.Graded * squareUnit}.Rate())
		days = append(days, d)
	}
	slices.SortFunc(days, func(a, b Day) int { return cmp.Compare(a.Date, b.Date) })
	return days
}

// squareUnit is how many units of stats.Calibration.Squares make an error of 1.
const squareUnit = confidenceUnit * confidenceUnit
