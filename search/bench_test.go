package search

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// sizes are the corpora that benchmarks run on. A million takes minutes to invent and index, so it has to
// be asked for: LEARNLOOP_SEARCH_DOCS=1000000.
func sizes(b *testing.B) []int {
	b.Helper()
	if asked := os.Getenv("LEARNLOOP_SEARCH_DOCS"); asked != "" {
		n, err := strconv.Atoi(asked)
		if err != nil {
			b.Fatal(err)
		}
		return []int{n}
	}
	return []int{20_000}
}

// filled returns an index of n learnings, and the corpus that goes on behind them.
func filled(b *testing.B, n int) (*Index, *corpus) {
	b.Helper()
	c, x := newCorpus(1), New(Options{})
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var took, spent time.Duration
	for i := range n {
		d := c.doc(i)
		start, before := time.Now(), threadTime()
		x.Put(d)
		spent += threadTime() - before
		took += time.Since(start)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.Logf("%d docs: %v to build (processor: %v), %d MB in use, %d MB from the system, %d shards, %.1f words each",
		n, took.Round(time.Millisecond), spent.Round(time.Millisecond), m.HeapInuse>>20, m.Sys>>20, len(x.shards), x.average())
	return x, c
}

// watch measures by the clock and by the processor; the second is steady where others are busy.
type watch struct{ clock, processor []time.Duration }

func (w *watch) time(work func()) {
	start, spent := time.Now(), threadTime()
	work()
	w.processor = append(w.processor, threadTime()-spent)
	w.clock = append(w.clock, time.Since(start))
}

// report tells quantiles in milliseconds.
func (w *watch) report(b *testing.B, what string) {
	b.Helper()
	if len(w.clock) == 0 {
		return
	}
	for _, q := range []struct {
		name string
		at   float64
	}{{"p50-ms", .5}, {"p99-ms", .99}} {
		for name, took := range map[string][]time.Duration{"": w.clock, "cpu-": w.processor} {
			slices.Sort(took)
			b.ReportMetric(float64(took[int(q.at*float64(len(took)-1))])/1e6, what+name+q.name)
		}
	}
}

// The figures that are promised: 35 words, every filter, alone and while 200 documents a second change.
func BenchmarkSearch(b *testing.B) {
	for _, n := range sizes(b) {
		x, c := filled(b, n)
		s := x.Snapshot()
		b.Run("still/"+strconv.Itoa(n), func(b *testing.B) { ask(b, c, func() *Snapshot { return s }, false) })
		b.Run("everything/"+strconv.Itoa(n), func(b *testing.B) { ask(b, c, func() *Snapshot { return s }, true) })
		b.Run("changing/"+strconv.Itoa(n), func(b *testing.B) { askWhileChanging(b, x, c, n) })
	}
}

func ask(b *testing.B, c *corpus, latest func() *Snapshot, naive bool) {
	b.Helper()
	queries := make([]Query, 500)
	for i := range queries {
		queries[i] = c.query()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var w watch
	i := 0
	for b.Loop() {
		w.time(func() {
			if found := latest().search(queries[i%len(queries)], naive); len(found.Hits) == 0 {
				b.Fatal("nothing found")
			}
		})
		i++
	}
	w.report(b, "")
}

// askWhileChanging has a writer change 200 documents a second, each with all its text.
func askWhileChanging(b *testing.B, x *Index, c *corpus, n int) {
	b.Helper()
	var latest atomic.Pointer[Snapshot]
	latest.Store(x.Snapshot())
	stop, done := make(chan struct{}), make(chan watch)
	writer := newCorpus(2)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var w watch
		tick := time.NewTicker(time.Second / 200)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				done <- w
				return
			case <-tick.C:
				d := writer.doc(writer.rand.IntN(n))
				w.time(func() {
					x.Put(d)
					latest.Store(x.Snapshot())
				})
			}
		}
	}()
	ask(b, c, latest.Load, false)
	close(stop)
	updates := <-done
	updates.report(b, "update-")
}

// repeat runs the work on one thread, and reports the median of both clocks.
func repeat(b *testing.B, work func()) {
	b.Helper()
	b.ReportAllocs()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var w watch
	for b.Loop() {
		w.time(work)
	}
	w.report(b, "")
}

// What a writer does at most, and what it does most: a full shard is made of smaller ones, a document leaves
// a full shard, a vote comes in, a document is read.
func BenchmarkWriter(b *testing.B) {
	c, x := newCorpus(1), New(Options{})
	full := widths[len(widths)-1]
	for i := range full - 1 {
		x.Put(c.doc(i))
	}
	n := newNorms(x.average())
	joined := merge(x.nextNo(), x.shards, n)
	d := c.doc(1)
	b.Run("join", func(b *testing.B) { repeat(b, func() { merge(1, x.shards, n) }) })
	b.Run("remove", func(b *testing.B) { repeat(b, func() { joined.without(uint16(c.rand.IntN(full - 1))) }) })
	b.Run("vote", func(b *testing.B) { repeat(b, func() { joined.withStanding(uint16(c.rand.IntN(full-1)), standing{}) }) })
	b.Run("segment", func(b *testing.B) { repeat(b, func() { newSegment(1, d, x.analyzer, n) }) })
}

// What vectors add to a query that the best hundred are found for, and to a document.
func BenchmarkHybrid(b *testing.B) {
	c, x, f := newCorpus(1), New(Options{}), NewFuzzy(Options{})
	vectors := map[string]Vector{}
	for i := range 5_000 {
		d := c.doc(i)
		x.Put(d)
		vectors[d.ID] = f.Doc(d)
	}
	s, q, d := x.Snapshot(), Query{Text: c.query().Text, Limit: rescored}, c.doc(1)
	of := func(id string) Vector { return vectors[id] }
	b.Run("words", func(b *testing.B) { repeat(b, func() { s.Search(q) }) })
	b.Run("both", func(b *testing.B) {
		repeat(b, func() {
			s.Hybrid(q, Blend{Weight: FuzzyWeight, Query: func() Vector { return s.Fuzzy(q.Text) }, Of: of})
		})
	})
	b.Run("embed", func(b *testing.B) { repeat(b, func() { f.Doc(d) }) })
}
