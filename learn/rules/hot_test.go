package rules_test

import (
	"fmt"
	"iter"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/rules"

	"github.com/go-json-experiment/json/jsontext"
)

func TestAHotRuleIsKnownFromAHandfulOfRows(t *testing.T) {
	m := rules.Model()
	read := func(patterns int) int {
		table := &counting{Memory: new(learn.Memory)}
		for i := range 3 * patterns {
			m.Apply(table, hot(i, i/3))
		}
		table.Commit()
		table.rows = 0
		for _, key := range []learn.Key{{Kind: "rule", ID: "hot"}, {Kind: "category", ID: "style"}, {Kind: "summary"}} {
			if _, ok := m.Know(table, key); !ok {
				t.Fatalf("nothing is known about %s", key)
			}
		}
		return table.rows
	}
	if few, many := read(100), read(20_000); many > few {
		t.Errorf("%d rows read with 100 patterns, %d with 20 000", few, many)
	}
}

// counting counts the rows that are scanned.
type counting struct {
	*learn.Memory
	rows int
}

func (c *counting) Scan(p learn.Place) iter.Seq2[string, *learn.Cell] {
	return func(yield func(string, *learn.Cell) bool) {
		for row, cell := range c.Memory.Scan(p) {
			c.rows++
			if !yield(row, cell) {
				return
			}
		}
	}
}

// hot is the i-th feedback about a rule, of some pattern.
func hot(i, pattern int) events.Recorded {
	decision := []events.Decision{events.Accepted, events.Accepted, events.Rejected, events.Modified}[i%4]
	text := fmt.Sprintf("text %d", pattern)
	f := &events.Fact[events.FixFeedback]{
		Head: events.Head{
			Type: events.FeedbackFix.Kind.Type(), Group: events.ByRule, Key: "hot",
			Time: when(i / 100), Record: fmt.Sprint(i), Person: fmt.Sprint("p", i%50),
		},
		Data: events.FixFeedback{
			RuleID: "hot", Category: "style", Decision: decision, UserID: events.ID(fmt.Sprint("p", i%50)),
			OriginalText: text, SuggestedText: "better " + text, OriginalConfidence: new(float64(i%100) / 100),
			Derived: &events.FixDerived{
				Pattern: learntest.Blind("pattern", text), Original: text, Suggested: "better " + text, Mode: "pattern",
				LongestText: len(text),
			},
		},
	}
	switch decision {
	case events.Rejected:
		f.Data.UserComment = "too informal"
	case events.Modified:
		f.Data.UserModification = new("best " + text)
		f.Data.Derived.Improvement = "more detail"
	case events.Accepted, events.Skipped: // have nothing more to say
	}
	return f
}

// BenchmarkFold folds feedback about a hundred rules in batches of a thousand,
// encoding what changed after each.
func BenchmarkFold(b *testing.B) {
	for _, spread := range []struct {
		name            string
		rules, patterns int
	}{
		{"100 rules, 50 patterns", 100, 50},
		{"one rule, every pattern new", 1, 1 << 30},
	} {
		b.Run(spread.name, func(b *testing.B) {
			m, table := rules.Model(), new(learn.Memory)
			facts := make([]events.Recorded, 100_000)
			for i := range facts {
				facts[i] = hot(i, i%spread.patterns)
				f := facts[i].(*events.Fact[events.FixFeedback])
				f.Data.RuleID = events.ID(fmt.Sprint("rule-", i/7%spread.rules))
			}
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				m.Apply(table, facts[i%len(facts)])
				if i%1000 == 999 {
					table.Commit()
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "facts/s")
		})
	}
}

// BenchmarkKnow condenses and renders a rule with a hundred thousand patterns.
func BenchmarkKnow(b *testing.B) {
	m, table := rules.Model(), new(learn.Memory)
	for i := range 300_000 {
		m.Apply(table, hot(i, i/3))
		if i%1000 == 999 {
			table.Commit()
		}
	}
	for _, key := range []learn.Key{{Kind: "rule", ID: "hot"}, {Kind: "category", ID: "style"}, {Kind: "summary"}} {
		b.Run(key.Kind, func(b *testing.B) {
			for b.Loop() {
				v, _ := m.Know(table, key)
				if _, err := m.Render(key, []jsontext.Value{v}); err != nil {
					b.Fatal(err)
				}
				table.Commit()
			}
		})
	}
}
