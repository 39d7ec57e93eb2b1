package experiments

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/stats"
)

// Report tells of an experiment in plain words, with a chart of the arms.
func Report(c Context) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s (%s)", c.TestName, c.Status)
	if c.Description != "" {
		say("%s", c.Description)
	}
	say("\n%s", c.headline())
	say("%s.\n", sentence(c.Reason))
	c.chart(&b)
	c.explain(say)
	for _, m := range c.Metrics {
		if m.Metric != c.Metric || m.Variant != c.Variant {
			say("  %s", m.line())
		}
	}
	c.caveats(say)
	return b.String()
}

// headline is what to do.
func (c Context) headline() string {
	decided := "Advice"
	if c.Decision != nil {
		decided = "Decided on " + c.Decision.At.Format("2006-01-02")
	}
	switch c.Recommendation {
	case events.AdoptTreatment:
		return decided + ": adopt " + c.Variant + "."
	case events.KeepControl:
		return decided + ": keep control."
	case events.ContinueTest:
	}
	return decided + ": go on, nothing is decided."
}

func sentence(text string) string {
	if text == "" {
		return "No reason is known"
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// wide is how many characters the longest bar has.
const wide = 40

// chart draws the mean of each arm.
func (c Context) chart(b *strings.Builder) {
	type bar struct {
		arm  string
		n    int64
		mean *float64
	}
	bars := []bar{{events.ControlArm, c.ControlN, c.ControlMean}}
	for _, m := range c.Metrics {
		if m.Metric == c.Metric {
			bars = append(bars, bar{m.Variant, m.TreatmentN, m.TreatmentMean})
		}
	}
	longest := 0.0
	for _, x := range bars {
		if x.mean != nil {
			longest = max(longest, math.Abs(*x.mean))
		}
	}
	fmt.Fprintf(b, "%s, %s is better\n", c.Metric, map[bool]string{true: "lower", false: "higher"}[c.LowerIsBetter])
	for _, x := range bars {
		if x.mean == nil {
			fmt.Fprintf(b, "  %-14s no outcomes yet\n", x.arm)
			continue
		}
		length := 0
		if longest > 0 {
			length = int(math.Round(math.Abs(*x.mean) / longest * wide))
		}
		fmt.Fprintf(b, "  %-14s %-*s %.6g  (%d)\n", x.arm, wide, strings.Repeat("█", length), *x.mean, x.n)
	}
	fmt.Fprintln(b)
}

// explain says what the numbers mean.
func (c Context) explain(say func(string, ...any)) {
	if c.Difference != nil {
		text := fmt.Sprintf("%s differs from control by %+.6g", c.Variant, *c.Difference)
		if c.EffectSize != nil {
			text += fmt.Sprintf(" (%+.1f %%)", *c.EffectSize*100)
		}
		if in := c.ConfidenceInterval; in != nil {
			text += fmt.Sprintf("; with %.4g %% confidence, however often one looks, by %+.4g to %+.4g", (1-c.Alpha)*100, in.Lower, in.Upper)
		}
		say("%s.", text)
	}
	say("%s, always valid: it may be looked at any time, and decides below %.4g.", stats.SayP(c.PValue, 4), c.Alpha)
	if c.FixedSamplePValue != nil {
		say("A test of a fixed sample says %s; it is right once, at a size that was planned.", stats.SayP(*c.FixedSamplePValue, 4))
	}
}

// line is a metric beside the primary one.
func (c Comparison) line() string {
	role := string(c.Role)
	if c.Role == Other {
		role = "also measured,"
	}
	text := fmt.Sprintf("%s %s of %s: ", role, c.Metric, c.Variant)
	if c.Difference == nil {
		return text + "not known yet"
	}
	text += fmt.Sprintf("%+.6g, %s", *c.Difference, stats.SayP(c.PValue, 4))
	if c.IsSignificant {
		text += ", significant"
	}
	return text
}

// caveats say what was left out, and what looks wrong.
func (c Context) caveats(say func(string, ...any)) {
	if !c.SampleRatio.OK && len(c.SampleRatio.Units) > 0 {
		say("Units do not reach the arms as they should (%s): find out why before you believe anything here.", stats.SayP(c.SampleRatio.PValue, 2))
	}
	for _, why := range slices.Sorted(maps.Keys(c.Excluded)) {
		say("Not counted, %s: %d.", strings.ReplaceAll(string(why), "_", " "), c.Excluded[why])
	}
}

// Empty is what is told of an experiment without any outcome.
func Empty(d Definition) Context {
	in := Insight{Design: &d.Design, Status: d.Status}
	s := study{design: d.Design, status: d.Status}
	for _, p := range s.pairs() {
		in.Pairs = append(in.Pairs, *p)
	}
	return ContextOf(d.Name, in)
}
