package rules

import (
	"cmp"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/stats"
)

// How much a context lists.
const (
	mostPatterns = 5
	mostEdits    = 3
	mostRules    = 5 // of the summary
	topRules     = 3 // of a category, on each side
)

// insight is what a partition knows about one key: of a rule or of a group.
type insight struct {
	Rule  *ruleKnown  `json:"rule,omitzero"`
	Group *groupKnown `json:"group,omitzero"`
}

// span is the first and the last day with evidence, in days since 1970.
type span struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

// ruleKnown is what is known about a rule; all of it lies in one partition.
type ruleKnown struct {
	Tally      Tally             `json:"tally"`
	Span       span              `json:"span"`
	Confidence stats.Calibration `json:"confidence"`
	Global     stats.Calibration `json:"global"`
	Patterns   patternCount      `json:"patterns"`
	Accepted   []decided         `json:"accepted,omitzero"`
	Rejected   []decided         `json:"rejected,omitzero"`
	Edits      []knownEdit       `json:"edits,omitzero"`
}

// groupKnown is a partition's part of what is known about a category or about
// everything. Its lists of rules are the best of the partition.
type groupKnown struct {
	Tally      Tally             `json:"tally"`
	Span       span              `json:"span"`
	Rules      int64             `json:"rules"`
	Confidence stats.Calibration `json:"confidence,omitzero"`
	Accepted   []member          `json:"accepted,omitzero"`
	Rejected   []member          `json:"rejected,omitzero"`
	Busiest    []member          `json:"busiest,omitzero"`
}

// know condenses the rows of a rule, a category or the summary.
func know(rows learn.Rows, key learn.Key) (insight, bool) {
	switch key.Kind {
	case kindRule:
		r := learn.Peek[graded](rows, key, totalRow)
		return insight{Rule: knowRule(rows, key, r)}, r.Tally != (Tally{})
	case kindCategory:
		k := knowCategory(rows, key)
		return insight{Group: k}, k.Tally != (Tally{})
	default:
		all := learn.Peek[overall](rows, key, totalRow)
		return insight{Group: knowAll(rows, key, all)}, all.Tally != (Tally{})
	}
}

func knowRule(rows learn.Rows, key learn.Key, r graded) *ruleKnown {
	k := &ruleKnown{
		Tally:      r.Tally,
		Span:       spanOf(rows, key),
		Confidence: r.Confidence,
		Global:     learn.Peek[prior](rows, summaryKey(), priorRow).Global,
	}
	if r.Tally.Decided() < enough {
		return k
	}
	k.Patterns = learn.Peek[patternCount](rows, key, patternsRow)
	k.Accepted = bestPatterns(rows, key, keptSet, mostPatterns)
	k.Rejected = bestPatterns(rows, key, turnedSet, mostPatterns)
	k.Edits = bestEdits(rows, key, mostEdits)
	return k
}

func knowCategory(rows learn.Rows, key learn.Key) *groupKnown {
	members := membersOf(rows, key)
	var t Tally
	for _, m := range members {
		t = t.plus(m.Tally, 1)
	}
	return &groupKnown{
		Tally:    t,
		Span:     spanOf(rows, key),
		Rules:    int64(len(members)),
		Accepted: mostAccepted(members),
		Rejected: mostRejected(members),
	}
}

// member is a rule within a group.
type member struct {
	Rule  string `json:"rule"`
	Tally Tally  `json:"tally"`
}

// membersOf adds up the cells of each rule of a category; they lie side by side.
func membersOf(rows learn.Rows, key learn.Key) []member {
	var members []member
	for _, c := range learn.Scan[cell](rows, key, cellRows) {
		last := len(members) - 1
		if last >= 0 && members[last].Rule == c.Rule {
			members[last].Tally = members[last].Tally.plus(c.Tally, 1)
			continue
		}
		members = append(members, member{c.Rule, c.Tally})
	}
	return members
}

func knowAll(rows learn.Rows, key learn.Key, all overall) *groupKnown {
	k := &groupKnown{
		Tally:      all.Tally,
		Span:       spanOf(rows, key),
		Rules:      learn.Peek[int64](rows, key, rulesRow),
		Confidence: all.Confidence,
	}
	for _, busy := range learn.TopOf(rows, key, busySet).Best(mostRules) {
		id := ruleNamed(rows, busy.Label)
		k.Busiest = append(k.Busiest, member{id, learn.Peek[graded](rows, ruleKey(id), totalRow).Tally})
	}
	return k
}

// ruleNamed is the rule behind a token. Of a very long name the token is only a
// hash; then it is looked up.
func ruleNamed(rows learn.Rows, token string) string {
	if id, ok := events.Untoken(token); ok {
		return id
	}
	for _, c := range cells(rows) {
		if events.Token(c.Rule) == token {
			return c.Rule
		}
	}
	return ""
}

func spanOf(rows learn.Rows, key learn.Key) span {
	days := learn.EndsOf(rows, key, spanSet)
	first, _ := days.Least()
	last, _ := days.Greatest()
	return span{first, last}
}

// mostAccepted lists the rules with the highest lower bound of acceptance.
func mostAccepted(members []member) []member { return bestRules(members, Tally.Kept) }

// mostRejected lists the rules with the lowest upper bound of acceptance.
func mostRejected(members []member) []member {
	return bestRules(members, func(t Tally) int64 { return t.Rejected })
}

// rival is a rule that may be among the best.
type rival struct {
	member
	n     int64   // what is counted of its decisions
	score float64 // of n, as a bound
}

func (r rival) compare(o rival) int {
	return cmp.Or(cmp.Compare(o.score, r.score), cmp.Compare(r.Rule, o.Rule))
}

// apart is how far the lower bound from Beta(1, 1) lies above Wilson's at most.
const apart = 0.01

// bestRules lists the few rules with at least three decisions where the lower
// bound of the share that is counted is highest, ties by name. Wilson's bound
// costs a hundredth and tells for which rules the other need not be computed.
func bestRules(members []member, count func(Tally) int64) []member {
	rivals := make([]rival, 0, len(members))
	for _, m := range members {
		if n := count(m.Tally); n > 0 && m.Tally.Decided() >= fewest {
			rivals = append(rivals, rival{m, n, stats.Wilson(n, m.Tally.Decided(), sure).Lower})
		}
	}
	inorder.Sort(rivals, rival.compare)
	var best []rival
	known := bounds{}
	for _, r := range rivals {
		if len(best) == topRules && r.score+apart < best[topRules-1].score {
			break
		}
		r.score = known.lower(stats.Share{X: r.n, N: r.Tally.Decided()})
		best = append(best, r)
		inorder.Sort(best, rival.compare)
		best = best[:min(len(best), topRules)]
	}
	var list []member
	for _, r := range best {
		list = append(list, r.member)
	}
	return list
}

// busiest lists the rules with most decisions, ties by name.
func busiest(members []member) []member {
	sorted := inorder.Sorted(slices.Values(members), func(a, b member) int {
		return cmp.Or(cmp.Compare(b.Tally.Decided(), a.Tally.Decided()), cmp.Compare(a.Rule, b.Rule))
	})
	return sorted[:min(len(sorted), mostRules)]
}

// merged is what all partitions know about a group together.
func merged(parts []*groupKnown) groupKnown {
	all := *parts[0]
	for _, p := range parts[1:] {
		all.Tally = all.Tally.plus(p.Tally, 1)
		all.Span = span{min(all.Span.First, p.Span.First), max(all.Span.Last, p.Span.Last)}
		all.Rules += p.Rules
		all.Confidence.Merge(p.Confidence, 1)
		all.Accepted = slices.Concat(all.Accepted, p.Accepted)
		all.Rejected = slices.Concat(all.Rejected, p.Rejected)
		all.Busiest = slices.Concat(all.Busiest, p.Busiest)
	}
	all.Accepted = mostAccepted(all.Accepted)
	all.Rejected = mostRejected(all.Rejected)
	all.Busiest = busiest(all.Busiest)
	return all
}
