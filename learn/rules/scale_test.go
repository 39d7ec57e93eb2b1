package rules_test

import (
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/portable"
	"learnloop.dev/learn/rules"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	records    = 1_000_000
	among      = 10_000 // rules
	partitions = 32
)

// million folds a million records about so many rules, of so many patterns each.
func million(about, patterns int) []*learn.Memory {
	m := rules.Model()
	tables := make([]*learn.Memory, partitions)
	for i := range tables {
		tables[i] = new(learn.Memory)
	}
	for n := range records {
		rule := n % about
		m.Apply(tables[rule%partitions], feedbackOf(rule, n/about, patterns))
	}
	for _, t := range tables {
		t.Commit()
	}
	return tables
}

// asked puts a question to every partition, as answers travel.
func asked[Part any](b *testing.B, tables []*learn.Memory, question string, args any) []Part {
	b.Helper()
	m := rules.Model()
	raw, err := json.Marshal(args)
	if err != nil {
		b.Fatal(err)
	}
	parts := make([]Part, len(tables))
	for i, t := range tables {
		answer, err := m.Answers[question](learn.Question{Rows: m.Open(t), Records: none{}, Args: jsontext.Value(raw)})
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
	return parts
}

// BenchmarkStatisticsOfAMillionRecordsInTenThousandRules asks every partition, and makes
// the answer that leaves: at most 100 ms.
func BenchmarkStatisticsOfAMillionRecordsInTenThousandRules(b *testing.B) {
	benchmarkStatistics(b, among)
}

// BenchmarkStatisticsOfAMillionRecordsInTwentyRules tells what of it records cost.
func BenchmarkStatisticsOfAMillionRecordsInTwentyRules(b *testing.B) { benchmarkStatistics(b, 20) }

func benchmarkStatistics(b *testing.B, about int) {
	b.Helper()
	tables := million(about, 10)
	f := rules.Filter{AsOf: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it would look through all tables, which lie on disk elsewhere
	b.ReportAllocs()
	before := cpu()
	for b.Loop() {
		parts := asked[rules.Part](b, tables, rules.AskStatistics, f)
		texts := asked[rules.Texts](b, tables, rules.AskTexts, rules.TextsArgs{Filter: f, Rules: rules.Loudest(parts)})
		s := rules.Merge(parts, texts)
		bare := s
		bare.ByRule, bare.FixFeedback.ByRule = nil, nil
		data, err := json.Marshal(bare, json.Deterministic(true))
		if err != nil || len(s.Tables(data)) <= len(data) || s.TotalFeedback != records {
			b.Fatal(err, s.TotalFeedback)
		}
	}
	b.ReportMetric(float64((cpu()-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

// cpu is what the process took of the processor.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkExportOfAMillionPatterns writes them page by page, less the tenth that was skipped. What of the time is
// the collector's goes through the tables, which lie on disk elsewhere.
func BenchmarkExportOfAMillionPatterns(b *testing.B) {
	tables := million(among, records/among)
	runtime.GC()
	used := cpu()
	for b.Loop() {
		w := portable.NewWriter(io.Discard)
		if err := w.Begin(portable.Header{ExportedAt: when(0)}); err != nil {
			b.Fatal(err)
		}
		args := rules.TransferArgs{Most: 1000, Patterns: true, Own: "here"}
		var at rules.Passage
		written := 0
		for {
			if len(at.Coming) == 0 {
				at.Foresee(asked[rules.ComingPart](b, tables, rules.AskComing, rules.ComingArgs{After: at.At.Rule, Most: 16})...)
			}
			if args.Rules = at.Page(1000); len(args.Rules) == 0 {
				break
			}
			args.After = at.At
			page, within, more := rules.MergeTransfers(asked[rules.TransferPart](b, tables, rules.AskTransfer, args)...)
			at.Pass(args.Rules, within, more)
			if err := w.Patterns(page.Patterns...); err != nil {
				b.Fatal(err)
			}
			written += len(page.Patterns)
		}
		if written < records*8/10 { // a tenth was skipped, which is no pattern
			b.Fatalf("%d patterns are written", written)
		}
	}
	b.ReportMetric((cpu()-used).Seconds()/float64(b.N), "cpu-s/op")
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

func feedbackOf(rule, n, patterns int) events.Recorded {
	f := &events.Fact[events.FixFeedback]{Head: events.Head{
		Type: events.FeedbackFix.Kind.Type(), Group: events.ByRule, Key: fmt.Sprint("rule-", rule), Time: when(rule + n*1440), Seq: uint64(n + 1),
	}}
	f.Data = events.FixFeedback{
		RuleID: events.ID(f.Key), Category: fmt.Sprint("category-", rule%20),
		Decision:           []events.Decision{"accepted", "modified", "rejected", "skipped"}[likes(rule, n)],
		OriginalConfidence: new(float64(n%10) / 10),
		Derived: &events.FixDerived{Pattern: learntest.Blind("p", fmt.Sprint(n%patterns)),
			Original: fmt.Sprint("text ", n%patterns), Suggested: "other", Mode: "pattern"},
	}
	return f
}
