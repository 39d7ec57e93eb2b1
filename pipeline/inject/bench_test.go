package inject

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/rules"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// The benchmark's load: rounds of insights as analyzers publish them, of other
// keys each, so that a later round replaces nothing that is still under way.
const (
	rounds     = 8
	rulesEach  = 68 // of one partition each
	groupsEach = 8  // of categories, whose evidence lies in all partitions
	totalsEach = 4  // of the summary
	each       = rulesEach + groupsEach + totalsEach
	underWay   = 3 // rounds
)

func BenchmarkEightyInsightsABatch(b *testing.B) {
	js := loop(b)
	told := make(chan int, 1<<16)
	s := stage(b, js, rules.Model())
	s.Observe.Rendered = func(n, _ int, _ time.Duration) { told <- n }
	run(b, s)
	analyzer := bus.NewSender(js.Conn(), bus.InsightsStream)
	first, load := insights(b)
	ahead, round := 0, 0
	send := func(msgs []bus.Message) {
		if _, err := analyzer.Send(b.Context(), msgs); err != nil {
			b.Fatal(err)
		}
		ahead += len(msgs)
	}
	drain := func(most int) {
		for ahead > most {
			ahead -= <-told
		}
	}
	send(first)
	drain(0)
	for b.Loop() {
		send(load[round%len(load)])
		round++
		drain(underWay * each)
	}
	drain(0)
	b.ReportMetric(float64(each*b.N)/b.Elapsed().Seconds(), "insights/s")
}

// insights are those of all partitions about what lies in all, then some rounds,
// and then the same keys with other values.
func insights(tb testing.TB) (first []bus.Message, load [][]bus.Message) {
	tb.Helper()
	for more := range 2 {
		table := new(learn.Memory)
		for i := range 200 + 100*more {
			rules.Model().Apply(table, fix(i))
		}
		table.Commit()
		for round := range rounds {
			var msgs []bus.Message
			for i := range rulesEach {
				msgs = append(msgs, insight(tb, table, i%32, learn.Key{Kind: "rule", ID: fmt.Sprint(round, "-", i)}))
			}
			for i := range groupsEach {
				msgs = append(msgs, insight(tb, table, 4*round, learn.Key{Kind: "category", ID: fmt.Sprint(i)}))
			}
			for i := range totalsEach {
				msgs = append(msgs, insight(tb, table, 4*round+i, learn.Key{Kind: "summary"}))
			}
			load = append(load, msgs)
		}
		for i := range 32 * groupsEach * (1 - more) {
			first = append(first, insight(tb, table, i%32, learn.Key{Kind: "category", ID: fmt.Sprint(i / 32)}))
		}
	}
	return first, load
}

// insight is what a table knows about the only key of its kind, told of another.
func insight(tb testing.TB, table learn.Table, partition int, key learn.Key) bus.Message {
	tb.Helper()
	only := map[string]string{"rule": "r", "category": "style"}[key.Kind]
	value, ok := rules.Model().Know(table, learn.Key{Kind: key.Kind, ID: only})
	if !ok {
		tb.Fatalf("nothing is known about %s", only)
	}
	data, err := json.Marshal(pipeline.Insight{Partition: partition, Model: rules.Name, Version: rules.Model().Version,
		Kind: key.Kind, ID: key.ID, Value: value})
	if err != nil {
		tb.Fatal(err)
	}
	return bus.Message{Subject: pipeline.KnowSubject(partition, rules.Name, key), Data: data}
}

// fix is the i-th decision about a rule.
func fix(i int) events.Recorded {
	text := strings.Repeat(fmt.Sprintf("some text %d ", i%20), 3)
	return &events.Fact[events.FixFeedback]{
		Head: events.Head{Type: events.FeedbackFix.Kind.Type(), Group: events.ByRule, Key: "r",
			Time: time.Unix(int64(i), 0), Record: fmt.Sprint(i), Person: fmt.Sprint("p", i%50)},
		Data: events.FixFeedback{
			RuleID: "r", Category: "style", UserID: events.ID(fmt.Sprint("p", i%50)),
			Decision:     []events.Decision{events.Accepted, events.Rejected}[i%4/3],
			OriginalText: text, SuggestedText: "better " + text, OriginalConfidence: new(float64(i%100) / 100),
			Derived: &events.FixDerived{Pattern: text, Original: text, Suggested: "better " + text, Mode: "pattern", LongestText: len(text)},
		},
	}
}

// Where atomic batches begin to be cheaper than single messages.
func BenchmarkPut(b *testing.B) {
	for _, n := range []int{10, 20, 40, 80} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			bucket := stage(b, loop(b), rules.Model()).Buckets[learn.Contexts]
			entries, round := make([]kv.Entry, n), 0
			for b.Loop() {
				round++
				for i := range entries {
					entries[i] = kv.Entry{Key: kv.Key("rule", strconv.Itoa(i)), Value: fmt.Appendf(nil, "%01000d", round), Insight: uint64(round)}
				}
				if changed, err := bucket.Put(b.Context(), entries); err != nil || len(changed) != n {
					b.Fatalf("%d changed, %v", len(changed), err)
				}
			}
		})
	}
}
