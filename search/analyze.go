package search

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

const (
	longest   = 64      // bytes of a term; longer code is found by its parts, longer parts by their beginning
	cachedMax = 1 << 16 // words whose stems a writer remembers
)

// Options say how texts become terms. They hold for an index and all that is asked of it.
type Options struct {
	NoStemming  bool // words match as written, but for their case
	NoStopWords bool // "the" and its like are terms too
}

// analyzer turns texts into terms. It is no more safe to share than a map.
type analyzer struct {
	Options

	env   *snowballstem.Env
	stems map[string]string // nil: remember nothing
	parts []part
	said  map[string]int // what count works with
	stops int            // stop words that were left out
}

func newAnalyzer(o Options) *analyzer {
	return &analyzer{Options: o, env: snowballstem.NewEnv(""), said: map[string]int{}}
}

// emitter receives a term and the bytes of the text that it stands for.
type emitter func(term string, start, end int)

// terms emits the terms of a text in order: code whole and in parts, words as their stems.
func (a *analyzer) terms(text string, emit emitter) {
	for w, ok := nextWord(text, 0); ok; w, ok = nextWord(text, w.end) {
		a.word(w, emit)
	}
}

func (a *analyzer) word(w word, emit emitter) {
	if plain(w.body) {
		a.parts = append(a.parts[:0], part{0, len(w.body)})
		a.part(w, a.parts[0], emit)
		return
	}
	if signed(w.body) {
		emit(lower(w.body), w.start, w.end) // C++ is not C
		return
	}
	a.parts = splitParts(w.body, a.parts[:0])
	if len(a.parts) > 1 && len(w.body) <= longest && !strings.ContainsFunc(w.body, unspaced) {
		a.whole(w, emit)
	}
	for _, p := range a.parts {
		a.part(w, p, emit)
	}
}

// signed reports whether a word ends with the signs of C++ or C#.
func signed(body string) bool {
	return strings.HasSuffix(body, "+") || strings.HasSuffix(body, "#")
}

func (a *analyzer) whole(w word, emit emitter) {
	term := lower(w.body)
	if !a.NoStopWords && stopWords[term] { // e.g.
		a.stops++
		return
	}
	emit(term, w.start, w.end)
}

// part emits one part of a word. A single letter says something only where it stands alone.
func (a *analyzer) part(w word, p part, emit emitter) {
	text, start := w.body[p.start:p.end], w.start+p.start
	first, size := utf8.DecodeRuneInString(text)
	switch {
	case unspaced(first):
		pairs(text, start, emit)
	case size == len(text) && len(a.parts) > 1:
	default:
		text = clip(text)
		if term := a.stem(lower(text)); term != "" {
			emit(term, start, start+len(text))
		}
	}
}

// pairs emits the overlapping pairs of letters of a script without spaces.
func pairs(text string, start int, emit emitter) {
	_, size := utf8.DecodeRuneInString(text)
	if size == len(text) {
		emit(lower(text), start, start+size)
		return
	}
	for i := 0; i+size < len(text); {
		_, next := utf8.DecodeRuneInString(text[i+size:])
		emit(lower(text[i:i+size+next]), start+i, start+i+size+next)
		i, size = i+size, next
	}
}

// lower folds case, width and apostrophes.
func lower(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.ToLower(norm.NFKC.String(strings.ReplaceAll(s, "’", "'")))
		}
	}
	return strings.ToLower(s)
}

// stem returns the term of a plain word in lower case, or "" for a stop word.
func (a *analyzer) stem(w string) string {
	w = clip(w)
	term, known := a.stems[w]
	if !known {
		term = a.newStem(w)
		a.remember(w, term)
	}
	if term == "" {
		a.stops++
	}
	return term
}

func (a *analyzer) newStem(w string) string {
	switch {
	case !a.NoStopWords && stopWords[w]:
		return ""
	case a.NoStemming:
		return w
	}
	a.env.SetCurrent(w)
	english.Stem(a.env)
	return a.env.Current()
}

// remember keeps a stem. Rare words would fill the memory, so it starts again now and then.
func (a *analyzer) remember(w, term string) {
	if a.stems == nil {
		return
	}
	if len(a.stems) >= cachedMax {
		clear(a.stems)
	}
	a.stems[strings.Clone(w)] = strings.Clone(term)
}

// clip cuts a word to what a term may have, between two letters.
func clip(w string) string {
	if len(w) <= longest {
		return w
	}
	end := longest
	for end > 0 && !utf8.RuneStart(w[end]) {
		end--
	}
	return w[:end]
}
