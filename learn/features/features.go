// Package features reads an exchange and says what stays known of it when its
// texts are gone: how relevant and how clear the answer is, what both texts are
// made of, and what the question is about.
package features

import (
	"math"

	"learnloop.dev/events"
	"learnloop.dev/privacy"
	"learnloop.dev/search"
)

// Blind is a keyed hash that nobody computes without the installation's key.
type Blind func(label string, parts ...string) string

// mostRead is how many bytes of a text are compared with the other and searched for
// topics: what it is about is said at its beginning. Its shape is that of all.
const mostRead = 8 << 10

// mostWords is how many words a reader remembers the features of: two megabytes.
const mostWords = 4096

// Reader turns exchanges into features. It is for one goroutine.
type Reader struct {
	fuzzy  *search.Fuzzy
	topics *finder
	stems  map[string]bool // of the question at hand
}

// NewReader returns a reader.
func NewReader() *Reader {
	fuzzy := search.NewFuzzy(search.Options{})
	fuzzy.Remember(mostWords)
	return &Reader{fuzzy: fuzzy, topics: newFinder(), stems: map[string]bool{}}
}

// Read returns what is kept of an exchange whose texts are redacted and whose
// session is a pseudonym. It changes nothing: dropping the texts is for the caller.
func (r *Reader) Read(e *events.Exchange, blind Blind) *events.ExchangeFeatures {
	question, answer := beginning(e.UserText), beginning(e.AgentText)
	clear(r.stems)
	r.topics.begin(question)
	asked := r.fuzzy.EmbedTerms(question, func(term string, start, end int) {
		r.stems[term] = true
		r.topics.ask(term, start, end)
	})
	answered := r.fuzzy.EmbedTerms(answer, func(_ string, start, end int) { r.topics.support(answer[start:end]) })
	topics := given(e.Topics)
	if len(topics) == 0 {
		topics = r.topics.best()
	}
	shape := shapeOf(e.AgentText)
	return &events.ExchangeFeatures{
		Relevance: relevance(asked, answered), Clarity: clarityOf(shape),
		Question: shapeOf(e.UserText).TextShape, Answer: shape.TextShape,
		Language: languageOf(question, answer), Topics: topics,
		Sketch: sketch(r.stems, blind("sketch", string(e.SessionID))), Corrections: int64(len(e.Corrections)),
	}
}

// Scope is what may be kept of exchanges: three switches of source document 003.
type Scope struct {
	Quality  bool // how good the answers are
	Personal bool // what people ask about, and what answers they get
	Tracking bool // what an exchange tells about the one before it
}

// Within takes out of the features what may not be kept, and notes that it may not:
// who folds them must not find it out by other ways.
func (s Scope) Within(f *events.ExchangeFeatures) {
	if !s.Quality {
		f.Unscored, f.Relevance, f.Clarity = true, nil, nil
	}
	if !s.Personal {
		f.Impersonal, f.Topics, f.Language = true, nil, ""
		f.Answer, f.Question = events.TextShape{}, events.TextShape{Characters: f.Question.Characters}
	}
	if !s.Tracking {
		f.Untracked, f.Sketch = true, nil
	}
	if !s.Personal && !s.Tracking {
		f.Question = events.TextShape{}
	}
}

// Topics are the key phrases of a text, as those of a question are found.
func (r *Reader) Topics(text string) []string {
	text = beginning(text)
	r.topics.begin(text)
	r.fuzzy.EmbedTerms(text, r.topics.ask)
	return r.topics.best()
}

// beginning is as much of a text as is read, without what stands where content was.
func beginning(text string) string { return privacy.Unmarked(clip(text, mostRead)) }

// relevance is the cosine, nil where there is none.
func relevance(question, answer search.Vector) *events.Milli {
	cosine, ok := question.Cosine(answer)
	if !ok {
		return nil
	}
	m := events.Milli(math.Round(1000 * cosine))
	return &m
}
