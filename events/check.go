package events

import (
	"bytes"
	"iter"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// checked is a payload of a hot kind: one that can be accepted without its schema.
type checked interface {
	// check reports whether the schema would accept the data that the payload was
	// read from, or false when it is not sure.
	check(sent) bool
}

// sent is the data of an event as its producer wrote it: known to be strict JSON,
// and an object. Reading it into a Go type loses what this type can still tell:
// an empty string from an absent or a null one.
type sent []byte

// members yields the names of the object with their values.
func (s sent) members() iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		more := true
		object(s, func(raw, value []byte) {
			if name, ok := unquote(raw); more && ok {
				more = yield(name, value)
			}
		})
	}
}

// has reports whether a member is there and of a kind.
func (s sent) has(name string, kind jsontext.Kind) bool {
	for key, value := range s.members() {
		if key == name {
			return value.Kind() == kind
		}
	}
	return false
}

// eachHas reports whether every object of an array has a member.
func (s sent) eachHas(list, name string) bool {
	for key, value := range s.members() {
		if key != list {
			continue
		}
		raw, ok := elements(value)
		return ok && !slices.ContainsFunc(raw, func(item []byte) bool { return !sent(item).named(name) })
	}
	return false
}

// named reports whether a member is there, null or not.
func (s sent) named(name string) bool {
	for key := range s.members() {
		if key == name {
			return true
		}
	}
	return false
}

// blank is the empty string as JSON; it has no other spelling.
var blank = []byte(`""`)

// blankOnly reports whether empty strings stand in no other members than these.
func (s sent) blankOnly(names ...string) bool {
	if !bytes.Contains(s, blank) {
		return true
	}
	for key, value := range s.members() {
		if bytes.Contains(value, blank) && !slices.Contains(names, key) {
			return false
		}
	}
	return true
}

// text reports whether a required text was given: one that is empty is looked up.
func (s sent) text(name, value string) bool { return value != "" || s.has(name, '"') }

// The largest numbers of the schemas. None has room for a card number.
const (
	maxNumber  = 99_999_999_999 // milliseconds, tokens, values, counts
	maxCount   = 1_000_000_000  // characters, positions, seconds
	maxRetries = 1_000_000
	maxTier    = 1_000
)

// within reports whether a number is absent or in a range.
func within[T int64 | float64](n *T, low, high T) bool {
	return n == nil || low <= *n && *n <= high
}

// filled reports whether no element is empty.
func filled[T ~string](list []T) bool { return !slices.Contains(list, "") }
