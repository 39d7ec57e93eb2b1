package privacy

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"learnloop.dev/inorder"
)

// Examine returns a text as it would be kept under the default settings, were no file opted out, and where it was
// changed, in bytes of the text as it was given. A JSON document is walked, as when it comes in an event; what
// could not be examined is a Secret as a whole.
func Examine(text string) (kept string, found []Finding) {
	settings := Defaults()
	settings.OptOutPatterns = nil
	g := newGuard(nil, settings)
	g.trace = &trace{origin: func(i int) int { return i }}
	if kept = g.text(text); kept == removedMark {
		return kept, []Finding{{Secret, 0, len(text)}}
	}
	inorder.Sort(g.trace.found, func(a, b Finding) int { return a.Start - b.Start })
	return kept, g.trace.found
}

// trace remembers what a guard finds, as it stands in the outermost text.
type trace struct {
	found  []Finding
	origin func(i int) int // from the string at hand to the outermost text
	muted  bool            // the string at hand is rewritten already
}

// len is how much was found.
func (t *trace) len() int {
	if t == nil {
		return 0
	}
	return len(t.found)
}

// cut forgets what was found after the first n.
func (t *trace) cut(n int) {
	if t != nil {
		t.found = t.found[:n]
	}
}

// note remembers findings in the string at hand.
func (g *Guard) note(found ...Finding) {
	t := g.trace
	if t == nil || t.muted {
		return
	}
	for _, f := range found {
		t.found = append(t.found, Finding{f.Entity, t.origin(f.Start), t.origin(f.End)})
	}
}

// enter makes the inside of a literal, which starts at text[start], the string at hand, until leave is called.
func (w *walker) enter(start, end int) (leave func()) {
	t := w.guard.trace
	if t == nil {
		return func() {}
	}
	outer := t.origin
	offsets := unquoted(w.text[start:end])
	t.origin = func(i int) int {
		if offsets != nil {
			i = offsets[i]
		}
		return outer(start + i)
	}
	return func() { t.origin = outer }
}

// unquoted returns where each byte of a string stands in its literal without the quotes, and its end; nothing if
// that is where it stands in the string.
func unquoted(literal string) (offsets []int) {
	if strings.IndexByte(literal, '\\') < 0 {
		return nil
	}
	for i := 0; i < len(literal); {
		n, size := 1, 1
		if literal[i] == '\\' {
			n, size = escapeAt(literal[i:])
		}
		for range size {
			offsets = append(offsets, i)
		}
		i += n
	}
	return append(offsets, len(literal))
}

const (
	shortEscape = len(`\n`)
	longEscape  = len(`\u0040`)
)

// escapeAt returns how long the escape at the beginning of a text is, and what it stands for.
func escapeAt(text string) (n, size int) {
	if n = shortEscape; text[1] == 'u' {
		n = longEscape
	}
	pair := min(2*longEscape, len(text))
	for _, n := range [...]int{pair, n} {
		char, err := jsontext.AppendUnquote(nil, `"`+text[:n]+`"`)
		if paired := n == 2*longEscape && text[longEscape] == '\\' && len(char) == len("😀"); err == nil && (paired || n <= longEscape) {
			return n, len(char)
		}
	}
	return n, 1
}
