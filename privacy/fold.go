package privacy

import (
	"strings"
	"unicode/utf8"
)

// foldLead is the set of the first bytes of the runes that foldRune knows.
var foldLead = setOf(func(byte) bool { return false }, "\xc2\xe2\xe3\xef")

// hasFoldable reports whether folding would change a text.
func hasFoldable(text string) bool {
	for i := range len(text) {
		if foldLead[text[i]] {
			if _, _, ok := foldRune(text[i:]); ok {
				return true
			}
		}
	}
	return false
}

// foldRune returns the ASCII byte that the first rune of text stands for, and how long that rune is;
// 0 stands for a rune without width, which hides nothing but splits words.
func foldRune(text string) (b byte, size int, ok bool) {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		return byte(r - 0xFF01 + '!'), size, true
	case r == 0x00AD || r >= 0x200B && r <= 0x200F || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF:
		return 0, size, true
	case r == 0x00A0 || r >= 0x2000 && r <= 0x200A || r == 0x202F || r == 0x205F || r == 0x3000:
		return ' ', size, true
	case r >= 0x2010 && r <= 0x2013 || r == 0x2212: // hyphens, figure and en dash, minus
		return '-', size, true
	case r == 0x3002 || r == 0x2024: // ideographic stop, one dot leader
		return '.', size, true
	}
	return 0, size, false
}

// fold returns text as a reader sees it: full-width forms, odd spaces and hyphens in ASCII, and
// nothing without width.
func fold(text string) canvas {
	var c canvas
	out := make([]byte, 0, len(text))
	done := 0
	for i := 0; i < len(text); i++ {
		if !foldLead[text[i]] {
			continue
		}
		b, size, ok := foldRune(text[i:])
		if !ok {
			continue
		}
		out = append(out, text[done:i]...)
		if b != 0 {
			c.cuts = append(c.cuts, cut{len(out), i})
			out = append(out, b)
		}
		done = i + size
		c.cuts = append(c.cuts, cut{len(out), done})
		i = done - 1
	}
	c.text = string(append(out, text[done:]...))
	return c
}

// decoded returns a text without percent-encoding and numeric escapes of ASCII, if it has any.
func decoded(text string) (c canvas, ok bool) {
	if strings.IndexByte(text, '%') < 0 && strings.IndexByte(text, '\\') < 0 {
		return c, false
	}
	var out []byte
	done := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '%' && text[i] != '\\' {
			continue
		}
		b, size := decodedByte(text[i:])
		if size == 0 {
			continue
		}
		out = append(append(out, text[done:i]...), b)
		c.cuts = append(c.cuts, cut{len(out) - 1, i})
		done = i + size
		c.cuts = append(c.cuts, cut{len(out), done})
		i = done - 1
	}
	if done == 0 {
		return c, false
	}
	c.text = string(append(out, text[done:]...))
	return c, true
}

// decodedByte reads %40 or \u0040 at the beginning of a text.
func decodedByte(text string) (b byte, size int) {
	for _, prefix := range [...]string{"%", `\u00`, `\x`} {
		size = len(prefix) + 2
		if len(text) < size || text[:len(prefix)] != prefix || !isHex(text[size-2]) || !isHex(text[size-1]) {
			continue
		}
		if b = hexValue(text[size-2])<<4 | hexValue(text[size-1]); b >= ' ' && b < 0x7f {
			return b, size
		}
	}
	return 0, 0
}

func hexValue(b byte) byte {
	if isDigit(b) {
		return b - '0'
	}
	return b&^0x20 - 'A' + 10
}
