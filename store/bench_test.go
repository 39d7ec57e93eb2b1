//go:build unix

package store_test

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/store"
)

const batchSize = 1000

// feedback makes realistic facts: random words, a thousand rules, a hundred people.
type feedback struct {
	random *rand.Rand
	words  []string
	text   int // bytes in each of the two texts
	seq    uint64
}

func newFeedback(text int) *feedback {
	f := &feedback{random: rand.New(rand.NewPCG(1, 2)), text: text}
	for range 2000 {
		f.words = append(f.words, fmt.Sprintf("w%x", f.random.Uint32N(1<<20)))
	}
	return f
}

func (f *feedback) sentence() string {
	var b strings.Builder
	for b.Len() < f.text {
		b.WriteString(f.words[f.random.IntN(len(f.words))])
		b.WriteByte(' ')
	}
	return b.String()[:f.text]
}

func blind(s string) string {
	sum := sha256.Sum256([]byte(s))
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:16]))
}

func (f *feedback) next(tb testing.TB) (events.Recorded, []byte) {
	tb.Helper()
	f.seq++
	rule := "rule-" + strconv.Itoa(f.random.IntN(1000))
	at := day.Add(time.Duration(f.seq) * time.Second)
	id := blind("id" + strconv.FormatUint(f.seq, 10))
	head := events.Head{
		SpecVersion: "1.0", ID: "evt-" + id, Source: "editor/7", Type: events.FeedbackFix.Kind.Type(),
		Time: at, Recorded: at, Record: id, Content: blind("c" + id), Stamp: at, Group: events.ByRule, Key: rule,
		Person: blind("p" + strconv.Itoa(f.random.IntN(100))), Seq: f.seq,
	}
	rec := events.FeedbackFix.Fact(head, &events.FixFeedback{
		FeedbackID: events.ID("f" + id), SuggestionID: events.ID("s" + id), DeviationID: events.ID("d" + id), RuleID: events.ID(rule), Category: "style",
		Decision: "accepted", OriginalText: f.sentence(), SuggestedText: f.sentence(), UserID: "p1_abcdefgh",
	})
	raw, err := events.Encode(rec)
	if err != nil {
		tb.Fatal(err)
	}
	return rec, raw
}

// partitionOf spreads records as rules would.
func partitionOf(rec events.Recorded) int { return events.Partition(rec.Header().Key, 32) }

type prepared struct {
	rec events.Recorded
	raw []byte
}

func (f *feedback) batch(tb testing.TB, n int) []prepared {
	tb.Helper()
	list := make([]prepared, n)
	for i := range list {
		list[i].rec, list[i].raw = f.next(tb)
	}
	return list
}

// ingest commits one batch as the analyzer does, with a few rows per fact.
func ingest(tb testing.TB, s *store.Store, facts []prepared, rowsEach int) {
	tb.Helper()
	batch := s.Begin()
	for _, f := range facts {
		p := batch.Partition(partitionOf(f.rec))
		h := f.rec.Header()
		if _, known := p.Record(h.Record); known {
			tb.Fatal("a new record is known")
		}
		p.Put(f.rec, f.raw)
		r := rows(p, "rules")
		for i := range rowsEach {
			row := learn.At[tally](r, learn.Key{Kind: "rule", ID: h.Key}, "row"+strconv.Itoa(i))
			row.Count++
		}
		p.SetCursor(h.Seq)
	}
	if err := batch.Commit(); err != nil {
		tb.Fatal(err)
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func benchmarkIngest(b *testing.B, existing, rowsEach int) {
	b.Helper()
	s, dir := openStore(b)
	f := newFeedback(220)
	for range existing / batchSize {
		ingest(b, s, f.batch(b, batchSize), rowsEach)
	}
	var used, wall time.Duration
	var size, count int
	for b.Loop() {
		facts := f.batch(b, batchSize)
		for _, f := range facts {
			size += len(f.raw)
		}
		count += len(facts)
		begin, start := cpu(), time.Now()
		ingest(b, s, facts, rowsEach)
		used += cpu() - begin
		wall += time.Since(start)
	}
	events := float64(count)
	b.ReportMetric(float64(used.Microseconds())/events, "cpu-µs/event")
	b.ReportMetric(events/wall.Seconds(), "events/s")
	b.ReportMetric(float64(size)/events, "B/event")
	if testing.Verbose() {
		b.Log(resident(), diskUse(b, dir))
	}
}

func BenchmarkPutIntoEmpty(b *testing.B)            { benchmarkIngest(b, 0, 0) }
func BenchmarkPutInto100k(b *testing.B)             { benchmarkIngest(b, 100_000, 0) }
func BenchmarkPutAndThreeRowsInto100k(b *testing.B) { benchmarkIngest(b, 100_000, 3) }

// BenchmarkShelve tells how long whoever folds waits while records are put aside, as
// often as the analyzer does it, and does nothing else meanwhile than to fold.
func BenchmarkShelve(b *testing.B) {
	s, _ := openStore(b)
	f := newFeedback(220)
	var waited, wall, used time.Duration
	count := 0
	for b.Loop() {
		var facts []prepared
		for range 4 {
			facts = append(facts, f.batch(b, batchSize)...)
		}
		begin, start := cpu(), time.Now()
		for some := range slices.Chunk(facts, batchSize) {
			ingest(b, s, some, 3)
		}
		began := time.Now()
		if err := s.Shelve(); err != nil {
			b.Fatal(err)
		}
		waited += time.Since(began)
		wall += time.Since(start)
		store.Shelved(b, s)
		used += cpu() - begin
		count += len(facts)
	}
	b.ReportMetric(float64(used.Microseconds())/float64(count), "cpu-µs/event")
	b.ReportMetric(float64(waited.Microseconds())/float64(count), "waited-µs/event")
	b.ReportMetric(float64(count)/wall.Seconds(), "events/s")
}

// BenchmarkMeet looks for identities in a store of 100 000 records that was opened
// anew: for those of new records, and for those of the records, in the order of the log.
func BenchmarkMeet(b *testing.B) {
	s, dir := openStore(b)
	f := newFeedback(220)
	var known []prepared
	for range 100 {
		facts := f.batch(b, batchSize)
		known = append(known, facts...)
		ingest(b, s, facts, 0)
	}
	closeStore(b, s)
	s = openDir(b, dir)
	for _, c := range []struct {
		name string
		id   func(i int) string
	}{
		{"new", func(i int) string { return "new" + strconv.Itoa(i) }},
		{"known", func(i int) string { return known[i].rec.Header().Record }},
	} {
		b.Run(c.name, func(b *testing.B) {
			batch := s.Begin()
			defer batch.Discard()
			for i := range b.N {
				i %= len(known)
				if _, is := batch.Partition(partitionOf(known[i].rec)).Record(c.id(i)); is != (c.name == "known") {
					b.Fatalf("record %s: known %v", c.id(i), is)
				}
			}
		})
	}
}

// BenchmarkHotRows changes each of a thousand rows of a hundred keys once per batch.
func BenchmarkHotRows(b *testing.B) { benchmarkRows(b, 1000, batchSize) }

// BenchmarkHotRowsInLargeBatches changes each of them four times per batch, as the
// analyzer does that has a log to catch up with.
func BenchmarkHotRowsInLargeBatches(b *testing.B) { benchmarkRows(b, 1000, 4*batchSize) }

// BenchmarkColdRows changes a thousand out of a million rows per batch.
func BenchmarkColdRows(b *testing.B) { benchmarkRows(b, 1_000_000, batchSize) }

func benchmarkRows(b *testing.B, among, each int) {
	b.Helper()
	s, _ := openStore(b)
	change := func(n int, pick func(i int) int) {
		batch := s.Begin()
		for i := range n {
			row := strconv.Itoa(pick(i))
			key := learn.Key{Kind: "rule", ID: row[:1] + row[len(row)-1:]}
			learn.At[tally](rows(batch.Partition(len(row)), "rules"), key, row).Count++
		}
		commit(b, batch)
	}
	for start := 0; start < among; start += batchSize {
		change(batchSize, func(i int) int { return start + i })
	}
	random := rand.New(rand.NewPCG(1, 2))
	begin, rounds := cpu(), 0
	for b.Loop() {
		change(each, func(int) int { return random.IntN(among) })
		rounds++
	}
	b.ReportMetric(float64((cpu()-begin).Microseconds())/float64(rounds*each), "cpu-µs/row")
}

// BenchmarkMillion reports what a million small records take; it takes a minute
// and runs only when LEARNLOOP_BENCH_MILLION is set.
func BenchmarkMillion(b *testing.B) {
	if os.Getenv("LEARNLOOP_BENCH_MILLION") == "" {
		b.Skip("LEARNLOOP_BENCH_MILLION is not set")
	}
	text, _ := strconv.Atoi(os.Getenv("LEARNLOOP_BENCH_TEXT"))
	for b.Loop() {
		s, dir := openStore(b)
		f := newFeedback(text)
		begin, start := cpu(), time.Now()
		for i := range 1000 {
			ingest(b, s, f.batch(b, batchSize), 3)
			if i%100 == 99 {
				b.Log(i, resident())
			}
		}
		b.Log(cpu()-begin, time.Since(start), diskUse(b, dir))
		runtime.GC()
		if err := s.Collect(); err != nil {
			b.Fatal(err)
		}
		b.Log("collected", resident())
		closeStore(b, s)
		s = openDir(b, dir)
		b.Log("reopened", resident())
		view(b, s, func(v *store.View) {
			start := time.Now()
			n := 0
			for range v.Partition(events.Partition("rule-7", 32)).Each(learn.Select{Key: "rule-7"}) {
				n++
			}
			b.Log("key", n, time.Since(start))
			start = time.Now()
			n = 0
			for p := range 32 {
				for range v.Partition(p).Each(learn.Select{Kind: "feedback.fix", From: day, To: day.Add(10000 * time.Second)}) {
					n++
				}
			}
			b.Log("period", n, time.Since(start), resident())
		})
	}
}

func resident() string {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return ""
	}
	var lines []string
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "VmRSS") || strings.HasPrefix(line, "RssAnon") || strings.HasPrefix(line, "RssFile") || strings.HasPrefix(line, "VmHWM") {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return strings.Join(lines, " ") + fmt.Sprintf(" heap %dMB sys %dMB", m.HeapAlloc>>20, m.Sys>>20)
}

func diskUse(tb testing.TB, dir string) string {
	tb.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	use := map[string]int64{}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			continue
		}
		name := f.Name()
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			name = name[i:]
		}
		use[name] += info.Size()
	}
	return fmt.Sprint(use)
}
