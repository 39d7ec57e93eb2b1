package privacy

import (
	"unicode"
	"unicode/utf8"
)

// token is a word, a mark or tag, or a single other character.
type token struct {
	text   string
	entry  int  // in the lexicon at hand, -1 for none
	spaced bool // space before it
	keep   bool
}

// tokens appends what a text consists of; spaces only remain as flags.
func tokens(list []token, text string) []token {
	spaced := false
	for i := 0; i < len(text); {
		if text[i] == ' ' {
			spaced = true
			i++
			continue
		}
		end, word := names.run(text, i), true
		if end == i || end < len(text) && text[end] >= utf8.RuneSelf { // no word of ASCII, as most are
			end, word = tokenEnd(text, i)
		}
		if !word && isBlank(text[i:end]) {
			spaced, i = true, end
			continue
		}
		list = append(list, token{text: text[i:end], spaced: spaced})
		spaced, i = false, end
	}
	return list
}

func isBlank(char string) bool {
	r, _ := utf8.DecodeRuneInString(char)
	return unicode.IsSpace(r)
}

// tokenEnd returns the end of the token that starts at text[i], and whether it is a word.
func tokenEnd(text string, i int) (end int, word bool) {
	if end = placeholderAt(text, i); end > i {
		return end, false
	}
	for end < len(text) {
		if end = names.run(text, end); end == len(text) || text[end] < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(text[end:])
		if !inWord(r) {
			break
		}
		end += size
	}
	if end > i {
		return end, true
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return i + size, false
}

// inWord takes what has no width for part of a word, or it would cut words short.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.In(r, unicode.M, unicode.Cf, unicode.Pc, unicode.N)
}
