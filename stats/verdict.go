package stats

import (
	"fmt"
	"strings"
)

// Advice is what to do with a treatment.
type Advice string

// The three things an experiment may advise.
const (
	AdoptTreatment Advice = "adopt_treatment"
	KeepControl    Advice = "keep_control"
	ContinueTest   Advice = "continue_test"
)

// fairSplit is the least p-value of the sequential sample ratio with which arms count
// as filled by chance.
const fairSplit = 0.001

// Case is what a verdict about one treatment rests on. Everything in it may be looked
// at any time: p-values are always valid, the interval holds at all times together.
type Case struct {
	Treatment, Control Moments
	P                  float64 // that the arm does not matter for the primary metric
	Alpha              float64 // 1 − confidence, shared out where there are several treatments
	RatioP             float64 // that the units reach the arms as they should
	Least              int64   // units that each arm needs
	LowerIsBetter      bool
	Interval           *Interval // of treatment minus control; nil while nothing bounds it
	Useful             *float64  // the smallest effect that is worth it, above 0; nil: any is
	Harmed             []string  // guardrails that treatment makes significantly worse
	Over               bool      // the end date is reached
}

// Verdict is an advice and why.
type Verdict struct {
	Advice Advice
	Reason string
}

// Decide gives the verdict: adopt what is better beyond doubt and harms no guardrail;
// keep the control where treatment is worse beyond doubt, cannot be useful any more, or
// time is up; else go on.
func (c Case) Decide() Verdict {
	significant, gain := c.P < c.Alpha, c.gain()
	if significant && gain < 0 {
		return c.says(KeepControl, "treatment is worse than control (%s)", c.proof())
	}
	missing := c.missing(significant, gain)
	switch useful, left := c.canBeUseful(); {
	case missing == "":
		return c.says(AdoptTreatment, "treatment is better than control (%s)", c.proof())
	case !useful:
		return c.says(KeepControl, "treatment gains %.6g at most, less than the smallest useful effect of %.6g", left, *c.Useful)
	case c.Over:
		return c.says(KeepControl, "the end date is reached, and %s", missing)
	}
	return c.says(ContinueTest, "%s", missing)
}

func (c Case) says(a Advice, reason string, args ...any) Verdict {
	return Verdict{a, fmt.Sprintf(reason, args...)}
}

func (c Case) proof() string { return fmt.Sprintf("%s, below %.2g", SayP(c.P, 2), c.Alpha) }

// SayP writes a p-value to some digits; of one below a billionth only that it is.
func SayP(p float64, digits int) string {
	const least = 1e-9
	if p < least {
		return "p < 1e-9"
	}
	return fmt.Sprintf("p = %.*g", digits, p)
}

// missing is what keeps treatment from being adopted, empty when nothing does.
func (c Case) missing(significant bool, gain float64) string {
	switch least := min(c.Treatment.N, c.Control.N); {
	case least == 0:
		return "an arm has no outcomes yet"
	case least < c.Least:
		return fmt.Sprintf("the smaller arm has %d of the %d outcomes it needs", least, c.Least)
	case c.RatioP < fairSplit:
		return fmt.Sprintf("the units do not reach the arms as they should (%s): the assignment or its recording is broken", SayP(c.RatioP, 2))
	case !significant:
		return fmt.Sprintf("no difference is shown yet (%s, to be below %.2g)", SayP(c.P, 2), c.Alpha)
	case gain == 0:
		return "the means are equal, although the arm matters: over time it may have worked both ways"
	case len(c.Harmed) > 0:
		return "treatment is better, but makes worse what was to be guarded: " + strings.Join(c.Harmed, ", ")
	}
	return ""
}

// gain is how much better treatment is; negative when it is worse, 0 while unknown.
func (c Case) gain() float64 {
	if c.Treatment.N == 0 || c.Control.N == 0 {
		return 0
	}
	if c.LowerIsBetter {
		return c.Control.Mean - c.Treatment.Mean
	}
	return c.Treatment.Mean - c.Control.Mean
}

// canBeUseful reports whether the gain may still reach the smallest useful effect, and
// the most it may be.
func (c Case) canBeUseful() (useful bool, most float64) {
	if c.Useful == nil || c.Interval == nil {
		return true, 0
	}
	most = c.Interval.Upper
	if c.LowerIsBetter {
		most = -c.Interval.Lower
	}
	return most >= *c.Useful, most
}
