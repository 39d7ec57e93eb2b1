package web

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/inorder"
	"learnloop.dev/learn/rules"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/stats"
	h "learnloop.dev/web/markup"
)

// ruleSheet is one rule: how its suggestions fare, what its prompt says, and why.
func ruleSheet(v visit) (sheet, error) {
	id := v.query("id")
	var c rules.Context
	if err := v.ask("rules.get", map[string]any{"id": id}, &c); err != nil {
		return sheet{}, err
	}
	made := sheet{title: id, follow: of(kindRule)}
	if c.SampleCount == 0 || c.Evidence == nil {
		made.body = nothing("There is no feedback about this rule.", h.Text("It appears with the first "), code("feedback.fix"), h.Text(" event that names it."))
		return made, nil
	}
	why, err := v.why("rule." + id)
	if err != nil {
		return sheet{}, err
	}
	days, err := v.days(id)
	if err != nil {
		return sheet{}, err
	}
	made.body = h.Join(ruleFigures(&c), prompt(c.Prompt, "Nothing yet: a rule has a say from ten decisions on."), fixes(&c),
		section(heading("How it went"), trend(days), weeks(days)), calibration(&c), why)
	return made, nil
}

func ruleFigures(c *rules.Context) h.Node {
	e := c.Evidence
	return figures(
		figure{"Feedback", h.Text(count(c.SampleCount)), minor(e.First + " to " + e.Last)},
		figure{"Kept", h.Text(percent(c.AcceptanceRate)), within(c)},
		figure{"Accepted as suggested", h.Text(count(e.Accepted)), minor(percent(c.UnchangedRate) + " of decisions")},
		figure{"Changed and kept", h.Text(count(e.Modified)), minor(percent(c.ModificationRate) + " of decisions")},
		figure{"Turned down", h.Text(count(e.Rejected)), minor("of " + plural(c.DecisionCount, "decision", "decisions"))},
		figure{"Skipped", h.Text(count(e.Skipped)), minor(percent(c.SkipRate) + " of feedback")},
	)
}

func within(c *rules.Context) h.Node {
	a := c.Evidence.Acceptance
	if a == nil || c.AcceptanceRate == nil {
		return minor("nobody decided yet")
	}
	return h.Join(bar(*c.AcceptanceRate, a.Lower, a.Upper, shares()), h.El("br"), minor(percent(&a.Lower)+" to "+percent(&a.Upper)))
}

// weeks are what became of a rule, week by week.
func weeks(days []learningDay) h.Node {
	var rows []h.Node
	for to := len(days); to > 0; {
		from := to - 1
		monday := days[from].monday()
		for from > 0 && days[from-1].monday() == monday {
			from--
		}
		if row, is := weekRow(monday, days[from:to]); is {
			rows = append(rows, row)
		}
		to = from
	}
	if len(rows) == 0 {
		return h.Node{}
	}
	return table("What changed and when, week by week", []string{"Week of", "#Feedback", "Kept, of those decided", "#Skipped"}, rows)
}

// weekRow sums up the days of a week.
func weekRow(monday string, days []learningDay) (h.Node, bool) {
	var n int64
	var decided, keeps float64
	for _, d := range days {
		if d.Feedback != nil {
			n += d.Feedback.FeedbackCount
			decided += d.decided()
			keeps += math.Round(deref(d.Feedback.AcceptanceRate) * d.decided())
		}
	}
	if n == 0 {
		return h.Node{}, false
	}
	skipped := 1 - decided/float64(n)
	return row(h.El("time", h.Text(monday)), amount(n), keptOf(int64(keeps), int64(decided)), share(&skipped)), true
}

// keptOf is a rate of counts with its interval.
func keptOf(n, decided int64) h.Node {
	if decided == 0 {
		return minor("nobody decided")
	}
	rate, within := float64(n)/float64(decided), stats.Wilson(n, decided, confidence95)
	return kept(&rate, &within)
}

// prompt is what generators are told.
func prompt(text, none string) h.Node {
	if text == "" {
		return section(heading("What generators are told"), para(none))
	}
	return section(heading("What generators are told"), h.El("pre", h.At("tabindex", "0"), h.Text(text)))
}

// fixes are what people keep, turn down and change.
func fixes(c *rules.Context) h.Node {
	var keep, drop, change []h.Node
	for _, p := range c.AcceptedPatterns {
		keep = append(keep, row(fix(p.OriginalPattern, p.SuggestedPattern), kept(&p.SuccessRate, interval(p.Lower, p.Upper)),
			amount(p.Count), tentative(p.Tentative)))
	}
	for _, p := range c.RejectedPatterns {
		reason := ""
		if p.CommonRejectionReason != nil {
			reason = *p.CommonRejectionReason
		}
		drop = append(drop, row(fix(p.OriginalPattern, p.SuggestedPattern), kept(&p.SuccessRate, interval(p.Lower, p.Upper)),
			amount(p.Count), h.Text(reason), tentative(p.Tentative)))
	}
	for _, m := range c.UsefulModifications {
		change = append(change, row(fix(m.OriginalSuggestion, m.UserModification), amount(m.Count), h.Text(m.Improvement)))
	}
	if len(keep)+len(drop)+len(change) == 0 {
		return section(heading("Fixes"), para("No fix has been suggested often enough to say something about it."))
	}
	parts := []h.Part{heading("Fixes")}
	if len(keep) > 0 {
		parts = append(parts, table("Fixes that people keep", []string{"Fix", "Kept", "#Decisions", "How sure"}, keep))
	}
	if len(drop) > 0 {
		parts = append(parts, table("Fixes that people turn down", []string{"Fix", "Kept", "#Decisions", "A reason given", "How sure"}, drop))
	}
	if len(change) > 0 {
		parts = append(parts, table("How people change suggestions", []string{"From the suggestion", "#Times", "What it does"}, change))
	}
	return section(parts...)
}

func tentative(is bool) h.Node {
	if is {
		return tag("", "could be chance")
	}
	return tag("good", "sure")
}

// fix is a text and what it becomes.
func fix(from, to string) h.Node {
	return h.Join(h.El("code", h.At("dir", "auto"), h.Text(from)), h.Text(" → "), h.El("code", h.At("dir", "auto"), h.Text(to)))
}

// calibration is what stated confidences turned out to be worth.
func calibration(c *rules.Context) h.Node {
	if len(c.Calibration) == 0 {
		return h.Node{}
	}
	var rows []h.Node
	for _, b := range c.Calibration {
		rows = append(rows, row(h.Text(percent(&b.From)+" to "+percent(&b.To)), amount(b.Count), share(&b.Adjusted)))
	}
	return section(heading("Stated confidence"),
		facts(fact{"Brier score", h.Text(maybe(c.BrierScore))}, fact{"Calibration error", h.Text(maybe(c.CalibrationError))},
			fact{"Worth on average", h.Text(percent(c.AdjustedConfidenceBaseline))}),
		fold("Bin by bin", table("What it turned out to be worth", []string{"Stated", "#Decisions", "#Worth"}, rows)))
}

// why are the events behind a context: line by line, and in the order they came.
func (v visit) why(key string) (h.Node, error) {
	var e api.Explanation
	if err := v.ask("explain", map[string]any{"key": key}, &e); err != nil {
		return h.Node{}, err
	}
	if len(e.Lines) == 0 {
		return h.Node{}, nil
	}
	var lines []h.Node
	for _, l := range e.Lines {
		lines = append(lines, row(code(l.Line), h.Text(shortened(string(l.Value))), amount(int64(l.Count)), v.when(l.First), v.when(l.Last)))
	}
	var latest []h.Node
	for _, c := range changes(e.Lines) {
		latest = append(latest, row(v.when(c.event.Time), code(string(c.event.Kind)), code(c.event.ID), h.Text(c.says()), amount(int64(c.event.Sequence))))
	}
	return section(heading("Why"),
		table("What changed, the latest first", []string{"When", "Event", "Id", "Stands behind", "#In the log"}, latest),
		fold("Line by line", table("Every line of the context, and how many events stand behind it",
			[]string{"Line", "Says", "#Events", "First", "Last"}, lines))), nil
}

// mostShown is how much of a value a table shows, in runes.
const mostShown = 120

func shortened(s string) string {
	if r := []rune(s); len(r) > mostShown {
		return string(r[:mostShown]) + "…"
	}
	return s
}

// change is an event and the fields it stands behind.
type change struct {
	event  analyze.Witness
	fields []string
}

const (
	mostChanges = 10 // events that are listed
	mostFields  = 4  // of an event that are named
)

// changes are the events behind all lines, the latest first.
func changes(lines []api.ExplainedLine) (list []change) {
	known := map[uint64]int{}
	for _, l := range lines {
		field, _, _ := strings.Cut(l.Line, "/")
		for _, e := range l.Events {
			i, there := known[e.Sequence]
			if !there {
				i = len(list)
				known[e.Sequence] = i
				list = append(list, change{event: e})
			}
			if !slices.Contains(list[i].fields, field) {
				list[i].fields = append(list[i].fields, field)
			}
		}
	}
	inorder.Sort(list, func(a, b change) int {
		return cmp.Or(b.event.Time.Compare(a.event.Time), cmp.Compare(b.event.Sequence, a.event.Sequence))
	})
	return list[:min(len(list), mostChanges)]
}

// behinds are what events stand behind, in words; rates and counts are of every event.
var behinds = map[string]string{
	"accepted_patterns": "a fix that people keep", "rejected_patterns": "a fix that people turn down", "useful_modifications": "how people change it",
	"models": "how a model does", "failure_reasons": "why runs fail", "prompt_features": "what a prompt does", "corrections": "what people asked for",
	"retry_pattern": "retries", "plans": "a plan", "times_helpful": "that it helped", "times_not_helpful": "that it did not help",
	"times_injected": "an injection", "title": "its words", "status": "its status", "superseded_by": "what took its place", "supersedes": "what it replaced",
}

// says tells what an event stands behind.
func (c change) says() string {
	var names []string
	for _, field := range c.fields {
		if name := behinds[field]; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "counts"
	}
	return strings.Join(names[:min(len(names), mostFields)], ", ") + ", and counts"
}
