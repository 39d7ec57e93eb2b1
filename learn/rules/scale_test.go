package rules_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/rules"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// BenchmarkStatisticsOfAMillionRecordsInTenThousandRules asks every partition, and makes
// the answer that leaves: at most 100 ms.
func BenchmarkStatisticsOfAMillionRecordsInTenThousandRules(b *testing.B) {
	const records, among, partitions = 1_000_000, 10_000, 32
	m := rules.Model()
	tables := make([]*learn.Memory, partitions)
	for i := range tables {
		tables[i] = new(learn.Memory)
	}
	for n := range records {
		rule := n % among
		m.Apply(tables[rule%partitions], feedbackOf(rule, n/among))
	}
	for _, t := range tables {
		t.Commit()
	}
	args, err := json.Marshal(rules.Filter{AsOf: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		parts := make([]rules.Part, partitions)
		for i, t := range tables {
			answer, err := m.Answers[rules.AskStatistics](learn.Question{Rows: m.Open(t), Records: none{}, Args: jsontext.Value(args)})
			if err != nil {
				b.Fatal(err)
			}
			data, err := json.Marshal(answer, json.Deterministic(true))
			if err != nil {
				b.Fatal(err)
			}
			if err := json.Unmarshal(data, &parts[i], jsontext.AllowDuplicateNames(true)); err != nil {
				b.Fatal(err)
			}
		}
		s := rules.Merge(parts...)
		if _, err := json.Marshal(s, json.Deterministic(true)); err != nil || s.TotalFeedback != records {
			b.Fatal(err, s.TotalFeedback)
		}
	}
}

// none are no records.
type none struct{ learn.Records }

func (none) Each(learn.Select) iter.Seq[events.Recorded] {
	return func(func(events.Recorded) bool) {}
}

func (none) InLogOrder(learn.Select) iter.Seq[events.Recorded] {
	return func(func(events.Recorded) bool) {}
}

// likes is what is decided: some rules are liked, others are not.
func likes(rule, n int) int {
	chance := rand.New(rand.NewPCG(uint64(rule), uint64(n)))
	switch {
	case chance.IntN(10) == 0:
		return 3
	case chance.IntN(100) < rule%97:
		return chance.IntN(2)
	}
	return 2
}

func feedbackOf(rule, n int) events.Recorded {
	f := &events.Fact[events.FixFeedback]{Head: events.Head{
		Type: events.FeedbackFix.Kind.Type(), Group: events.ByRule, Key: fmt.Sprint("rule-", rule), Time: when(rule + n*1440), Seq: uint64(n + 1),
	}}
	f.Data = events.FixFeedback{
		RuleID: events.ID(f.Key), Category: fmt.Sprint("category-", rule%20),
		Decision:           []events.Decision{"accepted", "modified", "rejected", "skipped"}[likes(rule, n)],
		OriginalConfidence: new(float64(n%10) / 10),
		Derived: &events.FixDerived{Pattern: learntest.Blind("p", fmt.Sprint(n%10)),
			Original: fmt.Sprint("text ", n%10), Suggested: "other", Mode: "pattern"},
	}
	return f
}
