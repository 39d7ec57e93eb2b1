package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"

	"learnloop.dev/inorder"
	"learnloop.dev/kv"
	"learnloop.dev/learn/rules"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
)

// registerRules lists the operation that lists rules with their rates.
func (a *API) registerRules(r *Registry) {
	Add(r, Operation[RulesArgs, RuleList]{
		Name: "rules.list", Method: http.MethodGet, Path: "/api/rules", Tag: "contexts", Access: Read,
		Summary:     "Which rules there is feedback about, and how suggestions fare",
		Description: "As their contexts have it; those with most feedback first, unless another order is asked for.",
		Aliases:     map[string]string{"q": "search", "sort": "order"},
		Do:          a.listRules,
	})
}

// The orders of rules. Those of acceptance go by the bound that has to be proved, so that
// a rule with two decisions is not first.
const (
	ruleOrderFeedback = "feedback"
	ruleOrderKept     = "kept"
	ruleOrderRejected = "rejected"
	ruleOrderRecent   = "recent"
	ruleOrderID       = "id"
)

// RulesArgs choose rules.
type RulesArgs struct {
	Search string `json:"search,omitzero" query:"search" maxLength:"1000" doc:"Only those in whose id this text stands, whatever its case."`
	Order  string `json:"order,omitzero" query:"order" enum:"feedback,kept,rejected,recent,id" default:"feedback" doc:"What stands first."`
	Limit  int    `json:"limit,omitzero" query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"How many to list."`
	Cursor string `json:"cursor,omitzero" query:"cursor" doc:"The next of the answer before."`
}

// RuleList is one page of rules.
type RuleList struct {
	Rules []RuleLine `json:"rules" nullable:"false"`
	Total int        `json:"total" doc:"How many there are, listed or not."`
	Next  string     `json:"next,omitzero" doc:"The cursor of the next page, absent on the last."`
}

// RuleLine is one rule in short, as its context has it.
type RuleLine struct {
	RuleID           string          `json:"rule_id"`
	SampleCount      int64           `json:"sample_count"`
	DecisionCount    int64           `json:"decision_count" doc:"Without skips."`
	AcceptanceRate   *float64        `json:"acceptance_rate"`
	Acceptance       *stats.Interval `json:"acceptance" doc:"95 % bounds."`
	ModificationRate *float64        `json:"modification_rate"`
	SkipRate         *float64        `json:"skip_rate"`
	Last             string          `json:"last,omitzero" doc:"The day of the last feedback."`
	Patterns         int             `json:"patterns" doc:"How many fixes its context tells of."`

	key string
}

// rulebook remembers of every rule what lists show, so that a list reads what changed.
// Safe for concurrent use.
type rulebook struct {
	mu    sync.Mutex
	pages map[string]rulePage // guarded by mu; by key
}

type rulePage struct {
	revision uint64
	line     *RuleLine // nil: nobody can read it
}

func pageOf(e kv.Context) rulePage {
	var c rules.Context
	if json.Unmarshal(e.Value, &c) != nil {
		return rulePage{revision: e.Revision}
	}
	l := &RuleLine{
		RuleID: c.RuleID, SampleCount: c.SampleCount, DecisionCount: c.DecisionCount, AcceptanceRate: c.AcceptanceRate,
		ModificationRate: c.ModificationRate, SkipRate: c.SkipRate,
		Patterns: len(c.AcceptedPatterns) + len(c.RejectedPatterns) + len(c.UsefulModifications), key: e.Key,
	}
	if c.Evidence != nil {
		l.Acceptance, l.Last = c.Evidence.Acceptance, c.Evidence.Last
	}
	return rulePage{e.Revision, l}
}

// lines are those of all rules that a search finds.
func (b *rulebook) lines(all Entries, search string) (list []*RuleLine) {
	search = strings.ToLower(search)
	b.mu.Lock()
	defer b.mu.Unlock()
	next := make(map[string]rulePage, len(b.pages))
	for e := range all.All(kindRule + ".") {
		p, known := b.pages[e.Key]
		if !known || p.revision != e.Revision {
			p = pageOf(e)
		}
		next[e.Key] = p
		if p.line != nil && (search == "" || strings.Contains(strings.ToLower(p.line.RuleID), search)) {
			list = append(list, p.line)
		}
	}
	b.pages = next
	return list
}

// before orders lines; those that are alike by their keys.
func before(order string) func(a, b *RuleLine) int {
	bound := func(l *RuleLine, of func(stats.Interval) float64) float64 {
		if l.Acceptance == nil {
			return -1
		}
		return of(*l.Acceptance)
	}
	first := map[string]func(a, b *RuleLine) int{
		ruleOrderKept: func(a, b *RuleLine) int {
			lower := func(i stats.Interval) float64 { return i.Lower }
			return cmp.Compare(bound(b, lower), bound(a, lower))
		},
		ruleOrderRejected: func(a, b *RuleLine) int {
			missing := func(i stats.Interval) float64 { return 1 - i.Upper }
			return cmp.Compare(bound(b, missing), bound(a, missing))
		},
		ruleOrderRecent: func(a, b *RuleLine) int { return strings.Compare(b.Last, a.Last) },
		ruleOrderID:     func(a, b *RuleLine) int { return strings.Compare(a.RuleID, b.RuleID) },
	}[order]
	return func(a, b *RuleLine) int {
		if first != nil {
			if c := first(a, b); c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(b.SampleCount, a.SampleCount), strings.Compare(a.key, b.key))
	}
}

func (a *API) listRules(_ context.Context, in *RulesArgs) (*RuleList, error) {
	if err := a.licensed(kindRule); err != nil {
		return nil, err
	}
	found := a.rulebook.lines(a.deps.Contexts, in.Search)
	inorder.Sort(found, before(in.Order))
	from := 0
	if in.Cursor != "" {
		last := slices.IndexFunc(found, func(l *RuleLine) bool { return l.key == in.Cursor })
		if last < 0 {
			return nil, wrong(Invalid, "/cursor", "the next of an answer that still holds; begin anew")
		}
		from = last + 1
	}
	limit := cmp.Or(in.Limit, pageSize)
	end := min(from+limit, len(found))
	out := &RuleList{Rules: []RuleLine{}, Total: len(found)}
	for _, l := range found[from:end] {
		out.Rules = append(out.Rules, *l)
	}
	if end < len(found) {
		out.Next = found[end-1].key
	}
	return out, nil
}
