package conversations

import (
	"maps"
	"slices"
	"time"

	"learnloop.dev/events"
)

// Day is what the exchanges of one day add up to. All of it are integers: days are
// added in any order, and taken apart again.
type Day struct {
	Exchanges int64 `json:"exchanges,omitzero"` // that were recorded

	Signs     Signs `json:"signs,omitzero"`
	Rated     int64 `json:"rated,omitzero"`     // exchanges with an explicit sign
	Prompt    int64 `json:"prompt,omitzero"`    // signs within thirty seconds of the answer
	WithText  int64 `json:"with_text,omitzero"` // signs
	Deeds     Deeds `json:"deeds,omitzero"`     // as they were reported
	Derived   Deeds `json:"derived,omitzero"`   // as sessions show them, of the other exchanges
	Rephrased int64 `json:"rephrased,omitzero"` // questions asked again in other words
	Late      int64 `json:"late,omitzero"`      // exchanges that came more than ten minutes behind later ones

	Overall     Sum `json:"overall,omitzero"`
	Confidence  Sum `json:"confidence,omitzero"`
	Relevance   Sum `json:"relevance,omitzero"`
	Helpfulness Sum `json:"helpfulness,omitzero"`
	Engagement  Sum `json:"engagement,omitzero"`
	Clarity     Sum `json:"clarity,omitzero"`
	Accuracy    Sum `json:"accuracy,omitzero"`

	Forecast Forecast `json:"forecast,omitzero"`

	Models map[string]ModelCount `json:"models,omitzero"`
}

// Signs counts explicit signs.
type Signs struct {
	Up         int64 `json:"thumbs_up,omitzero"`
	Down       int64 `json:"thumbs_down,omitzero"`
	Copied     int64 `json:"copy,omitzero"`
	Regenerate int64 `json:"regenerate,omitzero"`
}

// Deeds counts what people did after answers.
type Deeds struct {
	Clarification int64 `json:"clarification,omitzero"`
	Continuation  int64 `json:"continuation,omitzero"`
	NewTopic      int64 `json:"new_topic,omitzero"`
	End           int64 `json:"end,omitzero"`
	Other         int64 `json:"other,omitzero"` // of no kind

	Timed   int64 `json:"timed,omitzero"`
	Micros  int64 `json:"micros,omitzero"` // of the delays
	Written int64 `json:"written,omitzero"`
	Length  int64 `json:"length,omitzero"` // of the messages, in characters
}

// ModelCount is how the answers of a model were taken.
type ModelCount struct {
	Exchanges   int64 `json:"exchanges"`
	Copied      int64 `json:"copied,omitzero"`
	Regenerated int64 `json:"regenerated,omitzero"`
}

// Sum adds numbers of 0..1 up, in millionths.
type Sum struct {
	N      int64 `json:"n,omitzero"`
	Micros int64 `json:"micros,omitzero"`
}

const million = 1_000_000

// take adds a number.
func (s *Sum) take(x float64) {
	m := int64(float64(x*million) + 0.5)
	s.N, s.Micros = s.N+1, s.Micros+m
}

// may adds a number that is there.
func (s *Sum) may(x *float64) {
	if x != nil {
		s.take(*x)
	}
}

func (s Sum) plus(o Sum) Sum { return Sum{s.N + o.N, s.Micros + o.Micros} }

// mean is false of nothing.
func (s Sum) mean() (float64, bool) {
	if s.N <= 0 {
		return 0, false
	}
	return float64(s.Micros) / float64(s.N) / million, true
}

const microsPerDay = int64(24 * time.Hour / time.Microsecond)

// dayOf is the number of whole days since 1970 (UTC).
func dayOf(at int64) int64 { return floor(at, microsPerDay) }

// floor is ⌊x/unit⌋, below zero too.
func floor(x, unit int64) int64 {
	if x < 0 {
		return -((-x + unit - 1) / unit)
	}
	return x / unit
}

// date writes a day as YYYY-MM-DD.
func date(day int64) string { return time.UnixMicro(day * microsPerDay).UTC().Format(time.DateOnly) }

// days adds evidence up by the day of the exchange.
func (all evidence) days() map[int64]*Day {
	days := map[int64]*Day{}
	for _, x := range all {
		d, ok := days[dayOf(x.At)]
		if !ok {
			d = &Day{Models: map[string]ModelCount{}}
			days[dayOf(x.At)] = d
		}
		d.add(x)
	}
	return days
}

// add counts an exchange.
func (d *Day) add(x *exchange) {
	if x.recorded {
		d.Exchanges++
		d.addModel(x)
	}
	if len(x.signs) > 0 {
		d.Rated++
	}
	for _, s := range x.signs {
		d.addSign(x, s)
	}
	for _, e := range x.deeds {
		d.Deeds.add(e)
	}
	if len(x.deeds) == 0 && x.derived.FollowUp != "" {
		d.Derived.add(x.derived)
	}
	if x.rephrased {
		d.Rephrased++
	}
	if x.late {
		d.Late++
	}
	d.Forecast = d.Forecast.plus(x.forecast)
	d.addScore(x.score)
}

func (d *Day) addModel(x *exchange) {
	m := d.Models[x.Model]
	m.Exchanges++
	if x.has(events.Copied) {
		m.Copied++
	}
	if x.has(events.Regenerate) {
		m.Regenerated++
	}
	d.Models[x.Model] = m
}

// has reports whether there is an explicit sign of a kind.
func (x *exchange) has(t events.ResponseSign) bool {
	return slices.ContainsFunc(x.signs, func(s sign) bool { return s.Type == t })
}

func (d *Day) addSign(x *exchange, s sign) {
	if n := d.Signs.of(s.Type); n != nil {
		*n++
	}
	if x.prompt(s) {
		d.Prompt++
	}
	if s.Text {
		d.WithText++
	}
}

// prompt reports whether a sign was given within the window behind the answer.
func (x *exchange) prompt(s sign) bool {
	return x.recorded && s.At >= x.At && s.At-x.At <= feedbackWindow
}

func (d *Day) addScore(s Score) {
	if s.Overall == nil {
		return
	}
	d.Overall.take(*s.Overall)
	d.Confidence.take(s.Confidence)
	d.Relevance.may(s.Relevance)
	d.Helpfulness.may(s.Helpfulness)
	d.Engagement.may(s.Engagement)
	d.Clarity.may(s.Clarity)
	d.Accuracy.may(s.Accuracy)
}

// of is where a sign is counted.
func (s *Signs) of(t events.ResponseSign) *int64 {
	switch t {
	case events.ThumbsUp:
		return &s.Up
	case events.ThumbsDown:
		return &s.Down
	case events.Copied:
		return &s.Copied
	case events.Regenerate:
		return &s.Regenerate
	}
	return nil
}

// total is all signs, and positive those of content people.
func (s Signs) total() int64    { return s.positive() + s.Down + s.Regenerate }
func (s Signs) positive() int64 { return s.Up + s.Copied }

// seeded is the sum of what signs say by 003, in tenths.
func (s Signs) seeded() int64 { return 10*s.Up + 9*s.Copied + 3*s.Regenerate + s.Down }

func (s Signs) plus(o Signs) Signs {
	return Signs{s.Up + o.Up, s.Down + o.Down, s.Copied + o.Copied, s.Regenerate + o.Regenerate}
}

func (d *Deeds) add(e deed) {
	*d.of(e.FollowUp)++
	if e.Delay.Known {
		d.Timed, d.Micros = d.Timed+1, d.Micros+e.Delay.Value
	}
	if e.Length.Known {
		d.Written, d.Length = d.Written+1, d.Length+e.Length.Value
	}
}

func (d *Deeds) of(f events.FollowUp) *int64 {
	switch f {
	case events.Clarification:
		return &d.Clarification
	case events.Continuation:
		return &d.Continuation
	case events.NewTopic:
		return &d.NewTopic
	case events.End:
		return &d.End
	}
	return &d.Other
}

func (d Deeds) total() int64 { return d.Clarification + d.Continuation + d.NewTopic + d.End + d.Other }

func (d Deeds) plus(o Deeds) Deeds {
	return Deeds{
		d.Clarification + o.Clarification, d.Continuation + o.Continuation, d.NewTopic + o.NewTopic, d.End + o.End, d.Other + o.Other,
		d.Timed + o.Timed, d.Micros + o.Micros, d.Written + o.Written, d.Length + o.Length,
	}
}

// plus is both days together; neither is changed.
func (d Day) plus(o Day) Day {
	models := maps.Clone(d.Models)
	if models == nil {
		models = map[string]ModelCount{}
	}
	for name, m := range o.Models {
		sum := models[name]
		models[name] = ModelCount{sum.Exchanges + m.Exchanges, sum.Copied + m.Copied, sum.Regenerated + m.Regenerated}
	}
	return Day{
		Exchanges: d.Exchanges + o.Exchanges, Signs: d.Signs.plus(o.Signs), Rated: d.Rated + o.Rated,
		Prompt: d.Prompt + o.Prompt, WithText: d.WithText + o.WithText, Deeds: d.Deeds.plus(o.Deeds),
		Derived: d.Derived.plus(o.Derived), Rephrased: d.Rephrased + o.Rephrased, Late: d.Late + o.Late,
		Overall: d.Overall.plus(o.Overall), Confidence: d.Confidence.plus(o.Confidence),
		Relevance: d.Relevance.plus(o.Relevance), Helpfulness: d.Helpfulness.plus(o.Helpfulness),
		Engagement: d.Engagement.plus(o.Engagement), Clarity: d.Clarity.plus(o.Clarity), Accuracy: d.Accuracy.plus(o.Accuracy),
		Forecast: d.Forecast.plus(o.Forecast), Models: models,
	}
}
