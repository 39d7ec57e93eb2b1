package web

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/inorder"
	"learnloop.dev/learn/outcomes"
	h "learnloop.dev/web/markup"
)

// typePage is how many types of steps a page shows.
const typePage = 30

// routing is how the models do, type by type.
func routing(v visit) (sheet, error) {
	cursor := v.query("cursor")
	var list api.ContextList
	if err := v.ask("contexts.list", map[string]any{"prefix": outcomes.KindTask + ".", "limit": typePage, "cursor": cursor}, &list); err != nil {
		return sheet{}, err
	}
	made := sheet{title: "Routing", follow: of(kindTask)}
	if len(list.Contexts) == 0 {
		made.body = nothing("No task has finished yet.", h.Text("Tell how tasks and their steps ended with "), code("task.finished"), h.Text(" events."))
		return made, nil
	}
	types := make([]outcomes.TypeContext, len(list.Contexts))
	for i, c := range list.Contexts {
		if err := v.ask("contexts.get", map[string]any{"kind": outcomes.KindTask, "id": c.ID}, &types[i]); err != nil {
			return sheet{}, err
		}
	}
	first, next := "", ""
	if cursor != "" {
		first = "/routing"
	}
	if list.Next != "" {
		next = at("/routing", "cursor", list.Next)
	}
	made.body = h.Join(section(heading("Type of step × model"), matrix(types), pager(first, next)), v.patterns())
	return made, nil
}

// matrix is the success of each model with each type of step.
func matrix(types []outcomes.TypeContext) h.Node {
	names := map[string]int64{}
	for _, t := range types {
		for _, m := range t.Models {
			names[m.Model] += m.Runs
		}
	}
	models := inorder.Sorted(maps.Keys(names), func(a, b string) int {
		return cmp.Or(cmp.Compare(names[b], names[a]), cmp.Compare(a, b))
	})
	models = models[:min(len(models), mostModels)]
	columns := append([]string{"Type", "#Runs"}, models...)
	rows := make([]h.Node, len(types))
	for i, t := range types {
		cells := []h.Node{link(at("/task", "type", t.Type), t.Type), amount(t.SampleCount)}
		for _, name := range models {
			cells = append(cells, doing(t.Models, name))
		}
		rows[i] = row(cells...)
	}
	return table("Share of runs that succeeded, with 95 % bounds", columns, rows)
}

// mostModels is how many models a matrix has columns for.
const mostModels = 8

func doing(list []outcomes.ModelRecord, name string) h.Node {
	i := slices.IndexFunc(list, func(m outcomes.ModelRecord) bool { return m.Model == name })
	if i < 0 {
		return minor("–")
	}
	m := list[i]
	return h.El("span", h.At("class", "number"), h.El("strong", h.Text(percent(m.SuccessRate))), h.Text(" "), minor("of "+count(m.Runs)), h.El("br"),
		bar(deref(m.SuccessRate), m.Lower, m.Upper, shares()))
}

func deref(rate *float64) float64 {
	if rate == nil {
		return 0
	}
	return *rate
}

// patterns are what tasks taught most often.
func (v visit) patterns() h.Node {
	var list outcomes.Patterns
	if v.ask("patterns.list", map[string]any{"limit": 20}, &list) != nil || list.Total == 0 {
		return h.Node{}
	}
	var rows []h.Node
	for _, p := range list.Patterns {
		rows = append(rows, row(h.Text(p.Key), h.Text(strings.ReplaceAll(string(p.Type), "_", " ")), amount(p.Frequency), h.Text(p.LastSeen)))
	}
	return section(heading("What tasks taught"), table("The most frequent of "+plural(int64(list.Total), "pattern", "patterns"),
		[]string{"Pattern", "Type", "#Seen", "Last"}, rows))
}

// taskSheet is one type of step: which model is chosen, and why.
func taskSheet(v visit) (sheet, error) {
	id := v.query("type")
	var t outcomes.TypeContext
	if err := v.ask("contexts.get", map[string]any{"kind": outcomes.KindTask, "id": id}, &t); err != nil {
		return sheet{}, err
	}
	made := sheet{title: id, follow: of(kindTask)}
	if t.SampleCount == 0 {
		made.body = nothing("No step of this type has run.", h.Text("Tell how steps ended with "), code("task.finished"), h.Text(" events."))
		return made, nil
	}
	why, err := v.why(outcomes.KindTask + "." + id)
	if err != nil {
		return sheet{}, err
	}
	made.body = h.Join(taskFigures(&t), chosen(&t), prompt(t.Prompt, "Nothing yet: too little is known."), troubles(&t), why)
	return made, nil
}

func taskFigures(t *outcomes.TypeContext) h.Node {
	return figures(
		figure{"Runs", h.Text(count(t.SampleCount)), h.Node{}},
		figure{"Succeeded", h.Text(percent(t.SuccessRate)), minor(percent(&t.Success.Lower) + " to " + percent(&t.Success.Upper))},
		figure{"Retries", h.Text(rounded(t.AvgRetries)), minor("on average")},
		figure{"Duration", h.Text(rounded(t.AvgDurationSeconds)), minor("seconds on average")},
		figure{"Verification tier", h.Text(strconv.FormatInt(t.Defaults.VerificationTier, 10)), minor(careful(t.Defaults))},
	)
}

func careful(d outcomes.Defaults) string {
	if d.ColdStart {
		return "careful: little is known"
	}
	return "approved without asking from " + decimal(d.AutoApproveConfidence) + " on"
}

// chosen are the models, as a choice compares them.
func chosen(t *outcomes.TypeContext) h.Node {
	var rows []h.Node
	for _, m := range t.Models {
		state := h.Node{}
		if m.Fails {
			state = tag("bad", "fails often")
		}
		rows = append(rows, row(h.Join(h.Text(m.Model), h.Text(" "), state), tier(m.Tier), amount(m.Runs), kept(m.SuccessRate, interval(m.Lower, m.Upper)),
			numeric(rounded(m.AvgRetries)), numeric(rounded(m.HalfDurationSeconds)), numeric(rounded(m.AvgTokens))))
	}
	return section(heading("Models"),
		table("How each does", []string{"Model", "#Tier", "#Runs", "Succeeded", "#Retries", "#Seconds, median", "#Tokens"}, rows),
		h.El("p", minor("A choice takes the model from which on a solved step is expected to cost least; now and then chance decides, so that "+
			"the others are seen. POST /api/route answers with the reason of each choice.")))
}

func tier(n int64) h.Node {
	if n == 0 {
		return numeric("–")
	}
	return amount(n)
}

// troubles are why steps fail, and what people say about them.
func troubles(t *outcomes.TypeContext) h.Node {
	var parts []h.Part
	var reasons, effects, corrections []h.Node
	for _, r := range t.FailureReasons {
		reasons = append(reasons, row(h.Text(r.Reason), amount(r.Count)))
	}
	for _, f := range t.PromptFeatures {
		effects = append(effects, row(h.Text(f.Feature), amount(f.With), amount(f.Without), effect(f)))
	}
	for _, c := range t.Corrections {
		corrections = append(corrections, row(h.Text(c.Instruction), h.Text(c.Tag), amount(c.Count)))
	}
	if len(reasons) > 0 {
		parts = append(parts, table("Why runs fail", []string{"Reason", "#Runs"}, reasons))
	}
	if len(effects) > 0 {
		parts = append(parts, table("What prompts with a feature do", []string{"Feature", "#With", "#Without", "Difference of success"}, effects))
	}
	if len(corrections) > 0 {
		parts = append(parts, table("What people asked for afterwards", []string{"Instruction", "About", "#Times"}, corrections))
	}
	if len(parts) == 0 {
		return h.Node{}
	}
	return section(append([]h.Part{heading("What goes wrong")}, parts...)...)
}

func effect(f outcomes.FeatureEffect) h.Node {
	if f.Difference == nil {
		return minor("–")
	}
	return h.Join(bar(*f.Difference, f.Lower, f.Upper, around(f.Lower, f.Upper)), h.Text(" "+points(*f.Difference)+" "), verdict(f.Lower, f.Upper))
}
