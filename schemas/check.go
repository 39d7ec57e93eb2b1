package schemas

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"learnloop.dev/inorder"
)

// Violation is one place where a document breaks its schema.
type Violation struct {
	// Pointer is the place as a JSON pointer; names the schema does not know are *.
	Pointer string `json:"pointer"`
	// Expected says what belongs there, never what stands there.
	Expected string `json:"expected"`
	// Sent is the place in the producer's own names. It may hold anything: only
	// the producer may be told.
	Sent jsontext.Pointer `json:"-"`
}

// most is how many violations are worth telling about one document.
const most = 32

// Check lists what a document breaks of a kind's schema, by place, the first 32;
// none when the schema accepts it. A document that is not JSON in the strict
// sense (RFC 7493: valid UTF-8, each name once) is not readable.
func Check(kind string, doc []byte) (found []Violation, readable bool) {
	s := compiled.of(kind)
	if s == nil {
		return []Violation{{Expected: "a kind that has a schema"}}, true
	}
	var v any
	if err := json.Unmarshal(doc, &v, json.WithUnmarshalers(numbers())); err != nil {
		return []Violation{s.unreadable(err)}, false
	}
	var broken *jsonschema.ValidationError
	if err := s.rules.Validate(v); errors.As(err, &broken) {
		found = s.leaves(broken, nil)
	}
	inorder.Sort(found, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Sent, b.Sent), cmp.Compare(a.Expected, b.Expected))
	})
	found = slices.Compact(found)
	return found[:min(len(found), most)], true
}

// unreadable says where a document stops being JSON.
func (s *schema) unreadable(err error) Violation {
	v := Violation{Expected: "one JSON value"}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return v
	}
	v.Sent = syntax.JSONPointer
	v.Pointer = s.mask(v.Sent)
	v.Expected = fmt.Sprintf("valid JSON in valid UTF-8 at byte %d", syntax.ByteOffset)
	if errors.Is(err, jsontext.ErrDuplicateName) {
		v.Expected = "each name once"
	}
	return v
}

// mask replaces the names in a pointer that the schema does not know. A number
// is an index only inside a field that the schema knows as an array.
func (s *schema) mask(p jsontext.Pointer) string {
	var masked jsontext.Pointer
	before := ""
	for tok := range p.Tokens() {
		index := s.arrays[before] && isIndex(tok)
		before = tok
		if !index && !s.names[tok] {
			tok = "*"
		}
		masked = masked.AppendToken(tok)
	}
	return string(masked)
}

func isIndex(tok string) bool {
	_, err := strconv.ParseUint(tok, 10, 32)
	return err == nil
}

// numbers keeps 64-bit integers exact and reads other numbers as floating point,
// so that none costs more than its length.
func numbers() *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *any) error {
		if d.PeekKind() != '0' {
			return errors.ErrUnsupported
		}
		tok, err := d.ReadToken()
		if err != nil {
			return fmt.Errorf("read number: %w", err)
		}
		*v = number(tok.String())
		return nil
	})
}

// number is a JSON number as the validator wants it; one out of range is the
// largest there is.
func number(text string) any {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return i
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return u
	}
	f, _ := strconv.ParseFloat(text, 64)
	return min(max(f, -math.MaxFloat64), math.MaxFloat64)
}
