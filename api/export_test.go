package api

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/all"
	"learnloop.dev/learn/samples"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/store"

	"github.com/go-json-experiment/json/jsontext"
)

// archive is a state that holds samples, and who answers for it.
type archive struct {
	tb    testing.TB
	at    *store.Store
	model learn.Model
	seq   uint64
	want  []string // ids of the good ones
}

func newArchive(tb testing.TB, h *house) *archive {
	tb.Helper()
	s, err := store.Open(store.Options{Dir: tb.TempDir(), Key: []byte(strings.Repeat("k", 32))})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	clerk := analyze.Answerer{Models: all.Models(), Store: s, Partitions: []int{0, 1, 2, 3}}
	stop, err := ServeQuestions(h.nc, Questions{Answerer: clerk, Partitions: clerk.Partitions})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := stop(); err != nil {
			tb.Error(err)
		}
	})
	return &archive{tb: tb, at: s, model: samples.Model()}
}

// newYear is when samples of tests begin.
var newYear = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// keep stores n samples of a family, one a minute; every third is not good.
func (a *archive) keep(family string, partition, n int) {
	a.tb.Helper()
	b := a.at.Begin()
	for range n {
		a.seq++
		id := fmt.Sprintf("s-%d", a.seq)
		label := events.Good
		if a.seq%3 == 0 {
			label = events.Poor
		}
		f := &events.Fact[events.Sample]{
			Head: events.Head{SpecVersion: "1.0", ID: "e-" + id, Source: "/test", Type: events.SampleCaptured.Kind.Type(), Record: "record-" + id,
				Content: "c", Group: events.ByFamily, Key: family, Time: newYear.Add(time.Duration(a.seq) * time.Minute), Seq: a.seq},
			Data: events.Sample{SampleID: events.ID(id), SampleFamily: family, CreatedAt: newYear,
				Input: jsontext.Value(fmt.Sprintf(`{"intent_text":"Book flight %d to Rome, \"one way\".","context":{"domain":"airline","notes":%q}}`,
					a.seq, strings.Repeat("Prefers an aisle seat. ", 8))),
				Output:   jsontext.Value(`{"plan_structure":["search_direct_flight","calculate","book_reservation"],"result":{"reward":1}}`),
				Feedback: events.SampleFeedback{Source: events.ByUser, Type: events.Approval, QualityLabel: label}},
		}
		raw, err := events.Encode(f)
		if err != nil {
			a.tb.Fatal(err)
		}
		p := b.Partition(partition)
		p.Put(f, raw)
		a.model.Apply(p, f)
		p.SetCursor(a.seq)
		if label == events.Good {
			a.want = append(a.want, id)
		}
	}
	if err := b.Commit(); err != nil {
		a.tb.Fatal(err)
	}
}

// line is an exported sample.
type line struct {
	Prompt     string `json:"prompt"`
	Completion string `json:"completion"`
	Metadata   struct {
		SampleID string `json:"sample_id"`
		Family   string `json:"sample_family"`
		Quality  string `json:"quality"`
	} `json:"metadata"`
}

func (l line) id() string { return l.Metadata.SampleID }

// trained reads the lines of an export over HTTP.
func trained(tb testing.TB, h *house, query string) (list []line) {
	tb.Helper()
	got := h.get(tb, "/api/samples/export?format=jsonl"+query, asAdmin)
	if got.status != 200 || got.header.Get("Content-Type") != "application/jsonl" {
		tb.Fatalf("%d %v %s", got.status, got.header, got.body)
	}
	for text := range strings.Lines(got.body) {
		var l line
		response{body: text}.read(tb, &l)
		list = append(list, l)
	}
	return list
}

func idsOf(list []line) (ids []string) {
	for _, l := range list {
		ids = append(ids, l.id())
	}
	slices.Sort(ids)
	return ids
}

func TestAnExportHasEverySampleOnceFamilyByFamily(t *testing.T) {
	h := build(t)
	a := newArchive(t, h)
	for round := range 3 { // pages end within families, and families alternate in the log
		a.keep("plan_optimization", 1, 1500)
		a.keep("intent_resolution", 1, 1500)
		a.keep("a/b.c", 3, 10+round)
	}
	list := trained(t, h, "")
	slices.Sort(a.want)
	if got := idsOf(list); !slices.Equal(got, a.want) {
		t.Errorf("%d samples, want %d", len(got), len(a.want))
	}
	families := []string{}
	for _, l := range list {
		families = append(families, l.Metadata.Family)
	}
	if got := slices.Compact(families); !slices.Equal(got, []string{"a/b.c", "intent_resolution", "plan_optimization"}) {
		t.Errorf("families come as %v", got)
	}
	if n := len(trained(t, h, "&min_quality=any&families=a/b.c")); n != 33 {
		t.Errorf("%d of one family, want 33", n)
	}
	if n := len(trained(t, h, "&min_quality=any&from=2026-01-01T00:10:00Z&to=2026-01-01T00:20:00Z")); n != 10 {
		t.Errorf("%d of ten minutes, want 10", n)
	}
}

func TestTheDocumentIsThatOfTheSourceDocument(t *testing.T) {
	h := build(t)
	a := newArchive(t, h)
	a.keep("f", 0, 4)
	var doc struct {
		Version string `json:"version"`
		Count   int    `json:"sample_count"`
		Samples []line `json:"samples"`
	}
	got := h.get(t, "/api/samples/export", asAdmin)
	got.read(t, &doc)
	if doc.Version != "1.0.0" || doc.Count != 3 || len(doc.Samples) != 3 || doc.Samples[0].Metadata.Quality != "good" ||
		!strings.HasPrefix(doc.Samples[0].Prompt, "Book flight 1 to Rome, \"one way\".\n\n{\"context\":{") {
		t.Errorf("%+v", doc)
	}
	if ct := got.header.Get("Content-Type"); ct != mediaJSON {
		t.Error(ct)
	}
	var chat struct {
		Messages []struct {
			Role    string `json:"role"`
			Content string `json:"content"`
		} `json:"messages"`
	}
	response{body: strings.SplitN(h.get(t, "/api/samples/export?format=chat", asAdmin).body, "\n", 2)[0]}.read(t, &chat)
	if len(chat.Messages) != 2 || chat.Messages[0].Role != "user" || chat.Messages[1].Role != "assistant" || chat.Messages[1].Content == "" {
		t.Errorf("%+v", chat)
	}
}

func TestPagesOverNATSGiveWhatTheStreamGives(t *testing.T) {
	h := build(t)
	a := newArchive(t, h)
	a.keep("f", 0, 5000)
	a.keep("g", 2, 3)
	var got []string
	held, pages := 0, 0
	for after := ""; ; pages++ {
		var page struct {
			Count      int    `json:"sample_count"`
			Family     string `json:"sample_family"`
			Samples    []line `json:"samples"`
			Validation []int  `json:"validation"`
			Next       string `json:"next"`
		}
		args := map[string]any{"validation": 0.2, "after": after}
		if err := NewClient(h.nc).Call(t.Context(), "samples.export", args, &page); err != nil {
			t.Fatal(err)
		}
		if page.Count != len(page.Samples) {
			t.Errorf("counts %d of %d", page.Count, len(page.Samples))
		}
		for _, s := range page.Samples {
			got = append(got, s.id())
			if s.Metadata.Family != page.Family {
				t.Errorf("%s on a page of %s", s.Metadata.Family, page.Family)
			}
		}
		held += len(page.Validation)
		if after = page.Next; after == "" {
			break
		}
	}
	slices.Sort(got)
	slices.Sort(a.want)
	if !slices.Equal(got, a.want) || pages < 2 {
		t.Errorf("%d samples on %d pages, want %d", len(got), pages, len(a.want))
	}
	train, validation := idsOf(trained(t, h, "&validation=0.2&split=train")), idsOf(trained(t, h, "&validation=0.2&split=validation"))
	both := slices.Sorted(slices.Values(slices.Concat(train, validation)))
	if len(validation) != held || !slices.Equal(both, a.want) || held < 500 || held > 850 {
		t.Errorf("%d for training and %d, %d by pages, for validation of %d", len(train), len(validation), held, len(a.want))
	}
}

func TestNobodyButOperatorsExports(t *testing.T) {
	h := build(t)
	if got := h.get(t, "/api/samples/export"); got.status != http.StatusUnauthorized {
		t.Error(got)
	}
	for _, query := range []string{"after=x", "after=1", "split=train", "min_quality=best", "format=xml", "from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z"} {
		if p := h.get(t, "/api/samples/export?"+query, asAdmin).problem(t); p.Code != Invalid {
			t.Errorf("%s: %+v", query, p)
		}
	}
}

func TestAnExportThatFailsOnTheWayBreaksOff(t *testing.T) {
	told := make(chan string, 9)
	h := build(t, func(d *Deps) { d.Failed = func(operation string, err error) { told <- operation + ": " + err.Error() } })
	clerk := idle(0, 1, 2, 3)
	asked := 0
	clerk.asked = func(string, string, jsontext.Value) (any, error) {
		if asked++; asked > partitions {
			panic("secret payload")
		}
		return samples.Page{Family: "f", Examples: []jsontext.Value{[]byte(`{}`)}, Read: 1, Last: 7, More: true}, nil
	}
	h.employ(t, clerk)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.web.URL+"/api/samples/export?format=jsonl", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := h.web.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if data, err := io.ReadAll(res.Body); !errors.Is(err, io.ErrUnexpectedEOF) || string(data) != "{}\n" {
		t.Errorf("read %q, %v", data, err)
	}
	if what := <-told; !strings.HasPrefix(what, "samples.export: ") || strings.Contains(what, "secret") {
		t.Error(what)
	}
}

// gone is a caller who went away.
type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAnExportThatNobodyReadsLeavesNoQuestionBehind(t *testing.T) {
	h := build(t)
	clerk := idle(0, 1, 2, 3)
	clerk.asked = func(string, string, jsontext.Value) (any, error) {
		return samples.Page{Family: "f", Examples: []jsontext.Value{[]byte(`{}`)}, Read: 1, Last: 7, More: true}, nil
	}
	h.employ(t, clerk)
	before := h.nc.NumSubscriptions()
	for range 3 {
		page, err := h.api.exportSamples(t.Context(), &ExportArgs{})
		if err != nil {
			t.Fatal(err)
		}
		if err := page.stream(t.Context(), gone{}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("stream: %v", err)
		}
	}
	if after := h.nc.NumSubscriptions(); after != before {
		t.Errorf("%d subscriptions, before there were %d", after, before)
	}
}

// BenchmarkExport streams 200 000 samples over HTTP; live-MiB is the most that was in use.
func BenchmarkExport(b *testing.B) {
	h := build(b)
	a := newArchive(b, h)
	const n = 200_000
	for range n / 1000 {
		a.keep(events.IntentResolution, 1, 1000)
	}
	var m runtime.MemStats
	var most uint64
	var used time.Duration
	size := 0
	runtime.GC()
	for b.Loop() {
		began := cpu()
		req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, h.web.URL+"/api/samples/export?format=chat&min_quality=any", nil)
		if err != nil {
			b.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := h.web.Client().Do(req)
		if err != nil {
			b.Fatal(err)
		}
		lines, lastByte := 0, byte(0)
		for r := bufio.NewReaderSize(res.Body, 1<<20); ; {
			text, err := r.ReadSlice('\n')
			if err != nil {
				break
			}
			size, lastByte = size+len(text), text[len(text)-1]
			if lines++; lines%50_000 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
		used += cpu() - began
		res.Body.Close()
		if lines != n || lastByte != '\n' {
			b.Fatalf("%d lines", lines)
		}
	}
	b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "samples/s")
	b.ReportMetric(float64(used.Microseconds())/float64(n*b.N), "cpu-µs/sample")
	b.ReportMetric(float64(most>>20), "live-MiB")
	b.ReportMetric(float64(size/b.N/n), "B/sample")
}

func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
