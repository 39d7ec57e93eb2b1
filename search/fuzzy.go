package search

import (
	"math"
	"unicode/utf8"
)

const (
	// FuzzyEmbedder is the id of the embedder that needs no model. It is fuzzy, not semantic: it sees that
	// words are spelled alike, and gains on commands and error messages.
	FuzzyEmbedder = "fuzzy-1"
	// FuzzyWeight is how much of a score its vectors are worth; see Hybrid.
	FuzzyWeight = .2

	fuzzyDim             = 512
	shortGram, longGram  = 3, 5
	fnvOffset, fnvFactor = 14695981039346656037, 1099511628211
)

// Fuzzy embeds texts by the words in them and their runs of three to five letters, hashed into 512
// numbers. Words weigh what they are worth in the snapshot, so its vectors are made when they are needed and not kept.
// It is for one goroutine.
type Fuzzy struct {
	snapshot *Snapshot
	analyzer *analyzer
	features map[string][]feature
	sums     [fuzzyDim]float32
}

// feature is what a word adds to a vector.
type feature struct {
	at  uint16
	add float32
}

// Fuzzy returns the embedder without a model, weighing words as the snapshot does.
func (s *Snapshot) Fuzzy() *Fuzzy {
	a := newAnalyzer(s.options)
	a.stems = map[string]string{}
	return &Fuzzy{snapshot: s, analyzer: a, features: map[string][]feature{}}
}

// Embed returns the vector of some texts together.
func (f *Fuzzy) Embed(texts ...string) Vector {
	clear(f.sums[:])
	for _, text := range texts {
		f.analyzer.terms(text, func(term string, _, _ int) { f.add(term) })
	}
	return Quantize(FuzzyEmbedder, f.sums[:])
}

// EmbedDoc returns the vector of all texts of a document, the title twice.
func (f *Fuzzy) EmbedDoc(d Doc) Vector {
	var texts []string
	for _, field := range d.fields() {
		for range field.weight {
			texts = append(texts, field.text)
		}
	}
	return f.Embed(texts...)
}

func (f *Fuzzy) add(term string) {
	features, ok := f.features[term]
	if !ok {
		features = f.featuresOf(term)
		f.features[term] = features
	}
	for _, feature := range features {
		f.sums[feature.at] += feature.add
	}
}

// featuresOf hashes a word and its runs of letters, which together weigh as much as the word again.
func (f *Fuzzy) featuresOf(term string) []feature {
	weight := rarity(f.snapshot.docs, f.snapshot.frequency(term))
	grams := gramsOf("^" + term + "$")
	all := make([]feature, 0, 1+len(grams))
	all = append(all, featureOf(term, weight))
	each := weight / math.Sqrt(float64(max(len(grams), 1)))
	for _, gram := range grams {
		all = append(all, featureOf(gram, each))
	}
	return all
}

// gramsOf returns the runs of three to five letters of a word.
func gramsOf(w string) []string {
	ends := make([]int, 0, len(w)+1)
	for i := range w {
		ends = append(ends, i)
	}
	ends = append(ends, len(w))
	var grams []string
	for n := shortGram; n <= longGram && n <= utf8.RuneCountInString(w); n++ {
		for i := 0; i+n < len(ends); i++ {
			grams = append(grams, w[ends[i]:ends[i+n]])
		}
	}
	return grams
}

// featureOf finds the place of a feature, and its sign: features that share a place by chance cancel out on average.
func featureOf(s string, weight float64) feature {
	hash := uint64(fnvOffset)
	for i := range len(s) {
		hash = (hash ^ uint64(s[i])) * fnvFactor
	}
	hash ^= hash >> 32
	hash *= 0xd6e8feb86659fd93
	hash ^= hash >> 32
	if hash>>63 == 1 {
		weight = -weight
	}
	return feature{uint16(hash % fuzzyDim), float32(weight)}
}

// frequency is how many documents have a term.
func (s *Snapshot) frequency(term string) int {
	n := 0
	for _, sh := range s.shards {
		if t, ok := sh.terms.find(term); ok {
			n += sh.frequency(t)
		}
	}
	return n
}
