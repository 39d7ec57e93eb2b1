package events

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// EncodeBinary returns an event as NATS headers and body. Over HTTP the content
// type belongs in another header: use the structured mode there.
func EncodeBinary(e Envelope) (header map[string][]string, body []byte) {
	header = make(map[string][]string, 8+len(e.Extensions))
	for name, value := range attributes(e) {
		header[prefix+name] = []string{percent(value)}
	}
	return header, e.Data
}

// EncodeStructured returns an event as one JSON object, of type ContentStructured.
func EncodeStructured(e Envelope) ([]byte, error) { return e.append(nil) }

// EncodeBatch returns events as one JSON array, of type ContentBatch.
func EncodeBatch(list []Envelope) ([]byte, error) {
	b := []byte{'['}
	for n, e := range list {
		if n > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = e.append(b); err != nil {
			return nil, fmt.Errorf("encode batch at %d: %w", n, err)
		}
	}
	return append(b, ']'), nil
}

// append appends the event as one JSON object.
func (e Envelope) append(b []byte) ([]byte, error) {
	if !jsontext.Value(e.Data).IsValid() {
		return nil, errDataNotJSON
	}
	b = slices.Grow(b, len(e.Data)+256)
	separator := byte('{')
	for name, value := range attributes(e) {
		b = append(append(append(append(b, separator), '"'), name...), '"', ':')
		var err error
		if b, err = jsontext.AppendQuote(b, value); err != nil {
			return nil, fmt.Errorf("encode attribute %s: %w", name, err)
		}
		separator = ','
	}
	b = append(b, `,"data":`...)
	return append(append(b, e.Data...), '}'), nil
}

// errDataNotJSON says no more: the decoder's own error may quote the data.
var errDataNotJSON = errors.New("encode event: data is not one valid JSON value")

// attributes yields the names and texts of an event's attributes.
func attributes(e Envelope) iter.Seq2[string, string] {
	list := [][2]string{
		{"specversion", "1.0"}, {"id", e.ID}, {"source", e.Source}, {"type", e.Kind.Type()},
		{"subject", e.Subject}, {"time", stamp(e.Time)}, {"datacontenttype", contentJSON},
	}
	for _, name := range slices.Sorted(maps.Keys(e.Extensions)) {
		list = append(list, [2]string{name, e.Extensions[name]})
	}
	return func(yield func(string, string) bool) {
		for _, a := range list {
			if a[1] != "" && !yield(a[0], a[1]) {
				return
			}
		}
	}
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// percent encodes a header value: spaces, double quotes, percent signs and all
// bytes that are not printable ASCII.
func percent(value string) string {
	const digits = "0123456789ABCDEF"
	var b []byte
	for i := range len(value) {
		c := value[i]
		odd := c <= ' ' || c >= 0x7f || c == '"' || c == '%'
		switch {
		case odd && b == nil:
			b = append(make([]byte, 0, 3*len(value)), value[:i]...)
			fallthrough
		case odd:
			b = append(b, '%', digits[c>>4], digits[c&15])
		case b != nil:
			b = append(b, c)
		}
	}
	if b == nil {
		return value
	}
	return string(b)
}
