package privacy

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxText is the longest string that is examined, in bytes; a longer one is dropped.
const maxText = 1 << 20

// Report counts what protecting one event did to it.
type Report struct {
	Found    Counts // replaced by tags
	Shielded int    // identifiers replaced as a whole
	Removed  int    // strings and documents that could not be examined, and were dropped
	OptedOut int    // contents of opted-out files, dropped
	Disabled bool   // capture is switched off: the caller declines the event
}

// Guard protects one event after another under fixed settings; it is not safe for concurrent use.
type Guard struct {
	keys     *Keys // none: ids stay as they are
	settings Settings
	optOut   optOut
	plans    map[planKey]step
	scan     finder
	tags     tagger
	report   Report
	nested   int  // how deep the document at hand stands in strings of others
	cue      cue  // what the name of the string at hand says about numbers in it
	figures  bool // the numbers of the document at hand stay
	trace    *trace
}

// finder is what a scanner does for a guard.
type finder interface {
	find(text string, said cue) []Finding
	reserved() [entities]int
}

// NewGuard returns a guard for valid settings.
func NewGuard(keys *Keys, settings Settings) (*Guard, error) {
	if keys == nil {
		return nil, errors.New("create guard: no keys")
	}
	if err := settings.Validate(); err != nil {
		return nil, fmt.Errorf("create guard: %w", err)
	}
	return newGuard(keys, settings), nil
}

// NewTextGuard returns a guard for whoever sends events: it protects texts alone, under the default
// settings. Ids stay as they are, because only the keys of the installation can replace them.
func NewTextGuard() *Guard { return newGuard(nil, Defaults()) }

func newGuard(keys *Keys, settings Settings) *Guard {
	return &Guard{keys: keys, settings: settings, optOut: newOptOut(settings.OptOutPatterns),
		plans: make(map[planKey]step), scan: &scanner{}}
}

// Protect rewrites the strings of the struct that event points to, each as its class asks for. On an
// error nothing of the event may be stored.
func (g *Guard) Protect(event any) (report Report, err error) {
	v := reflect.ValueOf(event)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return Report{}, fmt.Errorf("protect %T: want a pointer to a struct", event)
	}
	defer func() {
		if recover() != nil { // what it says may quote the event
			err = fmt.Errorf("protect %T: crashed", event)
		}
	}()
	apply, err := g.plan(v.Elem().Type(), textClass)
	if err != nil {
		return Report{}, fmt.Errorf("protect %T: %w", event, err)
	}
	g.begin()
	if apply != nil {
		apply(g, v.Elem())
	}
	return g.report, nil
}

// begin forgets the event before.
func (g *Guard) begin() {
	g.tags.reset()
	g.report = Report{Disabled: !g.settings.Enabled}
	g.nested, g.cue, g.figures = 0, 0, false
}

// Identifier returns an id as it is when nothing is found in it, and else its keyed hash.
func (g *Guard) Identifier(id string) (safe string) {
	if id == "" || !g.settings.AnonymizePII || g.keys == nil {
		return id
	}
	defer func() {
		if recover() != nil {
			safe = g.shield(id)
		}
	}()
	if len(id) > maxText || len(g.scan.find(id, 0)) > 0 {
		return g.shield(id)
	}
	return id
}

// blind returns a hash in hexadecimal or base32 digits as it is, and protects what is none.
func (g *Guard) blind(hash string) string {
	if n := words.run(hash, 0); n < len(hash) || n < minHash || strings.ToLower(hash) != hash || !hasDigit(hash) || digits.run(hash, 0) == n {
		return g.Identifier(hash)
	}
	return hash
}

// minHash is how long a hash is at least.
const minHash = 16

func (g *Guard) shield(id string) string {
	g.report.Shielded++
	return g.keys.Shield(id)
}

// Pseudonym returns the pseudonym of an id, or the id where the settings say so.
func (g *Guard) Pseudonym(ns Namespace, id string) string {
	if !g.settings.AnonymizeUsers || g.keys == nil {
		return id
	}
	return g.keys.Pseudonym(ns, id)
}

// text protects a string: opted-out content first, then what is found in it, as JSON if it is JSON.
func (g *Guard) text(text string) (safe string) {
	if text == "" {
		return ""
	}
	defer func() {
		if recover() != nil {
			safe = g.remove()
		}
	}()
	if len(text) > maxText {
		return g.remove()
	}
	next := g.examine(text)
	if next == text {
		return text
	}
	again := g.mute()
	defer again()
	for range maxRounds - 1 { // each step may show the one before something new
		if text, next = next, g.examine(next); next == text {
			return text
		}
	}
	return g.remove()
}

// mute ends the trace of a string that is rewritten, until its return value is called.
func (g *Guard) mute() (again func()) {
	t := g.trace
	if t == nil || t.muted {
		return func() {}
	}
	t.muted = true
	return func() { t.muted = false }
}

// examine takes the steps of protecting a text once.
func (g *Guard) examine(text string) string {
	text, dropped := g.optOut.strip(text)
	g.report.OptedOut += dropped
	if document, ok := g.document(text); ok {
		return document
	}
	return g.redact(text)
}

// document protects a text that is a JSON document. What was found on the way into one that is none does not
// count: the text is examined anew.
func (g *Guard) document(text string) (string, bool) {
	if !looksLikeJSON(text) {
		return "", false
	}
	said, report, noted := g.cue, g.report, g.trace.len()
	document, err := g.openJSON(text)
	g.cue = said
	if err == nil {
		return document, true
	}
	g.report = report
	g.trace.cut(noted)
	if errors.Is(err, errTooDeep) {
		g.note(Finding{Secret, 0, len(text)})
		return g.remove(), true
	}
	return "", false
}

// looksLikeJSON reports whether a text begins like an object or an array.
func looksLikeJSON(text string) bool {
	for i := range len(text) {
		if b := text[i]; !isSpace(b) {
			return b == '{' || b == '[' && placeholderAt(text, i) == i
		}
	}
	return false
}

// open protects a JSON value.
func (g *Guard) open(value jsontext.Value) (safe jsontext.Value) {
	if len(value) == 0 {
		return value
	}
	removed := func() jsontext.Value { return jsontext.Value(`"` + g.remove() + `"`) }
	defer func() {
		if recover() != nil {
			safe = removed()
		}
	}()
	text, err := g.openJSON(string(value))
	if err != nil {
		return removed()
	}
	return jsontext.Value(text)
}

// redact replaces the findings in a text by tags.
func (g *Guard) redact(text string) string {
	if !g.settings.AnonymizePII {
		return text
	}
	found := g.scan.find(text, g.cue)
	g.tags.reserve(g.scan.reserved())
	if len(found) == 0 {
		return text
	}
	g.note(found...)
	for _, f := range found {
		g.report.Found[f.Entity]++
	}
	return g.tags.replace(text, found)
}

// tag returns the tag for a value that is sensitive as a whole.
func (g *Guard) tag(e Entity, value string) string {
	g.report.Found[e]++
	return string(g.tags.append(nil, e, value))
}

// remove drops a string that could not be examined.
func (g *Guard) remove() string {
	g.report.Removed++
	return removedMark
}
