package conversations

import (
	"maps"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/stats"
)

// Overview is the part of the statistics about conversations. Rates have six digits, means
// four, and are null where there is nothing to divide by.
type Overview struct {
	Exchanges int64                `json:"exchanges"`
	People    int64                `json:"people"`
	Explicit  ExplicitBlock        `json:"explicit"`
	Implicit  ImplicitBlock        `json:"implicit"`
	Derived   map[string]int64     `json:"derived_by_follow_up"` // of exchanges nobody reported anything of
	Rephrased int64                `json:"rephrased_questions"`
	Late      int64                `json:"late_exchanges"` // more than ten minutes behind later ones of their session
	ByModel   map[string]ModelRate `json:"exchange_copy_rate_by_model"`
	Seeded    *float64             `json:"helpfulness_seed_scores_mean_over_explicit"`
	Quality   Means                `json:"quality"`
}

// ExplicitBlock counts signs.
type ExplicitBlock struct {
	Total        int64                         `json:"total"`
	ByType       map[events.ResponseSign]int64 `json:"by_type"`
	PositiveRate *float64                      `json:"positive_rate_up_copy"`
	WithText     int64                         `json:"with_text"`
	Exchanges    int64                         `json:"distinct_exchanges"`
	Prompt       int64                         `json:"within_window"` // of thirty seconds
	FeedbackRate *float64                      `json:"feedback_rate"` // exchanges with a sign
}

// ImplicitBlock counts what was reported of what people did next.
type ImplicitBlock struct {
	Total      int64                     `json:"total"`
	ByFollowUp map[events.FollowUp]int64 `json:"by_follow_up"`
	Sessions   int64                     `json:"sessions"`
	MeanTime   *float64                  `json:"mean_response_time_ms"`
	MedianTime *float64                  `json:"median_response_time_ms"`
	MeanLength *float64                  `json:"mean_user_message_length"`
}

// ModelRate is how the answers of a model were taken.
type ModelRate struct {
	Exchanges   int64    `json:"exchanges"`
	Copied      int64    `json:"copied"`
	CopyRate    *float64 `json:"copy_rate"`
	Regenerated int64    `json:"regenerated"`
}

// Means are the means of scores and of their parts.
type Means struct {
	Scored      int64    `json:"scored"`
	Overall     *float64 `json:"overall_score"`
	Confidence  *float64 `json:"confidence"`
	Relevance   *float64 `json:"relevance_score"`
	Helpfulness *float64 `json:"helpfulness_score"`
	Engagement  *float64 `json:"engagement_score"`
	Clarity     *float64 `json:"clarity_score"`
	Accuracy    *float64 `json:"accuracy_score"`
}

// Block is what the summary says.
func (s Summary) Block() Overview {
	t := s.Total()
	b := Overview{
		Exchanges: t.Exchanges, People: s.People, Rephrased: t.Rephrased, Late: t.Late,
		Explicit: ExplicitBlock{
			Total: t.Signs.total(), ByType: t.Signs.byType(), PositiveRate: rate(t.Signs.positive(), t.Signs.total()),
			WithText: t.WithText, Exchanges: t.Rated, Prompt: t.Prompt, FeedbackRate: rate(min(t.Rated, t.Exchanges), t.Exchanges),
		},
		Implicit: ImplicitBlock{
			Total: t.Deeds.total(), ByFollowUp: t.Deeds.byFollowUp(), Sessions: s.Sessions,
			MeanTime: mean(t.Deeds.Micros, 1000*t.Deeds.Timed), MedianTime: s.median(), MeanLength: mean(t.Deeds.Length, t.Deeds.Written),
		},
		Derived: map[string]int64{}, ByModel: map[string]ModelRate{}, Quality: t.quality(),
	}
	for f, n := range t.Derived.byFollowUp() {
		b.Derived[string(f)] = n
	}
	if n := t.Signs.total(); n > 0 {
		b.Seeded = mean(t.Signs.seeded(), 10*n)
	}
	for name, m := range t.Models {
		b.ByModel[name] = ModelRate{m.Exchanges, m.Copied, rate(m.Copied, m.Exchanges), m.Regenerated}
	}
	return b
}

func (d Day) quality() Means {
	return Means{
		Scored: d.Overall.N, Overall: d.Overall.rounded(), Confidence: d.Confidence.rounded(), Relevance: d.Relevance.rounded(),
		Helpfulness: d.Helpfulness.rounded(), Engagement: d.Engagement.rounded(), Clarity: d.Clarity.rounded(), Accuracy: d.Accuracy.rounded(),
	}
}

func (s Sum) rounded() *float64 {
	m, ok := s.mean()
	if !ok {
		return nil
	}
	return new(digits(m))
}

func (s Signs) byType() map[events.ResponseSign]int64 {
	return present(map[events.ResponseSign]int64{
		events.ThumbsUp: s.Up, events.ThumbsDown: s.Down, events.Copied: s.Copied, events.Regenerate: s.Regenerate,
	})
}

func (d Deeds) byFollowUp() map[events.FollowUp]int64 {
	return present(map[events.FollowUp]int64{
		events.Clarification: d.Clarification, events.Continuation: d.Continuation, events.NewTopic: d.NewTopic, events.End: d.End,
	})
}

// present leaves out what was never seen.
func present[K comparable](counts map[K]int64) map[K]int64 {
	maps.DeleteFunc(counts, func(_ K, n int64) bool { return n == 0 })
	return counts
}

// median is that of the reported delays, in milliseconds.
func (s Summary) median() *float64 {
	var n, below int64
	for _, times := range s.Delays {
		n += times
	}
	if n == 0 {
		return nil
	}
	const perMilli = 1000
	low, high := (n-1)/2, n/2
	var sum int64
	for _, v := range slices.Sorted(maps.Keys(s.Delays)) {
		next := below + s.Delays[v]
		if below <= low && low < next {
			sum += v
		}
		if below <= high && high < next {
			sum += v
			break
		}
		below = next
	}
	return new(float64(sum) / 2 / perMilli)
}

// rate is x of n, nil of nothing.
func rate(x, n int64) *float64 {
	r, ok := stats.Share{X: x, N: n}.Rate()
	if !ok {
		return nil
	}
	return new(digits(r))
}

// mean is sum/n to four digits, nil of nothing.
func mean(sum, n int64) *float64 {
	const meanDigits = 4
	if n <= 0 {
		return nil
	}
	return new(stats.Round(float64(sum)/float64(n), meanDigits))
}

// DayMetrics are the learning metrics of one day, by the day of the exchange.
type DayMetrics struct {
	Day          string   `json:"day"` // YYYY-MM-DD
	Exchanges    int64    `json:"exchanges"`
	FeedbackRate *float64 `json:"feedback_rate"` // exchanges with explicit feedback
	Signs        int64    `json:"explicit_feedback"`
	PositiveRate *float64 `json:"positive_rate"` // thumbs up and copies, of explicit feedback
	Quality      Means    `json:"quality"`
	// Trend is the quality minus that of the seven days before; null without both.
	Trend *float64 `json:"quality_trend"`
	// Predicted are answers whose taking the person's style foretold, from ten answers on.
	Predicted int64 `json:"predicted"`
	// PersonalizationAccuracy is the share that was liked, or not, as foretold (003 wants
	// 0.8). UsualAccuracy is what foretelling the person's usual reaction would reach.
	PersonalizationAccuracy *float64 `json:"personalization_accuracy"`
	UsualAccuracy           *float64 `json:"usual_accuracy"`
	PredictionError         *float64 `json:"prediction_error"` // mean squared, of the reaction 0..1
}

// Daily are the metrics of each day with evidence, the oldest first.
func (s Summary) Daily() []DayMetrics {
	list := []DayMetrics{}
	for _, day := range slices.Sorted(maps.Keys(s.Days)) {
		d := s.Days[day]
		list = append(list, DayMetrics{
			Day: date(day), Exchanges: d.Exchanges, FeedbackRate: rate(min(d.Rated, d.Exchanges), d.Exchanges), Signs: d.Signs.total(),
			PositiveRate: rate(d.Signs.positive(), d.Signs.total()), Quality: d.quality(), Trend: s.trend(day),
			Predicted: d.Forecast.N, PersonalizationAccuracy: rate(d.Forecast.Right, d.Forecast.N),
			UsualAccuracy: rate(d.Forecast.Usual, d.Forecast.N), PredictionError: mean(d.Forecast.Squares, million*d.Forecast.N),
		})
	}
	return list
}

func (s Summary) trend(day int64) *float64 {
	const week = 7
	var before Sum
	for earlier := day - week; earlier < day; earlier++ {
		before = before.plus(s.Days[earlier].Overall)
	}
	was, had := before.mean()
	is, has := s.Days[day].Overall.mean()
	if !had || !has {
		return nil
	}
	return new(digits(is - was))
}
