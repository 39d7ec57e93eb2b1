package api

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"
)

// prose draws words, few of them often.
func prose(rnd *rand.Rand, words int) string {
	zipf := rand.NewZipf(rnd, 1.1, 8, 30_000)
	var b strings.Builder
	for range words {
		fmt.Fprintf(&b, "w%dx ", zipf.Uint64())
	}
	return b.String()
}

// BenchmarkInjection is search, selection, rendering and the record on disk, among
// 100 000 learnings; p99-ms is what matters.
func BenchmarkInjection(b *testing.B) {
	h := build(b, func(d *Deps) { d.Terms.Trial = learnings.DefaultTrial() })
	rnd := rand.New(rand.NewPCG(4, 4))
	for n := range 100_000 {
		l := learnings.Learning{
			ID: fmt.Sprint("learn_", n), Title: prose(rnd, 6), Context: prose(rnd, 12), Observation: prose(rnd, 15), Implication: prose(rnd, 12),
			Action: prose(rnd, 15), Status: learnings.Active, Confidence: 0.7, InitialConfidence: 0.7, SourceOutcomeID: fmt.Sprint("o", n%50),
			Posterior: learnings.Posterior{Mean: rnd.Float64()}, Evidence: learnings.Evidence{Prior: 0.7},
		}
		data := mustWrite(l)
		h.shelf[kv.EntryKey(l.ID)] = kv.Context{Key: kv.EntryKey(l.ID), Value: data, Revision: 1}
	}
	if err := h.recall.Run(b.Context(), func() {}); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for n := 0; b.Loop(); n++ {
		in := &InjectArgs{Body: Undertaking{TaskID: fmt.Sprint("task-", n), Title: prose(rnd, 5), Description: prose(rnd, 30), OutcomeID: "o7"}}
		from := time.Now()
		if _, err := h.api.inject(b.Context(), in); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(from))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
}
