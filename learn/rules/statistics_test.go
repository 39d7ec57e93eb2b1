package rules_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/rules"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func newLoop() *learntest.Loop {
	return &learntest.Loop{Models: []learn.Model{rules.Model()}, Partitions: 3}
}

// decide reports the same feedback of n suggestions.
func decide(t *testing.T, l *learntest.Loop, n int, data events.FixFeedback) {
	t.Helper()
	for i := range n {
		e := event("", data.Timestamp, data)
		e.ID = fmt.Sprintf("%s %d", e.Data, i)
		if err := l.Hear(e); err != nil {
			t.Fatal(err)
		}
	}
}

func on(at time.Time, data events.FixFeedback) events.FixFeedback {
	data.Timestamp = at
	return data
}

func fix(rule, decision string) events.FixFeedback {
	return events.FixFeedback{RuleID: events.ID(rule), Category: "style", Decision: events.Decision(decision),
		OriginalText: "was done", SuggestedText: "did"}
}

func TestWithoutDataRatesAreNull(t *testing.T) {
	s := statistics(t, newLoop(), rules.Filter{AsOf: when(0)})
	if s.TotalFeedback != 0 || s.OverallAcceptanceRate != nil || s.SkipRate != nil || s.AcceptanceRateTrend != nil {
		t.Errorf("%+v", s)
	}
	if s.Trend.Status != "no_data" {
		t.Errorf("trend %+v", s.Trend)
	}
}

func TestAnUnknownRuleHasAnEmptyContext(t *testing.T) {
	c := rules.Empty("never-seen")
	if c.RuleID != "never-seen" || c.Kind != "rule" || c.SampleCount != 0 || c.AcceptanceRate != nil ||
		c.HasSufficientData || c.Prompt != "" || c.AcceptedPatterns == nil || c.Evidence != nil {
		t.Errorf("%+v", c)
	}
}

func TestAPeriodIsExactToTheTimestampAndHalfOpen(t *testing.T) {
	l := newLoop()
	at := time.Date(2026, 5, 1, 12, 30, 15, 123456789, time.UTC)
	decide(t, l, 1, on(at.Add(-1), fix("r", "accepted")))
	decide(t, l, 1, on(at, fix("r", "rejected")))
	decide(t, l, 1, on(at.Add(time.Second), fix("r", "accepted")))
	s := statistics(t, l, rules.Filter{From: at, To: at.Add(time.Second)})
	if s.TotalFeedback != 1 || s.Rejected != 1 || !s.Period.Start.Equal(at) || !s.Period.End.Equal(at.Add(time.Second)) {
		t.Errorf("%+v", s)
	}
	if s := statistics(t, l, rules.Filter{From: at.Add(time.Hour)}); s.TotalFeedback != 0 || s.Period.End != nil {
		t.Errorf("after everything: %+v", s)
	}
}

func TestStatisticsCanLeaveOutRulesCategoriesSkipsAndBulk(t *testing.T) {
	l := newLoop()
	bulk := fix("a", "accepted")
	bulk.IsBulkOperation = true
	other := fix("a", "rejected")
	other.Category = "clarity"
	decide(t, l, 8, on(when(0), bulk))
	decide(t, l, 4, on(when(1), other))
	decide(t, l, 2, on(when(2), fix("b", "modified")))
	decide(t, l, 1, on(when(3), fix("b", "skipped")))
	for name, c := range map[string]struct {
		filter rules.Filter
		want   [4]int64 // accepted, modified, rejected, skipped
	}{
		"nothing":         {rules.Filter{}, [4]int64{8, 2, 4, 1}},
		"other rules":     {rules.Filter{Rules: []string{"b", "c"}}, [4]int64{0, 2, 0, 1}},
		"categories":      {rules.Filter{Categories: []string{"style"}}, [4]int64{8, 2, 0, 1}},
		"skips":           {rules.Filter{ExcludeSkipped: true}, [4]int64{8, 2, 4, 0}},
		"bulk":            {rules.Filter{ExcludeBulk: true}, [4]int64{0, 2, 4, 1}},
		"bulk of a":       {rules.Filter{ExcludeBulk: true, Rules: []string{"a"}}, [4]int64{0, 0, 4, 0}},
		"all of them":     {rules.Filter{Rules: []string{"b"}, Categories: []string{"clarity"}}, [4]int64{}},
		"what came later": {rules.Filter{To: when(2)}, [4]int64{8, 0, 4, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			s := statistics(t, l, c.filter)
			if got := [4]int64{s.Accepted, s.Modified, s.Rejected, s.Skipped}; got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestRatesLeaveSkipsOut(t *testing.T) {
	l := newLoop()
	decide(t, l, 2, on(when(0), fix("r", "accepted")))
	decide(t, l, 1, on(when(0), fix("r", "modified")))
	decide(t, l, 1, on(when(0), fix("r", "rejected")))
	decide(t, l, 4, on(when(0), fix("r", "skipped")))
	s := statistics(t, l, rules.Filter{})
	r := s.ByRule["r"]
	if *s.OverallAcceptanceRate != 0.75 || *s.ModificationRate != 0.25 || *s.UnchangedRate != 0.5 || *s.SkipRate != 0.5 {
		t.Errorf("overall %v %v %v %v", *s.OverallAcceptanceRate, *s.ModificationRate, *s.UnchangedRate, *s.SkipRate)
	}
	if *r.AcceptanceRate != 0.75 || r.FeedbackCount != 8 || r.Skipped != 4 || r.ConfidenceAccuracy != nil {
		t.Errorf("of the rule: %+v", r)
	}
}

func TestPatternsAreListedOfTheRulesWithTheMostFeedbackAndOfThoseThatAreNamed(t *testing.T) {
	l := newLoop()
	for rule := range 30 {
		decide(t, l, 10+rule, fix(fmt.Sprint("rule-", rule), "accepted"))
	}
	block := statistics(t, l, rules.Filter{}).FixFeedback
	if len(block.Patterns) != 20 || len(block.ByRule) != 30 {
		t.Errorf("patterns of %d rules out of %d", len(block.Patterns), len(block.ByRule))
	}
	for rule := range 30 {
		if _, listed := block.Patterns[fmt.Sprint("rule-", rule)]; listed != (rule >= 10) {
			t.Errorf("rule %d is listed: %t", rule, listed)
		}
	}
	if named := statistics(t, l, rules.Filter{Rules: []string{"rule-3"}}).FixFeedback.Patterns["rule-3"]; named.AcceptedTotal != 1 {
		t.Errorf("the patterns of a rule that is named are %+v", named)
	}
}

func TestTopRulesOfACategoryGoByBoundFromThreeDecisionsOn(t *testing.T) {
	l := newLoop()
	decide(t, l, 2, on(when(0), fix("two of two", "accepted")))
	decide(t, l, 3, on(when(0), fix("three of three", "accepted")))
	decide(t, l, 40, on(when(0), fix("forty of forty-two", "accepted")))
	decide(t, l, 2, on(when(0), fix("forty of forty-two", "rejected")))
	decide(t, l, 3, on(when(0), fix("none of three", "rejected")))
	decide(t, l, 30, on(when(0), fix("none of thirty", "rejected")))
	c := statistics(t, l, rules.Filter{}).ByCategory["style"]
	if want := []string{"forty of forty-two", "three of three"}; !slices.Equal(c.TopAcceptedRules, want) {
		t.Errorf("accepted %v, want %v", c.TopAcceptedRules, want)
	}
	if want := []string{"none of thirty", "none of three", "forty of forty-two"}; !slices.Equal(c.TopRejectedRules, want) {
		t.Errorf("rejected %v, want %v", c.TopRejectedRules, want)
	}
}

func TestTheTrendComparesTwoWeeksBeforeTheEnd(t *testing.T) {
	l := newLoop()
	end := time.Date(2026, 6, 15, 10, 20, 30, 500, time.UTC)
	week := 7 * 24 * time.Hour
	decide(t, l, 50, on(end, fix("r", "rejected"))) // at the end: outside
	decide(t, l, 8, on(end.Add(-1), fix("r", "accepted")))
	decide(t, l, 2, on(end.Add(-week), fix("r", "rejected")))
	decide(t, l, 3, on(end.Add(-week-1), fix("r", "accepted")))
	decide(t, l, 7, on(end.Add(-2*week), fix("r", "rejected")))
	decide(t, l, 50, on(end.Add(-2*week-1), fix("r", "rejected")))
	for name, filter := range map[string]rules.Filter{
		"before the period's end": {To: end},
		"before the question":     {AsOf: end},
		"of a rule":               {AsOf: end, Rules: []string{"r"}},
		"whatever the start":      {From: end.Add(-time.Hour), To: end},
	} {
		t.Run(name, func(t *testing.T) {
			trend := statistics(t, l, filter).Trend
			if trend.RecentCount != 10 || trend.PreviousCount != 10 || *trend.Change != 0.5 || trend.Status != "measured" {
				t.Errorf("%+v", trend)
			}
			if trend.Lower <= 0 || trend.Lower >= 0.5 || trend.Upper <= 0.5 {
				t.Errorf("interval %v to %v", trend.Lower, trend.Upper)
			}
		})
	}
	if trend := statistics(t, l, rules.Filter{AsOf: end.Add(-week)}).Trend; trend.Status != "measured" || trend.RecentCount != 10 {
		t.Errorf("a week earlier: %+v", trend)
	}
	if trend := statistics(t, l, rules.Filter{AsOf: end.Add(-3 * week)}); trend.AcceptanceRateTrend != nil {
		t.Errorf("before all data: %+v", trend.Trend)
	}
	if trend := statistics(t, l, rules.Filter{AsOf: end.Add(3 * week)}); trend.AcceptanceRateTrend != nil {
		t.Errorf("long after all data: %+v", trend.Trend)
	}
	if trend := statistics(t, l, rules.Filter{AsOf: end.Add(-2 * week)}); *trend.AcceptanceRateTrend != 0 || trend.Trend.Status != "no_previous_data" {
		t.Errorf("in the first week: %+v", trend.Trend)
	}
}

func TestTheTrendByHoursIsTheTrendByRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLoop()
		for i, minute := range rapid.SliceOfN(rapid.IntRange(0, 25*24*60), 0, 60).Draw(t, "minutes") {
			if err := l.Hear(event(fmt.Sprint(i), when(minute), fix("r", []string{"accepted", "rejected", "skipped"}[i%3]))); err != nil {
				t.Fatal(err)
			}
		}
		end := when(rapid.IntRange(0, 30*24*60).Draw(t, "end")).Add(time.Duration(rapid.IntRange(0, 59).Draw(t, "second")) * time.Second)
		byHours, err := learntest.Ask[rules.Part](l, rules.Model(), rules.AskStatistics, rules.Filter{AsOf: end})
		if err != nil {
			t.Fatal(err)
		}
		byRecords, err := learntest.Ask[rules.Part](l, rules.Model(), rules.AskStatistics, rules.Filter{AsOf: end, Rules: []string{"r"}})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := rules.Merge(byHours, nil).Trend, rules.Merge(byRecords, nil).Trend; !cmp.Equal(a, b) {
			t.Fatalf("by hours %+v, by records %+v", a, b)
		}
	})
}

func TestDaysAddUpToTheStatistics(t *testing.T) {
	l := newLoop()
	sure := fix("a", "rejected")
	sure.OriginalConfidence = new(0.9)
	decide(t, l, 3, on(when(10), fix("a", "accepted")))
	decide(t, l, 1, on(when(23*60+59), fix("b", "skipped")))
	decide(t, l, 2, on(when(24*60), sure))
	decide(t, l, 1, on(time.Date(1969, 12, 31, 23, 0, 0, 0, time.UTC), fix("c", "modified")))
	parts, err := learntest.Ask[[]rules.Day](l, rules.Model(), rules.AskDays, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []rules.Day{
		{Date: "1969-12-31", FeedbackCount: 1, Tally: rules.Tally{Modified: 1}, AcceptanceRate: new(1.0)},
		{Date: "2026-01-01", FeedbackCount: 4, Tally: rules.Tally{Accepted: 3, Skipped: 1}, AcceptanceRate: new(1.0)},
		{Date: "2026-01-02", FeedbackCount: 2, Tally: rules.Tally{Rejected: 2}, AcceptanceRate: new(0.0), BrierScore: new(0.81), Graded: 2},
	}
	if diff := cmp.Diff(want, rules.MergeDays(parts...), cmpopts.IgnoreFields(rules.Day{}, "Squares")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestDaysOfAPeriodSayHowConfidencesFared(t *testing.T) {
	l := newLoop()
	sure := fix("a", "rejected")
	sure.OriginalConfidence = new(0.9)
	decide(t, l, 3, on(when(10), sure))
	right := fix("b", "accepted")
	right.OriginalConfidence = new(0.9)
	decide(t, l, 1, on(when(20), right))
	decide(t, l, 5, on(when(48*60), fix("a", "accepted")))
	parts, err := learntest.Ask[[]rules.Day](l, rules.Model(), rules.AskDays, rules.Filter{From: when(0), To: when(24 * 60)})
	if err != nil {
		t.Fatal(err)
	}
	want := []rules.Day{{
		Date: "2026-01-01", FeedbackCount: 4, Tally: rules.Tally{Accepted: 1, Rejected: 3}, AcceptanceRate: new(0.25), BrierScore: new(0.61), Graded: 4,
		CalibrationError: new(0.65), ConfidenceAccuracy: new(0.25),
	}}
	if diff := cmp.Diff(want, rules.MergeDays(parts...), cmpopts.IgnoreFields(rules.Day{}, "Squares", "Confidence")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAPersonDiffersOnlyWhereTheIntervalSaysSo(t *testing.T) {
	l := newLoop()
	by := func(person, rule, decision string, n int) {
		f := fix(rule, decision)
		f.UserID = events.ID(person)
		decide(t, l, n, on(when(0), f))
	}
	by("ann", "strict", "rejected", 12)
	by("bob", "strict", "accepted", 12)
	by("", "strict", "accepted", 10) // nobody is one of the others
	by("ann", "alike", "accepted", 12)
	by("bob", "alike", "accepted", 10)
	by("bob", "alike", "rejected", 1)
	by("ann", "few", "rejected", 4)
	by("bob", "few", "accepted", 30)
	by("ann", "alone", "rejected", 30)
	parts, err := learntest.Ask[rules.PersonPart](l, rules.Model(), rules.AskPerson, rules.PersonArgs{Person: learntest.Blind("person", "ann")})
	if err != nil {
		t.Fatal(err)
	}
	got := rules.MergePerson(parts...).Rules
	if len(got) != 1 {
		t.Fatalf("got %+v", got)
	}
	d := got[0]
	if d.RuleID != "strict" || d.AcceptanceRate != 0 || d.DecisionCount != 12 || d.OthersRate != 1 || d.OthersCount != 22 || d.Upper >= 0 || d.Change != -1 {
		t.Errorf("got %+v", d)
	}
}

func TestAQuestionThatCannotBeReadIsAnError(t *testing.T) {
	for _, question := range []string{rules.AskStatistics, rules.AskTexts, rules.AskTransfer, rules.AskHeld, rules.AskPerson} {
		if _, err := learntest.Ask[any](newLoop(), rules.Model(), question, "nonsense"); err == nil {
			t.Errorf("%s took it", question)
		}
	}
}

func TestTheGlobalPriorIsTheSumOfAllPartitionsAndComesWhenItMoved(t *testing.T) {
	l := newLoop()
	for i := range 30 {
		f := fix(fmt.Sprint("rule-", i), "accepted")
		f.OriginalConfidence = new(0.5)
		decide(t, l, 1, on(when(i), f))
	}
	before := calibration(t, l)
	if before.Count() != 30 {
		t.Errorf("%d decisions counted", before.Count())
	}
	again := before
	again.Add(0.5, true, 1)
	if rules.Moved(before, again) {
		t.Error("one more of thirty moved it")
	}
	again.Add(0.5, false, 5)
	if !rules.Moved(before, again) {
		t.Error("five others did not move it")
	}
	prior, err := rules.Prior(before)
	if err != nil || prior.Model != rules.Name || len(prior.Value) == 0 {
		t.Errorf("prior %+v, %v", prior, err)
	}
}
