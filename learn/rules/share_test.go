package rules_test

import (
	"fmt"
	"maps"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/rules"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const five = 5

func share(t testingT, l *learntest.Loop, args rules.ShareArgs) rules.Share {
	parts, err := learntest.Ask[rules.Share](l, rules.Model(), rules.AskShare, args)
	if err != nil {
		t.Fatal(err)
	}
	return rules.MergeShares(parts...)
}

// testingT is a test, or a case of rapid.
type testingT interface{ Fatal(args ...any) }

// opinion is a decision of a person about a pattern of a rule.
type opinion struct{ person, rule, pattern, decision string }

func say(t testingT, l *learntest.Loop, o opinion) {
	f := events.FixFeedback{RuleID: events.ID(o.rule), Category: "style", Decision: events.Decision(o.decision),
		OriginalText: o.pattern, SuggestedText: "better", UserID: events.ID(o.person)}
	e := event(fmt.Sprint(o), when(0), f)
	if err := l.Hear(e); err != nil {
		t.Fatal(err)
	}
}

func TestSmallCellsAreLeftOutOfEverySum(t *testing.T) {
	l := newLoop()
	for _, person := range []string{"a", "b", "c", "d", "e"} {
		say(t, l, opinion{person, "shown", "large", "accepted"})
	}
	for _, person := range []string{"a", "b", "c", "planted"} {
		say(t, l, opinion{person, "shown", "small", "rejected"})
		say(t, l, opinion{person, "hidden", "small", "rejected"})
	}
	s := share(t, l, rules.ShareArgs{Threshold: five})
	if len(s.Rules) != 1 || s.Rules[0].RuleID != "shown" || len(s.Rules[0].Patterns) != 1 || s.Rules[0].Others != nil {
		t.Fatalf("%+v", s)
	}
	large := rules.Tally{Accepted: 5}
	if p := s.Rules[0].Patterns[0]; p.Original != "large" || p.Decisions != large || p.Type != "accepted" {
		t.Errorf("%+v", p)
	}
	if s.Decisions != large || s.Rules[0].Decisions != large || *s.AcceptanceRate != 1 {
		t.Errorf("sums say more than the cells: %+v", s)
	}
}

func TestSmallPatternsOfEnoughPeopleAreShownTogether(t *testing.T) {
	l := newLoop()
	for i, person := range []string{"a", "b", "c", "d", "e", "f"} {
		say(t, l, opinion{person, "r", fmt.Sprint("pattern ", i/2), "rejected"})
	}
	say(t, l, opinion{"g", "r", "", "skipped"})
	s := share(t, l, rules.ShareArgs{Threshold: five})
	if len(s.Rules) != 1 || len(s.Rules[0].Patterns) != 0 || s.Rules[0].Others == nil || *s.Rules[0].Others != (rules.Tally{Rejected: 6, Skipped: 1}) {
		t.Errorf("%+v", s.Rules)
	}
}

func TestWhoDoesNotTakePartLeavesNoTrace(t *testing.T) {
	with, without := newLoop(), newLoop()
	for _, person := range []string{"a", "b", "c", "d", "e"} {
		for _, l := range []*learntest.Loop{with, without} {
			say(t, l, opinion{person, "r", "large", "accepted"})
		}
	}
	for _, pattern := range []string{"large", "only theirs"} {
		say(t, with, opinion{"absent", "r", pattern, "rejected"})
		say(t, with, opinion{"absent", "another", pattern, "rejected"})
	}
	got := share(t, with, rules.ShareArgs{Threshold: five, Without: []string{learntest.Blind("person", "absent"), "nobody", ""}})
	if diff := cmp.Diff(share(t, without, rules.ShareArgs{Threshold: five}), got); diff != "" {
		t.Errorf("-without +got\n%s", diff)
	}
	got = share(t, with, rules.ShareArgs{Threshold: five, Without: []string{learntest.Blind("person", "a")}})
	if len(got.Rules) != 1 || got.Rules[0].Decisions.Rejected != 1 { // the absent one takes a's place
		t.Errorf("%+v", got.Rules)
	}
}

func TestFeedbackOfNobodyCountsAsOnePerson(t *testing.T) {
	l := newLoop()
	for i := range 20 {
		if err := l.Hear(event(fmt.Sprint(i), when(i), fix("r", "accepted"))); err != nil {
			t.Fatal(err)
		}
	}
	for n, person := range []string{"a", "b", "c", "d"} {
		if s := share(t, l, rules.ShareArgs{Threshold: five}); len(s.Rules) != 0 {
			t.Fatalf("shown with nobody and %d people: %+v", n, s)
		}
		f := fix("r", "rejected")
		f.UserID = events.ID(person)
		decide(t, l, 1, f)
	}
	s := share(t, l, rules.ShareArgs{Threshold: five})
	if len(s.Rules) != 1 || s.Rules[0].Decisions != (rules.Tally{Accepted: 20, Rejected: 4}) {
		t.Errorf("nobody and four people: %+v", s)
	}
}

// census knows who said how much about what.
type census struct {
	people map[string]map[string]bool // by rule and pattern
	counts map[string]int64
}

var patternsOfCensus = []string{"x", "y", "z"}

// surveyed reports random decisions and counts them.
func surveyed(t *rapid.T, l *learntest.Loop) census {
	c := census{map[string]map[string]bool{}, map[string]int64{}}
	said := map[string]bool{}
	for range rapid.IntRange(0, 40).Draw(t, "decisions") {
		person := rapid.SampledFrom([]string{"", "a", "b", "c", "d", "e"}).Draw(t, "person")
		rule := rapid.SampledFrom([]string{"r", "s"}).Draw(t, "rule")
		pattern := rapid.SampledFrom(patternsOfCensus).Draw(t, "pattern")
		decision := rapid.SampledFrom([]string{"accepted", "rejected", "modified"}).Draw(t, "decision")
		if id := person + rule + pattern + decision; !said[id] {
			said[id] = true
			say(t, l, opinion{person, rule, pattern, decision})
			if c.people[rule+pattern] == nil {
				c.people[rule+pattern] = map[string]bool{}
			}
			c.people[rule+pattern][person] = true
			c.counts[rule+pattern]++
		}
	}
	return c
}

// check holds a shared rule against the census and returns what it shows in all.
func (c census) check(t *rapid.T, r rules.SharedRule, threshold int) (sum int64) {
	shown := map[string]bool{}
	for _, p := range r.Patterns {
		where := r.RuleID + p.Original
		if len(c.people[where]) < threshold || p.Decisions.Total() != c.counts[where] {
			t.Fatalf("%s: %+v, but %d people said %d", where, p.Decisions, len(c.people[where]), c.counts[where])
		}
		shown[p.Original] = true
		sum += p.Decisions.Total()
	}
	rest, behind := int64(0), map[string]bool{}
	for _, pattern := range patternsOfCensus {
		if !shown[pattern] {
			rest += c.counts[r.RuleID+pattern]
			maps.Copy(behind, c.people[r.RuleID+pattern])
		}
	}
	if r.Others != nil {
		if r.Others.Total() != rest || len(behind) < threshold {
			t.Fatalf("others of %s: %+v, but %d people said %d", r.RuleID, r.Others, len(behind), rest)
		}
		sum += rest
	}
	if r.Decisions.Total() != sum {
		t.Fatalf("%s says %d in all and shows %d", r.RuleID, r.Decisions.Total(), sum)
	}
	return sum
}

func TestNothingThatFewPeopleStandBehindCanBeFoundBySubtraction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLoop()
		threshold := rapid.IntRange(1, 4).Draw(t, "threshold")
		c := surveyed(t, l)
		s := share(t, l, rules.ShareArgs{Threshold: threshold})
		var total int64
		for _, r := range s.Rules {
			total += c.check(t, r, threshold)
		}
		if s.Decisions.Total() != total {
			t.Fatalf("says %d in all and shows %d", s.Decisions.Total(), total)
		}
	})
}

func TestNoThresholdIsNoQuestion(t *testing.T) {
	for _, args := range []any{rules.ShareArgs{}, "nonsense"} {
		if _, err := learntest.Ask[any](newLoop(), rules.Model(), rules.AskShare, args); err == nil {
			t.Errorf("%v was answered", args)
		}
	}
}
