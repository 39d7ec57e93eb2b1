package events

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// The sizes an event may have (SPEC section 2).
const (
	MaxData   = 256 << 10 // bytes of data
	MaxString = 64 << 10  // bytes of one string, as UTF-8 without its escapes
	MaxDepth  = 32        // objects and arrays within each other
)

// limits refuses data that is too large or too deep. It looks closely only at
// what could be.
func limits(data []byte) Refusal {
	if len(data) > MaxData {
		return refuse(ReasonTooLarge, "", fmt.Sprintf("at most %d bytes of data", MaxData))
	}
	if len(data) <= MaxString && bytes.Count(data, []byte("{"))+bytes.Count(data, []byte("[")) <= MaxDepth {
		return Refusal{}
	}
	if deepest, longest := measure(data); deepest <= MaxDepth && longest <= MaxString {
		return Refusal{}
	}
	return inspect(data)
}

// measure returns the depth of nesting and the length of the longest string,
// escapes included, of valid JSON.
func measure(data []byte) (deepest, longest int) {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		case '"':
			end := stringEnd(data, i)
			longest = max(longest, end-i-1)
			i = end
		}
	}
	return deepest, longest
}

// inspect finds the place where data is too deep or a string is too long. Broken
// JSON passes: the decoder explains it better.
func inspect(data []byte) Refusal {
	d := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true))
	for {
		tok, err := d.ReadToken()
		if err != nil {
			return Refusal{}
		}
		if d.StackDepth() > MaxDepth {
			return refuse(ReasonTooDeep, "", fmt.Sprintf("at most %d levels of objects and arrays", MaxDepth))
		}
		if tok.Kind() == '"' && len(tok.String()) > MaxString {
			return refuse(ReasonTooLarge, "", fmt.Sprintf("strings of at most %d bytes", MaxString))
		}
	}
}
