package privacy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// script tells letters that may stand in one word from others.
type script uint8

const (
	noLetter script = iota
	latin
	otherLetter
)

func scriptOf(r rune) script {
	switch {
	case r < utf8.RuneSelf:
		if isAlpha(byte(r)) {
			return latin
		}
		return noLetter
	case r == 'º' || r == 'ª':
		return noLetter
	case r < 0x250 || r >= 0x300 && r < 0x370 || r >= 0x1E00 && r < 0x1F00:
		if unicode.In(r, unicode.L, unicode.M) {
			return latin
		}
	case unicode.In(r, unicode.L, unicode.M):
		return otherLetter
	}
	return noLetter
}

// inCue reports whether a byte may belong to a word of any script.
func inCue(b byte) bool { return isAlpha(b) || b >= utf8.RuneSelf }

// maxCueWord is how much of a word is read, in bytes.
const maxCueWord = 64

// wordBack returns where the word that ends at text[end] begins: letters of one script, up to a capital
// behind a small letter.
func wordBack(text string, end int) int {
	start, of, behind := end, noLetter, rune(0)
	for start > 0 && end-start < maxCueWord {
		r, size := rune(text[start-1]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeLastRuneInString(text[:start])
		}
		if s := scriptOf(r); s == noLetter || of != noLetter && s != of || unicode.IsLower(r) && unicode.IsUpper(behind) {
			break
		} else if of == noLetter {
			of = s
		}
		start, behind = start-size, r
	}
	return start
}

// wordAhead returns where the word that starts at text[i] ends, by the same rules.
func wordAhead(text string, i int) int {
	end, of, before := i, noLetter, rune(0)
	for end < len(text) && end-i < maxCueWord {
		r, size := rune(text[end]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[end:])
		}
		if s := scriptOf(r); s == noLetter || of != noLetter && s != of || unicode.IsUpper(r) && unicode.IsLower(before) {
			break
		} else if of == noLetter {
			of = s
		}
		end, before = end+size, r
	}
	return end
}

// plainLetters are what letters with marks stand for, so that names are known without them too.
var plainLetters = plainTable()

func plainTable() (table [0x180]byte) {
	for plain, marked := range map[byte]string{'a': "àáâãäåāăąæ", 'c': "çćč", 'd': "ďđð", 'e': "èéêëēėęě", 'g': "ğ", 'i': "ìíîïīıi̇",
		'l': "łĺľ", 'n': "ńňņ", 'o': "òóôõöøőœ", 'r': "řŕ", 's': "śšşșß", 't': "ťţþ", 'u': "ùúûüūůű", 'y': "ýÿ", 'z': "źżž"} {
		for _, r := range marked {
			for _, r := range [...]rune{r, unicode.ToUpper(r)} {
				if r >= utf8.RuneSelf && int(r) < len(table) {
					table[r] = plain
				}
			}
		}
	}
	return table
}

// appendPlain appends a word in small letters without marks; other letters and anything else stay away.
func appendPlain(dst []byte, word string) []byte {
	for i := 0; i < len(word) && len(dst) < maxCueWord; {
		if b := word[i]; b < utf8.RuneSelf {
			if isAlpha(b) {
				dst = append(dst, b|0x20)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(word[i:])
		if int(r) < len(plainLetters) && plainLetters[r] != 0 {
			dst = append(dst, plainLetters[r])
		} else if unicode.IsLetter(r) {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += size
	}
	return dst
}

// lookUp returns what a word says, or two words.
func lookUp(word, next string) cue {
	var space [maxCueWord + utf8.UTFMax]byte
	text := appendPlain(space[:0], word)
	n := len(text)
	if text = appendPlain(text, next); len(text) < 2 {
		return 0
	}
	if text[0] >= utf8.RuneSelf {
		return cues[string(text)] | spacelessCue(word)
	}
	found := cues[string(text)]
	if next != "" && n <= maxShort {
		found |= pairCue(text[:n], text[n:])
	}
	if found != 0 || len(text) < stemLength {
		return found
	}
	for _, s := range stems[string(text[:stemLength])] {
		if strings.HasPrefix(string(text), s.word) {
			found |= s.cue
		}
	}
	return found
}

// maxAcronym is how long an acronym is, in bytes.
const maxAcronym = 3

// acronym returns what a short word says that is written in capitals, or names a value.
func acronym(word string, names bool) cue {
	if len(word) > maxAcronym || !names && upperNum.run(word, 0) < len(word) {
		return 0
	}
	var space [maxCueWord + utf8.UTFMax]byte
	return acronyms[string(appendPlain(space[:0], word))]
}

// maxShort is how long the first of two words is that mean something apart only, in bytes.
const maxShort = 4

func pairCue(first, second []byte) cue {
	var space [maxCueWord + utf8.UTFMax + 1]byte
	pair := append(append(append(space[:0], first...), '+'), second...)
	return cues[string(pair)]
}

func spacelessCue(word string) (found cue) {
	for _, c := range spacelessCues {
		if strings.Contains(word, c.word) {
			found |= c.cue
		}
	}
	return found
}

// stemLength is how many bytes of a stem are its key.
const stemLength = 5

// stem is the beginning of words.
type stem struct {
	word string
	cue  cue
}

var cues, stems = cueIndex()

func cueIndex() (index map[string]cue, begin map[string][]stem) {
	index, begin = make(map[string]cue), make(map[string][]stem)
	for _, c := range cueWords {
		for word := range strings.FieldsSeq(c.words) {
			if word, ok := strings.CutSuffix(word, "*"); ok {
				begin[word[:stemLength]] = append(begin[word[:stemLength]], stem{word, c.cue})
				continue
			}
			first, second, apart := strings.Cut(word, "+")
			key := appendPlain(nil, first)
			if apart {
				key = appendPlain(append(key, '+'), second)
			}
			index[string(key)] |= c.cue
		}
	}
	return index, begin
}
