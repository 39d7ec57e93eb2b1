package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a stretch of text that is searched as one: a plain word, or code with parts.
type word struct {
	start, end int // bytes
	body       string
	starred    bool // one star follows it directly
}

// connectors hold code together: paths, packages, options, addresses, names with dashes.
const connectors = `-./:@#+'’\`

// nextWord returns the first word at or after a byte of the text.
// Bytes that are not UTF-8 separate words like any other stranger.
func nextWord(text string, from int) (w word, ok bool) {
	for from < len(text) {
		from = skip(text, from, false)
		end := skip(text, from, true)
		if start, stop := trim(text, from, end); start < stop {
			return word{start: start, end: stop, body: text[start:stop], starred: starred(text[stop:])}, true
		}
		from = end
	}
	return word{}, false
}

// starred reports whether one star comes next, and then neither another nor more of the word.
func starred(rest string) bool {
	rest, ok := strings.CutPrefix(rest, "*")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || r != '*' && !inWord(r))
}

// skip returns the end of the run from a byte on that is inside a word, or outside.
func skip(text string, from int, inside bool) int {
	for from < len(text) {
		r, size := rune(text[from]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[from:])
		}
		if inWord(r) != inside {
			break
		}
		from += size
	}
	return from
}

func inWord(r rune) bool {
	return isLetter(r) || r == '_' || r != utf8.RuneError && strings.ContainsRune(connectors, r)
}

// narrow reports whether a byte is all of a letter or digit.
func narrow(c byte) bool { return c < utf8.RuneSelf && isLetter(rune(c)) }

// isLetter reports whether parts of words are made of it: letters, marks on them, digits.
func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// trim takes connectors from both ends, except the signs of C++, C# and their like.
func trim(text string, start, end int) (from, to int) {
	if end-start > 2 && narrow(text[start]) && narrow(text[end-1]) {
		return start, end // most words, and quickly
	}
	start += len(text[start:end]) - len(strings.TrimLeft(text[start:end], connectors))
	stop := start + len(strings.TrimRight(text[start:end], connectors))
	if n := stop - start; n == 0 || n > 2 {
		return start, stop
	}
	signed := stop
	for signed < end && (text[signed] == '+' || text[signed] == '#') {
		signed++
	}
	return start, signed
}

// plain reports whether a word has one part at first sight.
func plain(body string) bool {
	for i := range len(body) {
		if small := 'a' <= body[i] && body[i] <= 'z'; !small && (i > 0 || body[i] < 'A' || body[i] > 'Z') {
			return false
		}
	}
	return true
}

// part is a stretch of a word that reads as a word itself.
type part struct{ start, end int }

// splitParts appends the parts of a word: cut at connectors, underscores, changes of case, between letters
// and digits, and where a script begins that does not part its words.
func splitParts(body string, parts []part) []part {
	start := -1
	var before rune
	for i := 0; i < len(body); {
		r, size := utf8.DecodeRuneInString(body[i:])
		switch {
		case isApostrophe(r) && start >= 0 && letterAt(body, i+size):
			r = before // don't and user's are plain words
		case !isLetter(r):
			parts, start = closePart(parts, start, i), -1
		case start < 0:
			start = i
		case cuts(before, r, body[i+size:]):
			parts, start = closePart(parts, start, i), i
		}
		before = r
		i += size
	}
	return closePart(parts, start, len(body))
}

func closePart(parts []part, start, end int) []part {
	if start < 0 {
		return parts
	}
	return append(parts, part{start, end})
}

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

func letterAt(body string, i int) bool {
	r, _ := utf8.DecodeRuneInString(body[i:])
	return isLetter(r) && !unicode.IsDigit(r)
}

// cuts reports whether a part ends between two neighbours, given what follows them.
func cuts(before, r rune, rest string) bool {
	switch {
	case unicode.IsMark(r):
		return false
	case unicode.IsDigit(before) != unicode.IsDigit(r):
		return true
	case unspaced(before) != unspaced(r):
		return true
	case !unicode.IsUpper(r):
		return false
	case unicode.IsLower(before):
		return true
	}
	return unicode.IsUpper(before) && startsWord(rest)
}

// startsWord reports whether small letters go on: HTTPRequest has two parts, URLs has one.
func startsWord(rest string) bool {
	first, size := utf8.DecodeRuneInString(rest)
	second, _ := utf8.DecodeRuneInString(rest[size:])
	return unicode.IsLower(first) && (first != 's' || unicode.IsLower(second))
}

// unspaced reports whether a script puts no spaces between words.
func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
