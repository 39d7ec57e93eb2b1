package events

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// ID is an identifier. JSON integers are accepted and kept as their decimal text.
type ID string

// UnmarshalJSONFrom reads a JSON string or integer.
func (id *ID) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	tok, err := d.ReadToken()
	if err != nil {
		return fmt.Errorf("read id: %w", err)
	}
	switch tok.Kind() {
	case '"':
		*id = ID(tok.String())
	case '0':
		return id.fromNumber(tok.String())
	case 'n':
		*id = ""
	default:
		return fmt.Errorf("read id: want a string or an integer, got %v", tok.Kind())
	}
	return nil
}

// fromNumber takes integers of 64 bits, with or without a sign.
func (id *ID) fromNumber(text string) error {
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		if _, err := strconv.ParseUint(text, 10, 64); err != nil {
			return errNotWhole
		}
	}
	if text == "-0" {
		text = "0"
	}
	*id = ID(text)
	return nil
}

var errNotWhole = errors.New("read id: want a string or an integer of 64 bits")
