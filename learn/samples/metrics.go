package samples

import (
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// The questions the model answers, one part per partition.
const (
	AskTallies = "tallies" // Filter → Tallies
	AskPage    = "page"    // PageArgs → Page
)

func answers() map[string]learn.Answer {
	return map[string]learn.Answer{
		AskTallies: answerTallies,
		AskPage:    answerPage,
	}
}

// Filter narrows samples down; zero fields do not narrow.
type Filter struct {
	From     time.Time `json:"from,omitzero"` // event time, half-open [From, To)
	To       time.Time `json:"to,omitzero"`
	Families []string  `json:"families,omitzero"`
}

const whichSamples = "which samples are meant"

// Tallies are counts by family.
type Tallies map[string]Tally

// answerTallies reads the rows where no period is asked for, and else counts records.
func answerTallies(q learn.Question) (any, error) {
	filter, err := learn.ReadArgs[Filter](q, whichSamples)
	if err != nil {
		return nil, err
	}
	if filter.From.IsZero() && filter.To.IsZero() {
		return filter.standing(q.Rows), nil
	}
	return filter.counted(q.Records), nil
}

// standing are the tallies as they are kept.
func (f Filter) standing(rows learn.Rows) Tallies {
	all := Tallies{}
	for family, tally := range learn.Scan[Tally](rows, families(), "") {
		if f.wants(family) {
			all[family] = tally
		}
	}
	return all
}

// counted are the tallies of a period.
func (f Filter) counted(records learn.Records) Tallies {
	all := Tallies{}
	for rec := range records.InLogOrder(learn.Select{Kind: events.SampleCaptured.Kind, From: f.From, To: f.To}) {
		s, ok := rec.(*events.Fact[events.Sample])
		if !ok || !f.wants(s.Data.SampleFamily) {
			continue
		}
		tally := all[s.Data.SampleFamily]
		tally.add(&s.Data.Feedback, 1)
		all[s.Data.SampleFamily] = tally
	}
	return all
}

func (f Filter) wants(family string) bool {
	return len(f.Families) == 0 || slices.Contains(f.Families, family)
}

// Quality says how good samples are. Rates are shares of those that have a label,
// null where none has.
type Quality struct {
	Total          int64    `json:"total_samples"`
	Unlabelled     int64    `json:"unlabelled" doc:"Samples without a label; no rate counts them."`
	ApprovalRate   *float64 `json:"approval_rate" doc:"Good ones among those with a label; null when there are none."`
	CorrectionRate *float64 `json:"correction_rate" doc:"Acceptable ones among those with a label."`
	RejectionRate  *float64 `json:"rejection_rate" doc:"Poor ones among those with a label."`
	ByLabel        Labels   `json:"by_label"`
	ByType         Types    `json:"by_type"`
	BySource       Sources  `json:"by_source"`
}

// Quality is what a tally says.
func (t Tally) Quality() Quality {
	q := Quality{Total: t.N, Unlabelled: t.N - t.Labels.all(), ByLabel: t.Labels, ByType: t.Types, BySource: t.Sources}
	q.ApprovalRate, q.CorrectionRate, q.RejectionRate = t.Labels.rates()
	return q
}

// Metrics are the quality metrics of source document 002, over all and by family.
type Metrics struct {
	Quality
	Families map[string]Quality `json:"families"`
}

// MergeTallies adds up the parts of the partitions.
func MergeTallies(parts ...Tallies) Tallies {
	all := Tallies{}
	for _, part := range parts {
		for family, tally := range part {
			all[family] = all[family].plus(tally)
		}
	}
	return all
}

// Metrics are what the tallies say together.
func (t Tallies) Metrics() Metrics {
	var sum Tally
	by := make(map[string]Quality, len(t))
	for family, tally := range t {
		sum = sum.plus(tally)
		by[family] = tally.Quality()
	}
	return Metrics{sum.Quality(), by}
}

// Figures are a family's row of the table that published figures are compared with:
// what was never seen has no field.
type Figures struct {
	N          int64 `json:"n"`
	Good       int64 `json:"good,omitzero"`
	Acceptable int64 `json:"acceptable,omitzero"`
	Poor       int64 `json:"poor,omitzero"`
	Unlabelled int64 `json:"unlabelled,omitzero"`

	Approvals   int64 `json:"type:approval,omitzero"`
	Rejections  int64 `json:"type:rejection,omitzero"`
	Corrections int64 `json:"type:correction,omitzero"`
	Scores      int64 `json:"type:score,omitzero"`

	ApprovalRate   *float64 `json:"approval_rate"`
	CorrectionRate *float64 `json:"correction_rate"`
	RejectionRate  *float64 `json:"rejection_rate"`
}

// Block is that table, by family.
func (t Tallies) Block() map[string]Figures {
	block := make(map[string]Figures, len(t))
	for family, tally := range t {
		q := tally.Quality()
		block[family] = Figures{
			N: q.Total, Good: q.ByLabel.Good, Acceptable: q.ByLabel.Acceptable, Poor: q.ByLabel.Poor, Unlabelled: q.Unlabelled,
			Approvals: q.ByType.Approval, Rejections: q.ByType.Rejection, Corrections: q.ByType.Correction, Scores: q.ByType.Score,
			ApprovalRate: q.ApprovalRate, CorrectionRate: q.CorrectionRate, RejectionRate: q.RejectionRate,
		}
	}
	return block
}
