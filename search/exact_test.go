package search

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Few words, so that documents tie and lists are long.
var fewWords = []string{"cache", "retry", "timeout", "Go", "CI", "index", "deploy", "indexes", "retries", "lockFile", "db/pool.go"}

func drawText(t *rapid.T, words int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(fewWords), 0, words).Draw(t, "words"), " ")
}

func drawDoc(t *rapid.T) Doc {
	return Doc{
		ID: fmt.Sprint("d", rapid.IntRange(0, 60).Draw(t, "id")), Title: drawText(t, 2), Observation: drawText(t, rapid.SampledFrom([]int{1, 3, 20}).Draw(t, "size")),
		Tags:       []string{drawText(t, 1)},
		Domain:     rapid.SampledFrom([]string{"a", "b"}).Draw(t, "domain"),
		Outcome:    rapid.SampledFrom([]string{"o1", "o2", "o3"}).Draw(t, "outcome"),
		Status:     rapid.SampledFrom([]string{"active", "archived"}).Draw(t, "status"),
		Confidence: rapid.Float64Range(0, 1).Draw(t, "confidence"), Posterior: rapid.SampledFrom([]float64{.0001, .3, .9}).Draw(t, "posterior"),
	}
}

func drawQuery(t *rapid.T) Query {
	return Query{
		Text:           drawText(t, rapid.SampledFrom([]int{1, 8}).Draw(t, "size")) + rapid.SampledFrom([]string{"", " re*", " d*", " in*"}).Draw(t, "prefix"),
		Limit:          rapid.IntRange(1, 12).Draw(t, "limit"),
		MinConfidence:  rapid.SampledFrom([]float64{0, .3, .7}).Draw(t, "min"),
		Domain:         rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "in"),
		Status:         rapid.SampledFrom([]string{"", "active", "other"}).Draw(t, "is"),
		ExcludeOutcome: rapid.SampledFrom([]string{"", "o1"}).Draw(t, "not"),
	}
}

// history is an index after changes, and the documents that should be in it.
type history struct {
	index *Index
	docs  map[string]Doc
}

func drawHistory(t *rapid.T) history {
	h := history{New(Options{}), map[string]Doc{}}
	for range rapid.IntRange(20, 250).Draw(t, "changes") {
		d := drawDoc(t)
		switch rapid.IntRange(0, 5).Draw(t, "change") {
		case 0:
			h.index.Remove(d.ID)
			delete(h.docs, d.ID)
		case 1:
			if old, ok := h.docs[d.ID]; ok {
				old.Confidence, old.Posterior, old.Status = d.Confidence, d.Posterior, d.Status
				d = old
			}
			fallthrough
		default:
			h.index.Put(d)
			h.docs[d.ID] = d
		}
	}
	return h
}

// fresh returns an index of the same documents without the history.
func (h history) fresh() *Index {
	x := New(Options{})
	ids := make([]string, 0, len(h.docs))
	for id := range h.docs {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		x.Put(h.docs[id])
	}
	return x
}

func TestPruningNeverShows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawHistory(t).index.Snapshot()
		for range 5 {
			q := drawQuery(t)
			if diff := cmp.Diff(s.search(q, true).Hits, s.Search(q).Hits); diff != "" {
				t.Fatalf("%+v: everything scored (-) and pruned (+):\n%s", q, diff)
			}
		}
	})
}

func TestAnswersDependOnTheDocumentsAndNotOnTheirHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t)
		changed, fresh := h.index.Snapshot(), h.fresh().Snapshot()
		if changed.Len() != len(h.docs) {
			t.Fatalf("%d documents, want %d", changed.Len(), len(h.docs))
		}
		for range 5 {
			q := drawQuery(t)
			if diff := cmp.Diff(fresh.Search(q).Hits, changed.Search(q).Hits); diff != "" {
				t.Fatalf("%+v: built at once (-) and changed (+):\n%s", q, diff)
			}
		}
	})
}

func TestScoresAreBM25TimesTheFourthRootOfThePosterior(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := drawHistory(t)
		s := h.index.Snapshot()
		q := drawQuery(t)
		q.Text = strings.ReplaceAll(q.Text, "*", "")
		want := reference(h.docs, q)
		got := s.Search(q).Hits
		if len(got) != min(len(want), q.Limit) {
			t.Fatalf("%+v: %d hits, want %d", q, len(got), min(len(want), q.Limit))
		}
		for i, hit := range got {
			if !near(hit.Score, want[i].Score) || !near(hit.Text, reference1(h.docs, q, hit.ID)) {
				t.Fatalf("%+v: hit %d is %+v, want %+v", q, i, hit, want[i])
			}
		}
	})
}

func near(x, y float64) bool { return math.Abs(x-y) < 1e-5 }

func reference1(docs map[string]Doc, q Query, id string) float64 {
	for _, h := range reference(docs, q) {
		if h.ID == id {
			return h.Text
		}
	}
	return -1
}

// reference scores every document by the formula as it is written in books.
func reference(docs map[string]Doc, q Query) []Hit {
	said, lengths, all := map[string]map[string]float64{}, map[string]float64{}, 0.
	for id, d := range docs {
		said[id] = map[string]float64{}
		for _, f := range d.fields() {
			newAnalyzer(Options{}).terms(f.text, func(term string, _, _ int) {
				said[id][term] += float64(f.weight)
				lengths[id] += float64(f.weight)
				all += float64(f.weight)
			})
		}
	}
	average := math.Max(all/float64(max(len(docs), 1)), 1)
	var hits []Hit
	for id, d := range docs {
		text := 0.
		newAnalyzer(Options{}).terms(q.Text, func(term string, _, _ int) {
			f := 0.
			for _, other := range said {
				if other[term] > 0 {
					f++
				}
			}
			n, tf := float64(len(docs)), math.Min(said[id][term], countMax)
			idf := math.Log(1 + (n-f+.5)/(f+.5))
			text += idf * tf * 2.2 / (tf + 1.2*(.25+.75*lengths[id]/average))
		})
		if text > 0 && wanted(d, q) {
			hits = append(hits, Hit{ID: id, Text: text, Score: text * math.Pow(d.Posterior, .25)})
		}
	}
	slices.SortFunc(hits, better)
	return hits
}

func wanted(d Doc, q Query) bool {
	return float32(d.Confidence) >= float32(q.MinConfidence) && (q.Domain == "" || d.Domain == q.Domain) &&
		(q.Status == "" || d.Status == q.Status) && (q.ExcludeOutcome == "" || d.Outcome != q.ExcludeOutcome)
}

// Long lists and many shards, as they are in use.
func TestPruningNeverShowsAmongThousands(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes 20 000 documents")
	}
	c, x := newCorpus(3), New(Options{})
	for n := range 20_000 {
		x.Put(c.doc(n))
	}
	for range 2_000 { // replaced, so that shards have dead documents
		x.Put(c.doc(c.rand.IntN(20_000)))
	}
	s := x.Snapshot()
	for i := range 60 {
		q := c.query()
		if i%3 == 0 {
			q = Query{Text: q.Text, Limit: rescored}
		}
		if diff := cmp.Diff(s.search(q, true).Hits, s.Search(q).Hits); diff != "" {
			t.Fatalf("%+v: everything scored (-) and pruned (+):\n%s", q, diff)
		}
	}
}
