package web

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	h "learnloop.dev/web/markup"
)

// count writes a number with spaces between thousands.
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "−", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString("\u202f")
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

// percent writes a share, "–" when it is not known.
func percent(share *float64) string {
	if share == nil {
		return "–"
	}
	return fmt.Sprintf("%.0f\u202f%%", *share*100)
}

// points writes a difference of shares.
func points(d float64) string {
	return strings.Replace(fmt.Sprintf("%+.1f", d*100), "-", "−", 1) + "\u202fpoints"
}

// decimal writes a number with at most three digits behind the point.
func decimal(x float64) string {
	return strings.Replace(strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64), "-", "−", 1)
}

// maybe writes a number that may not be known.
func maybe(x *float64) string {
	if x == nil {
		return "–"
	}
	return decimal(*x)
}

// rounded writes a measure, as exactly as it matters.
func rounded(x *float64) string {
	switch {
	case x == nil:
		return "–"
	case math.Abs(*x) >= 100:
		return count(int64(math.Round(*x)))
	case math.Abs(*x) >= 10:
		return strconv.FormatFloat(*x, 'f', 1, 64)
	}
	return strconv.FormatFloat(*x, 'f', 2, 64)
}

// bytesText writes a size.
func bytesText(n uint64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f\u202fGB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f\u202fMB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.0f\u202fkB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d\u202fB", n)
}

// when is a time as a person says it, and exactly on demand.
func (v visit) when(t time.Time) h.Node {
	if t.IsZero() {
		return h.Text("–")
	}
	exact := t.UTC().Format(time.RFC3339)
	return h.El("time", h.At("datetime", exact), h.At("title", exact), h.Text(ago(v.site.deps.Now().Sub(t), t)))
}

// ago is how long since a time; long since, the day.
func ago(d time.Duration, t time.Time) string {
	switch {
	case d < -time.Minute:
		return t.UTC().Format("2006-01-02 15:04")
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return t.UTC().Format("2006-01-02")
}

// capital makes a sentence of an error's text.
func capital(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".")
}

// plural is a number with its noun.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}
