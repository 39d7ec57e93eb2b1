package rules

import (
	"cmp"
	"strings"

	"learnloop.dev/inorder"
	"learnloop.dev/learn"
)

// How much statistics list of patterns and remarks.
const (
	mostListed     = 20 // rules: those with the most feedback; others when they are named
	listedPatterns = 15 // of a rule, accepted and rejected
	listedRemarks  = 3
)

// TextsArgs ask what statistics list of patterns and remarks of some rules.
type TextsArgs struct {
	Filter Filter   `json:"filter"`
	Rules  []string `json:"rules"`
}

// Texts is one partition's part of them. What there is of a rule lies in one part.
type Texts struct {
	Patterns map[string]rulePatterns `json:"patterns,omitzero"`
	Remarks  map[string][]Remark     `json:"remarks,omitzero"`
}

// rulePatterns are the patterns of one rule, best first.
type rulePatterns struct {
	Count    patternCount `json:"count"`
	Accepted []decided    `json:"accepted,omitzero"`
	Rejected []decided    `json:"rejected,omitzero"`
}

// Loudest are the rules whose patterns and remarks statistics list: those with the most
// feedback in all partitions, ties by name. Only once all have counted is it known which.
func Loudest(parts []Part) []string {
	feedback := map[string]int64{}
	for _, p := range parts {
		for _, c := range p.Cells {
			feedback[c.Rule] += c.Tally.Total()
		}
	}
	var all []loud
	for id, n := range feedback {
		if n >= enough {
			all = append(all, loud{id, n})
		}
	}
	inorder.Sort(all, func(a, b loud) int { return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(a.id, b.id)) })
	var ids []string
	for _, l := range all[:min(len(all), mostListed)] {
		ids = append(ids, l.id)
	}
	return ids
}

// loud is a rule and how much feedback there is about it.
type loud struct {
	id string
	n  int64
}

func answerTexts(q learn.Question) (any, error) {
	args, err := learn.ReadArgs[TextsArgs](q, "what statistics list")
	if err != nil {
		return nil, err
	}
	if !args.Filter.everything() {
		args.Filter.Rules = args.Rules // which were let through
	}
	texts, rows := Texts{map[string]rulePatterns{}, map[string][]Remark{}}, args.Filter.rows(q)
	for _, id := range args.Rules {
		texts.list(rows, id)
	}
	return texts, nil
}

// list adds the patterns and remarks of a rule, if there are any.
func (t Texts) list(rows learn.Rows, id string) {
	key := ruleKey(id)
	if n := learn.Peek[patternCount](rows, key, patternsRow); n != (patternCount{}) {
		t.Patterns[id] = rulePatterns{
			Count:    n,
			Accepted: bestPatterns(rows, key, keptSet, listedPatterns),
			Rejected: bestPatterns(rows, key, turnedSet, listedPatterns),
		}
	}
	if said := remarks(rows, key, whySet, listedRemarks); len(said) > 0 {
		t.Remarks[id] = said
	}
}
