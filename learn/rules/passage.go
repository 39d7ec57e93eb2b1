package rules

import (
	"slices"
	"sort"
	"strings"

	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/learn/portable"
)

// ComingArgs ask which rules come next in an export.
type ComingArgs struct {
	After string   `json:"after,omitzero"` // a rule
	Rules []string `json:"rules,omitzero"` // empty: all
	Most  int      `json:"most"`
}

// Coming is a rule that comes, and about how many patterns it has.
type Coming struct {
	Rule     string `json:"rule"`
	Patterns int64  `json:"patterns,omitzero"`
}

// ComingPart is a partition's part of the rules that come, in order.
type ComingPart struct {
	Rules []Coming `json:"rules,omitzero"`
	More  bool     `json:"more,omitzero"` // the partition has more behind them
}

func answerComing(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[ComingArgs](q, "what comes next")
	if err != nil {
		return nil, err
	}
	part := ComingPart{}
	for _, id := range sortedNames(grouped(cells(q.Rows), ruleOf)) {
		if id <= args.After || len(args.Rules) > 0 && !slices.Contains(args.Rules, id) {
			continue
		}
		if part.More = len(part.Rules) == args.Most; part.More {
			break
		}
		n := learn.Peek[patternCount](q.Rows, ruleKey(id), patternsRow)
		part.Rules = append(part.Rules, Coming{id, max(n.Accepted+n.Rejected, 1)})
	}
	return part, nil
}

// Passage is how far an export of patterns is. It looks ahead which rules come, so that
// each page asks for what is on it and for nothing else.
type Passage struct {
	At     portable.Key `json:"at"`
	Coming []Coming     `json:"coming,omitzero"` // behind At, in order, none left out
}

// Foresee takes in which rules come; when there are none behind, that was all.
func (p *Passage) Foresee(parts ...ComingPart) {
	p.Coming = nil
	last, bounded := "", false
	for _, part := range parts {
		p.Coming = append(p.Coming, part.Rules...)
		if n := len(part.Rules); part.More && (!bounded || part.Rules[n-1].Rule < last) {
			last, bounded = part.Rules[n-1].Rule, true
		}
	}
	inorder.Sort(p.Coming, func(a, b Coming) int { return strings.Compare(a.Rule, b.Rule) })
	if bounded { // others may come before those behind it
		p.Coming = slices.DeleteFunc(p.Coming, func(c Coming) bool { return c.Rule > last })
	}
}

// Page names the rules of the next page, about so many patterns.
func (p *Passage) Page(patterns int64) (names []string) {
	var n int64
	for _, c := range p.Coming {
		if n += c.Patterns; len(names) > 0 && n > patterns {
			break
		}
		names = append(names, c.Rule)
	}
	return names
}

// Pass goes on behind a page of rules, or behind a place within it.
func (p *Passage) Pass(page []string, within portable.Key, is bool) {
	p.At = portable.Key{Rule: page[len(page)-1]}
	left := len(page)
	if is {
		p.At, left = within, sort.SearchStrings(page, within.Rule)
	}
	p.Coming = p.Coming[left:]
}
