package stats

import "time"

const week = 7 * 24 * time.Hour

// Window is the half-open span of time [From, To).
type Window struct{ From, To time.Time }

// Contains says whether at lies in the window.
func (w Window) Contains(at time.Time) bool {
	return !at.Before(w.From) && at.Before(w.To)
}

// Weeks are the two windows a trend compares at end: the seven days before it
// and the seven before those.
func Weeks(end time.Time) (previous, recent Window) {
	middle := end.Add(-week)
	return Window{middle.Add(-week), middle}, Window{middle, end}
}

// TrendStatus says what a trend rests on.
type TrendStatus string

// What a trend rests on.
const (
	TrendMeasured   TrendStatus = "measured"         // both weeks have decisions
	TrendNoPrevious TrendStatus = "no_previous_data" // by definition no change
	TrendNoRecent   TrendStatus = "no_recent_data"   // undefined
	TrendNoData     TrendStatus = "no_data"          // undefined
)

// Trend is how acceptance moved from one week to the next.
type Trend struct {
	Change   float64 // recent minus previous rate; 0 unless measured
	Interval Interval
	Status   TrendStatus
}

// TrendOf compares two weeks of decisions. The interval is Newcombe's.
func TrendOf(previous, recent Share, confidence float64) Trend {
	before, hadPrevious := previous.Rate()
	now, hasRecent := recent.Rate()
	t := Trend{Interval: Newcombe(recent, previous, confidence), Status: TrendMeasured}
	switch {
	case hadPrevious && hasRecent:
		t.Change = now - before
	case hasRecent:
		t.Status = TrendNoPrevious
	case hadPrevious:
		t.Status = TrendNoRecent
	default:
		t.Status = TrendNoData
	}
	return t
}

// Value is the change, undefined (false) without decisions in the recent week.
func (t Trend) Value() (float64, bool) {
	return t.Change, t.Status == TrendMeasured || t.Status == TrendNoPrevious
}
