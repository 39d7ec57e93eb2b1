package web

import (
	"errors"

	"learnloop.dev/api"
	"learnloop.dev/stats"
	h "learnloop.dev/web/markup"
)

// problem is what an operation says went wrong, if it is one that says so.
func problem(err error) (p *api.Problem, told bool) { return errors.AsType[*api.Problem](err) }

func isUnlicensed(err error) bool {
	p, told := problem(err)
	return told && p.Code == api.LicenseRequired
}

func ruleColumns() []string {
	return []string{"Rule", "#Feedback", "Kept, of those decided", "#Changed", "#Skipped", "Last"}
}

func ruleRow(r api.RuleLine) h.Node {
	return row(link(at("/rule", "id", r.RuleID), r.RuleID), amount(r.SampleCount), kept(r.AcceptanceRate, r.Acceptance),
		share(r.ModificationRate), share(r.SkipRate), h.El("time", h.Text(r.Last)))
}

// share is a rate in a cell.
func share(rate *float64) h.Node { return numeric(percent(rate)) }

// kept is a rate with its interval.
func kept(rate *float64, within *stats.Interval) h.Node {
	if rate == nil || within == nil {
		return minor("nobody decided yet")
	}
	return h.El("span", h.At("class", "number"), bar(*rate, within.Lower, within.Upper, shares()),
		h.El("span", h.At("class", "rate"), h.Text(percent(rate))), minor(percent(&within.Lower)+" to "+percent(&within.Upper)))
}

// rulePage is how many rules a page lists.
const rulePage = 50

// ruleOrders are what a list of rules may be ordered by.
func ruleOrders() []option {
	return []option{
		{"feedback", "most feedback"}, {"kept", "kept most surely"}, {"rejected", "turned down most surely"},
		{"recent", "latest feedback"}, {"id", "name"},
	}
}

// ruleList lists rules, a page at a time.
func ruleList(v visit) (sheet, error) {
	search, order, cursor := v.query("search"), v.query("order"), v.query("cursor")
	var list api.RuleList
	args := map[string]any{"search": search, "limit": rulePage, "cursor": cursor}
	if order != "" {
		args["order"] = order
	}
	if err := v.ask("rules.list", args, &list); err != nil {
		return sheet{}, err
	}
	form := searchForm("/rules", field{"search", "Rule", search}, choice{"order", "First", order, ruleOrders()})
	made := sheet{title: "Rules", follow: of(kindRule)}
	if list.Total == 0 {
		made.body = h.Join(form, empty(search, "There is no feedback about a rule yet.",
			h.Text("Send what people decided about suggestions as "), code("feedback.fix"), h.Text(" events, or load some: "),
			code("learnloop replay FILE"), h.Text(".")))
		return made, nil
	}
	rows := make([]h.Node, len(list.Rules))
	for i, r := range list.Rules {
		rows[i] = ruleRow(r)
	}
	first, next := "", ""
	if cursor != "" {
		first = at("/rules", "search", search, "order", order)
	}
	if list.Next != "" {
		next = at("/rules", "search", search, "order", order, "cursor", list.Next)
	}
	made.body = h.Join(form, section(table(plural(int64(list.Total), "rule", "rules"), ruleColumns(), rows), pager(first, next)))
	return made, nil
}

func interval(lower, upper float64) *stats.Interval {
	return &stats.Interval{Lower: lower, Upper: upper}
}
