package experiments

import (
	"learnloop.dev/events"
	"learnloop.dev/stats"
)

// ruling is what is said of one treatment.
type ruling struct {
	verdict stats.Verdict
	primary Comparison
	pair    Pair
}

// rule gives the verdict about a treatment, all of whose metrics are compared.
func (t terms) rule(in *Insight, p Pair, all []Comparison) ruling {
	e := p.of(t.design.PrimaryMetric.Name)
	c := stats.Case{
		Treatment: e.Values.Treatment, Control: e.Values.Control, P: e.P(), Alpha: t.alpha, RatioP: p.Ratio.P(),
		Least: t.design.MinSampleSize, LowerIsBetter: all[0].LowerIsBetter, Interval: all[0].ConfidenceInterval,
		Harmed: harmed(all), Over: in.Over,
	}
	if useful := t.design.SmallestUsefulEffect; useful != nil && *useful > 0 {
		c.Useful = useful
	}
	return ruling{c.Decide(), all[0], p}
}

// harmed are the guardrails that a treatment makes significantly worse.
func harmed(all []Comparison) (names []string) {
	for _, c := range all {
		if c.Role == Guardrail && c.IsSignificant && c.Difference != nil && (*c.Difference > 0) == c.LowerIsBetter {
			names = append(names, c.Metric)
		}
	}
	return names
}

// leads reports whether a ruling is told rather than another: what can be adopted by the
// least p-value, else what still goes on; only when all treatments are out is the
// control kept.
func (r ruling) leads(other ruling) bool {
	rank := map[stats.Advice]int{stats.AdoptTreatment: 0, stats.ContinueTest: 1, stats.KeepControl: 2}
	mine, theirs := rank[r.verdict.Advice], rank[other.verdict.Advice]
	return mine < theirs || mine == theirs && r.primary.PValue < other.primary.PValue
}

// ratio tells whether the units of a treatment and of control are as many as they
// should be.
func (t terms) ratio(in *Insight, p Pair) SampleRatio {
	const fair = 0.001
	r := SampleRatio{Units: in.Exposed, PValue: stats.Round(p.Ratio.P(), sharp)}
	r.OK = p.Ratio.P() >= fair
	seen := []int64{p.Ratio.Treatment, p.Ratio.Control}
	if all := float64(seen[0] + seen[1]); all > 0 {
		test, _ := stats.SampleRatio(seen, []float64{p.Ratio.Expected, all - p.Ratio.Expected})
		if test.Known {
			r.FixedPValue = new(stats.Round(test.P, sharp))
		}
	}
	return r
}

// How many digits numbers have: most of them, and p-values.
const (
	digits = 6
	sharp  = 9
)

// rounded is a comparison as it is told.
func (c Comparison) rounded() Comparison {
	c.PValue, c.PlugInPValue = stats.Round(c.PValue, sharp), stats.Round(c.PlugInPValue, sharp)
	for _, x := range []**float64{&c.ControlMean, &c.TreatmentMean, &c.Difference, &c.EffectSize, &c.Fixed.WelchT, &c.Fixed.WelchDF} {
		*x = to(*x, digits)
	}
	for _, p := range []**float64{&c.FixedSamplePValue, &c.Fixed.WelchP, &c.Fixed.NormalP, &c.Fixed.TwoProportionP, &c.Fixed.FisherP} {
		*p = to(*p, sharp)
	}
	for _, in := range []**stats.Interval{
		&c.ConfidenceInterval, &c.RelativeInterval, &c.Fixed.NormalInterval,
		&c.Fixed.NewcombeInterval, &c.Fixed.RelativeInterval, &c.Fixed.FiellerInterval,
	} {
		if *in != nil {
			*in = &stats.Interval{Lower: stats.Round((*in).Lower, digits), Upper: stats.Round((*in).Upper, digits)}
		}
	}
	return c
}

func to(x *float64, digits int) *float64 {
	if x == nil {
		return nil
	}
	return new(stats.Round(*x, digits))
}

// Block is what published figures of an experiment are compared with: its primary
// metric, by the tests of a fixed sample.
type Block struct {
	ControlN       int64     `json:"control_n"`
	TreatmentN     int64     `json:"treatment_n"`
	ControlMean    *float64  `json:"control_mean"`
	TreatmentMean  *float64  `json:"treatment_mean"`
	Difference     *float64  `json:"difference"`
	EffectSize     *float64  `json:"effect_size_relative"`
	WelchT         *float64  `json:"welch_t"`
	WelchDF        *float64  `json:"welch_df"`
	WelchP         *float64  `json:"p_value_welch"`
	NormalP        *float64  `json:"p_value_normal"`
	TwoProportionP *float64  `json:"p_value_two_proportion_z"`
	Interval       []float64 `json:"ci95_difference_normal"`
	Significant    bool      `json:"significant_at_0_05"`
	Enough         bool      `json:"min_sample_100_reached"`
	LowerIsBetter  bool      `json:"lower_is_better"`

	AlwaysValidP   float64               `json:"p_value"`
	Recommendation events.Recommendation `json:"recommendation"`
}

// BlockOf is the block of an experiment: t has four digits, the degrees of freedom two.
func BlockOf(c Context) Block {
	const coarse, coarser, level = 4, 2, 0.05
	b := Block{
		ControlN: c.ControlN, TreatmentN: c.TreatmentN, ControlMean: c.ControlMean, TreatmentMean: c.TreatmentMean,
		Difference: c.Difference, EffectSize: c.EffectSize, WelchT: to(c.Fixed.WelchT, coarse), WelchDF: to(c.Fixed.WelchDF, coarser),
		WelchP: to(c.Fixed.WelchP, digits), NormalP: to(c.Fixed.NormalP, digits), TwoProportionP: to(c.Fixed.TwoProportionP, digits),
		Enough: min(c.ControlN, c.TreatmentN) >= defaultSample, LowerIsBetter: c.LowerIsBetter,
		AlwaysValidP: c.PValue, Recommendation: c.Recommendation,
	}
	b.Significant = c.Fixed.WelchP != nil && *c.Fixed.WelchP < level
	if in := c.Fixed.NormalInterval; in != nil {
		b.Interval = []float64{in.Lower, in.Upper}
	}
	return b
}
