package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// How much of a text is kept in rows and contexts, in runes.
const (
	longestPattern = 256
	longestRemark  = 200
	longestWord    = 24
)

// normal is a text as patterns compare it: lower case, trimmed, inner white
// space collapsed. Tags that redaction left, such as [EMAIL_1], stay as they are.
func normal(text string) string {
	var space [512]byte
	if plain, ok := appendPlain(space[:0], text); ok {
		return string(plain)
	}
	var b strings.Builder
	b.Grow(len(text))
	for word := range strings.FieldsSeq(text) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		lower(&b, word)
	}
	return b.String()
}

// appendPlain appends what is normal for a text of ASCII without tags, as most
// are, in one pass; false for any other text.
func appendPlain(b []byte, text string) ([]byte, bool) {
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ' || '\t' <= c && c <= '\r':
			if n := len(b); n > 0 && b[n-1] != ' ' {
				b = append(b, ' ')
			}
		case 'A' <= c && c <= 'Z':
			b = append(b, c|0x20)
		case c == '[' || c >= utf8.RuneSelf:
			return nil, false
		default:
			b = append(b, c)
		}
	}
	return bytes.TrimSuffix(b, []byte(" ")), true
}

func lower(b *strings.Builder, word string) {
	for word != "" {
		if tag := tagLength(word); tag > 0 {
			b.WriteString(word[:tag])
			word = word[tag:]
			continue
		}
		next := strings.IndexByte(word[1:], '[') + 1
		if next == 0 {
			next = len(word)
		}
		b.WriteString(strings.ToLower(word[:next]))
		word = word[next:]
	}
}

// tagLength is the length of the redaction tag a text begins with, 0 for none.
func tagLength(text string) int {
	if text[0] != '[' {
		return 0
	}
	name := 1 + prefixOf(text[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")
	end := name + prefixOf(text[name:], "0123456789")
	if name < 3 || end == name || text[name-1] != '_' || end == len(text) || text[end] != ']' {
		return 0
	}
	return end + 1
}

// prefixOf is how many bytes at the beginning of text are among the given ones.
func prefixOf(text, among string) int {
	return len(text) - len(strings.TrimLeft(text, among))
}

// shortened cuts a text to some runes, the last of them an ellipsis.
func shortened(text string, runes int) string {
	if len(text) <= runes || utf8.RuneCountInString(text) <= runes {
		return text
	}
	cut := 0
	for range runes - 1 {
		_, size := utf8.DecodeRuneInString(text[cut:])
		cut += size
	}
	return text[:cut] + "…"
}

// digest names a value by its content; what it stands for is in the row.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
