package events

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// checked is a payload of a hot kind: one that can be accepted without its schema.
type checked interface {
	// check reports whether the schema would accept the data that the payload was
	// read from, or false when it is not sure.
	check(data sent) bool
}

// sent is the data of an event as its producer wrote it: known to be strict JSON,
// and an object. Reading it into a Go type loses what this type can still tell:
// an empty string from an absent or a null one.
type sent []byte

// has reports whether a member is there and of a kind.
func (s sent) has(name string, kind jsontext.Kind) (found bool) {
	object(s, func(raw, value []byte) {
		found = found || called(raw, name) && jsontext.Value(value).Kind() == kind
	})
	return found
}

// eachHas reports whether every object of an array has a member, null or not.
func (s sent) eachHas(list, name string) (all bool) {
	object(s, func(raw, value []byte) {
		if !called(raw, list) {
			return
		}
		items, ok := elements(value)
		all = ok && !slices.ContainsFunc(items, func(item []byte) bool { return !sent(item).names(name) })
	})
	return all
}

// names reports whether a member is there, null or not.
func (s sent) names(name string) (found bool) {
	object(s, func(raw, _ []byte) { found = found || called(raw, name) })
	return found
}

// blank is the empty string as JSON; it has no other spelling.
var blank = []byte(`""`)

// blankOnly reports whether empty strings stand in no other members than these.
func (s sent) blankOnly(names ...string) bool {
	if !bytes.Contains(s, blank) {
		return true
	}
	only := true
	object(s, func(raw, value []byte) {
		if bytes.Contains(value, blank) {
			only = only && slices.ContainsFunc(names, func(name string) bool { return called(raw, name) })
		}
	})
	return only
}

// called reports whether a raw name is a name.
func called(raw []byte, name string) bool {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1:len(raw)-1]) == name
	}
	text, ok := unquote(raw)
	return ok && text == name
}

// text reports whether a required text was given: one that is empty is looked up.
func (s sent) text(name, value string) bool { return value != "" || s.has(name, '"') }

// The largest numbers of the schemas. None has room for a card number.
const (
	maxNumber  = 99_999_999_999 // milliseconds, tokens, values, counts
	maxCount   = 1_000_000_000  // characters, positions, seconds
	maxRetries = 1_000_000
	maxTier    = 1_000
	maxPoints  = 1_000 // hundredths
)

// within reports whether a number is absent or in a range.
func within[T int64 | float64](n *T, low, high T) bool {
	return n == nil || low <= *n && *n <= high
}

// filled reports whether no element is empty.
func filled[T ~string](list []T) bool { return !slices.Contains(list, "") }
