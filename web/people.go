package web

import (
	"learnloop.dev/api"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/rules"
	h "learnloop.dev/web/markup"
)

// peoplePage is how many people a page lists.
const peoplePage = 50

// peopleList lists people by pseudonym, and finds one.
func peopleList(v visit) (sheet, error) {
	if !v.who.May(api.Admin) {
		return v.closed("People"), nil
	}
	var list api.ContextList
	cursor := v.query("cursor")
	if err := v.ask("contexts.list", map[string]any{"prefix": kindUser + ".", "limit": peoplePage, "cursor": cursor}, &list); err != nil {
		return sheet{}, err
	}
	form := searchForm("/person", field{"user", "User id or pseudonym", ""})
	made := sheet{title: "People", follow: of(kindUser)}
	if len(list.Contexts) == 0 {
		made.body = h.Join(form, nothing("Nothing is known about how anybody likes answers.", h.Text("Send "), code("exchange.recorded"),
			h.Text(" and "), code("feedback.response"), h.Text(" events with a user_id. People who decided about fixes can be looked up above.")))
		return made, nil
	}
	rows := make([]h.Node, len(list.Contexts))
	for i, c := range list.Contexts {
		rows[i] = row(link(at("/person", "user", c.ID), c.ID), v.when(c.Changed))
	}
	first, next := "", ""
	if cursor != "" {
		first = "/people"
	}
	if list.Next != "" {
		next = at("/people", "cursor", list.Next)
	}
	made.body = h.Join(form, section(table("People with preferences of their own", []string{"Pseudonym", "Changed"}, rows), pager(first, next)))
	return made, nil
}

// preferences are what is told of a person.
type preferences struct {
	conversations.Preferences

	Key   string             `json:"key"`
	Rules []rules.Difference `json:"rules"`
}

// person is what was learned about somebody, and what they may want of it.
func person(v visit) (sheet, error) {
	if !v.who.May(api.Admin) {
		return v.closed("People"), nil
	}
	user := v.query("user")
	var p preferences
	if err := v.ask("preferences.get", map[string]any{"user": user}, &p); err != nil {
		return sheet{}, err
	}
	body := h.Join(liking(&p), prompt(p.Prompt, "Nothing: too little is known, or personalisation is off."), topics(&p), otherwise(&p), v.wishes(user))
	return sheet{title: p.ID, follow: of(kindUser), body: body}, nil
}

func liking(p *preferences) h.Node {
	trait := func(name string, t conversations.Trait, low, high string) figure {
		return figure{name, h.Text(decimal(t.Value)), minor("0 " + low + ", 1 " + high + "; confidence " + percent(&t.Confidence))}
	}
	return figures(figure{"Answers", h.Text(count(p.Evidence.Exchanges)), minor(plural(p.Evidence.Sessions, "session", "sessions"))},
		figure{"Confidence", h.Text(percent(&p.Confidence)), minor("from 30 % on prompts change")},
		trait("Length", p.Style.Length, "concise", "detailed"), trait("Depth", p.Style.Depth, "simple", "advanced"),
		trait("Lists", p.Style.Format, "prose", "lists"), trait("Examples", p.Style.Examples, "none", "many"))
}

func topics(p *preferences) h.Node {
	var rows []h.Node
	for _, t := range p.Topics {
		rows = append(rows, row(h.Text(t.Topic), numeric(decimal(t.Affinity)), amount(t.Samples), numeric(maybe(t.Trend))))
	}
	if len(rows) == 0 {
		return h.Node{}
	}
	return section(heading("Topics"), table("The best first", []string{"Topic", "#Affinity", "#Samples", "#Trend"}, rows))
}

// otherwise are the rules about which a person decides otherwise than the others.
func otherwise(p *preferences) h.Node {
	var rows []h.Node
	for _, d := range p.Rules {
		rows = append(rows, row(link(at("/rule", "id", d.RuleID), d.RuleID), share(&d.AcceptanceRate), share(&d.OthersRate),
			h.Join(bar(d.Change, d.Lower, d.Upper, around(d.Lower, d.Upper)), h.Text(" "+points(d.Change)))))
	}
	if len(rows) == 0 {
		return h.Node{}
	}
	return section(heading("Decides otherwise"), table("Rules", []string{"Rule", "#Keeps", "#Others keep", "Difference"}, rows))
}

// wishes are what a person may ask for.
func (v visit) wishes(user string) h.Node {
	return section(heading("What the person may want"),
		fold("Set a preference", act("/person/set", "Set", "", hidden{"user", user},
			choice{"key", "Preference", "", []option{{"length_preference", "length"}, {"depth_preference", "depth"}, {"examples_preference", "examples"}}},
			entry{name: "value", label: "Value, 0 to 1", required: true})),
		fold("Delete the preferences", para("They are learned anew from what comes later alone. This takes the raw user id."),
			act("/person/unlearn", "Delete", "danger", hidden{"user", user})),
		fold("Take in nothing more", para("Nothing of the person is captured from now on. This takes the raw user id."),
			act("/person/optout", "Opt out", "danger", hidden{"user", user})),
		fold("Forget the person", para("Every stored and derived trace is removed, and replay does not bring it back."),
			act("/person/forget", "Look what would be removed", "danger", hidden{"user", user})))
}
