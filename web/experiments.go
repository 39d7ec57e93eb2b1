package web

import (
	"strconv"

	"learnloop.dev/api"
	"learnloop.dev/learn/experiments"
	h "learnloop.dev/web/markup"

	"github.com/go-json-experiment/json"
)

// experimentList lists experiments with what they advise.
func experimentList(v visit) (sheet, error) {
	var list api.ExperimentList
	if err := v.ask("experiments.list", nil, &list); err != nil {
		return sheet{}, err
	}
	made := sheet{title: "Experiments", topics: kindExperiment}
	if len(list.Experiments) == 0 {
		made.body = nothing("There is no experiment.", h.Text("Define one with "), code("learnloop experiment create"),
			h.Text("; three examples come with it."))
		return made, nil
	}
	rows := make([]h.Node, len(list.Experiments))
	for i, e := range list.Experiments {
		rows[i] = row(link(at("/experiment", "name", e.Name), e.Name), code(e.Status), h.Text(e.Metric), amount(e.ControlN), amount(e.TreatmentN),
			h.Text(chance(e.PValue)), advice(e.Recommendation, e.Decided))
	}
	made.body = section(table(plural(int64(len(rows)), "experiment", "experiments"),
		[]string{"Name", "Status", "Metric", "#In control", "#In treatment", "#p, at any time", "Advice"}, rows))
	return made, nil
}

// chance writes a p-value.
func chance(p float64) string {
	if p < .001 {
		return "< 0.001"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

func advice(recommendation string, decided bool) h.Node {
	class, text := "", map[string]string{
		"adopt_treatment": "adopt the treatment", "keep_control": "keep the control", "continue_test": "go on",
	}[recommendation]
	if text == "" {
		text = recommendation
	}
	if decided {
		class, text = "good", text+" (decided)"
	}
	return tag(class, text)
}

// experimentSheet is one experiment: its intervals, its verdict, and why.
func experimentSheet(v visit) (sheet, error) {
	name := v.query("name")
	var e api.Experiment
	if err := v.ask("experiments.get", map[string]any{"name": name}, &e); err != nil {
		return sheet{}, err
	}
	var c experiments.Context
	if err := json.Unmarshal(e.Result, &c); err != nil {
		return sheet{}, err
	}
	var report api.ExperimentReport
	if err := v.ask("experiments.report", map[string]any{"name": name}, &report); err != nil {
		return sheet{}, err
	}
	body := h.Join(section(heading("Verdict"), h.El("p", advice(string(c.Recommendation), c.Decision != nil), h.Text(" "+c.Reason)), v.decided(&c)),
		intervals(&c), arms(&c), section(heading("Report"), h.El("pre", h.At("tabindex", "0"), h.Text(report.Report))), v.steps(e.Name, e.Status))
	return sheet{title: name, topics: kindExperiment, body: body}, nil
}

func (v visit) decided(c *experiments.Context) h.Node {
	if c.Decision == nil {
		return h.El("p", minor("Looked at as often as one likes: the interval holds at all times together."))
	}
	d := c.Decision
	return h.El("p", minor("Decided "), v.when(d.At), minor(" for "+d.Variant+" by "+d.Metric+", p "+chance(d.PValue)+", with "+
		count(d.ControlN)+" and "+count(d.TreatmentN)+" outcomes. The verdict stands whatever comes."))
}

// intervals draws the difference that the treatment makes, metric by metric.
func intervals(c *experiments.Context) h.Node {
	var rows []h.Node
	for _, m := range c.Metrics {
		rows = append(rows, row(h.Join(h.Text(m.Metric), h.Text(" "), minor(string(m.Role))), h.Text(m.Variant), difference(m),
			h.Text(chance(m.PValue)), h.Text(maybe(m.ControlMean)), h.Text(maybe(m.TreatmentMean)), amount(m.ControlN), amount(m.TreatmentN)))
	}
	if len(rows) == 0 {
		return section(heading("What came out"), para("No outcome yet. Send experiment.outcome events with the unit and its value."))
	}
	return section(heading("What came out"), table("Difference to control, with intervals that hold at all times",
		[]string{"Metric", "Treatment", "Difference", "#p", "#Control", "#Treatment", "#In control", "#In treatment"}, rows))
}

func difference(m experiments.Comparison) h.Node {
	if m.Difference == nil || m.ConfidenceInterval == nil {
		return minor("not known yet")
	}
	i := *m.ConfidenceInterval
	return h.El("span", h.At("class", "number"), bar(*m.Difference, i.Lower, i.Upper, around(i.Lower, i.Upper)),
		h.Text(" "+decimal(*m.Difference)+" "), minor(decimal(i.Lower)+" to "+decimal(i.Upper)))
}

// arms are how the units came in.
func arms(c *experiments.Context) h.Node {
	ratio := tag("good", "as designed")
	if !c.SampleRatio.OK {
		ratio = tag("bad", "not as designed")
	}
	list := []fact{{"Status", code(string(c.Status))}, {"Description", h.Text(c.Description)}, {"Arms", ratio},
		{"Smallest sample", h.Text(count(c.MinSampleSize))}, {"Level", h.Text(decimal(1 - c.Alpha))}}
	return section(heading("Design"), facts(list...))
}

// steps are what operators may do next.
func (v visit) steps(name, status string) h.Node {
	if !v.who.May(api.Admin) {
		return h.Node{}
	}
	switch experiments.Status(status) {
	case experiments.Draft:
		return section(button("/experiment/start", "Start", "", hidden{"name", name}))
	case experiments.Running:
		return section(fold("Stop", para("Later outcomes are not counted."), button("/experiment/stop", "Stop", "danger", hidden{"name", name})))
	default: // it has ended, or has no design to start
		return h.Node{}
	}
}

func startExperiment(v visit) (string, sheet, error) {
	return at("/experiment", "name", v.field("name"), "said", "started"), sheet{}, v.ask("experiments.start", map[string]any{"name": v.field("name")}, nil)
}

func stopExperiment(v visit) (string, sheet, error) {
	return at("/experiment", "name", v.field("name"), "said", "stopped"), sheet{}, v.ask("experiments.stop", map[string]any{"name": v.field("name")}, nil)
}
