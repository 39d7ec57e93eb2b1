package events

import (
	"encoding/base64"
	"fmt"
	"strconv"
)

// unpackStructured reads an event that is one JSON object.
func unpackStructured(body []byte) Item {
	var i Item
	if !i.read(body) {
		i.Refusal = refuse(ReasonMalformed, "", "a CloudEvent as one JSON object: valid JSON in valid UTF-8")
		return i
	}
	i.finish()
	return i
}

// read takes in the members of a JSON object, and reports whether it was one.
// Data is only cut out here: Decode reads it strictly.
func (i *Item) read(body []byte) bool {
	return object(body, func(raw, value []byte) {
		name, ok := unquote(raw)
		if !ok {
			i.fault("*", "attribute names in valid UTF-8")
			return
		}
		i.member(name, value)
	})
}

// member takes in one member; a null attribute counts as absent.
func (i *Item) member(name string, value []byte) {
	switch {
	case name == "data" || name == "data_base64":
		i.setData(name, value)
	case string(value) == "null":
	case value[0] == '"':
		text, ok := unquote(value)
		if !ok {
			text = "\x00" // told as a control character
		}
		i.set(name, text)
	case string(value) == "true" || string(value) == "false" || isInteger(value):
		if i.place(name) != nil || name == "time" {
			i.fault(name, "a string")
			return
		}
		i.set(name, string(value))
	default:
		i.fault("*", "attributes that are strings, integers or booleans")
	}
}

// setData takes in the data, whichever member holds it.
func (i *Item) setData(name string, value []byte) {
	if i.Data != nil {
		i.fault("data", "data or data_base64, once")
		return
	}
	i.Data = value
	if name == "data" {
		return
	}
	text, ok := unquote(value)
	data, err := base64.StdEncoding.DecodeString(text)
	if !ok || value[0] != '"' || err != nil {
		i.fault("data_base64", "JSON as Base64")
		return
	}
	i.Data = data
}

// isInteger reports whether a value is an integer as CloudEvents has them: of 32 bits.
func isInteger(value []byte) bool {
	n, err := strconv.ParseInt(string(value), 10, 32)
	return err == nil && strconv.FormatInt(n, 10) == string(value)
}

// MaxBatch is how many events a batch may have.
const MaxBatch = 10_000

// unpackBatch reads a JSON array of events. One that is broken does not keep
// the others from being read, as far as its brackets close.
func unpackBatch(body []byte) []Item {
	raw, ok := elements(body)
	var rest Refusal
	if len(raw) > MaxBatch {
		raw, rest = raw[:MaxBatch], refuse(ReasonTooLarge, "", fmt.Sprintf("at most %d events in a batch", MaxBatch))
	} else if !ok {
		rest = refuse(ReasonMalformed, "", "a batch as one JSON array")
	}
	items := make([]Item, 0, len(raw)+1)
	for _, r := range raw {
		items = append(items, unpackStructured(r))
	}
	if rest.Refused() {
		items = append(items, Item{Refusal: rest})
	}
	return items
}
