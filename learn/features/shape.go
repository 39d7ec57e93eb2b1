package features

import (
	"strings"
	"unicode/utf8"

	"learnloop.dev/events"
)

// shape is what a text is made of.
type shape struct {
	events.TextShape

	open    bool  // a fence of code that was never closed
	running int64 // words in paragraphs, not in lists and headings
	letters int64 // in words
	terms   int64 // words that are long or technical
}

// Shape is what a text is made of, as that of an answer is kept.
func Shape(text string) events.TextShape { return shapeOf(text).TextShape }

// shapeOf reads a text line by line, as Markdown is written.
func shapeOf(text string) shape {
	var r lines
	for line := range strings.Lines(text) {
		r.line(strings.TrimSpace(line))
	}
	r.endParagraph()
	r.Characters = int64(utf8.RuneCountInString(text))
	r.open = r.fence != ""
	if strings.Contains(text, "://") || strings.Contains(text, "](") {
		r.Links = links(text)
	}
	r.Examples = examples(text)
	r.grade()
	return r.shape
}

// lines reads one line after another.
type lines struct {
	shape

	fence   string // with which the code at hand ends
	started bool   // a paragraph has words
	pending bool   // a sentence has words and no end
}

func (r *lines) line(line string) {
	mark, text := markOf(line)
	switch {
	case r.fence != "":
		r.code(line)
	case line == "":
		r.endParagraph()
	case mark == fenced:
		r.endParagraph()
		r.fence = line[:fenceOf(line)]
		r.CodeBlocks++
	case mark == heading:
		r.endParagraph()
		r.Headings++
		r.prose(text)
		r.pending = false
	case mark == item:
		r.endParagraph()
		r.ListItems++
		r.prose(text)
		r.endSentence()
	default:
		before := r.Words
		r.prose(text)
		r.running += r.Words - before
		r.started = r.started || r.Words > before
	}
}

// code reads a line inside a fence, which ends with as many marks at least.
func (r *lines) code(line string) {
	if strings.HasPrefix(line, r.fence) && fenceOf(line) == len(line) {
		r.fence = ""
		return
	}
	if line != "" {
		r.CodeLines++
	}
}

func (r *lines) endParagraph() {
	r.endSentence()
	if r.started {
		r.Paragraphs++
	}
	r.started = false
}

func (r *lines) endSentence() {
	if r.pending {
		r.Sentences++
	}
	r.pending = false
}

// mark is what a line begins with.
type mark int

const (
	plain mark = iota
	fenced
	heading
	item
)

const shortestFence = 3

// markOf is what a line begins with, and the text behind it.
func markOf(line string) (mark, string) {
	if line == "" {
		return plain, line
	}
	switch c := line[0]; {
	case c == '`' || c == '~':
		if fenceOf(line) >= shortestFence {
			return fenced, ""
		}
	case c == '#':
		if text := strings.TrimLeft(line, "#"); len(line)-len(text) <= 6 && strings.HasPrefix(text, " ") {
			return heading, text
		}
	case c == '>':
		return markOf(strings.TrimSpace(line[1:]))
	case c == '-' || c == '*' || c == '+':
		if strings.HasPrefix(line[1:], " ") {
			return item, line[2:]
		}
	case strings.HasPrefix(line, "• "):
		return item, line[len("• "):]
	case '0' <= c && c <= '9':
		text := strings.TrimLeft(line, "0123456789")
		if len(line)-len(text) <= 3 && (strings.HasPrefix(text, ". ") || strings.HasPrefix(text, ") ")) {
			return item, text[2:]
		}
	}
	return plain, line
}

// fenceOf is how many equal marks of a fence a line begins with.
func fenceOf(line string) int {
	n := 0
	for n < len(line) && line[n] == line[0] && (line[0] == '`' || line[0] == '~') {
		n++
	}
	return n
}

// links are addresses and links of Markdown to elsewhere.
func links(text string) int64 {
	n := strings.Count(text, "http://") + strings.Count(text, "https://") + strings.Count(text, "](")
	return int64(n - strings.Count(text, "](http://") - strings.Count(text, "](https://"))
}

// announced are words with which examples begin.
var announced = [...]string{
	"example", "for instance", "e.g.", "beispiel", "z. b.", "z.b.", "ejemplo", "esempio", "exemplo", "voorbeeld",
	"exemple", //nolint:misspell // French
	"przykład", "например", "наприклад", "örnek", "例如", "比如", "例えば", "たとえば", "예를 들",
}

func examples(text string) int64 {
	text = strings.ToLower(text)
	n := 0
	for _, word := range announced {
		n += strings.Count(text, word)
	}
	return int64(n)
}
