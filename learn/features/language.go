package features

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tongues are languages with the small words that hardly any sentence does without, and
// letters that few others have.
var tongues = [...]struct{ tag, words, letters string }{
	{"en", "the and is are was of to in it that this for with on how do does what can my you not be have i we from or if an as at by would should", ""},
	{"de", "der die das und ist nicht ich ein eine einen den dem mit wie kann mir für auf zu von es sie wir im was werden oder auch bei", "ßäöü"},
	{"fr", "le la les des est et un une je vous nous pour dans pas que qui sur avec ce comment mon ma du au il elle ou mais", "çêèàù"},
	{"es", "el la los las es y un una que de en por para con no cómo como mi su se lo del más qué está son al pero puedo", "ñ¿¡"},
	{"it", "il lo la gli di che è e un una non per con come sono mi del della ho si nel alla ma anche questo posso", "ìò"},
	{"pt", "o os as um uma de que e não para com como em por meu minha do da no na se mais é eu você está mas isso", "ãõ"},
	{"nl", "de het een en is van ik niet dat op te voor met hoe kan mijn aan zijn je er wat ook als maar deze", ""},
	{"sv", "och att det är en ett jag inte på som för med kan hur av den till har om men vad mitt min", "å"},
	{"da", "og at det er en et jeg ikke på som for med kan hvordan af den til har om men hvad mit min", "åøæ"},
	{"pl", "i w nie to jest na się że jak z do dla czy mam co ja ale od po tak być może tego", "ąęłśżźńć"},
	{"tr", "ve bir bu için nasıl ne mi de da ile ama var çok ben olarak daha gibi değil", "ğşı"},
	{"ru", "и в не на что я с это как для по из у мне можно или но от так есть бы мой", "ыэъё"},
	{"uk", "і в не на що я з це як для по із у мені можна або але від так є та мій чи", "їєґі"},
}

// scripts are those that hint at one language each.
var scripts = [...]struct {
	tag   string
	table *unicode.RangeTable
}{
	{"ja", unicode.Hiragana},
	{"ja", unicode.Katakana},
	{"ko", unicode.Hangul},
	{"zh", unicode.Han},
	{"el", unicode.Greek},
	{"he", unicode.Hebrew},
	{"ar", unicode.Arabic},
	{"th", unicode.Thai},
	{"hi", unicode.Devanagari},
}

// tongueOf gives each small word the set of its languages, one bit for each.
var tongueOf = func() map[string]uint16 {
	index := map[string]uint16{}
	for n, t := range tongues {
		for word := range strings.FieldsSeq(t.words) {
			index[word] |= 1 << n
		}
	}
	return index
}()

const (
	telling   = 200 // words that are looked at
	byLetter  = 2   // times that a letter of its own counts as a small word
	convinced = 2   // points that a language needs, and one more than any other
)

// languageOf is the language of a question, else that of its answer, as a BCP 47 tag;
// empty when neither tells.
func languageOf(question, answer string) string {
	if tag := languageIn(question); tag != "" {
		return tag
	}
	return languageIn(answer)
}

func languageIn(text string) string {
	if tag := scriptOf(text); tag != "" {
		return tag
	}
	var points [len(tongues)]int
	n := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '¿' && r != '¡' }) {
		if n++; n > telling {
			break
		}
		score(strings.ToLower(word), &points)
	}
	return leader(points)
}

func score(word string, points *[len(tongues)]int) {
	for set := tongueOf[word]; set != 0; set &= set - 1 {
		points[bits.TrailingZeros16(set)]++
	}
	for _, r := range word {
		if r < utf8.RuneSelf {
			continue
		}
		for n := range tongues {
			if strings.ContainsRune(tongues[n].letters, r) {
				points[n] += byLetter
			}
		}
	}
}

// leader is the language with the most points, if it has enough and alone.
func leader(points [len(tongues)]int) string {
	best, second := 0, 0
	for n, p := range points[1:] {
		if p > points[best] {
			best, second = n+1, points[best]
		} else {
			second = max(second, p)
		}
	}
	if points[best] < convinced || points[best] == second {
		return ""
	}
	return tongues[best].tag
}

// scriptOf is the language of the script of most letters beyond Latin and Cyrillic; a
// text with kana is Japanese however much of it is Han.
func scriptOf(text string) string {
	var counts [len(scripts)]int
	letters := 0
	for _, r := range text {
		if !unicode.IsLetter(r) {
			continue
		}
		if letters++; r < 0x370 {
			continue
		}
		for n, s := range scripts {
			if unicode.Is(s.table, r) {
				counts[n]++
				break
			}
		}
	}
	for n, s := range scripts {
		if few := s.tag == "ja"; few && 10*counts[n] > letters || 2*counts[n] > letters {
			return s.tag
		}
	}
	return ""
}
