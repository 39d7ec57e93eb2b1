package conversations_test

import (
	"fmt"
	"testing"

	"learnloop.dev/learn"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/learntest"

	"github.com/go-json-experiment/json/jsontext"
)

// The budgets of source document 003: a score within 50 ms and a hundred within 5 s, what
// is known of a person within 20 ms, all of it anew within 5 s, metrics within 100 ms,
// patterns within 500 ms. What is known of a person is scores, preferences and patterns
// together, always worked out anew.

func BenchmarkScoreAnExchange(b *testing.B) {
	ask(b, hear(b, liking(100, 0)...), conversations.AskExchange, `{"exchange_id":"50"}`)
}

func BenchmarkKnowAPersonByThousandExchanges(b *testing.B) {
	ask(b, hear(b, liking(1000, 0)...), conversations.AskPerson, `{"person":"ann"}`)
}

func BenchmarkKnowAPersonByTenThousandExchanges(b *testing.B) {
	ask(b, hear(b, liking(10_000, 0)...), conversations.AskPerson, `{"person":"ann"}`)
}

func BenchmarkAddUpTheMetricsOfThousandExchanges(b *testing.B) {
	ask(b, hear(b, liking(1000, 0)...), conversations.AskSummary, `{}`)
}

func BenchmarkHearFeedback(b *testing.B) {
	l, log := hear(b), liking(1000, 0)
	b.ReportAllocs()
	for i := range b.N {
		e := log[i%len(log)]
		e.ID = fmt.Sprint(e.ID, i)
		if err := l.Hear(e); err != nil {
			b.Fatal(err)
		}
	}
}

// ask puts a question to every partition, as the analyzers do.
func ask(b *testing.B, l *learntest.Loop, question, args string) {
	b.Helper()
	m := conversations.Model()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		for _, p := range l.Open() {
			if _, err := m.Answers[question](learn.Question{Rows: m.Open(p.Table), Records: p, Args: jsontext.Value(args)}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
