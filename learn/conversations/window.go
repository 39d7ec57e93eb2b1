package conversations

import (
	"maps"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
)

// Window is a half-open period of event time; without ends it is all time.
type Window struct {
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
	// AsOf is the end of the two weeks that a trend compares; zero asks for none.
	AsOf time.Time `json:"as_of,omitzero"`
}

// answerSummary reads the rows, or for a period folds its records into rows of their own
// and adds the sums of days whose records are gone.
func answerSummary(q learn.Question) (any, error) {
	w, err := learn.ReadArgs[Window](q, "the period")
	if err != nil {
		return nil, err
	}
	if w.From.IsZero() && w.To.IsZero() {
		return summaryOf(q.Rows, w.AsOf), nil
	}
	m, table := Model(), new(learn.Memory)
	for _, kind := range heard() {
		for rec := range q.Records.InLogOrder(learn.Select{Kind: kind, From: w.From, To: w.To}) {
			m.Apply(table, rec)
		}
	}
	own := m.Open(table)
	s := summaryOf(own, time.Time{})
	s.forecast(q.Rows, own, w)
	s.addSums(q.Rows, own, w)
	s.Previous, s.Recent = w.weeks(q.Records)
	return s, nil
}

// forecast replaces the forecasts by those that know what was before the window.
func (s *Summary) forecast(rows, own learn.Rows, w Window) {
	for day, d := range s.Days {
		d.Forecast = Forecast{}
		s.Days[day] = d
	}
	for _, m := range learn.Scan[member](own, peopleKey(), learn.People) {
		all := evidenceOf(rows, m.Name)
		all.foresee(earlierOf(rows, m.Name))
		for _, x := range all {
			if d, known := s.Days[dayOf(x.At)]; known && w.contains(when(x.At)) {
				d.Forecast = d.Forecast.plus(x.forecast)
				s.Days[dayOf(x.At)] = d
			}
		}
	}
}

// addSums adds the sums of the days that begin within a window, and the people of whom
// nothing else is left of it. Own are the rows of the window's records.
func (s *Summary) addSums(rows, own learn.Rows, w Window) {
	for row, m := range learn.Scan[member](rows, peopleKey(), learn.People) {
		some := false
		for _, kept := range learn.Scan[summed](rows, userKey(m.Name), dayRows) {
			var sum Summary
			if json.Unmarshal([]byte(kept.Value), &sum) != nil || !sum.within(w) {
				continue
			}
			*s, some = MergeSummaries(*s, sum), true
		}
		s.settle(0)
		if some && learn.Peek[member](own, peopleKey(), row) == (member{}) {
			s.People++
		}
	}
}

// within leaves of a sum the days that begin within a window, and reports whether any is
// left. What is not known by day goes unless all of them are.
func (s *Summary) within(w Window) bool {
	all := len(s.Days)
	maps.DeleteFunc(s.Days, func(day int64, _ Day) bool { return !w.contains(when(day * microsPerDay)) })
	s.People = 0
	if len(s.Days) < all {
		s.Sessions, s.Sittings, s.Delays = 0, nil, nil
	}
	return len(s.Days) > 0
}

func (w Window) contains(at time.Time) bool {
	return !at.Before(w.From) && (w.To.IsZero() || at.Before(w.To))
}

// weeks are the positive signs of the two weeks that a trend compares, whether or not
// they lie within the window.
func (w Window) weeks(records learn.Records) (previous, recent stats.Share) {
	if w.AsOf.IsZero() {
		return previous, recent
	}
	before, last := stats.Weeks(w.AsOf)
	for rec := range records.InLogOrder(learn.Select{Kind: events.FeedbackResponse.Kind, From: before.From, To: last.To}) {
		f, ok := rec.Payload().(*events.ResponseFeedback)
		switch {
		case !ok || helpfulness(f.FeedbackType) == nil:
		case last.Contains(rec.Header().Time):
			recent = taken(recent, f.FeedbackType)
		default:
			previous = taken(previous, f.FeedbackType)
		}
	}
	return previous, recent
}
