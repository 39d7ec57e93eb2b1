package events

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"learnloop.dev/inorder"
)

// The sizes an envelope may have. Ids inside data may be longer.
const (
	MaxAttribute  = 2 << 10 // bytes of one attribute's value
	MaxExtensions = 32      // attributes besides the specification's
	maxName       = 64      // bytes of an attribute's name
)

// Item is one event of a message as it arrived: checked for form, or refused.
// What could be read of a refused one is there.
type Item struct {
	Envelope
	// Type is the CloudEvents type as sent; it may hold anything.
	Type string
	Refusal

	version, content string // specversion and datacontenttype
}

// fault notes that an attribute is wrong; what is wrong with several that may not be
// named is told once, so that they cannot make a refusal long.
func (i *Item) fault(name, expected string) {
	i.Reason = ReasonMalformed
	v := Violation{Pointer: "/" + name, Expected: expected}
	if !slices.Contains(i.Violations, v) {
		i.Violations = append(i.Violations, v)
	}
}

// set takes in one attribute by its canonical text.
func (i *Item) set(name, value string) {
	if !attributeName(name) {
		i.fault("*", fmt.Sprintf("attribute names of at most %d lower-case letters and digits", maxName))
		return
	}
	known := i.place(name)
	shown := name
	if known == nil && name != "time" {
		shown = "*"
	}
	switch {
	case i.has(name, known):
		i.fault(shown, "each attribute once")
	case value == "":
		i.fault(shown, "text that is not empty")
	case len(value) > MaxAttribute:
		i.fault(shown, fmt.Sprintf("at most %d bytes", MaxAttribute))
	case !printable(value):
		i.fault(shown, "text without control characters, in valid UTF-8")
	case known != nil:
		*known = value
	case name == "time":
		i.setTime(value)
	default:
		i.extend(name, value)
	}
}

// has reports whether an attribute was set, given the place of its text if it
// has one.
func (i *Item) has(name string, place *string) bool {
	switch {
	case place != nil:
		return *place != ""
	case name == "time":
		return !i.Time.IsZero()
	}
	_, ok := i.Extensions[name]
	return ok
}

// place returns where a text attribute of the specification is kept.
func (i *Item) place(name string) *string {
	switch name {
	case "specversion":
		return &i.version
	case "id":
		return &i.ID
	case "source":
		return &i.Source
	case "type":
		return &i.Type
	case "subject":
		return &i.Subject
	case "datacontenttype":
		return &i.content
	}
	return nil
}

func (i *Item) setTime(value string) {
	if err := i.Time.UnmarshalText([]byte(value)); err != nil {
		i.Time = time.Time{}
		i.fault("time", "a time as in RFC 3339: 2006-01-02T15:04:05Z")
	}
}

func (i *Item) extend(name, value string) {
	if len(i.Extensions) == MaxExtensions {
		i.fault("*", fmt.Sprintf("at most %d extension attributes", MaxExtensions))
		return
	}
	if i.Extensions == nil {
		i.Extensions = map[string]string{}
	}
	i.Extensions[name] = value
}

// finish checks what can only be said once everything is there.
func (i *Item) finish() {
	i.require("specversion", i.version == "1.0", "1.0")
	i.require("id", i.ID != "", "a value: the attribute is required")
	_, err := url.Parse(i.Source)
	i.require("source", i.Source != "" && err == nil, "a URI reference: the attribute is required")
	i.require("type", i.Type != "", "a value: the attribute is required")
	i.require("datacontenttype", i.content == "" || isJSON(i.content), "application/json, or another JSON type, in UTF-8")
	i.require("data", len(i.Data) > 0, "a value: every kind has data")
	if i.Refused() {
		inorder.Sort(i.Violations, func(a, b Violation) int {
			return cmp.Or(cmp.Compare(strangers(a), strangers(b)), strings.Compare(a.Pointer, b.Pointer))
		})
		return
	}
	var ours bool
	if i.Kind, ours = KindOf(i.Type); !ours {
		i.Kind = ""
		i.Refusal = refuse(ReasonUnknownType, "/type", TypePrefix+"<kind>"+TypeSuffix+" of a kind that is known")
	}
}

// strangers puts attributes that may not be named behind those that may.
func strangers(v Violation) int { return strings.Count(v.Pointer, "*") }

// require notes that an attribute is wrong, unless that is known already.
func (i *Item) require(name string, ok bool, expected string) {
	if !ok && !slices.ContainsFunc(i.Violations, func(v Violation) bool { return v.Pointer[1:] == name }) {
		i.fault(name, expected)
	}
}

// attributeName reports whether a name is one by the specification.
func attributeName(name string) bool {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= maxName
}

// printable reports whether a value has no control characters and no broken
// UTF-8 (CloudEvents, type system).
func printable(value string) bool {
	if isPlain(value) {
		return true
	}
	return utf8.ValidString(value) && !strings.ContainsFunc(value, func(r rune) bool {
		return r < ' ' || r >= 0x7f && r <= 0x9f || r >= 0xfdd0 && r <= 0xfdef || r&0xfffe == 0xfffe
	})
}

// isPlain reports whether a value is printable ASCII and spaces alone.
func isPlain(value string) bool {
	for i := range len(value) {
		if value[i] < ' ' || value[i] >= 0x7f {
			return false
		}
	}
	return true
}
