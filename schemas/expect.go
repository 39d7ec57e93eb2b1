package schemas

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// leaves turns the validator's tree into a list.
func (s *schema) leaves(e *jsonschema.ValidationError, found []Violation) []Violation {
	if _, ok := e.ErrorKind.(*kind.AnyOf); ok {
		return append(found, s.at(e, "", "at least one of "+strings.Join(wanted(e), ", ")))
	}
	for _, cause := range e.Causes {
		found = s.leaves(cause, found)
	}
	if len(e.Causes) > 0 {
		return found
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			found = append(found, s.at(e, name, "a value: the field is required"))
		}
	case *kind.AdditionalProperties:
		known := "one of the fields " + strings.Join(s.fields[e.SchemaURL], ", ")
		for _, name := range k.Properties {
			found = append(found, s.at(e, name, known))
		}
	default:
		found = append(found, s.at(e, "", expected(k)))
	}
	return found
}

// at is a violation at a place, or at a member of it.
func (s *schema) at(e *jsonschema.ValidationError, member, expected string) Violation {
	var p jsontext.Pointer
	for _, tok := range e.InstanceLocation {
		p = p.AppendToken(tok)
	}
	if member != "" {
		p = p.AppendToken(member)
	}
	return Violation{Pointer: s.mask(p), Expected: expected, Sent: p}
}

// wanted lists the members that would satisfy one branch or another.
func wanted(e *jsonschema.ValidationError) []string {
	var names []string
	for _, cause := range e.Causes {
		if k, ok := cause.ErrorKind.(*kind.Required); ok {
			names = append(names, k.Missing...)
		} else if n := len(cause.InstanceLocation); n > len(e.InstanceLocation) {
			names = append(names, cause.InstanceLocation[n-1])
		}
	}
	return names
}

// expected says what a keyword wants, of everything but the members of objects.
func expected(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Type:
		return strings.Join(without(k.Want, "null"), " or ")
	case *kind.Enum:
		return "one of " + strings.Join(values(k.Want), ", ")
	case *kind.Format:
		return "a " + k.Want + " as in RFC 3339: 2006-01-02T15:04:05Z"
	case *kind.Pattern:
		return "text that matches " + k.Want
	case *kind.Minimum:
		return "at least " + decimal(k.Want)
	case *kind.Maximum:
		return "at most " + decimal(k.Want)
	case *kind.MinLength:
		return fmt.Sprintf("at least %d character(s)", k.Want)
	case *kind.MaxLength:
		return fmt.Sprintf("at most %d characters", k.Want)
	case *kind.MinItems:
		return fmt.Sprintf("at least %d item(s)", k.Want)
	}
	return "what the schema describes"
}

func without(list []string, item string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == item })
}

func values(list []any) []string {
	var names []string
	for _, v := range list {
		if v != nil {
			names = append(names, fmt.Sprint(v))
		}
	}
	return names
}

func decimal(r *big.Rat) string { return strings.TrimSuffix(r.FloatString(2), ".00") }
