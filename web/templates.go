package web

import (
	"slices"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/learn/outcomes"
	h "learnloop.dev/web/markup"
)

// origins say where a template comes from.
var origins = map[string]string{outcomes.BuiltIn: "built in", outcomes.Folder: "your folder", outcomes.Added: "added", outcomes.Learned: "learned"}

// templateList lists plans, or those that fit a goal.
func templateList(v visit) (sheet, error) {
	goal := v.query("goal")
	made := sheet{title: "Templates", follow: of(kindTemplate)}
	form := searchForm("/templates", field{"goal", "What is to be done", goal})
	list, fit, err := v.templates(goal)
	if err != nil {
		return sheet{}, err
	}
	if len(list) == 0 {
		made.body = h.Join(form, empty(goal, "There is no template.", h.Text("Plans of completed tasks become templates; add one with "),
			code("learnloop templates add FILE"), h.Text(".")))
		return made, nil
	}
	rows := make([]h.Node, len(list))
	for i, t := range list {
		rows[i] = row(link(at("/template", "id", t.ID), t.Name), h.Text(origins[t.Source]), amount(int64(len(t.Plan))), numeric(fit[i]),
			usedWell(t), amount(t.Completed), amount(t.Failed))
	}
	made.body = h.Join(form, section(table(plural(int64(len(list)), "template", "templates"),
		[]string{"Name", "From", "#Steps", "#Fits", "Completed, of tasks that used it", "#Completed", "#Failed"}, rows)))
	return made, nil
}

// usedWell is how tasks ended that began with a template.
func usedWell(t outcomes.Template) h.Node {
	if t.Completed+t.Failed == 0 {
		return minor("not used yet")
	}
	return kept(t.SuccessRate, interval(t.Lower, t.Upper))
}

// templates are all, or those that fit a goal with how well they do.
func (v visit) templates(goal string) (list []outcomes.Template, fit []string, err error) {
	if goal == "" {
		var all api.TemplateList
		err = v.ask("templates.list", nil, &all)
		for _, t := range all.Templates {
			list, fit = append(list, t.Template), append(fit, "–")
		}
		return list, fit, err
	}
	var found api.Matches
	err = v.ask("templates.match", map[string]any{"goal": goal, "limit": 20}, &found)
	for _, m := range found.Matches {
		list, fit = append(list, m.Template.Template), append(fit, percent(&m.Similarity))
	}
	return list, fit, err
}

// templateSheet is one plan.
func templateSheet(v visit) (sheet, error) {
	var t outcomes.Template
	if err := v.ask("templates.get", map[string]any{"id": v.query("id")}, &t); err != nil {
		return sheet{}, err
	}
	rows := make([]h.Node, len(t.Plan))
	for i, s := range t.Plan {
		rows[i] = row(h.Text(s.ID), h.Text(s.Description), tier(s.ModelTier), tier(s.VerificationTier), h.Text(strings.Join(s.DependsOn, ", ")))
	}
	about := []fact{{"From", h.Text(origins[t.Source])}, {"Keywords", h.Text(strings.Join(t.Keywords, ", "))},
		{"Completed", h.Text(count(t.Completed) + ", failed " + count(t.Failed))}}
	if t.Problem != "" {
		about = append(about, fact{"Never offered", h.Text(t.Problem)})
	}
	for _, g := range t.Goals {
		about = append(about, fact{"A goal it reached", h.Text(g)})
	}
	body := h.Join(section(facts(about...)), section(heading("Plan"),
		table(plural(int64(len(rows)), "step", "steps"), []string{"Step", "What", "#Model tier", "#Verification tier", "After"}, rows)))
	if v.who.May(api.Admin) && !slices.Contains([]string{outcomes.BuiltIn, outcomes.Folder}, t.Source) {
		body = h.Join(body, section(fold("Delete", para("The tasks and what they taught stay."), button("/template/delete", "Delete", "danger", hidden{"id", t.ID}))))
	}
	return sheet{title: t.Name, follow: of(kindTemplate), body: body}, nil
}

func deleteTemplate(v visit) (string, sheet, error) {
	return "/templates?said=deleted", sheet{}, v.ask("templates.delete", map[string]any{"id": v.field("id")}, nil)
}
