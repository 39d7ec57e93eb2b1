package events

import "strings"

// unpackBinary reads an event whose attributes are headers and whose data is
// the body.
func unpackBinary(header map[string][]string, content string, body []byte) Item {
	i := Item{Envelope: Envelope{Data: body}}
	for name, values := range header {
		attr, ok := attributeOf(name)
		if !ok {
			continue
		}
		for _, value := range values {
			i.set(attr, headerText(value))
		}
	}
	if i.content == "" {
		i.content = content
	}
	i.finish()
	return i
}

// attributeOf returns the attribute that a header is, if any; header names are
// compared without case.
func attributeOf(header string) (string, bool) {
	if len(header) < len(prefix) || !strings.EqualFold(header[:len(prefix)], prefix) {
		return "", false
	}
	return strings.ToLower(header[len(prefix):]), true
}

// prefix marks the headers that are attributes.
const prefix = "ce-"

// headerText decodes a header value: quotes, then one round of percent-decoding.
// A percent sign that begins no escape stands for itself, as senders that do
// not encode mean it. The result need not be UTF-8.
func headerText(value string) string {
	value = unquoted(strings.Trim(value, " \t"))
	if !strings.Contains(value, "%") {
		return value
	}
	var b strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == '%' && i+2 < len(value) {
			high, low := hexDigit(value[i+1]), hexDigit(value[i+2])
			if high >= 0 && low >= 0 {
				b.WriteByte(byte(high<<4 | low))
				i += 2
				continue
			}
		}
		b.WriteByte(value[i])
	}
	return b.String()
}

// unquoted takes the quotes and backslashes of a quoted string away.
func unquoted(value string) string {
	if len(value) < 2 || value[0] != '"' || value[len(value)-1] != '"' {
		return value
	}
	var b strings.Builder
	for i := 1; i < len(value)-1; i++ {
		if value[i] == '\\' && i+1 < len(value)-1 {
			i++
		}
		b.WriteByte(value[i])
	}
	return b.String()
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}
