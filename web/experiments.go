package web

import (
	"fmt"
	"math"
	"net/http"
	"strconv"

	"learnloop.dev/api"
	"learnloop.dev/events"
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
	made := sheet{title: "Experiments", follow: of(kindExperiment)}
	if len(list.Experiments) == 0 {
		made.body = nothing("There is no experiment.", h.Text("Define one with "), code("learnloop experiment create"),
			h.Text("; three examples come with it."))
		return made, nil
	}
	rows := make([]h.Node, len(list.Experiments))
	for i, e := range list.Experiments {
		rows[i] = row(link(at("/experiment", "name", e.Name), e.Name), state(e.Status), code(e.Metric), amount(e.ControlN), amount(e.TreatmentN),
			numeric(chance(e.PValue)), advice(e.Recommendation, e.Decided))
	}
	made.body = section(table(plural(int64(len(rows)), "experiment", "experiments"),
		[]string{"Name", "Status", "Metric", "#In control", "#In treatment", "#p, at any time", "Advice"}, rows))
	return made, nil
}

// state is where an experiment is in its life.
func state(status string) h.Node {
	if experiments.Status(status) == experiments.Running {
		return tag("good", status)
	}
	return tag("", status)
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
		"adopt_treatment": "adopt treatment", "keep_control": "keep control", "continue_test": "go on",
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
	if err := v.ask("experiments.report", map[string]any{"name": name, "charts": true}, &report); err != nil {
		return sheet{}, err
	}
	body := h.Join(section(heading("Verdict"), h.El("p", advice(string(c.Recommendation), c.Decision != nil), h.Text(" "+capital(c.Reason)+".")), v.decided(&c)),
		courses(report.Charts), intervals(&c), arms(&c),
		section(heading("In words"), h.El("pre", h.At("tabindex", "0"), h.Text(report.Report))), v.steps(&e))
	return sheet{title: name, follow: of(kindExperiment), body: body}, nil
}

func (v visit) decided(c *experiments.Context) h.Node {
	if c.Decision == nil {
		return h.El("p", minor("Looked at as often as one likes: the interval holds at all times together."))
	}
	d := c.Decision
	return h.El("p", minor("Decided "), v.when(d.At), minor(" for "+d.Variant+" by "+d.Metric+", p "+chance(d.PValue)+", with "+
		count(d.ControlN)+" and "+count(d.TreatmentN)+" outcomes. The verdict stands whatever comes."))
}

// courses draw how the difference went while outcomes came in.
func courses(charts []api.ExperimentChart) h.Node {
	var parts []h.Part
	for _, c := range charts {
		if len(c.Points) > 0 {
			parts = append(parts, h.El("h3", h.Text(c.Variant)), course(c))
		}
	}
	if len(parts) == 0 {
		return h.Node{}
	}
	return section(append([]h.Part{heading("How the difference went")}, append(parts,
		h.El("p", minor("Treatment less control in the primary metric, with the interval that holds at all times. "+
			"Where the band leaves zero, chance is no explanation.")))...)...)
}

func course(c api.ExperimentChart) h.Node {
	p := plot{tell: decimal} // zero is always on it
	for _, is := range c.Points {
		p.points = append(p.points, point{float64(is.N), count(is.N) + " outcomes", is.Value, is.Lower, is.Upper})
	}
	settled := p.points[len(p.points)/4:] // at first an interval is as wide as the world
	for _, is := range settled {
		p.low, p.high = min(p.low, is.lower), max(p.high, is.upper)
	}
	step := niceStep(p.high - p.low) // of all that is drawn: a narrow interval far from zero would have millions
	p.low, p.high = min(math.Floor(p.low/step), -1)*step, max(math.Ceil(p.high/step), 1)*step
	for m := p.low; m <= p.high+step/2; m += step {
		p.marks = append(p.marks, math.Round(m/step)*step)
	}
	last := p.points[len(p.points)-1]
	p.says = fmt.Sprintf("Difference of %s to control after %s: %s, between %s and %s", c.Variant, last.label,
		decimal(last.value), decimal(last.lower), decimal(last.upper))
	return p.node()
}

// niceStep is a round number that a range has about four of.
func niceStep(width float64) float64 {
	if !(width > 0) || math.IsInf(width, 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(width/4)))
	for _, n := range []float64{1, 2, 5} {
		if width/4 <= n*unit {
			return n * unit
		}
	}
	return 10 * unit
}

// intervals draws the difference that the treatment makes, metric by metric.
func intervals(c *experiments.Context) h.Node {
	var rows []h.Node
	for _, m := range c.Metrics {
		rows = append(rows, row(h.Join(h.Text(m.Metric), h.Text(" "), minor(string(m.Role))), h.Text(m.Variant), difference(m),
			numeric(chance(m.PValue)), mean(m.ControlMean, m.ControlN), mean(m.TreatmentMean, m.TreatmentN)))
	}
	if len(rows) == 0 {
		return section(heading("What came out"), para("No outcome yet. Send experiment.outcome events with the unit and its value."))
	}
	return section(heading("What came out"), table("Difference to control, with intervals that hold at all times",
		[]string{"Metric", "Treatment", "Difference", "#p", "#Control", "#Treatment"}, rows))
}

// mean is that of an arm, of so many outcomes.
func mean(value *float64, n int64) h.Node {
	return h.El("span", h.At("class", "number amount"), h.Text(maybe(value)), minor(" of "+count(n)))
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
	list := []fact{{"Status", state(string(c.Status))}, {"Description", h.Text(c.Description)}, {"Arms", ratio},
		{"Smallest sample", h.Text(count(c.MinSampleSize))}, {"Level", h.Text(decimal(1 - c.Alpha))}}
	return section(heading("Design"), facts(list...))
}

// steps are what operators may do next.
func (v visit) steps(e *api.Experiment) h.Node {
	if !v.who.May(api.Admin) {
		return h.Node{}
	}
	switch experiments.Status(e.Status) {
	case experiments.Draft:
		return section(heading("What to do"), button("/experiment/start", "Start", "", hidden{"name", e.Name}))
	case experiments.Running:
		return section(heading("What to do"), widening(e),
			fold("Stop", para("Later outcomes are not counted."), button("/experiment/stop", "Stop", "danger", hidden{"name", e.Name})))
	default: // it has ended, or has no design to start
		return h.Node{}
	}
}

// widening is the form that gives arms larger shares; none for arms that others assign.
func widening(e *api.Experiment) h.Node {
	var d events.ExperimentDesign
	if len(e.Definition) == 0 || json.Unmarshal(e.Definition, &d) != nil || d.External {
		return h.Node{}
	}
	inputs := []input{hidden{"name", e.Name}, entry{name: "control", label: "Control, % of units", value: percentage(d.ControlPercentage), required: true},
		entry{name: "treatment", label: "Treatment, % of units", value: percentage(&d.TreatmentPercentage), required: true}}
	for i, t := range d.Treatments {
		inputs = append(inputs, hidden{"arm", t.Name},
			entry{name: "share-" + number(i), label: t.Name + ", % of units", value: percentage(&t.Percentage), required: true})
	}
	return fold("Widen", append([]h.Part{para("More units take part, and none changes its arm: shares only grow. Widen all arms alike.")},
		act("/experiment/widen", "Widen", "", inputs...))...)
}

func percentage(share *float64) string {
	if share == nil {
		return ""
	}
	return strconv.FormatFloat(*share, 'f', -1, 64)
}

func widenExperiment(v visit) (string, sheet, error) {
	name := v.field("name")
	args := map[string]any{"name": name}
	shares, further := map[string]string{"control_percentage": "control", "treatment_percentage": "treatment"}, map[string]float64{}
	for to, field := range shares {
		n, err := shareOf(v.field(field))
		if err != nil {
			return "", noShare(name), err
		}
		args[to] = n
	}
	for i, arm := range v.request.PostForm["arm"] {
		n, err := shareOf(v.field("share-" + number(i)))
		if err != nil {
			return "", noShare(name), err
		}
		further[arm] = n
	}
	if len(further) > 0 {
		args["treatments"] = further
	}
	return at("/experiment", "name", name, "said", "widened"), sheet{}, v.ask("experiments.widen", args, nil)
}

// shareOf reads a percentage; what it may be the operation says, as far as it is a number.
func shareOf(text string) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(n) || math.IsInf(n, 0)) {
		err = strconv.ErrRange
	}
	return n, err
}

func noShare(name string) sheet {
	return sheet{title: "A share is a number from 0 to 100", status: http.StatusUnprocessableEntity,
		body: h.El("p", link(at("/experiment", "name", name), "Back to the experiment"))}
}

func startExperiment(v visit) (string, sheet, error) {
	return at("/experiment", "name", v.field("name"), "said", "started"), sheet{}, v.ask("experiments.start", map[string]any{"name": v.field("name")}, nil)
}

func stopExperiment(v visit) (string, sheet, error) {
	return at("/experiment", "name", v.field("name"), "said", "stopped"), sheet{}, v.ask("experiments.stop", map[string]any{"name": v.field("name")}, nil)
}
