package rules

import (
	"cmp"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Pattern is one pattern of a rule with all that was decided about it, as it is
// exported.
type Pattern struct {
	RuleID    string `json:"rule_id"`
	Hash      string `json:"pattern"`
	Type      string `json:"pattern_type"` // accepted, rejected, or neither: ""
	Original  string `json:"original_pattern"`
	Suggested string `json:"suggested_pattern"`
	Tally     Tally  `json:"decisions"`
	// People is how many distinct people are behind it; feedback without a person
	// counts as one person together.
	People int64 `json:"people"`
}

// The types of an exported pattern.
const (
	typeAccepted = "accepted"
	typeRejected = "rejected"
)

// answerPatterns lists every pattern among the records that pass the filter,
// by rule and hash.
func answerPatterns(q learn.Question) (any, error) {
	filter, err := readFilter(q.Args)
	if err != nil {
		return nil, err
	}
	found := map[[2]string]*evidenced{}
	for f := range filter.records(q.Records, filter.From, filter.To) {
		if f.Data.Derived == nil || f.Data.Derived.Pattern == "" || f.Data.Decision == events.Skipped {
			continue
		}
		at := [2]string{string(f.Data.RuleID), f.Data.Derived.Pattern}
		if found[at] == nil {
			found[at] = &evidenced{people: map[string]bool{}}
		}
		found[at].add(f)
	}
	list := make([]Pattern, 0, len(found))
	for at, e := range found {
		list = append(list, e.export(at[0], at[1]))
	}
	slices.SortFunc(list, func(a, b Pattern) int {
		return cmp.Or(cmp.Compare(a.RuleID, b.RuleID), cmp.Compare(a.Hash, b.Hash))
	})
	return list, nil
}

// evidenced is a pattern and the people behind it.
type evidenced struct {
	pattern pattern
	people  map[string]bool
}

func (e *evidenced) add(f *events.Fact[events.FixFeedback]) {
	e.pattern.Tally.add(f.Data.Decision, 1)
	e.pattern.show(f.Data.Derived, 1)
	e.people[cmp.Or(f.Person, f.Data.Person())] = true
}

func (e *evidenced) export(rule, hash string) Pattern {
	w := e.pattern.shown()
	p := Pattern{RuleID: rule, Hash: hash, Original: w.Original, Suggested: w.Suggested,
		Tally: e.pattern.Tally, People: int64(len(e.people))}
	switch {
	case e.pattern.kept() > 0:
		p.Type = typeAccepted
	case e.pattern.turned() > 0:
		p.Type = typeRejected
	}
	return p
}
