package rules_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
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

// counting counts the rows that are scanned and the cells that are asked for.
type counting struct {
	*learn.Memory
	rows, cells int
}

func (c *counting) Cell(p learn.Place) *learn.Cell {
	c.cells++
	return c.Memory.Cell(p)
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

// BenchmarkFold folds feedback in batches of a thousand, encoding what changed
// after each.
func BenchmarkFold(b *testing.B) {
	for _, spread := range []struct {
		name            string
		rules, patterns int
	}{
		{"100 rules, 50 patterns", 100, 50},
		{"one rule, every pattern new", 1, 1 << 30},
	} {
		b.Run(spread.name, func(b *testing.B) {
			m, table := rules.Model(), &counting{Memory: new(learn.Memory)}
			facts := make([]events.Recorded, 100_000)
			for i := range facts {
				facts[i] = about(fmt.Sprint("rule-", i/7%spread.rules), hot(i, i%spread.patterns))
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
			b.ReportMetric(float64(table.cells)/float64(b.N), "cells/fact")
		})
	}
}

// about makes a feedback one about another rule.
func about(rule string, r events.Recorded) events.Recorded {
	f := r.(*events.Fact[events.FixFeedback])
	f.Data.RuleID = events.ID(rule)
	return f
}

// drawn is feedback about one of five hundred rules, some much busier and some
// much better than others, of one of its twelve patterns.
func drawn(i int, chance *rand.Rand) events.Recorded {
	rule := int(500 * chance.Float64() * chance.Float64())
	decision := 0 // accepted
	if chance.IntN(10) < rule%10 {
		decision = 2 // rejected
	}
	return about(fmt.Sprint("rule-", rule), hot(i/4*4+decision, chance.IntN(12)))
}

// BenchmarkKnow condenses and renders what is known of one rule with a hundred
// thousand patterns, and of five hundred rules with twelve patterns each.
func BenchmarkKnow(b *testing.B) {
	m, one, many := rules.Model(), new(learn.Memory), new(learn.Memory)
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range 300_000 {
		m.Apply(one, hot(i, i/3))
		m.Apply(many, drawn(i, chance))
		if i%1000 == 999 {
			one.Commit()
			many.Commit()
		}
	}
	for _, known := range []struct {
		name  string
		table *learn.Memory
		key   learn.Key
	}{
		{"rule of many patterns", one, learn.Key{Kind: "rule", ID: "hot"}},
		{"rule", many, learn.Key{Kind: "rule", ID: "rule-7"}},
		{"category", many, learn.Key{Kind: "category", ID: "style"}},
		{"summary", many, learn.Key{Kind: "summary"}},
	} {
		b.Run(known.name, func(b *testing.B) {
			for b.Loop() {
				v, _ := m.Know(known.table, known.key)
				if _, err := m.Render(known.key, []jsontext.Value{v}); err != nil {
					b.Fatal(err)
				}
				known.table.Commit()
			}
		})
	}
}
