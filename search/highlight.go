package search

import (
	"slices"
	"strings"
)

// Match says where a document fits a query.
type Match struct {
	Fields     []string // in the order of the document, each once
	Highlights []Highlight
}

// Highlight is the part of a field where it fits best.
type Highlight struct {
	Field string
	Text  string // cut between words, with … where the field goes on
	Spans []Span // the words that counted
}

// Span is a stretch of a text, in bytes.
type Span struct{ Start, End int }

// excerpt is how many bytes of a field a highlight shows.
const excerpt = 160

// Match shows where one of the hits fits the query. Fields that it does not name did not count.
// The document has to be given, since the index keeps no texts.
func (r Results) Match(d Doc) Match {
	var m Match
	a := newAnalyzer(r.options)
	for _, f := range d.fields() {
		f.text = strings.ToValidUTF8(f.text, "\ufffd")
		spans := a.matches(f.text, r.words)
		if len(spans) == 0 {
			continue
		}
		m.Highlights = append(m.Highlights, cut(f, spans))
		if !slices.Contains(m.Fields, f.name) {
			m.Fields = append(m.Fields, f.name)
		}
	}
	return m
}

// matches returns where the words are, without overlaps: code as a whole beats its parts.
func (a *analyzer) matches(text string, words map[string]bool) []Span {
	var spans []Span
	a.terms(text, func(term string, start, end int) {
		if !words[term] {
			return
		}
		if n := len(spans); n > 0 && start < spans[n-1].End {
			spans[n-1].End = max(end, spans[n-1].End)
			return
		}
		spans = append(spans, Span{start, end})
	})
	return spans
}

// cut makes the highlight of a field around the stretch with the most matches.
func cut(f field, spans []Span) Highlight {
	first, last := densest(spans)
	room := excerpt - (spans[last].End - spans[first].Start)
	start := wordAt(f.text, max(spans[first].Start-max(room/3, 0), 0), spans[first].Start)
	end := wordEnd(f.text, min(start+excerpt, len(f.text)), spans[last].End)
	h := Highlight{Field: f.name, Text: f.text[start:end]}
	shift := -start
	if start > 0 {
		h.Text = "…" + h.Text
		shift += len("…")
	}
	if end < len(f.text) {
		h.Text += "…"
	}
	for _, s := range spans {
		if s.Start >= start && s.End <= end {
			h.Spans = append(h.Spans, Span{s.Start + shift, s.End + shift})
		}
	}
	return h
}

// densest returns the first and last of the most spans that an excerpt can show together.
func densest(spans []Span) (first, last int) {
	from := 0
	for to := range spans {
		for from < to && spans[to].End-spans[from].Start > excerpt {
			from++
		}
		if to-from > last-first {
			first, last = from, to
		}
	}
	return first, last
}

// wordAt returns the first beginning of a word from a byte on, at the latest at limit.
func wordAt(text string, from, limit int) int {
	if from == 0 {
		return 0
	}
	for i := from; i < limit; i++ {
		if text[i-1] == ' ' && text[i] != ' ' {
			return i
		}
	}
	return limit
}

// wordEnd returns the last end of a word up to a byte, at the earliest at limit.
func wordEnd(text string, to, limit int) int {
	if to == len(text) {
		return to
	}
	for i := to; i > limit; i-- {
		if text[i] == ' ' && text[i-1] != ' ' {
			return i
		}
	}
	return limit
}
