// Package events is the vocabulary of the loop: what agents can report, how it
// travels as CloudEvents, what makes two reports the same one, and who hears it.
package events

import (
	"iter"
	"slices"
	"strings"
)

// Kind names what happened: "feedback.fix". The CloudEvents type is the kind
// between TypePrefix and TypeSuffix.
type Kind string

// A CloudEvents type is TypePrefix + kind + TypeSuffix.
const (
	TypePrefix = "dev.learnloop."
	TypeSuffix = ".v1"
)

// Type returns the CloudEvents type of the kind.
func (k Kind) Type() string { return TypePrefix + string(k) + TypeSuffix }

// Control reports whether only the product and its operators may publish the kind.
func (k Kind) Control() bool { return strings.HasPrefix(string(k), "control.") }

// Reviewed reports whether the kind is a person's verdict about a learning, which
// must arrive on its own subject because permissions are granted by subject.
func (k Kind) Reviewed() bool {
	switch k {
	case "learning.reviewed", "learning.revised", "learning.archived", "learning.superseded":
		return true
	}
	return false
}

// Reserved reports whether only operators, and the product itself, publish the kind.
func (k Kind) Reserved() bool { return k.Control() || k.Reviewed() }

// KindOf returns the kind of a CloudEvents type, and false for a foreign type or version.
func KindOf(ceType string) (Kind, bool) {
	rest, ok := strings.CutPrefix(ceType, TypePrefix)
	if !ok {
		return "", false
	}
	rest, ok = strings.CutSuffix(rest, TypeSuffix)
	if !ok {
		return "", false
	}
	_, known := Lookup(Kind(rest))
	return Kind(rest), known
}

// Spec is one kind of the vocabulary, whatever its payload type.
type Spec interface {
	// Name is the kind itself.
	Name() Kind
	// Origin names the source document the kind comes from ("000" to "004", "all").
	Origin() string
	// NewPayload returns a pointer to an empty payload.
	NewPayload() Payload
	// ReadFact decodes a fact of this kind as the log keeps it.
	ReadFact(data []byte) (Recorded, error)
	// Fact joins a head and one of this kind's payloads.
	Fact(head Head, payload Payload) Recorded
}

// Type ties a kind to the Go type of its payload.
type Type[P any] struct {
	Kind   Kind
	origin string
}

// Lookup returns the specification of a kind.
func Lookup(k Kind) (Spec, bool) {
	i, found := slices.BinarySearchFunc(vocabulary, k, func(s Spec, k Kind) int {
		return strings.Compare(string(s.Name()), string(k))
	})
	if !found {
		return nil, false
	}
	return vocabulary[i], true
}

// All yields every kind of the vocabulary in the order of their names.
func All() iter.Seq[Spec] { return slices.Values(vocabulary) }
