package search

import (
	"math"
	"strings"
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
// numbers. A text's vector depends on nothing else, so it can be kept. It is for one goroutine.
type Fuzzy struct {
	analyzer *analyzer
	features map[string][]feature
	most     int // words whose features are kept
	sums     [fuzzyDim]float32
}

// feature is what a word adds to a vector.
type feature struct {
	at  uint16
	add float32
}

// rememberedFeatures is how many words a Fuzzy keeps the features of unless it is told otherwise: some megabytes.
const rememberedFeatures = 1 << 14

// NewFuzzy returns an embedder that reads texts as an index with these options does.
func NewFuzzy(o Options) *Fuzzy {
	a := newAnalyzer(o)
	a.stems = map[string]string{}
	return &Fuzzy{analyzer: a, features: map[string][]feature{}, most: rememberedFeatures}
}

// Remember has the embedder keep what it found out about so many words and no more, at half a kilobyte each.
func (f *Fuzzy) Remember(words int) { f.most = words }

// Embed returns the vector of a text, each of whose words weighs the same.
func (f *Fuzzy) Embed(text string) Vector {
	clear(f.sums[:])
	f.add(text, func(string) float64 { return 1 })
	return Quantize(FuzzyEmbedder, f.sums[:])
}

// EmbedTerms is Embed, and tells the terms of the text in order, with the bytes that each stands for.
func (f *Fuzzy) EmbedTerms(text string, tell func(term string, start, end int)) Vector {
	clear(f.sums[:])
	f.analyzer.terms(text, func(term string, start, end int) {
		f.count(term, 1)
		tell(term, start, end)
	})
	return Quantize(FuzzyEmbedder, f.sums[:])
}

// Doc returns the vector of all texts of a document, in the weights of its fields.
func (f *Fuzzy) Doc(d Doc) Vector {
	clear(f.sums[:])
	for _, field := range d.fields() {
		f.add(field.text, func(string) float64 { return float64(field.weight) })
	}
	return Quantize(FuzzyEmbedder, f.sums[:])
}

// Fuzzy returns the vector of a query, to compare with those of documents. Its words weigh the square of
// what they are worth in the snapshot: as if both sides were weighted, while those of documents stay as they are.
func (s *Snapshot) Fuzzy(text string) Vector {
	f := NewFuzzy(s.options)
	f.add(text, func(term string) float64 {
		worth := rarity(s.docs, s.frequency(term))
		return worth * worth
	})
	return Quantize(FuzzyEmbedder, f.sums[:])
}

func (f *Fuzzy) add(text string, weight func(term string) float64) {
	f.analyzer.terms(text, func(term string, _, _ int) { f.count(term, float32(weight(term))) })
}

func (f *Fuzzy) count(term string, weight float32) {
	for _, feature := range f.featuresOf(term) {
		f.sums[feature.at] += float32(weight * feature.add) // rounded: all machines make the same vector
	}
}

// featuresOf hashes a word and its runs of letters, which together weigh as much as the word again.
func (f *Fuzzy) featuresOf(term string) []feature {
	if known, ok := f.features[term]; ok {
		return known
	}
	grams := gramsOf("^" + term + "$")
	all := make([]feature, 0, 1+len(grams))
	all = append(all, featureOf(term, 1))
	each := 1 / math.Sqrt(float64(max(len(grams), 1)))
	for _, gram := range grams {
		all = append(all, featureOf(gram, each))
	}
	if len(f.features) >= f.most {
		clear(f.features)
		clear(f.analyzer.stems)
	}
	f.features[strings.Clone(term)] = all
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
