package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/rules"
)

// learned stores so many patterns of each rule, decided once each, over all partitions.
func (a *archive) learned(about, patterns int) {
	a.tb.Helper()
	model := rules.Model()
	for from := 0; from < about; from += 20 {
		b := a.at.Begin()
		for rule := from; rule < from+20; rule++ {
			p := b.Partition(rule % partitions)
			for n := range patterns {
				a.seq++
				f := &events.Fact[events.FixFeedback]{Head: events.Head{
					Type: events.FeedbackFix.Kind.Type(), Group: events.ByRule, Key: fmt.Sprint("rule-", rule),
					Time: newYear.Add(time.Duration(a.seq) * time.Second), Seq: a.seq,
				}}
				f.Data = events.FixFeedback{RuleID: events.ID(f.Key), Category: "style", Decision: events.Accepted, Derived: &events.FixDerived{
					Pattern: learntest.Blind("p", fmt.Sprint(n)), Original: fmt.Sprint("in order to do ", n), Suggested: fmt.Sprint("to do ", n), Mode: "pattern"}}
				model.Apply(p, f)
			}
			p.SetCursor(a.seq)
		}
		if err := b.Commit(); err != nil {
			a.tb.Fatal(err)
		}
		if err := a.at.Flush(); err != nil { // what lies in memory keeps what was read of it
			a.tb.Fatal(err)
		}
	}
}

// heaviest counts what is written through it, and looks now and then how much memory is in use.
type heaviest struct{ written, looked, live uint64 }

func (h *heaviest) Write(data []byte) (int, error) {
	const often = 8 << 20
	if h.written += uint64(len(data)); h.written-h.looked >= often {
		h.looked = h.written
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		h.live = max(h.live, m.HeapAlloc)
	}
	return len(data), nil
}

// BenchmarkExportOfPatterns streams what was learned over HTTP; grown-MiB is the most that
// was in use beside what was before, the caches of the state among it: these fill, and else
// nothing grows with the patterns.
func BenchmarkExportOfPatterns(b *testing.B) {
	for _, about := range []int{500, 2000} {
		b.Run(fmt.Sprint(about*100), func(b *testing.B) {
			h := build(b, func(d *Deps) {
				d.Installation = func(context.Context) (string, error) { return "1111111111111111", nil }
			})
			newArchive(b, h).learned(about, 100)
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			var most heaviest
			var used time.Duration
			for b.Loop() {
				before := cpu()
				r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, h.web.URL+"/api/export?include_statistics=false", nil)
				if err != nil {
					b.Fatal(err)
				}
				r.Header.Set("Authorization", "Bearer "+token)
				res, err := h.web.Client().Do(r)
				if err != nil {
					b.Fatal(err)
				}
				n, err := io.Copy(&most, res.Body)
				if res.Body.Close(); err != nil || res.StatusCode != http.StatusOK || n < int64(about)*100*100 {
					b.Fatal(res.StatusCode, n, err)
				}
				used += cpu() - before
			}
			b.ReportMetric(float64(used.Microseconds())/float64(about*100*b.N), "cpu-µs/pattern")
			b.ReportMetric(float64(int64(most.live)-int64(m.HeapAlloc))/(1<<20), "grown-MiB")
		})
	}
}
