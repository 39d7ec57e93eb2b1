package search

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// three returns an index where words alone prefer a, then b, then c.
func three() (*Snapshot, map[string]Doc) {
	docs := map[string]Doc{
		"a": note("a", "retry upload"),
		"b": note("b", "retry upload of an archive"),
		"c": note("c", "retry anything that fails for a while and upload an archive later"),
	}
	return indexOf(docs["a"], docs["b"], docs["c"]).Snapshot(), docs
}

// meant is a query's vector that is there already.
func meant(v Vector) func() Vector { return func() Vector { return v } }

func vector(embedder string, values ...int8) Vector { return Vector{embedder, values} }

func TestHybridAddsNormalisedScores(t *testing.T) {
	s, _ := three()
	vectors := map[string]Vector{"a": vector("m", 0, 100), "b": vector("m", 100, 0), "c": vector("m", 70, 70)}
	blend := Blend{Weight: .5, Query: meant(vector("m", 100, 0)), Of: func(id string) Vector { return vectors[id] }}
	text := s.Search(Query{Text: "retry upload"})
	found := s.Hybrid(Query{Text: "retry upload"}, blend)
	if got := ids(found); !slices.Equal(got, []string{"b", "c", "a"}) || found.Note != "" {
		t.Fatalf("found %v, %q", got, found.Note)
	}
	trust := math.Pow(.5, .25)
	for _, h := range found.Hits {
		i := slices.Index(ids(text), h.ID)
		cosine, _ := blend.Query().Cosine(vectors[h.ID])
		want := .5*text.Hits[i].Relevance + .5*cosine
		if !near(h.Relevance, want) || !near(h.Score, want*trust) {
			t.Errorf("%s scores %v and %v, want %v and %v", h.ID, h.Relevance, h.Score, want, want*trust)
		}
	}
	if got := ids(s.Hybrid(Query{Text: "retry upload", Limit: 1}, blend)); !slices.Equal(got, []string{"b"}) {
		t.Errorf("the best one is %v", got)
	}
}

func TestWithoutVectorsWordsDecideAndTheNoteSaysSo(t *testing.T) {
	s, _ := three()
	other := func(string) Vector { return vector("other", 1, 1) }
	for name, blend := range map[string]Blend{
		"none":              {Weight: .5},
		"no query":          {Weight: .5, Of: other},
		"an empty query":    {Weight: .5, Query: meant(Vector{}), Of: other},
		"another embedder":  {Weight: .5, Query: meant(vector("m", 1, 1)), Of: other},
		"another dimension": {Weight: .5, Query: meant(vector("other", 1, 1, 1)), Of: other},
		"zero":              {Weight: .5, Query: meant(vector("other", 0, 0)), Of: other},
	} {
		found := s.Hybrid(Query{Text: "retry upload"}, blend)
		if got := ids(found); !slices.Equal(got, []string{"a", "b", "c"}) || found.Note != NoVectors {
			t.Errorf("%s: found %v, %q", name, got, found.Note)
		}
	}
	none := func() Vector { t.Error("nothing was found, and what the query means is asked for"); return Vector{} }
	if found := s.Hybrid(Query{Text: "zebra"}, Blend{Query: none, Of: other}); found.Note != Unknown {
		t.Errorf("nothing found: %q", found.Note)
	}
}

func TestWhereSomeVectorsAreMissingRanksAreFused(t *testing.T) {
	s, _ := three()
	vectors := map[string]Vector{"b": vector("m", 0, 1), "c": vector("m", 1, 0)}
	found := s.Hybrid(Query{Text: "retry upload"}, Blend{
		Weight: .5, Query: meant(vector("m", 1, 0)), Of: func(id string) Vector { return vectors[id] },
	})
	// c: 1/63 + 1/61, b: 1/62 + 1/62, a: 1/61
	if got := ids(found); !slices.Equal(got, []string{"c", "b", "a"}) || found.Note != ByRank {
		t.Errorf("found %v, %q", got, found.Note)
	}
}

func TestFusedRanksAreSortedByScoreThenID(t *testing.T) {
	got := FuseRanks([]string{"x", "b"}, []string{"y", "a"}, nil)
	want := []Ranked{{"x", 1. / 61}, {"y", 1. / 61}, {"a", 1. / 62}, {"b", 1. / 62}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestFuzzyVectorsSeeSpelling(t *testing.T) {
	f := NewFuzzy(Options{})
	query := f.Embed("uplaod retries")
	alike, _ := query.Cosine(f.Embed("retry the upload"))
	other, _ := query.Cosine(f.Embed("zebra crossing"))
	if alike < .4 || math.Abs(other) > .15 {
		t.Errorf("spelled alike %.2f, different %.2f", alike, other)
	}
	if again, ok := query.Cosine(NewFuzzy(Options{}).Embed("uplaod retries")); !ok || !near(again, 1) {
		t.Errorf("the same again is %v", again)
	}
	if _, ok := query.Cosine(f.Embed("")); ok {
		t.Error("nothing can be compared")
	}
}

func TestRareWordsWeighMoreInAFuzzyQuery(t *testing.T) {
	x := indexOf(note("r", "zebra"))
	for i := range 30 {
		x.Put(note(fmt.Sprint("c", i), "deployment"))
	}
	f := NewFuzzy(Options{})
	query := x.Snapshot().Fuzzy("zebra deployment")
	rare, _ := query.Cosine(f.Embed("zebra"))
	common, _ := query.Cosine(f.Embed("deployment"))
	if rare < .9 || common > .3 {
		t.Errorf("rare %.2f, common %.2f", rare, common)
	}
}

func TestHybridWithFuzzyVectorsForgivesTypos(t *testing.T) {
	texts := map[string]string{
		"typo": "a kubernets deployment stays pending",
		"else": "a database deployment stays pending",
		"more": "a frontend deployment stays pending",
	}
	x := New(Options{})
	for id, text := range texts {
		x.Put(note(id, text))
	}
	s := x.Snapshot()
	f := NewFuzzy(Options{})
	query := "kubernetes deployment pending"
	found := s.Hybrid(Query{Text: query}, Blend{
		Weight: FuzzyWeight, Query: meant(s.Fuzzy(query)), Of: func(id string) Vector { return f.Embed(texts[id]) },
	})
	if got := ids(found); got[0] != "typo" {
		t.Errorf("found %v", got)
	}
}

func TestQuantizedVectorsKeepTheirDirection(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		numbers []float32
		want    []int8
	}{
		{[]float32{1, -.5, 0}, []int8{127, -64, 0}},
		{[]float32{1e-9, 1e-9}, []int8{127, 127}},
		{[]float32{0, 0}, []int8{0, 0}},
		{[]float32{nan, 2, inf}, []int8{0, 127, 127}},
		{nil, []int8{}},
	} {
		if got := Quantize("m", c.numbers); !slices.Equal(got.Values, c.want) || got.Embedder != "m" {
			t.Errorf("%v becomes %v, want %v", c.numbers, got, c.want)
		}
	}
}
