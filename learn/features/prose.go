package features

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"learnloop.dev/events"
)

// prose counts the words and sentences of a line.
func (r *lines) prose(text string) {
	inline := false // code within the line
	var last string
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case c == '`':
			inline = !inline
		case inWord(c):
			size = wordEnd(text[i:])
			last = text[i : i+size]
			r.word(last, inline)
		case ends(c) && !inline:
			r.end(c, last, text[i+size:])
		}
		i += size
	}
}

// word counts a word; scripts that put no spaces between words have about one in two
// letters.
func (r *lines) word(word string, inline bool) {
	letters := int64(utf8.RuneCountInString(word))
	first, _ := utf8.DecodeRuneInString(word)
	n := int64(1)
	if unspaced(first) {
		n = (letters + 1) / 2
	}
	r.Words += n
	r.letters += letters
	r.pending = true
	if inline || letters >= longWord && n == 1 || technical(word) && !shortened(word) {
		r.terms += n
	}
}

// longWord is how many letters a long word has: more than most that are not Latin or Greek.
const longWord = 11

// end ends a sentence where a mark ends one: not within a number or an abbreviation.
func (r *lines) end(mark rune, word, rest string) {
	next, _ := utf8.DecodeRuneInString(rest)
	if mark == '.' && (inWord(next) || shortened(word)) || !r.pending {
		return
	}
	r.Sentences++
	r.pending = false
	if mark == '?' || mark == '？' || mark == '؟' {
		r.Questions++
	}
}

func ends(c rune) bool {
	return c == '.' || c == '!' || c == '?' || c >= 0x600 && strings.ContainsRune("。！？؟।…", c)
}

// shortened reports whether a full stop may belong to the word before it.
func shortened(word string) bool {
	switch strings.ToLower(word) {
	case "dr", "mr", "mrs", "ms", "vs", "etc", "no", "fig", "bzw", "ca", "usw", "approx":
		return true
	}
	letter := word[strings.LastIndexByte(word, '.')+1:] // of e.g.
	r, size := utf8.DecodeRuneInString(letter)
	return size == len(letter) && unicode.IsLetter(r) && r != 'I' && !unspaced(r)
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// wordEnd is where the word ends that a text begins with. Dots, dashes, slashes and
// apostrophes between letters are in it.
func wordEnd(text string) int {
	first, i := utf8.DecodeRuneInString(text)
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case inWord(r) && unspaced(r) == unspaced(first):
		case connects(r):
			next, _ := utf8.DecodeRuneInString(text[i+size:])
			if !inWord(next) || unspaced(next) || unspaced(first) {
				return i
			}
		default:
			return i
		}
		i += size
	}
	return i
}

func connects(r rune) bool {
	switch r {
	case '.', '-', '/', ':', '@', '\'', '’':
		return true
	}
	return false
}

// technical reports whether a word looks like code: a digit, an underscore, a dot or
// slash within it, or a capital behind a small letter.
func technical(word string) bool {
	small := false
	for i := range len(word) {
		switch c := word[i]; {
		case c == '_' || c == '.' || c == '/' || c == ':' || c == '@':
			return true
		case c >= '0' && c <= '9' && i > 0:
			return !isNumber(word)
		case c >= 'A' && c <= 'Z' && small:
			return true
		default:
			small = c >= 'a' && c <= 'z'
		}
	}
	return false
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789.-:/") == "" }

// unspaced reports whether a script puts no spaces between words.
func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// enoughWords is how many words a reading level needs.
const enoughWords = 20

// grade computes what follows from the counts. The reading level is the automated
// readability index (Smith and Senter, 1967), which counts letters instead of
// syllables and so reads more languages than one.
func (r *lines) grade() {
	if r.Words == 0 {
		return
	}
	r.Terms = events.Milli(1000 * r.terms / r.Words)
	if r.Words < enoughWords || r.Sentences == 0 || r.letters < 2*r.Words+r.Words/2 {
		return // too little, or a script whose letters are syllables
	}
	grade := events.Milli(4710*r.letters/r.Words + 500*r.Words/r.Sentences - 21430)
	grade = min(max(grade, 0), 20_000)
	r.ReadingLevel = &grade
}
