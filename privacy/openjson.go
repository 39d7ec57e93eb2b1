package privacy

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxDepth  = 64 // arrays and objects within one another
	maxNested = 8  // JSON in strings of JSON
)

var errTooDeep = errors.New("JSON too deep")

// openJSON protects the names, strings and numbers of a document, or of several in a row as in JSON lines, and
// keeps every byte between them; on an error nothing of the document may be stored.
func (g *Guard) openJSON(text string) (string, error) {
	if g.nested == maxNested {
		return "", errTooDeep
	}
	g.nested++
	defer func() { g.nested-- }()
	w := newWalker(g, text, []byte(text))
	if err := w.value(meaning{}); err != nil {
		return "", err
	}
	for len(bytes.TrimSpace(w.dec.UnreadBuffer())) > 0 {
		if kind := w.dec.PeekKind(); kind != jsontext.KindBeginObject && kind != jsontext.KindBeginArray {
			return "", errors.New("text behind the value")
		}
		if err := w.value(meaning{}); err != nil {
			return "", err
		}
	}
	return w.done(), nil
}

// walker copies a document and replaces what is protected on the way.
type walker struct {
	guard    *Guard
	text     string
	data     []byte // the same
	dec      *jsontext.Decoder
	out      []byte
	copied   int  // text before this is in out
	withheld bool // the members of the outermost object are content of an opted-out file
}

func newWalker(g *Guard, text string, data []byte) *walker {
	return &walker{guard: g, text: text, data: data,
		dec: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))}
}

// at returns the offset behind what was read.
func (w *walker) at() int { return int(w.dec.InputOffset()) }

// replace puts a literal in place of text[start:end].
func (w *walker) replace(start, end int, literal string) {
	w.out = append(append(w.out, w.text[w.copied:start]...), literal...)
	w.copied = end
}

// write puts a string in place of text[start:end].
func (w *walker) write(start, end int, s string) {
	w.out = append(w.out, w.text[w.copied:start]...)
	w.out, _ = jsontext.AppendQuote(w.out, s) // what is not UTF-8 is replaced
	w.copied = end
}

func (w *walker) done() string {
	if w.copied == 0 {
		return w.text
	}
	return string(append(w.out, w.text[w.copied:]...))
}

// value protects the next value; m says what the names in front of it tell.
func (w *walker) value(m meaning) error {
	switch w.dec.PeekKind() {
	case jsontext.KindBeginObject:
		return w.object(m)
	case jsontext.KindBeginArray:
		return w.array(m)
	case jsontext.KindString:
		return w.string(m)
	case jsontext.KindNumber:
		return w.number(m)
	default:
		return w.dec.SkipValue()
	}
}

func (w *walker) array(m meaning) error {
	if _, err := w.dec.ReadToken(); err != nil {
		return err
	}
	if w.dec.StackDepth() > maxDepth {
		return errTooDeep
	}
	for w.dec.PeekKind() != jsontext.KindEndArray {
		if err := w.value(m); err != nil {
			return err
		}
	}
	_, err := w.dec.ReadToken()
	return err
}

func (w *walker) string(m meaning) error {
	start, end, text, err := w.literal()
	if err != nil {
		return err
	}
	leave := w.enter(start+1, end-1)
	clean := w.guard.behind(m, text)
	if leave(); clean != text {
		w.write(start, end, clean)
	}
	return nil
}

func (w *walker) number(m meaning) error {
	raw, err := w.dec.ReadValue()
	if err != nil {
		return err
	}
	end := w.at()
	leave := w.enter(end-len(raw), end)
	tag := w.guard.number(m, string(raw))
	if leave(); tag != "" {
		w.write(end-len(raw), end, tag)
	}
	return nil
}

// literal reads a string or name and returns where it stands and what it says.
func (w *walker) literal() (start, end int, text string, err error) {
	raw, err := w.dec.ReadValue()
	if err != nil {
		return 0, 0, "", err
	}
	end = w.at()
	start = end - len(raw)
	text = w.text[start+1 : end-1]
	if strings.IndexByte(text, '\\') >= 0 {
		plain, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return 0, 0, "", err
		}
		text = string(plain)
	}
	return start, end, text, nil
}

// behind protects a string that has a meaning.
func (g *Guard) behind(m meaning, text string) string {
	if g.settings.AnonymizePII && m.promise.accepts(text) {
		g.note(Finding{m.promise.entity(), 0, len(text)})
		return g.tag(m.promise.entity(), text)
	}
	g.cue = m.cue
	text = g.text(text)
	g.cue = 0
	return text
}

// minNumber is how many characters a number needs to be a finding, with and without a cue.
const minNumber, minCuedNumber = 10, 7

// number returns the tag for a number that is a finding, or nothing.
func (g *Guard) number(m meaning, raw string) string {
	if !g.settings.AnonymizePII || g.figures {
		return ""
	}
	if secret := m.promise; secret.entity() == Secret && secret.accepts(raw) {
		g.note(Finding{Secret, 0, len(raw)})
		return g.tag(Secret, raw)
	}
	if len(raw) < minCuedNumber || m.cue == 0 && len(raw) < minNumber {
		return ""
	}
	digits := strings.TrimPrefix(raw, "-")
	if strings.ContainsAny(digits, ".eE") {
		f, err := strconv.ParseFloat(digits, 64)
		if err != nil || f != math.Trunc(f) || f > 1e19 {
			return ""
		}
		digits = strconv.FormatFloat(f, 'f', 0, 64)
	}
	if found := g.scan.find(digits, m.cue); len(found) > 0 {
		g.note(Finding{found[0].Entity, 0, len(raw)})
		return g.tag(found[0].Entity, digits)
	}
	return ""
}
