package events

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Tags are labels. A JSON string is read as one tag, an empty string as none;
// nil means not given, an empty slice none.
type Tags []string

// UnmarshalJSONFrom reads a JSON string or an array of strings.
func (t *Tags) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch k := d.PeekKind(); k {
	case '"':
		var one string
		if err := json.UnmarshalDecode(d, &one); err != nil {
			return fmt.Errorf("read tags: %w", err)
		}
		*t = Tags{}
		if one != "" {
			*t = Tags{one}
		}
	case '[':
		if err := json.UnmarshalDecode(d, (*[]string)(t)); err != nil {
			return fmt.Errorf("read tags: %w", err)
		}
	case 'n':
		*t = nil
		return d.SkipValue()
	default:
		return errors.New("read tags: want a string or an array of strings")
	}
	return nil
}
