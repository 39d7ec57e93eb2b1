package search

import (
	"fmt"
	"slices"
	"testing"
)

// ids returns what is found, best first.
func ids(r Results) []string {
	all := make([]string, len(r.Hits))
	for i, h := range r.Hits {
		all[i] = h.ID
	}
	return all
}

func indexOf(docs ...Doc) *Index {
	x := New(Options{})
	for _, d := range docs {
		x.Put(d)
	}
	return x
}

func note(id, text string) Doc {
	return Doc{ID: id, Observation: text, Confidence: .5, Posterior: .5}
}

func first(t *testing.T, x *Index, query string) string {
	t.Helper()
	found := x.Snapshot().Search(Query{Text: query, Limit: 1})
	if len(found.Hits) == 0 {
		t.Fatalf("nothing found for %q: %s", query, found.Note)
	}
	return found.Hits[0].ID
}

func TestAmongEqualsTheSmallerIDComesFirst(t *testing.T) {
	x := New(Options{})
	for i := range 8 {
		x.Put(note(fmt.Sprint("b", i), "the pool is exhausted"))
	}
	x.Put(note("a", "the pool is exhausted"))
	if got := first(t, x, "pool"); got != "a" {
		t.Errorf("found %s first, want a", got)
	}
}

func TestAVoteMovesADocumentAndTouchesNoPosting(t *testing.T) {
	x := New(Options{})
	for i := range 8 {
		x.Put(note(fmt.Sprint("a", i), "the pool is exhausted"))
	}
	doc := note("z", "the pool is exhausted")
	doc.Posterior = .0001
	x.Put(doc)
	before := x.shards[x.slot(x.homes["z"].segment)].segment
	doc.Posterior, doc.Confidence, doc.Status = 1, .9, "active"
	x.Put(doc)
	if x.shards[x.slot(x.homes["z"].segment)].segment != before {
		t.Error("the postings were written again")
	}
	if got := first(t, x, "pool"); got != "z" {
		t.Errorf("found %s first, want z", got)
	}
	if found := x.Snapshot().Search(Query{Text: "pool", MinConfidence: .9, Status: "active"}); len(found.Hits) != 1 {
		t.Errorf("found %v, want z alone", ids(found))
	}
}

func TestWhatReadersHoldNeverChanges(t *testing.T) {
	x := indexOf(note("a", "retry with a pause"), note("b", "retry at once"))
	held := x.Snapshot()
	x.Remove("a")
	x.Put(note("b", "nothing of the kind"))
	x.Put(note("c", "retry never"))
	if got := ids(held.Search(Query{Text: "retry"})); len(got) != 2 || held.Len() != 2 {
		t.Errorf("the held snapshot finds %v", got)
	}
	if got := ids(x.Snapshot().Search(Query{Text: "retry"})); len(got) != 1 || got[0] != "c" {
		t.Errorf("a new snapshot finds %v, want c", got)
	}
}

func TestAQuarterOfDeadDocumentsIsTheMost(t *testing.T) {
	x := New(Options{})
	for i := range 700 {
		x.Put(note(fmt.Sprint("d", i), fmt.Sprint("word", i%7, " retry")))
	}
	for i := range 600 {
		x.Remove(fmt.Sprint("d", i))
		for _, s := range x.shards {
			if dead := len(s.ids) - s.live; 4*dead > len(s.ids) {
				t.Fatalf("after %d were removed, %d of %d in a shard are dead", i+1, dead, len(s.ids))
			}
		}
	}
	if x.Len() != 100 || len(x.homes) != 100 {
		t.Errorf("%d documents and %d homes, want 100", x.Len(), len(x.homes))
	}
}

func TestRemovingTwiceOrTheUnknownChangesNothing(t *testing.T) {
	x := indexOf(note("a", "retry"))
	x.Remove("b")
	x.Remove("a")
	x.Remove("a")
	if x.Len() != 0 || len(x.shards) != 0 || x.tokens != 0 {
		t.Errorf("%d documents, %d shards, %d words", x.Len(), len(x.shards), x.tokens)
	}
}

func TestStandingsThatAreNoChancesAreBroughtIntoBounds(t *testing.T) {
	zero := 0.
	for _, p := range []float64{-1, 7, zero / zero, 1 / zero} {
		doc := note("a", "retry")
		doc.Posterior, doc.Confidence = p, p
		hits := indexOf(doc, note("b", "pool")).Snapshot().Search(Query{Text: "retry"}).Hits
		if len(hits) != 1 || !(hits[0].Score >= 0 && hits[0].Score <= hits[0].Text) {
			t.Errorf("posterior %v: %+v", p, hits)
		}
	}
}

// Under the race detector this shows that snapshots share nothing with the writer that it changes.
func TestReadersSearchWhileTheWriterWrites(t *testing.T) {
	c, x := newCorpus(5), New(Options{})
	for n := range 600 {
		x.Put(c.doc(n))
	}
	q := c.query()
	for range 20 {
		s := x.Snapshot()
		want := ids(s.Search(q))
		done := make(chan []string)
		go func() { done <- ids(s.Search(q)) }()
		for range 20 {
			d := c.doc(c.rand.IntN(600))
			x.Put(d)
			d.Posterior = .9
			x.Put(d)
			x.Remove(fmt.Sprintf("learn_%012d", c.rand.IntN(600)))
		}
		if got := <-done; !slices.Equal(got, want) {
			t.Fatalf("found %v, and %v while others were written", want, got)
		}
	}
}
