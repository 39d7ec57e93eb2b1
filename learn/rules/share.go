package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// ShareArgs say what may be shared.
type ShareArgs struct {
	// Threshold is the fewest distinct people behind every count that is shown.
	Threshold int `json:"threshold"`
	// Without are the keyed hashes of people who do not take part: nothing of them counts.
	Without []string `json:"without,omitzero"`
}

// Share is what others may see of rule feedback. Every count in it stands for
// enough people, and every sum is one of counts that are shown, so that nothing
// that is not shown can be found by subtraction.
type Share struct {
	Threshold      int          `json:"threshold"` // people behind each count, at least
	Rules          []SharedRule `json:"rules"`     // by id
	Decisions      Tally        `json:"decisions"` // of the rules above
	AcceptanceRate *float64     `json:"acceptance_rate"`
}

// SharedRule is a rule of which something is shown.
type SharedRule struct {
	RuleID         string          `json:"rule_id"`
	Decisions      Tally           `json:"decisions"` // of the patterns and the others below
	AcceptanceRate *float64        `json:"acceptance_rate"`
	Lower          float64         `json:"lower"` // 95 % bounds of the acceptance rate
	Upper          float64         `json:"upper"`
	Patterns       []SharedPattern `json:"patterns"`
	// Others are the decisions about this rule that no pattern above holds, where
	// enough people stand behind them together; else they are left out everywhere.
	Others *Tally `json:"others,omitzero"`
}

// SharedPattern is a pattern that enough people decided about.
type SharedPattern struct {
	Hash      string `json:"pattern"`
	Type      string `json:"pattern_type"` // accepted, rejected, or neither: ""
	Original  string `json:"original_pattern"`
	Suggested string `json:"suggested_pattern"`
	Decisions Tally  `json:"decisions"`
}

// answerShare makes a partition's part of what is shared, from the records kept.
// All feedback about a rule lies in one partition.
func answerShare(q learn.Question) (any, error) {
	var args ShareArgs
	if err := json.Unmarshal(q.Args, &args); err != nil {
		return nil, fmt.Errorf("read what may be shared: %w", events.Unquoted(err))
	}
	if args.Threshold < 1 {
		return nil, fmt.Errorf("share rule feedback: %d people are no threshold", args.Threshold)
	}
	absent := make(map[string]bool, len(args.Without))
	for _, person := range args.Without {
		absent[person] = true
	}
	found := map[string]heaps{}
	everything := Filter{}
	for f := range everything.records(q.Records, everything.From, everything.To) {
		if f.Person != "" && absent[f.Person] {
			continue
		}
		id := string(f.Data.RuleID)
		if found[id] == nil {
			found[id] = heaps{}
		}
		found[id].add(f)
	}
	part := Share{Threshold: args.Threshold, Rules: []SharedRule{}}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if r, some := found[id].share(id, args.Threshold); some {
			part.Rules = append(part.Rules, r)
		}
	}
	return part, nil
}

// heaps are the decisions about one rule by pattern; those that show none lie
// under "".
type heaps map[string]*evidenced

func (h heaps) add(f *events.Fact[events.FixFeedback]) {
	hash := ""
	if f.Data.Derived != nil && f.Data.Decision != events.Skipped {
		hash = f.Data.Derived.Pattern
	}
	if h[hash] == nil {
		h[hash] = &evidenced{people: map[string]bool{}}
	}
	if hash != "" {
		h[hash].add(f)
		return
	}
	h[""].pattern.Tally.add(f.Data.Decision, 1)
	h[""].people[cmp.Or(f.Person, f.Data.Person())] = true
}

// evidenced is a pattern and the people behind it; feedback without a person counts as
// one person together.
type evidenced struct {
	pattern pattern
	people  map[string]bool
}

func (e *evidenced) add(f *events.Fact[events.FixFeedback]) {
	e.pattern.Tally.add(f.Data.Decision, 1)
	e.pattern.show(f.Data.Derived, 1)
	e.people[cmp.Or(f.Person, f.Data.Person())] = true
}

// share returns what of a rule enough people stand behind, false when nothing.
func (h heaps) share(rule string, threshold int) (SharedRule, bool) {
	r := SharedRule{RuleID: rule, Patterns: []SharedPattern{}}
	rest := evidenced{people: map[string]bool{}}
	for _, hash := range slices.Sorted(maps.Keys(h)) {
		e := h[hash]
		if hash == "" || len(e.people) < threshold {
			rest.pattern.Tally = rest.pattern.Tally.plus(e.pattern.Tally, 1)
			maps.Copy(rest.people, e.people)
			continue
		}
		w := e.pattern.shown()
		r.Patterns = append(r.Patterns, SharedPattern{hash, e.pattern.kind(), w.Original, w.Suggested, e.pattern.Tally})
		r.Decisions = r.Decisions.plus(e.pattern.Tally, 1)
	}
	if len(rest.people) >= threshold {
		r.Others = &rest.pattern.Tally
		r.Decisions = r.Decisions.plus(rest.pattern.Tally, 1)
	}
	r.AcceptanceRate = rate(r.Decisions.acceptance())
	bounds := round(r.Decisions.bounds())
	r.Lower, r.Upper = bounds.Lower, bounds.Upper
	return r, len(r.Patterns) > 0 || r.Others != nil
}

// MergeShares joins the parts of the partitions.
func MergeShares(parts ...Share) Share {
	all := Share{Rules: []SharedRule{}}
	for _, p := range parts {
		all.Threshold = max(all.Threshold, p.Threshold)
		all.Rules = append(all.Rules, p.Rules...)
	}
	inorder.Sort(all.Rules, func(a, b SharedRule) int { return cmp.Compare(a.RuleID, b.RuleID) })
	for _, r := range all.Rules {
		all.Decisions = all.Decisions.plus(r.Decisions, 1)
	}
	all.AcceptanceRate = rate(all.Decisions.acceptance())
	return all
}
