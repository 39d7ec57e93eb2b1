package web

import (
	"fmt"

	"learnloop.dev/api"
	"learnloop.dev/learn/rules"
	h "learnloop.dev/web/markup"
)

// overviewTopics are what the overview follows.
const overviewTopics = kindRule + " " + TopicLearning + " " + topicPulse + " " + topicLetter

// overview tells how the loop is doing, and whether it helps.
func overview(v visit) (sheet, error) {
	var st rules.Summary
	var lift api.Lift
	if err := v.ask("contexts.summary", nil, &st); err != nil && !isUnlicensed(err) {
		return sheet{}, err
	}
	if err := v.ask("learnings.lift", nil, &lift); err != nil {
		return sheet{}, err
	}
	health, err := v.health()
	if err != nil {
		return sheet{}, err
	}
	if st.TotalFeedback == 0 {
		return sheet{title: "Overview", topics: overviewTopics, body: h.Join(health, start(), help(&lift))}, nil
	}
	busiest, err := v.busiest()
	if err != nil {
		return sheet{}, err
	}
	days, err := v.days()
	if err != nil {
		return sheet{}, err
	}
	return sheet{title: "Overview", topics: overviewTopics, body: h.Join(health, acceptance(&st, days), help(&lift), busiest)}, nil
}

// start says how to get a first event in.
func start() h.Node {
	return nothing("Nobody has given feedback yet.",
		h.Text("Send an event to "), code("/v1/events"), h.Text(", or load some: "), code("learnloop replay FILE"), h.Text("."))
}

// health is how the parts of the loop are doing; the machinery is for operators.
func (v visit) health() (h.Node, error) {
	if !v.who.May(api.Admin) {
		var ready api.Health
		state := tag("good", "running")
		if err := v.ask("ready", nil, &ready); err != nil {
			state = tag("warn", "starting")
		}
		return section(heading("Loop"), h.El("p", state, h.Text(" "), minor("Sign in to see streams, throughput and dead letters."))), nil
	}
	var st api.Status
	if err := v.ask("status", nil, &st); err != nil {
		return h.Node{}, err
	}
	now := sightOf(&st, v.site.deps.Now())
	return h.Join(v.vital(&st, now), v.throughput()), nil
}

// vital are the figures that tell at a glance whether something is wrong.
func (v visit) vital(st *api.Status, now sight) h.Node {
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
		figure{"Events in the log", h.Text(count(int64(st.Log))), minor("since the beginning")},
		figure{"Events per second", h.Text(rate), minor("in the last second")},
		figure{"Lag", h.Text(count(int64(now.behind))), minor("events that contexts lack")},
		figure{"Waiting", h.Text(count(int64(now.waiting))), minor("in the inbox")},
		figure{"Dead letters", h.El("a", h.At("href", "/dead-letters"), h.Text(letters)), minor("in the last 14 days")},
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

// throughput draws the last minute and a half, as far as somebody watched.
func (v visit) throughput() h.Node {
	rates := v.site.pulse.rates()
	says := fmt.Sprintf("Events per second over the last %d seconds", len(rates))
	return section(heading("Throughput"), columns(says, rates), h.El("p", minor("Events per second, while this page is open.")))
}

// acceptance is what people make of suggestions.
func acceptance(st *rules.Summary, days []learningDay) h.Node {
	return section(heading("Acceptance"), facts(
		fact{"Kept", h.Join(h.Text(percent(st.OverallAcceptanceRate)), minor(" of "+plural(st.DecisionCount, "decision", "decisions")))},
		fact{"Changed before kept", h.Text(percent(st.ModificationRate))}, fact{"Skipped", h.Text(percent(st.SkipRate))},
		fact{"Brier score", h.Join(h.Text(maybe(st.BrierScore)), minor(" of stated confidences; 0 is best"))}), trend(days))
}

// learningDay is how learning went on a day.
type learningDay struct {
	Day      string `json:"day"`
	Feedback *struct {
		FeedbackCount  int64    `json:"feedback_count"`
		AcceptanceRate *float64 `json:"acceptance_rate"`
	} `json:"feedback"`
}

// days are the last thirty.
func (v visit) days() ([]learningDay, error) {
	var list struct {
		Days []learningDay `json:"days"`
	}
	err := v.ask("statistics.daily", nil, &list)
	if is, told := problem(err); told && is.Code == api.NotFound {
		return nil, nil
	}
	return list.Days, err
}

// trend is how acceptance went day by day.
func trend(days []learningDay) h.Node {
	var points []point
	var n int64
	for _, d := range days {
		if d.Feedback != nil && d.Feedback.AcceptanceRate != nil {
			points = append(points, point{d.Day, *d.Feedback.AcceptanceRate})
			n += d.Feedback.FeedbackCount
		}
	}
	if len(points) == 0 {
		return h.El("p", minor("Nobody decided anything in the last thirty days."))
	}
	last := points[len(points)-1]
	return h.Join(curve("Share of suggestions kept, day by day, "+percent(&last.value)+" on "+last.label, points),
		h.El("p", minor("Share kept on each day with decisions, of the last thirty: "+plural(n, "decision", "decisions")+" and skips.")))
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
