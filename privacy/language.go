package privacy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// languages are told by their small words; where one is spoken, a number whose check says little may be one of
// its countries. English is spoken everywhere.
var languages = [...]struct {
	home    cue
	words   string
	letters string // that hardly any other language has
}{
	{0, "the and is my for of was with please this that to are not it in on we have her his you your from at be has an or by as " +
		"customer file number thanks hello", ""},
	{cueDE | cueAT | cueCH, "der das den dem des ist nicht und ich mein meine meiner bitte mit ein eine einen wurde haben hat habe sie wir auf " +
		"unter oder zum zur von guten tag lautet kunde kunden danke ihre ihr für unser auch nach bei aber formular angegeben eingetragen nummer " +
		"geprüft wird sind war vom beim über", "ß"},
	{cueFR | cueBE | cueCH | cueCA, "le la les des est et mon ma mes votre notre une un dans pour avec sur pas bonjour merci numéro numero client voici " +
		"dossier vous nous que qui du au ce cette hier donné corriger saisi formulaire ai il elle son sa de en son par était", ""},
	{cueES, "el los las la es mi su con por una un para pero número cliente hola gracias favor que del se nos ayer formulario usted domicilio de en " +
		"está tiene fue como más", "ñ"},
	{cueIT | cueCH, "il lo gli mio mia con per una un nel della del di che non cliente numero ciao grazie buongiorno ieri ci ha ho favore modulo " +
		"inserire correggi la è sono dal alla questo", ""},
	{cueNL | cueBE, "de het een mijn is van met en niet op voor klant nummer graag goedemiddag goedemorgen ik heb staat formulier ingevuld gaf gisteren " +
		"kun je aanpassen bedankt uw hij zij wij wordt naar ook maar dit dat deze identiteitsnummer persoonsnummer legitimatienummer fiscaal " +
		"identificatienummer", ""},
	{cuePT | cueBR, "meu minha seu sua com para por uma um não número numero cliente olá ola obrigado formulário nos deu ontem que do da em você pode é foi " +
		"está mais favor corrija coloquei seguinte", "ãõ"},
	{cuePL, "mój moja moje jest numer nr proszę klient klienta klientka dzień dobry formularzu podał podała wczoraj poprawić poprawic nie się dziękuję " +
		"oraz dla tego przez jako był była", "łąęśżźń"},
	{cueSE | cueFI, "mitt min är och jag kan du kundens kund hej skrev formuläret gav oss igår ändra tack nummer inte det som ett en på med " +
		"har för av till", ""},
	{cueNO | cueDK, "mitt min mit er og jeg kan du kundens kunden hei hej skrev skjemaet formularen ga gav oss os går endre ændre takk tak nummer ikke det " +
		"som et en på med har sjekke tjekke for av til af", "øæ"},
	{cueFI, "on ja minun asiakkaan asiakas hei kiitos tarkista kirjoitin lomakkeeseen antoi eilen voitko korjata numero ei se että olen sekä tämä", ""},
	{cueTR, "ve benim bir bu için müşterinin müşteri merhaba lütfen forma yazdım dün bize verdi olarak kayıtlı numarası numara geçersiz değil numaram", "şğı"},
}

const english = 0 // its place among the languages

// languageWords and languageLetters give each word and letter the set of its languages, one bit for each.
var languageWords, languageLetters = languageIndex()

func languageIndex() (index map[string]uint16, letters map[rune]uint16) {
	index, letters = make(map[string]uint16), make(map[rune]uint16)
	for n, l := range languages {
		for word := range strings.FieldsSeq(l.words) {
			index[word] |= 1 << n
		}
		for _, letter := range l.letters {
			letters[letter] |= 1 << n
		}
	}
	return index, letters
}

// homes of scripts that one country has.
var scriptHomes = [...]struct {
	script *unicode.RangeTable
	home   cue
}{{unicode.Hangul, cueKR}, {unicode.Hiragana, cueJP}, {unicode.Katakana, cueJP}, {unicode.Thai, cueTH}, {unicode.Devanagari, cueIN}}

const (
	longLanguageWord = 5 // bytes of a word that hardly another language has
	enoughLanguage   = 2 // short words, or a long one, that tell a language
)

// homeOf returns the countries of the language of a text in two parts, or none if it is English or too short to
// tell.
func homeOf(parts ...string) (home cue) {
	var scores [len(languages)]int
	for _, text := range parts {
		for i := 0; i < len(text); {
			end := i
			if inCue(text[i]) {
				end = wordAhead(text, i)
			}
			if end == i {
				i++
				continue
			}
			if home = scriptHome(text[i:end]); home != 0 {
				return home
			}
			scoreWord(&scores, text[i:end])
			i = end
		}
	}
	best := max(enoughLanguage, scores[english]+1)
	for n, score := range scores {
		if score > best {
			home, best = 0, score
		}
		if score == best {
			home |= languages[n].home
		}
	}
	return home
}

// scriptHome returns the country of a word in a script of its own.
func scriptHome(word string) cue {
	r, _ := utf8.DecodeRuneInString(word)
	if r < 0x900 {
		return 0
	}
	for _, s := range scriptHomes {
		if unicode.Is(s.script, r) {
			return s.home
		}
	}
	return 0
}

// scoreWord counts a word for its languages.
func scoreWord(scores *[len(languages)]int, word string) {
	var space [maxCueWord + utf8.UTFMax]byte
	text := space[:0]
	for _, r := range word {
		r = unicode.ToLower(r)
		if text = utf8.AppendRune(text, r); r >= utf8.RuneSelf {
			scoreSet(scores, languageLetters[r], enoughLanguage)
		}
	}
	weight := 1
	if len(text) >= longLanguageWord {
		weight = enoughLanguage
	}
	scoreSet(scores, languageWords[string(text)], weight)
}

func scoreSet(scores *[len(languages)]int, set uint16, weight int) {
	for n := 0; set != 0; n, set = n+1, set>>1 {
		if set&1 != 0 {
			scores[n] += weight
		}
	}
}
