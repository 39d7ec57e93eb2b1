package privacy

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Age is a span of time in seconds, written as "365d", "36h", "90m", "45s" or "0" for none.
type Age int64

// Day is the unit in which ages are usually given.
const Day Age = 24 * 60 * 60

var ageUnits = []struct {
	suffix  string
	seconds Age
}{{"d", Day}, {"h", 60 * 60}, {"m", 60}, {"s", 1}}

// MarshalText writes the age in the largest unit that is exact.
func (a Age) MarshalText() ([]byte, error) {
	if a == 0 {
		return []byte("0"), nil
	}
	for _, u := range ageUnits {
		if a%u.seconds == 0 {
			return fmt.Appendf(nil, "%d%s", a/u.seconds, u.suffix), nil
		}
	}
	return nil, fmt.Errorf("write age %d: no unit", int64(a))
}

// ages says how ages are written.
const ages = "a number of days, or a number with d, h, m or s"

// UnmarshalText reads a number with a unit; a bare number counts days.
func (a *Age) UnmarshalText(text []byte) error {
	number, unit := string(text), Day
	for _, u := range ageUnits {
		if rest, ok := strings.CutSuffix(number, u.suffix); ok {
			number, unit = rest, u.seconds
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		return fmt.Errorf("read age %q: want %s", text, ages)
	}
	*a = Age(n) * unit
	return nil
}

// UnmarshalJSONFrom reads an age as a text, or as a number of days.
func (a *Age) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	value, err := dec.ReadValue()
	if err != nil {
		return err
	}
	var text string
	if value.Kind() == '0' {
		return a.UnmarshalText(value)
	}
	if json.Unmarshal(value, &text) != nil {
		return errors.New("read age: want " + ages)
	}
	return a.UnmarshalText([]byte(text))
}
