package api

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// mostShown is how long a value may be to be told back, in bytes.
const mostShown = 200

// short returns the value at a place of a document when it is short enough to
// tell, nil otherwise: for the caller who sent it, and nobody else.
func short(doc jsontext.Value, place jsontext.Pointer) any {
	raw := at(doc, place)
	if len(raw) == 0 || len(raw) > mostShown {
		return nil
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return v
}

// brief returns a caller's value when it is short enough to tell.
func brief(v any) any {
	data, err := json.Marshal(v)
	if err != nil || len(data) > mostShown || v == "" {
		return nil
	}
	return v
}

// at returns the value at a place of a document, nil when there is none.
func at(doc jsontext.Value, place jsontext.Pointer) jsontext.Value {
	for name := range place.Tokens() {
		if doc = member(doc, name); doc == nil {
			return nil
		}
	}
	return doc
}

// member returns one member of an object or element of an array, nil when there
// is none.
func member(doc jsontext.Value, name string) jsontext.Value {
	d := jsontext.NewDecoder(bytes.NewReader(doc), jsontext.AllowDuplicateNames(true))
	open, err := d.ReadToken()
	if err != nil || open.Kind() != '{' && open.Kind() != '[' {
		return nil
	}
	for i := 0; ; i++ {
		here := strconv.Itoa(i)
		if open.Kind() == '{' {
			tok, err := d.ReadToken()
			if err != nil || tok.Kind() != '"' {
				return nil
			}
			here = tok.String()
		}
		value, err := d.ReadValue()
		if err != nil {
			return nil
		}
		if here == name {
			return value.Clone()
		}
	}
}
