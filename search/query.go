package search

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"learnloop.dev/inorder"
)

// Query asks for documents that say any of some words. The zero value of a filter lets everything through.
type Query struct {
	Text           string // words, code, and prefixes as foo*; anything else in it means nothing
	Limit          int    // hits at most; 0: ten
	MinConfidence  float64
	Domain         string
	Status         string
	ExcludeOutcome string
}

// defaultLimit is how many hits there are where nobody says.
const defaultLimit = 10

// Note says why an answer is as it is where its hits do not.
type Note string

// What an answer may note.
const (
	NoWords   Note = "the query has no word in it"
	StopWords Note = "the query has only words that say nothing by themselves"
	NoDocs    Note = "there is nothing to search yet"
	Unknown   Note = "no document has any word of the query"
	Filtered  Note = "the filters let no match through"
	NoVectors Note = "by words alone: there is no vector to compare with"
	ByRank    Note = "fused by rank: some matches have no vector to compare with"
)

// Hit is a document that was found.
type Hit struct {
	ID        string
	Score     float64 // what hits are sorted by: Text times the fourth root of the posterior; see Hybrid for its own
	Text      float64 // BM25
	Relevance float64 // of 1, how well the text fits compared with the best hit's
}

// Results are the best hits for a query, best first; equal ones by id.
type Results struct {
	Hits []Hit
	Note Note    // where there is something to say
	Own  float64 // the Text that the query itself would have as a document: near copies of it come close

	options Options
	words   map[string]bool // the terms that counted
}

// asked is one term of a query, or a prefix of terms.
type asked struct {
	term   string
	prefix bool
	also   string // the stem of a prefix that is a word itself
	times  int
}

// read returns what a query asks for, by term; or a note, why it asks for nothing.
func (o Options) read(text string) ([]asked, Note) {
	a := newAnalyzer(o)
	by := map[asked]int{}
	emphasis := false // between *such stars*, which mark no prefix
	for w, ok := nextWord(text, 0); ok; w, ok = nextWord(text, w.end) {
		emphasis = emphasis || w.start > 0 && text[w.start-1] == '*'
		if q, ok := a.prefix(w); ok && !emphasis {
			by[q]++
		} else {
			a.word(w, func(term string, _, _ int) { by[asked{term: term}]++ })
		}
		emphasis = emphasis && !strings.HasPrefix(text[w.end:], "*")
	}
	switch {
	case len(by) > 0:
		return inOrder(by), ""
	case a.stops > 0:
		return nil, StopWords
	}
	return nil, NoWords
}

// prefix reads a word with a star: what begins like it, and what it is a form of.
func (a *analyzer) prefix(w word) (q asked, ok bool) {
	if !w.starred || utf8.RuneCountInString(w.body) < 2 || strings.ContainsFunc(w.body, unspaced) {
		return asked{}, false
	}
	switch a.parts = splitParts(w.body, a.parts[:0]); {
	case len(a.parts) == 0 || len(w.body) > longest:
		return asked{}, false
	case len(a.parts) == 1 && !signed(w.body):
		term := lower(w.body[a.parts[0].start:a.parts[0].end])
		return asked{term: term, prefix: true, also: a.stem(term)}, true
	}
	return asked{term: lower(w.body), prefix: true}, true
}

// inOrder returns the terms sorted, so that equal queries are answered equally.
func inOrder(by map[asked]int) []asked {
	all := make([]asked, 0, len(by))
	for q, times := range by {
		q.times = times
		all = append(all, q)
	}
	inorder.Sort(all, func(x, y asked) int {
		return cmp.Or(strings.Compare(x.term, y.term), strings.Compare(x.also, y.also))
	})
	return all
}
