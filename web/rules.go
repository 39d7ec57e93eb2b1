package web

import (
	"cmp"
	"errors"
	"slices"

	"learnloop.dev/api"
	"learnloop.dev/learn/rules"
	"learnloop.dev/stats"
	h "learnloop.dev/web/markup"
)

func isUnlicensed(err error) bool {
	p, told := errors.AsType[*api.Problem](err)
	return told && p.Code == api.LicenseRequired
}

// byFeedback lists rules, those with most feedback first.
func byFeedback(all map[string]rules.RuleStatistics) []rules.RuleStatistics {
	list := make([]rules.RuleStatistics, 0, len(all))
	for _, r := range all {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b rules.RuleStatistics) int {
		return cmp.Or(cmp.Compare(b.FeedbackCount, a.FeedbackCount), cmp.Compare(a.RuleID, b.RuleID))
	})
	return list
}

func ruleColumns() []string { return []string{"Rule", "#Feedback", "Kept", "#Changed", "#Skipped"} }

func ruleRow(r rules.RuleStatistics) h.Node {
	return row(link(at("/rule", "id", r.RuleID), r.RuleID), amount(r.FeedbackCount), kept(r.AcceptanceRate, r.Acceptance),
		h.Text(percent(r.ModificationRate)), h.Text(percent(r.SkipRate)))
}

// kept is a rate with its interval.
func kept(rate *float64, within *stats.Interval) h.Node {
	if rate == nil || within == nil {
		return minor("nobody decided yet")
	}
	return h.Join(bar(*rate, within.Lower, within.Upper, shares()), h.Text(" "+percent(rate)+" "),
		minor(percent(&within.Lower)+"–"+percent(&within.Upper)))
}
