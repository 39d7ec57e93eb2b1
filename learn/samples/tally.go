package samples

import (
	"learnloop.dev/events"
	"learnloop.dev/stats"
)

// Tally counts the samples of a family. A row of integers.
type Tally struct {
	N       int64   `json:"n"`
	Labels  Labels  `json:"labels,omitzero"`
	Types   Types   `json:"types,omitzero"`
	Sources Sources `json:"sources,omitzero"`
}

// Labels counts samples by how good they are; one without a label is in none.
type Labels struct {
	Good       int64 `json:"good"`
	Acceptable int64 `json:"acceptable"`
	Poor       int64 `json:"poor"`
}

// Types counts samples by the form their judgement took.
type Types struct {
	Approval   int64 `json:"approval"`
	Rejection  int64 `json:"rejection"`
	Correction int64 `json:"correction"`
	Score      int64 `json:"score"`
}

// Sources counts samples by who judged them.
type Sources struct {
	User   int64 `json:"user"`
	System int64 `json:"system"`
}

// add counts one sample, or takes it back.
func (t *Tally) add(f *events.SampleFeedback, weight int64) {
	t.N += weight
	for _, n := range []*int64{t.Labels.of(f.QualityLabel), t.Types.of(f.Type), t.Sources.of(f.Source)} {
		if n != nil {
			*n += weight
		}
	}
}

// plus is both tallies together.
func (t Tally) plus(o Tally) Tally {
	return Tally{
		N:       t.N + o.N,
		Labels:  Labels{t.Labels.Good + o.Labels.Good, t.Labels.Acceptable + o.Labels.Acceptable, t.Labels.Poor + o.Labels.Poor},
		Types:   t.Types.plus(o.Types),
		Sources: Sources{t.Sources.User + o.Sources.User, t.Sources.System + o.Sources.System},
	}
}

// of is where a label is counted, nil for none.
func (l *Labels) of(label events.QualityLabel) *int64 {
	switch label {
	case events.Good:
		return &l.Good
	case events.Acceptable:
		return &l.Acceptable
	case events.Poor:
		return &l.Poor
	}
	return nil
}

// all are the samples that have a label.
func (l Labels) all() int64 { return l.Good + l.Acceptable + l.Poor }

func (t *Types) of(verdict events.SampleVerdict) *int64 {
	switch verdict {
	case events.Approval:
		return &t.Approval
	case events.Rejection:
		return &t.Rejection
	case events.Correction:
		return &t.Correction
	case events.Score:
		return &t.Score
	}
	return nil
}

func (t Types) plus(o Types) Types {
	return Types{t.Approval + o.Approval, t.Rejection + o.Rejection, t.Correction + o.Correction, t.Score + o.Score}
}

func (s *Sources) of(source events.FeedbackSource) *int64 {
	switch source {
	case events.ByUser:
		return &s.User
	case events.BySystem:
		return &s.System
	}
	return nil
}

// rates are the shares of good, acceptable and poor samples among those that have a
// label, nil where none has.
func (l Labels) rates() (approval, correction, rejection *float64) {
	rate := func(x int64) *float64 {
		r, known := stats.Share{X: x, N: l.all()}.Rate()
		if !known {
			return nil
		}
		return &r
	}
	return rate(l.Good), rate(l.Acceptable), rate(l.Poor)
}
