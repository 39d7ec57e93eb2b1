package web

import (
	"fmt"
	"math"
	"slices"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/learn/rules"
	"learnloop.dev/stats"
	h "learnloop.dev/web/markup"
)

// overview tells how the loop is doing, and whether it helps.
func overview(v visit) (sheet, error) {
	made := sheet{title: "Overview", follow: follows{topics: []string{contexts, learned}, kinds: []string{kindRule}, often: v.who.May(api.Admin)}}
	var st rules.Summary
	var lift api.Lift
	if err := v.ask("contexts.summary", nil, &st); err != nil && !isUnlicensed(err) {
		return sheet{}, err
	}
	if err := v.ask("learnings.lift", nil, &lift); err != nil {
		return sheet{}, err
	}
	vital, pace, err := v.health()
	if err != nil {
		return sheet{}, err
	}
	below := h.El("div", h.At("class", "two"), help(&lift), pace)
	if st.TotalFeedback == 0 {
		made.body = h.Join(vital, start(), below)
		return made, nil
	}
	busiest, err := v.busiest()
	if err != nil {
		return sheet{}, err
	}
	days, err := v.days()
	made.body = h.Join(vital, acceptance(&st, days), below, busiest)
	return made, err
}

// start says how to get a first event in.
func start() h.Node {
	return nothing("Nobody has given feedback yet.",
		h.Text("Send an event to "), code("/v1/events"), h.Text(", or load some: "), code("learnloop replay FILE"), h.Text("."))
}

// health is how the parts of the loop are doing, and how much they do; the machinery is
// for operators.
func (v visit) health() (vital, pace h.Node, err error) {
	if !v.who.May(api.Admin) {
		var ready api.Health
		state := tag("good", "running")
		if err := v.ask("ready", nil, &ready); err != nil {
			state = tag("warn", "starting")
		}
		return h.Node{}, section(heading("The loop"), h.El("p", state), h.El("p", h.At("class", "minor"), v.forOperators())), nil
	}
	var st api.Status
	if err := v.ask("status", nil, &st); err != nil {
		return vital, pace, err
	}
	return v.vital(&st), v.throughput(), nil
}

// forOperators says who sees more, to who does not.
func (v visit) forOperators() h.Node {
	if v.who.Name != "" {
		return h.Text("Streams, throughput and dead letters are shown to operators: to who has a token with the role admin.")
	}
	return h.Join(link("/signin", "Sign in"), h.Text(" as an operator to see streams, throughput and dead letters."))
}

// vital are the figures that tell at a glance whether something is wrong.
func (v visit) vital(st *api.Status) h.Node {
	now := sightOf(st, v.site.deps.Now())
	v.site.pulse.note(now)
	state := tag("good", "running")
	if !st.Ready {
		state = tag("warn", "waiting: "+st.Waiting)
	}
	rate := "–"
	if list := v.site.pulse.rates(); len(list) > 0 {
		rate = decimal(float64(int(list[len(list)-1]*10)) / 10)
	}
	letters := "none"
	for _, s := range st.Streams {
		if s.Name == streamLetters && s.Messages > 0 {
			letters = count(int64(s.Messages))
		}
	}
	return figures(
		figure{"Loop", state, minor("version " + st.Version)},
		figure{"Events in the log", h.Text(count(int64(st.Log))), minor("since it began")},
		figure{"Per second", h.Text(rate), minor("events, just now")},
		figure{"Lag", h.Text(count(int64(now.behind))), minor("events to learn")},
		figure{"Waiting", h.Text(count(int64(now.waiting))), minor("in the inbox")},
		figure{"Dead letters", link("/dead-letters", letters), minor("in 14 days")},
	)
}

// figure is a number with its name.
type figure struct {
	name  string
	value h.Node
	note  h.Node
}

func figures(list ...figure) h.Node {
	parts := []h.Part{h.At("class", "figures")}
	for _, f := range list {
		parts = append(parts, h.El("div", h.El("dt", h.Text(f.name)), h.El("dd", f.value, h.El("small", f.note))))
	}
	return h.El("dl", parts...)
}

// throughput draws what came in while somebody watched.
func (v visit) throughput() h.Node {
	rates := v.site.pulse.rates()
	title := heading("Throughput")
	if len(rates) == 0 {
		return section(title, h.El("p", minor("Leave this page open: it draws how many events come in.")))
	}
	says := fmt.Sprintf("Events per second, in the last %d looks", len(rates))
	return section(title, columns(says, rates), h.El("p",
		minor("Events per second over the last two minutes, while somebody watches; "+decimal(math.Round(slices.Max(rates)))+" at most.")))
}

// acceptance is what people make of suggestions.
func acceptance(st *rules.Summary, days []learningDay) h.Node {
	return section(heading("Acceptance"), figures(
		figure{"Kept", h.Text(percent(st.OverallAcceptanceRate)), minor("of " + plural(st.DecisionCount, "decision", "decisions"))},
		figure{"Changed, then kept", h.Text(percent(st.ModificationRate)), minor("of decisions")},
		figure{"Skipped", h.Text(percent(st.SkipRate)), minor("of feedback")},
		figure{"Brier score", h.Text(maybe(st.BrierScore)), minor("of confidences; 0 is best")}), trend(days))
}

// learningDay is how learning went on a day.
type learningDay struct {
	Day      string `json:"day"`
	Feedback *struct {
		FeedbackCount  int64    `json:"feedback_count"`
		AcceptanceRate *float64 `json:"acceptance_rate"`
		SkipRate       *float64 `json:"skip_rate"`
	} `json:"feedback"`
}

// days are the last thirty, of all rules or of some.
func (v visit) days(ids ...string) ([]learningDay, error) {
	var list struct {
		Days []learningDay `json:"days"`
	}
	args := map[string]any{}
	if len(ids) > 0 {
		args["rules"] = ids
	}
	err := v.ask("statistics.daily", args, &list)
	if is, told := problem(err); told && (is.Code == api.NotFound || is.Code == api.LicenseRequired) {
		return nil, nil
	}
	return list.Days, err
}

// trend is how acceptance went day by day.
func trend(days []learningDay) h.Node {
	var points []point
	var n int64
	for _, d := range days {
		if p, is := d.point(); is {
			points = append(points, p)
			n += d.Feedback.FeedbackCount
		}
	}
	if len(points) == 0 {
		return h.El("p", minor("Nobody decided anything in the last thirty days."))
	}
	last := points[len(points)-1]
	return h.Join(shareOver("Share of suggestions kept, day by day, "+percent(&last.value)+" on "+last.label, points),
		h.El("p",
			minor("Share kept on each day with decisions, of the last thirty, with what it may be by chance: "+plural(n, "decision", "decisions")+" and skips.")))
}

// confidence95 is how sure intervals are that pages make themselves.
const confidence95 = .95

// decided is how many decisions a day had, as far as its rates tell.
func (d learningDay) decided() float64 {
	return math.Round(float64(d.Feedback.FeedbackCount) * (1 - deref(d.Feedback.SkipRate)))
}

// monday is the first day of the week.
func (d learningDay) monday() string {
	at, _ := time.Parse(time.DateOnly, d.Day) // as the loop writes it
	return at.AddDate(0, 0, -(int(at.Weekday())+6)%7).Format(time.DateOnly)
}

// point is a day of a trend, unless nobody decided anything.
func (d learningDay) point() (point, bool) {
	if d.Feedback == nil || d.Feedback.AcceptanceRate == nil {
		return point{}, false
	}
	rate, n := *d.Feedback.AcceptanceRate, d.decided()
	at, err := time.Parse(time.DateOnly, d.Day)
	within := stats.Wilson(int64(math.Round(rate*n)), int64(n), confidence95)
	return point{float64(at.Unix()), d.Day, rate, within.Lower, within.Upper}, err == nil
}

// help is whether injected learnings make tasks succeed.
func help(l *api.Lift) h.Node {
	title := heading("Does injection help?")
	if l.Both == nil || l.Both.Absolute == nil {
		return section(title, para("Not known yet. It is, once tasks have finished of which some were left without learnings by chance: "+
			"tell of them with task.finished."))
	}
	b := l.Both
	return section(title,
		h.El("p", bar(*b.Absolute, b.Lower, b.Upper, around(b.Lower, b.Upper)), h.Text(" "+points(*b.Absolute)+" of success "),
			verdict(b.Lower, b.Upper)),
		h.El("p", minor(fmt.Sprintf("%s with learnings, %s without; between %s and %s, however often one looks.",
			plural(b.Treatment.N, "task", "tasks"), count(b.Control.N), points(b.Lower), points(b.Upper)))))
}

// verdict is what an interval of a difference says.
func verdict(lower, upper float64) h.Node {
	switch {
	case lower > 0:
		return tag("good", "it helps")
	case upper < 0:
		return tag("bad", "it harms")
	}
	return tag("", "could be chance")
}

// busiest are the rules with most feedback.
func (v visit) busiest() (h.Node, error) {
	var list api.RuleList
	if err := v.ask("rules.list", map[string]any{"limit": 5}, &list); err != nil || list.Total == 0 {
		return h.Node{}, err
	}
	rows := make([]h.Node, len(list.Rules))
	for i, r := range list.Rules {
		rows[i] = ruleRow(r)
	}
	return section(heading("Rules with most feedback"), table("The first five", ruleColumns(), rows),
		h.El("p", link("/rules", "All "+plural(int64(list.Total), "rule", "rules")))), nil
}
