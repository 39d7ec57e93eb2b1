package privacy

import (
	"unicode"
	"unicode/utf8"
)

const (
	longWord  = 5   // runes from which 000 hides a word
	maxStrict = 100 // runes of text that 000 keeps
)

// strict hides words of five letters or more and all digits, and keeps at most 100 runes.
func strict(text string) string {
	var out []byte
	for i, n := 0, 0; i < len(text); {
		end, word := tokenEnd(text, i)
		from := len(out)
		if word {
			out = appendStrict(out, text[i:end])
		} else {
			out = append(out, text[i:end]...)
		}
		if n += utf8.RuneCount(out[from:]); n > maxStrict {
			return string(out[:from])
		}
		i = end
	}
	return string(out)
}

// appendStrict writes what the strict mode shows of a word.
func appendStrict(dst []byte, word string) []byte {
	number := true
	for _, r := range word {
		number = number && unicode.IsNumber(r)
	}
	switch {
	case number:
		return append(dst, numberMark...)
	case utf8.RuneCountInString(word) >= longWord:
		return append(dst, wordMark...)
	}
	inNumber := false
	for _, r := range word {
		switch {
		case !unicode.IsNumber(r):
			dst = utf8.AppendRune(dst, r)
		case !inNumber:
			dst = append(dst, numberMark...)
		}
		inNumber = unicode.IsNumber(r)
	}
	return dst
}
