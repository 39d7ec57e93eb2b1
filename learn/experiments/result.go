package experiments

import (
	"maps"
	"math"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/stats"
)

// Comparison is one metric of one treatment and the control. What is not known is
// null, with the reason beside it.
type Comparison struct {
	Metric        string `json:"metric"`
	Variant       string `json:"variant"`
	Role          Role   `json:"role"`
	LowerIsBetter bool   `json:"lower_is_better"`

	ControlN      int64    `json:"control_n"`
	TreatmentN    int64    `json:"treatment_n"`
	ControlMean   *float64 `json:"control_mean"`
	TreatmentMean *float64 `json:"treatment_mean"`
	Difference    *float64 `json:"difference"`  // of the means
	EffectSize    *float64 `json:"effect_size"` // relative to |control|; null when that is 0

	PValue             float64         `json:"p_value"` // always valid
	IsSignificant      bool            `json:"is_significant"`
	ConfidenceInterval *stats.Interval `json:"confidence_interval"` // of the difference, at all times together
	RelativeInterval   *stats.Interval `json:"relative_interval"`   // of the effect size, likewise

	PlugInPValue      float64  `json:"plug_in_p_value"`      // always valid too, of the plug-in bets alone
	FixedSamplePValue *float64 `json:"fixed_sample_p_value"` // Welch's; valid for one look
	Fixed             Fixed    `json:"fixed_sample"`
}

// Role is what a metric is for.
type Role string

// The roles. A metric that the definition does not name is only shown.
const (
	Primary   Role = "primary"
	Secondary Role = "secondary"
	Guardrail Role = "guardrail"
	Other     Role = "other"
)

// Fixed are the tests of a fixed sample: valid when they are looked at once.
type Fixed struct {
	WelchT           *float64        `json:"welch_t"`
	WelchDF          *float64        `json:"welch_df"`
	WelchP           *float64        `json:"p_value_welch"`
	NormalP          *float64        `json:"p_value_normal"` // by the same statistic
	TwoProportionP   *float64        `json:"p_value_two_proportion_z"`
	FisherP          *float64        `json:"p_value_fisher"`
	NormalInterval   *stats.Interval `json:"interval_normal"`
	NewcombeInterval *stats.Interval `json:"interval_newcombe"`
	RelativeInterval *stats.Interval `json:"relative_interval_delta"`
	FiellerInterval  *stats.Interval `json:"relative_interval_fieller"`
	Reason           string          `json:"reason,omitzero"`          // why something is null
	ReasonOfRelative string          `json:"relative_reason,omitzero"` // why the relative ones are
}

// terms are what a result goes by.
type terms struct {
	design     events.ExperimentDesign // with nothing left out
	confidence float64                 // of each treatment, when there are several
	alpha      float64
}

func (in *Insight) terms() terms {
	var t terms
	if in.Design != nil {
		t.design = *in.Design
	}
	t.design = Declared(t.design)
	if in.Design == nil {
		t.design.PrimaryMetric.Name = in.primary()
	}
	t.alpha = (1 - t.design.ConfidenceLevel) / float64(max(len(in.Pairs), 1))
	t.confidence = 1 - t.alpha
	return t
}

// primary is the metric that decides where nobody declared one: the documented one, or
// the first by name of those that were measured.
func (in *Insight) primary() string {
	var names []string
	for _, p := range in.Pairs {
		names = slices.AppendSeq(names, maps.Keys(p.Metrics))
	}
	if len(names) == 0 || slices.Contains(names, DefaultMetric) {
		return DefaultMetric
	}
	return slices.Min(names)
}

// role is what a metric is for, and which way of it is better.
func (t terms) role(name string) (Role, bool) {
	of := func(list []events.Metric) int {
		return slices.IndexFunc(list, func(m events.Metric) bool { return m.Name == name })
	}
	lower := func(m events.Metric) bool { return m.Direction == events.LowerIsBetter }
	if name == t.design.PrimaryMetric.Name {
		return Primary, lower(t.design.PrimaryMetric)
	}
	if i := of(t.design.Guardrails); i >= 0 {
		return Guardrail, lower(t.design.Guardrails[i])
	}
	if i := of(t.design.SecondaryMetrics); i >= 0 {
		return Secondary, lower(t.design.SecondaryMetrics[i])
	}
	return Other, false
}

// names are the metrics of a pair: what decides first, then those of the definition,
// then the others by name.
func (t terms) names(p Pair) []string {
	names := []string{t.design.PrimaryMetric.Name}
	for _, m := range slices.Concat(t.design.Guardrails, t.design.SecondaryMetrics) {
		names = append(names, m.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Metrics)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// compared are all metrics of a treatment.
func (t terms) compared(p Pair) []Comparison {
	var all []Comparison
	for _, name := range t.names(p) {
		e := p.of(name)
		all = append(all, t.comparison(&e, name, p.Treatment))
	}
	t.secondaries(p, all)
	return all
}

// secondaries says which of the metrics beside the primary one are significant, all of
// them together (e-BH).
func (t terms) secondaries(p Pair, all []Comparison) {
	var at []int
	var logs []float64
	for i, c := range all {
		if c.Role == Secondary {
			at, logs = append(at, i), append(logs, p.of(c.Metric).Log)
		}
	}
	for i, rejected := range stats.EBH(logs, t.alpha) {
		all[at[i]].IsSignificant = rejected
	}
}

func (t terms) comparison(e *stats.Evidence, metric, variant string) Comparison {
	c := Comparison{Metric: metric, Variant: variant, PValue: e.P(), PlugInPValue: e.PlugIn.P()}
	c.Role, c.LowerIsBetter = t.role(metric)
	c.IsSignificant = c.PValue < t.alpha
	in, out := e.Values.Treatment, e.Values.Control
	c.ControlN, c.TreatmentN = out.N, in.N
	c.ControlMean, c.TreatmentMean = mean(out), mean(in)
	if in.N > 0 && out.N > 0 {
		c.Difference = new(in.Mean - out.Mean)
		if out.Mean != 0 {
			c.EffectSize = known((in.Mean - out.Mean) / math.Abs(out.Mean))
		}
	}
	if i, ok := e.Difference(t.confidence); ok {
		c.ConfidenceInterval = bounded(i)
	}
	if i, ok := stats.AsymptoticRelative(in, out, t.confidence); ok {
		c.RelativeInterval = bounded(i)
	}
	c.Fixed = t.fixed(e)
	c.FixedSamplePValue = c.Fixed.WelchP
	return c
}

func mean(m stats.Moments) *float64 {
	if m.N == 0 {
		return nil
	}
	return known(m.Mean)
}

// known is a number as JSON has it.
func known(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// bounded is an interval as JSON has it.
func bounded(in stats.Interval) *stats.Interval {
	if known(in.Lower) == nil || known(in.Upper) == nil {
		return nil
	}
	return &in
}

func (t terms) fixed(e *stats.Evidence) (f Fixed) {
	in, out := e.Values.Treatment, e.Values.Control
	welch := stats.Welch(in, out)
	f.Reason = string(welch.Why)
	if welch.Known {
		f.WelchP = &welch.P
	}
	if welch.DF > 0 {
		f.WelchT, f.WelchDF = &welch.Statistic, &welch.DF
		f.NormalP = new(math.Erfc(math.Abs(welch.Statistic) / math.Sqrt2))
	}
	if i, why := stats.WelchInterval(in, out, t.design.ConfidenceLevel); why == stats.Defined {
		f.NormalInterval = bounded(i)
	}
	r, why := stats.RelativeEffect(in, out, t.design.ConfidenceLevel)
	f.ReasonOfRelative = string(why)
	if why == stats.Defined {
		f.RelativeInterval = bounded(r.Delta)
	}
	if r.Fieller != nil {
		f.FiellerInterval = bounded(*r.Fieller)
	}
	if !e.Real && in.N > 0 && out.N > 0 {
		f.rates(e.Rates.Treatment, e.Rates.Control, t.design.ConfidenceLevel)
	}
	return f
}

// rates are the tests that only rates have.
func (f *Fixed) rates(in, out stats.Share, confidence float64) {
	f.TwoProportionP, f.FisherP = new(stats.TwoProportions(in, out).P), new(stats.Fisher(in, out).P)
	f.NewcombeInterval = new(stats.Newcombe(in, out, confidence))
}
