package privacy

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// object protects the members of an object. When one of them names an opted-out file, it starts over
// and withholds the others.
func (w *walker) object(m meaning) error {
	if _, err := w.dec.ReadToken(); err != nil {
		return err
	}
	if w.dec.StackDepth() > maxDepth {
		return errTooDeep
	}
	start := w.at() - 1
	kept, copied, report := len(w.out), w.copied, w.guard.report
	withheld := w.withheld
	w.withheld = false
	m.withheld = withheld
	optedOut := false
	var taken map[string]bool // names of the object, once one of them changes
	var listed meaning        // what the member "name" or "type" of an entry tells of its member "value"
	for w.dec.PeekKind() != jsontext.KindEndObject {
		matched, err := w.member(start, &taken, m, &listed)
		if err != nil {
			return err
		}
		optedOut = optedOut || matched
	}
	if _, err := w.dec.ReadToken(); err != nil || !optedOut || withheld {
		return err
	}
	w.out, w.copied, w.guard.report = w.out[:kept], copied, report
	return w.withhold(start, w.at())
}

// withhold walks an object again and puts marks in place of its content.
func (w *walker) withhold(start, end int) error {
	again := newWalker(w.guard, w.text[start:end], w.data[start:end])
	again.withheld = true
	if err := again.value(meaning{}); err != nil {
		return err
	}
	w.replace(start, end, again.done())
	return nil
}

// member protects a name and its value, and reports whether they name an opted-out file.
func (w *walker) member(object int, taken *map[string]bool, of meaning, listed *meaning) (bool, error) {
	start, end, name, err := w.literal()
	if err != nil {
		return false, err
	}
	leave := w.enter(start+1, end-1)
	clean := w.guard.text(name)
	if leave(); clean != name {
		if *taken == nil {
			*taken = namesOf(w.text[object:], w.data[object:])
		}
		w.write(start, end, unused(*taken, clean))
	}
	optOut := w.guard.optOut
	paths := namesPath(name) && namesPath(clean) // as it will be read again
	if kind := w.dec.PeekKind(); optOut.matches(name) || optOut.matches(clean) || of.withheld && !paths && !constant(kind) {
		return false, w.drop()
	}
	from := w.at()
	written := len(w.out) + from - w.copied
	m := meaningOf(name).within(of, name)
	if m.cue&personal != 0 && m.cue.named() == 0 {
		m.cue |= countriesBeside(w.text, start, from)
	}
	if m.promise == public && strings.EqualFold(name, "name") && peopleBeside(w.text, start, from) {
		m.promise = holder
	}
	if m.promise == public && strings.EqualFold(name, "value") {
		m.promise = listed.promise
	}
	if m.cue == 0 && numberNames[strings.ToLower(name)] {
		m.cue = listed.cue
	}
	if err := w.value(m); err != nil {
		return false, err
	}
	listed.tell(strings.ToLower(name), strings.Trim(w.text[from:w.at()], ": \"\t\r\n"))
	return paths && (optOut.matchesAny(w.text[from:w.at()]) || w.copied > from && optOut.matchesAny(w.since(written))), nil
}

// since is what is written from a place of the output on: what is read again when it is protected again.
func (w *walker) since(place int) string {
	return string(w.out[min(place, len(w.out)):]) + w.text[w.copied:w.at()]
}

// kindNames are names of members that tell what kind of number another member holds.
var kindNames = wordSet("name key type kind label field")

// tell adds what a member of an entry tells of its member "value".
func (m *meaning) tell(name, value string) {
	if namesMembers[name] {
		m.promise = promiseOf(value)
	}
	if kindNames[name] && len(value) <= maxHead {
		m.cue = nameCue(value)
	}
}

// constant reports whether a value is too small to be content.
func constant(kind jsontext.Kind) bool {
	return kind == jsontext.KindTrue || kind == jsontext.KindFalse || kind == jsontext.KindNull
}

// drop puts a mark in place of the next value.
func (w *walker) drop() error {
	raw, err := w.dec.ReadValue()
	if err != nil {
		return err
	}
	if mark := `"` + optedOutMark + `"`; string(raw) != mark {
		w.guard.report.OptedOut++
		w.replace(w.at()-len(raw), w.at(), mark)
	}
	return nil
}

// namesOf returns the names of the object with which a text begins.
func namesOf(text string, data []byte) map[string]bool {
	w := newWalker(nil, text, data)
	taken := make(map[string]bool)
	if _, err := w.dec.ReadToken(); err != nil {
		return taken
	}
	for w.dec.PeekKind() == jsontext.KindString {
		_, _, name, err := w.literal()
		if err != nil || w.dec.SkipValue() != nil {
			break
		}
		taken[name] = true
	}
	return taken
}

// unused returns a name, with a number if it is taken, and takes it.
func unused(taken map[string]bool, name string) string {
	next := name
	for n := 2; taken[next]; n++ {
		next = name + "#" + strconv.Itoa(n)
	}
	taken[next] = true
	return next
}

// matchesAny reports whether a string, or a string in an array, names an opted-out file; text starts
// behind the name of the member.
func (o optOut) matchesAny(text string) bool {
	text = strings.TrimLeft(text, ": \t\r\n")
	if len(o.globs) == 0 || text[0] != '"' && text[0] != '[' {
		return false
	}
	if text[0] == '"' && strings.IndexByte(text, '\\') < 0 {
		return o.matches(text[1 : len(text)-1])
	}
	w := newWalker(nil, text, []byte(text))
	for {
		switch w.dec.PeekKind() {
		case jsontext.KindString:
			if _, _, name, err := w.literal(); err != nil || o.matches(name) {
				return err == nil
			}
		case jsontext.KindInvalid:
			return false
		default:
			if _, err := w.dec.ReadToken(); err != nil {
				return false
			}
		}
	}
}
