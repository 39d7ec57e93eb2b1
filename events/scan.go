package events

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// The scanners below find where JSON values begin and end, at the speed of
// looking at each byte once. They accept all JSON and some that is none; what
// they cut out is read strictly afterwards.

// object calls visit with the raw name and the raw value of each member of a
// JSON object, and reports whether there was nothing but one object.
func object(b []byte, visit func(name, value []byte)) bool {
	i := skipSpace(b, 0)
	if i == len(b) || b[i] != '{' {
		return false
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return skipSpace(b, i+1) == len(b)
	}
	for {
		end, start, ok := member(b, i)
		if !ok {
			return false
		}
		name := b[i:end]
		end = valueEnd(b, start)
		if end == start {
			return false
		}
		visit(name, b[start:end])
		i = skipSpace(b, end)
		switch {
		case i == len(b):
			return false
		case b[i] == '}':
			return skipSpace(b, i+1) == len(b)
		case b[i] != ',':
			return false
		}
		i = skipSpace(b, i+1)
	}
}

// member returns where the name at i ends and where its value begins.
func member(b []byte, i int) (end, value int, ok bool) {
	if i == len(b) || b[i] != '"' {
		return 0, 0, false
	}
	end = min(stringEnd(b, i)+1, len(b))
	value = skipSpace(b, end)
	if value == len(b) || b[value] != ':' {
		return 0, 0, false
	}
	return end, skipSpace(b, value+1), true
}

// elements cuts a JSON array at its outermost commas; false when there is
// anything but one array.
func elements(b []byte) (list [][]byte, ok bool) {
	b = b[skipSpace(b, 0):]
	if len(b) == 0 || b[0] != '[' {
		return nil, false
	}
	for start := 1; ; {
		i := skipSpace(b, start)
		for i < len(b) && b[i] != ',' && b[i] != ']' {
			i = max(valueEnd(b, i), i+1)
		}
		i = min(i, len(b))
		closed := i < len(b) && b[i] == ']'
		if item := b[start:i]; skipSpace(item, 0) < len(item) || !closed || len(list) > 0 {
			list = append(list, item)
		}
		if i == len(b) || closed {
			return list, closed && skipSpace(b, i+1) == len(b)
		}
		start = i + 1
	}
}

// valueEnd returns where the value at i ends.
func valueEnd(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return min(i+1, len(b))
		}
	}
	return len(b)
}

// stringEnd returns the index of the quote that closes the string at i, or one
// behind the end.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return len(b)
		}
		if esc := bytes.IndexByte(b[i:i+n], '\\'); esc >= 0 {
			i += esc + 1
			continue
		}
		return i + n
	}
	return len(b)
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// unquote returns the text of a JSON string; false when it is none. Its UTF-8 is
// not checked where nothing is escaped.
func unquote(raw []byte) (string, bool) {
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), true
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	return string(text), err == nil
}
