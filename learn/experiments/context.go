package experiments

import (
	"fmt"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
)

const schema = "dev.learnloop.context.experiment.v1"

// Context is what is told of an experiment: the source document's ABTestResult of the
// primary metric, with what stands behind it. Numbers have six digits, p-values nine,
// and what is not known is null.
type Context struct {
	Kind   string `json:"kind"`
	ID     string `json:"id"`
	Schema string `json:"schema"`
	Prompt string `json:"prompt"` // empty until it is decided

	TestName    string `json:"test_name"`
	Description string `json:"description,omitzero"`
	Status      Status `json:"status"`
	External    bool   `json:"external"` // somebody else assigns the units

	Comparison // the primary metric of the treatment that the recommendation is about

	Recommendation events.Recommendation `json:"recommendation"`
	Reason         string                `json:"reason"` // of the recommendation
	SampleRatio    SampleRatio           `json:"sample_ratio"`
	Metrics        []Comparison          `json:"metrics"`         // all of them, treatment by treatment
	Decision       *Decision             `json:"decision"`        // null until it is decided; never changes then
	Excluded       map[Exclusion]int64   `json:"excluded"`        // records that do not count, by reason
	Alpha          float64               `json:"alpha"`           // what p-values have to be below
	MinSampleSize  int64                 `json:"min_sample_size"` // outcomes that each arm needs
	EndDate        *time.Time            `json:"end_date,omitzero"`
	Evidence       Evidence              `json:"evidence"`
}

// SampleRatio tells whether the units reach the arms as they should.
type SampleRatio struct {
	Units       map[string]int64 `json:"units"` // by arm, as they were met first
	PValue      float64          `json:"p_value"`
	FixedPValue *float64         `json:"fixed_sample_p_value"` // χ², of all arms
	OK          bool             `json:"ok"`
}

// Decision is the verdict that was given, with what it rested on.
type Decision struct {
	Recommendation events.Recommendation `json:"recommendation"`
	Reason         string                `json:"reason"`
	Metric         string                `json:"metric"`
	Variant        string                `json:"variant"`
	PValue         float64               `json:"p_value"`
	EffectSize     *float64              `json:"effect_size"`
	ControlN       int64                 `json:"control_n"`
	TreatmentN     int64                 `json:"treatment_n"`
	ControlMean    *float64              `json:"control_mean"`
	TreatmentMean  *float64              `json:"treatment_mean"`
	At             time.Time             `json:"at"`
}

// Evidence is what an experiment rests on.
type Evidence struct {
	Records int64      `json:"records"`
	First   *time.Time `json:"first"` // of the outcomes that count
	Last    *time.Time `json:"last"`
}

// render tells of an experiment that somebody declared, or of whose arms something is known.
func render(key learn.Key, parts []Insight) (any, bool) {
	if len(parts) == 0 {
		return nil, false
	}
	in := slices.MaxFunc(parts, func(a, b Insight) int { return int(a.Records - b.Records) })
	if in.Design == nil && len(in.Pairs) == 0 && len(in.Exposed) == 0 {
		return nil, false
	}
	c := ContextOf(key.ID, in)
	return &c, true
}

// ContextOf is what is told of an experiment.
func ContextOf(name string, in Insight) Context {
	t := in.terms()
	c := Context{
		Kind: KindExperiment, ID: name, Schema: schema, TestName: name, Status: in.Status, External: in.Design == nil,
		Excluded: in.Excluded, Alpha: stats.Round(t.alpha, digits), MinSampleSize: t.design.MinSampleSize,
		Evidence: Evidence{in.Records, timeOf(in.First), timeOf(in.Last)},
	}
	if d := in.Design; d != nil {
		c.Description, c.External = d.Description, d.External
		if !d.EndDate.IsZero() {
			c.EndDate = &d.EndDate
		}
	}
	c.judge(in, t)
	c.Prompt = c.prompt()
	return c
}

func timeOf(m *moment) *time.Time {
	if m == nil {
		return nil
	}
	return new(m.time())
}

// judge compares the arms and says what to do.
func (c *Context) judge(in Insight, t terms) {
	leading := ruling{verdict: stats.Verdict{Advice: stats.ContinueTest, Reason: "no treatment has outcomes yet"}}
	for i, p := range in.Pairs {
		all := t.compared(p)
		r := t.rule(&in, p, all)
		if i == 0 || r.leads(leading) {
			leading = r
		}
		c.Metrics = append(c.Metrics, all...)
	}
	c.Metric = t.design.PrimaryMetric.Name
	if len(in.Pairs) > 0 {
		c.Comparison = leading.primary.rounded()
		c.SampleRatio = t.ratio(&in, leading.pair)
	}
	for i := range c.Metrics {
		c.Metrics[i] = c.Metrics[i].rounded()
	}
	c.Recommendation, c.Reason = events.Recommendation(leading.verdict.Advice), leading.verdict.Reason
	c.stick(in.Decided)
}

// stick puts the verdict that was given in the place of what would be given now.
func (c *Context) stick(d *events.ExperimentDecided) {
	if d == nil {
		return
	}
	c.Decision = &Decision{
		Recommendation: d.Recommendation, Reason: d.Reason, Metric: d.Metric, Variant: d.Variant, PValue: d.PValue,
		EffectSize: d.EffectSize, ControlN: d.ControlN, TreatmentN: d.TreatmentN, ControlMean: d.ControlMean,
		TreatmentMean: d.TreatmentMean, At: d.Timestamp,
	}
	c.Recommendation, c.Reason = d.Recommendation, d.Reason
}

func (c *Context) prompt() string {
	switch {
	case c.Decision == nil:
		return ""
	case c.Recommendation == events.AdoptTreatment:
		return "Experiment " + quoted(c.ID) + " is decided: use " + quoted(c.Decision.Variant) + ", it is better."
	case c.Recommendation == events.KeepControl:
		return "Experiment " + quoted(c.ID) + " is decided: stay with control."
	}
	return ""
}

// Decided is the verdict to be given now, false while there is none or one was given.
func (c *Context) Decided() (events.ExperimentDecided, bool) {
	if c.Decision != nil || c.Recommendation == events.ContinueTest || c.Recommendation == "" {
		return events.ExperimentDecided{}, false
	}
	return events.ExperimentDecided{
		Experiment: events.ID(c.ID), Metric: c.Metric, Variant: c.Variant, Recommendation: c.Recommendation,
		PValue: c.PValue, EffectSize: c.EffectSize, ControlN: c.ControlN, TreatmentN: c.TreatmentN,
		ControlMean: c.ControlMean, TreatmentMean: c.TreatmentMean, Reason: c.Reason,
	}, true
}

// Read reads a context as the bucket has it.
func Read(data []byte) (c Context, err error) {
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("read the context of an experiment: %w", events.Unquoted(err))
	}
	return c, nil
}
