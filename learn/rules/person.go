package rules

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/learn"
	"learnloop.dev/stats"

	"github.com/go-json-experiment/json"
)

// PersonArgs ask where a person decides differently from the others.
type PersonArgs struct {
	// Person is the blind index of the person.
	Person string `json:"person"`
}

// PersonPart is one partition's part of the answer.
type PersonPart struct {
	Rules []Difference `json:"rules"`
}

// Difference is a rule about which a person decides otherwise than the others:
// the 95 % interval of the difference leaves out zero.
type Difference struct {
	RuleID         string  `json:"rule_id"`
	AcceptanceRate float64 `json:"acceptance_rate"` // the person's
	DecisionCount  int64   `json:"decision_count"`
	OthersRate     float64 `json:"others_acceptance_rate"`
	OthersCount    int64   `json:"others_decision_count"`
	Change         float64 `json:"difference"` // the person's rate minus the others'
	Lower          float64 `json:"lower"`
	Upper          float64 `json:"upper"`
}

// ownEnough is how many decisions each side needs before they are compared.
const ownEnough = 5

func answerPerson(q learn.Question) (any, error) {
	var args PersonArgs
	if err := json.Unmarshal(q.Args, &args); err != nil {
		return nil, fmt.Errorf("read whom to compare: %w", events.Unquoted(err))
	}
	if args.Person == "" {
		return nil, errors.New("read whom to compare: no person is given")
	}
	own := map[string]Tally{}
	for r := range q.Records.Each(learn.Select{Kind: events.FeedbackFix.Kind, Person: args.Person}) {
		if f, ok := r.Payload().(*events.FixFeedback); ok {
			tally := own[string(f.RuleID)]
			tally.add(f.Decision, 1)
			own[string(f.RuleID)] = tally
		}
	}
	part := PersonPart{Rules: []Difference{}}
	for _, id := range sortedNames(own) {
		others := learn.Peek[graded](q.Rows, ruleKey(id), totalRow).Tally.plus(own[id], -1)
		if d, ok := differs(id, own[id].acceptance(), others.acceptance()); ok {
			part.Rules = append(part.Rules, d)
		}
	}
	return part, nil
}

func differs(id string, own, others stats.Share) (Difference, bool) {
	interval := round(stats.Newcombe(own, others, sure))
	if own.N < ownEnough || others.N < ownEnough || interval.Lower <= 0 && interval.Upper >= 0 {
		return Difference{}, false
	}
	p, _ := own.Rate()
	o, _ := others.Rate()
	return Difference{
		RuleID:         id,
		AcceptanceRate: stats.Round(p, digits),
		DecisionCount:  own.N,
		OthersRate:     stats.Round(o, digits),
		OthersCount:    others.N,
		Change:         stats.Round(p-o, digits),
		Lower:          interval.Lower,
		Upper:          interval.Upper,
	}, true
}

// MergePerson joins the parts of the partitions, the largest difference first.
func MergePerson(parts ...PersonPart) PersonPart {
	all := PersonPart{Rules: []Difference{}}
	for _, p := range parts {
		all.Rules = append(all.Rules, p.Rules...)
	}
	inorder.Sort(all.Rules, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)), cmp.Compare(a.RuleID, b.RuleID))
	})
	return all
}
