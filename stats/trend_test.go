package stats

import (
	"testing"
	"time"
)

func TestWeeksAreHalfOpen(t *testing.T) {
	end := time.Date(2026, 3, 30, 12, 0, 0, 0, time.UTC)
	previous, recent := Weeks(end)
	for _, c := range []struct {
		before      time.Duration
		wasPrevious bool
		wasRecent   bool
	}{
		{0, false, false},
		{1, false, true},
		{7 * 24 * time.Hour, false, true},
		{7*24*time.Hour + 1, true, false},
		{14 * 24 * time.Hour, true, false},
		{14*24*time.Hour + 1, false, false},
	} {
		at := end.Add(-c.before)
		if previous.Contains(at) != c.wasPrevious || recent.Contains(at) != c.wasRecent {
			t.Errorf("%v before the end: previous %t, recent %t", c.before, previous.Contains(at), recent.Contains(at))
		}
	}
}

func TestATrendComparesTwoWeeks(t *testing.T) {
	trend := TrendOf(Share{48, 80}, Share{56, 70}, .95)
	change, defined := trend.Value()
	if !defined || trend.Status != TrendMeasured {
		t.Errorf("%+v", trend)
	}
	near(t, "change", change, .2)
	near(t, "lower", trend.Interval.Lower, 0.0524314724023649)
	near(t, "upper", trend.Interval.Upper, 0.333872654036906)
}

func TestATrendSaysWhatItLacks(t *testing.T) {
	some, none := Share{3, 4}, Share{}
	for _, c := range []struct {
		previous, recent Share
		status           TrendStatus
		defined          bool
	}{
		{none, some, TrendNoPrevious, true},
		{some, none, TrendNoRecent, false},
		{none, none, TrendNoData, false},
	} {
		trend := TrendOf(c.previous, c.recent, .95)
		change, defined := trend.Value()
		if trend.Status != c.status || defined != c.defined || change != 0 || trend.Interval != (Interval{-1, 1}) {
			t.Errorf("%v then %v: %+v, defined %t", c.previous, c.recent, trend, defined)
		}
	}
}
