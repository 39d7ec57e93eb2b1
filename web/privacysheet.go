package web

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"learnloop.dev/api"
	"learnloop.dev/inorder"
	"learnloop.dev/learn/rules"
	h "learnloop.dev/web/markup"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// privacySheet is how people are protected, who changed it, and what others may see.
func privacySheet(v visit) (sheet, error) {
	if !v.who.May(api.Admin) {
		return v.closed("Privacy"), nil
	}
	var set map[string]jsontext.Value
	if err := v.ask("privacy.get", nil, &set); err != nil {
		return sheet{}, err
	}
	var history api.History
	if err := v.ask("privacy.history", map[string]any{"limit": 20}, &history); err != nil {
		return sheet{}, err
	}
	var st api.Status
	if err := v.ask("status", nil, &st); err != nil {
		return sheet{}, err
	}
	shared, err := v.shared()
	return sheet{title: "Privacy", follow: follows{topics: []string{settled}, often: true},
		body: h.Join(settings(set), v.removed(st.Removed), v.past(&history), shared)}, err
}

// removed are counters of what was taken out of texts, by its type.
func (v visit) removed(r *api.Removed) h.Node {
	title := heading("Removed before anything was stored")
	switch {
	case r == nil:
		return section(title, para("Another process takes events in, and counts: its /metrics has learnloop_removed_total by type."))
	case len(r.Types) == 0:
		return section(title, h.El("p", minor("Nothing yet, since "), v.when(r.Since),
			minor(". Names, addresses, numbers, keys and the like in texts are replaced as events come in.")))
	}
	most := slices.Max(slices.Collect(maps.Values(r.Types)))
	var rows []h.Node
	for _, name := range inorder.Sorted(maps.Keys(r.Types), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Types[b], r.Types[a]), cmp.Compare(a, b))
	}) {
		rows = append(rows, row(code(name), amount(int64(r.Types[name])), length(float64(r.Types[name])/float64(most))))
	}
	return section(title, table("Finds by type; what was found is not kept", []string{"Type", "#Finds", "Compared"}, rows),
		h.El("p", minor("Since the process started, "), v.when(r.Since), minor(".")))
}

// settings is the form of what is set; what is no single value is shown.
func settings(set map[string]jsontext.Value) h.Node {
	switches := []h.Part{h.At("class", "switches"), h.El("legend", h.Text("What is on"))}
	var others []fact
	var mode h.Node
	for _, name := range inorder.Sorted(maps.Keys(set), func(a, b string) int {
		return cmp.Or(cmp.Compare(set[b].Kind(), set[a].Kind()), cmp.Compare(a, b))
	}) {
		switch value := set[name]; {
		case value.Kind() == 't' || value.Kind() == 'f':
			switches = append(switches, h.El("p", hidden{"switch", name}.control(), h.El("input", h.At("type", "checkbox"), h.At("id", name), h.At("name", name),
				h.Flag("checked", value.Kind() == 't')), h.Text(" "), h.El("label", h.At("for", name), h.At("class", "beside"), h.Text(spelled(name)))))
		case name == "text_mode":
			mode = choice{name, "Texts of fixes", unquoted(value), []option{{"strict", "strict"}, {"pattern", "pattern"}, {"full", "full"}}}.control()
		default:
			others = append(others, fact{spelled(name), plainly(value)})
		}
	}
	return section(heading("Settings"), h.El("form", h.At("method", "post"), h.At("action", "/privacy/set"),
		h.El("fieldset", switches...), mode, h.El("p", h.El("button", h.Text("Save")))), facts(others...),
		h.El("p", minor("The others are set with "), code("learnloop privacy set NAME=VALUE"), minor(".")))
}

// plainly is a setting without the signs of JSON, where that says the same.
func plainly(v jsontext.Value) h.Node {
	var list []string
	var named map[string]jsontext.Value
	switch {
	case v.Kind() == '[' && json.Unmarshal(v, &list) == nil:
		return code(strings.Join(list, " "))
	case v.Kind() == '{' && json.Unmarshal(v, &named) == nil:
		for _, name := range slices.Sorted(maps.Keys(named)) {
			list = append(list, strings.ReplaceAll(name, "_", " ")+" "+string(named[name]))
		}
		return h.Text(strings.Join(list, ", "))
	}
	return code(unquoted(v))
}

func unquoted(v jsontext.Value) string {
	s, err := strconv.Unquote(string(v))
	if err != nil {
		return string(v)
	}
	return s
}

// spelled is the name of a setting for people.
func spelled(name string) string {
	return strings.Replace(capital(strings.ReplaceAll(name, "_", " ")), " pii", " PII", 1)
}

// setPrivacy changes what a form shows: a switch that is off sends nothing.
func setPrivacy(v visit) (string, sheet, error) {
	if !v.who.May(api.Admin) {
		return "", v.closed("Privacy"), nil
	}
	change := map[string]any{"actor": "dashboard"}
	for _, name := range v.request.PostForm["switch"] {
		change[name] = v.field(name) != ""
	}
	if mode := v.field("text_mode"); mode != "" {
		change["text_mode"] = mode
	}
	if len(change) == 1 {
		return "", sheet{title: "There is nothing to change", status: http.StatusBadRequest}, nil
	}
	return "/privacy?said=saved", sheet{}, v.ask("privacy.set", change, nil)
}

// past is who changed what.
func (v visit) past(history *api.History) h.Node {
	if history.Total == 0 {
		return section(heading("Changes"), para("Nobody has changed a setting."))
	}
	var rows []h.Node
	for _, c := range history.Changes {
		rows = append(rows, row(v.when(c.At), h.Text(c.Actor), code(c.Group), differences(c.Changed)))
	}
	return section(heading("Changes"), table("The latest first", []string{"When", "Who", "Group", "What"}, rows))
}

// differences are the settings that a change changed; many of them open on demand.
func differences(changed map[string]api.Difference) h.Node {
	var list []h.Part
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		d := changed[name]
		from := h.Node{}
		if len(d.From) > 0 {
			from = h.Join(value(d.From), h.Text(" → "))
		}
		list = append(list, h.El("p", h.Text(name+": "), from, value(d.To)))
	}
	if len(list) <= 3 {
		return h.El("div", list...)
	}
	return fold(plural(int64(len(list)), "setting", "settings"), list...)
}

// value is a setting as it is written.
func value(v api.Document) h.Node {
	if len(v) == 0 {
		return minor("nothing")
	}
	return h.El("code", h.At("class", "any"), h.Text(string(v)))
}

// shared is what others may see: nothing that fewer people than the threshold stand behind.
func (v visit) shared() (h.Node, error) {
	title := heading("What others may see")
	var s rules.Share
	err := v.ask("rules.share", nil, &s)
	if p, told := problem(err); told {
		return section(title, para(capital(p.Error())+".")), nil
	}
	if err != nil {
		return h.Node{}, err
	}
	least := plural(int64(s.Threshold), "person", "people")
	if len(s.Rules) == 0 {
		return section(title, para("Nothing: no count has "+least+" behind it.")), nil
	}
	rows := make([]h.Node, len(s.Rules))
	for i, r := range s.Rules {
		rows[i] = row(h.Text(r.RuleID), amount(r.Decisions.Total()), kept(r.AcceptanceRate, interval(r.Lower, r.Upper)), amount(int64(len(r.Patterns))))
	}
	return section(title, table("Counts that at least "+least+" stand behind", []string{"Rule", "#Decisions", "Kept", "#Fixes"}, rows)), nil
}
