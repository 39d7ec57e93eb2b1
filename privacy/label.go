package privacy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// bareName finds the name of somebody behind a separator: capitalised words, or words of a script
// without capitals.
func bareName(v view, i int) Finding {
	if end := scriptName(v.text, i); end > i {
		return Finding{Person, i, end}
	}
	end := capitalised(v, i, 4)
	if end == i || strings.IndexByte("._([{=:/\\@", v.next(end)) >= 0 && v.next(end) != 0 && isAlnum(v.next(end+1)) || v.next(end) == '(' {
		return Finding{}
	}
	if value := v.text[i:end]; !isPersonValue(value) || strings.IndexByte(value, ' ') < 0 && (mixedCase(value) || v.text[i-1] == '=') {
		return Finding{}
	}
	return Finding{Person, i, end}
}

// bareHolder finds a name behind a word for somebody in prose, as in "Patient: Jane Doe".
func bareHolder(v view, i int) Finding {
	if f := fullName(v, i); f.End > 0 && !isCode(v.text, i, f.End) {
		return f
	}
	return Finding{}
}

// fullName finds a usual name at text[i], or two words that are nothing else.
func fullName(v view, i int) Finding {
	if f := bareName(v, i); f.End > 0 && isFullName(v.text[i:f.End]) {
		return f
	}
	return Finding{}
}

// ownName finds the name behind "I'm" and the like at text[i].
func ownName(v view, i int) Finding {
	for _, words := range [...]string{"I'm ", "I’m ", "I am ", "This is "} {
		if strings.HasPrefix(v.text[i:], words) {
			return bareHolder(v, i+len(words))
		}
	}
	return Finding{}
}

// callerName finds the name behind "this is", when it is a usual one or somebody goes on speaking; the word this
// is text[i:end].
func callerName(v view, i, end int) Finding {
	const is = " is "
	if end-i != len("this") || !strings.HasPrefix(v.text[end:], is) || !strings.EqualFold(v.text[i:end], "this") {
		return Finding{}
	}
	f := bareHolder(v, end+len(is))
	if f.End == 0 || !isUsual(v.text[f.Start:f.End]) && !callers[wordBehindSpace(v, f.End)] {
		return Finding{}
	}
	return f
}

// callers are words behind the name of who speaks.
var callers = wordSet("from speaking calling here")

// plainName finds a usual name behind the word name, which mostly names things; the separator is text[i].
func plainName(v view, i int) Finding {
	start, end := wordBefore(v, i)
	if !strings.EqualFold(v.text[start:end], "name") || isThing(v, start) {
		return Finding{}
	}
	from, compared := afterSeparator(v, i)
	if from == 0 || compared {
		return Finding{}
	}
	if b := v.text[from]; b == '"' || b == '\'' {
		from++
	}
	f := fullName(v, from)
	if f.End == 0 || strings.IndexByte(v.text[from:f.End], ' ') < 0 || !endsName(v, f.End) {
		return Finding{}
	}
	if !isUsual(v.text[from:f.End]) && !peopleBeside(v.text, start, f.End) {
		return Finding{}
	}
	return f
}

// isUsual reports whether a word of a name is a usual one.
func isUsual(name string) bool {
	for word := range strings.FieldsSeq(name) {
		if kindOf(word)&(given|surname) != 0 {
			return true
		}
	}
	return false
}

// doers are what stands in front of by and somebody.
var doers = wordSet("reported written signed created approved prepared authored submitted requested reviewed contributed edited directed composed " +
	"photographed painted recorded notarized witnessed treated diagnosed examined interviewed represented hired suggested illustrated translated")

// done finds the name behind "reported by"; the word by is text[i:end].
func done(v view, i, end int) Finding {
	if end-i != len("by") || v.next(end) != ' ' || v.back(i, 1) != ' ' || !isCapital(v.text, end+1) {
		return Finding{}
	}
	start := i - 1
	for start > v.floor && i-start < maxCueWord && isAlpha(v.text[start-1]) {
		start--
	}
	if !doers[strings.ToLower(v.text[start:i-1])] {
		return Finding{}
	}
	return bareHolder(v, end+1)
}

// isFullName reports whether a text is a usual name, or two to four words of which none is known to be
// anything but a name; in a script without capitals it may be one.
func isFullName(text string) bool {
	n, known := 0, caseless(text) != ""
	for word := range strings.FieldsSeq(text) {
		k := kindOf(strings.TrimSuffix(word, "."))
		other := k&(given|surname|doubtful) == 0 && k&(function|body|geography|roadLast|farewell) != 0
		if other || isCamel(word) || thingWords[strings.ToLower(word)] || k == 0 && isAcronym(word) {
			return false
		}
		known = known || k&(given|surname) != 0
		n++
	}
	return known || n > 1 && n <= maxNameWords
}

// isAcronym reports whether a word is capitals only.
func isAcronym(word string) bool {
	return len(word) > 1 && len(word) < 5 && upperNum.run(word, 0) == len(word)
}

// thingWords are what titles of things consist of.
var thingWords = wordSet("action actions agent analytics app application apps archive backend beta board branch build builder bug bundle business " +
	"cache chart check checker cli client cloud cluster code common community config console container content control core customer dashboard data " +
	"database debug default demo deploy desktop dev development device docker document documentation editor engine engineer engineering error event " +
	"example extension feature file filter finance form framework free frontend general generator git github global graph grid group guide handler " +
	"help history home host image import index info input install integration interface internal issue item job kernel key kit language layer layout " +
	"level library light line linter linux list live local log logger login machine mail main management manager map market marketing master " +
	"memory menu message mobile mode module monitor name network new node note notes number object office online open operations order output package " +
	"page panel password path payment plan platform player plugin policy pool post preview pro process product production program project public " +
	"python query queue quick release remote report request research resource response result review role root router rule run runner sales sample " +
	"scan script search security select send server service services session settings setup shop site source sql stack standard start state status " +
	"storage store stream studio style super support sync system systems table task team template term test tests text theme ticket time title " +
	"token tool toolkit tools total tracker training type ui unit unknown update upload user users util version video view virtual visual web website " +
	"widget window windows workflow workspace world zone visitor guest vacant pending manual automatic required optional blood pressure left right " +
	"string integer boolean float double byte array list int bool char")

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// caseless returns the first word of a text if its script has no capitals.
func caseless(text string) string {
	r, _ := utf8.DecodeRuneInString(text)
	if r < 0x590 || !unicode.In(r, unicode.Lo, unicode.Georgian) {
		return ""
	}
	word, _, _ := strings.Cut(text, " ")
	return word
}

const maxScriptName = 96 // bytes of a name in a script without capitals

// scriptName returns the end of the name at text[i] in a script without capitals, or i: one word where
// words are not spaced, else four at most, to the end of the line or the next mark.
func scriptName(text string, i int) int {
	end, words, letters := i, 1, 0
	for p := i; p < len(text) && p-i < maxScriptName; {
		r, size := utf8.DecodeRuneInString(text[p:])
		switch {
		case r >= 0x590 && unicode.In(r, unicode.Lo, unicode.M, unicode.Lm, unicode.Georgian):
			if letters++; letters > maxIdeographs && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
				return i
			}
			p += size
			end = p
		case (r == ' ' || r == '・' || r == '·' || r == '\'' || r == '-') && letters > 0 && words < maxNameWords:
			words++
			p += size
		default:
			return nameEnding(text, i, end, letters)
		}
	}
	return nameEnding(text, i, end, letters)
}

const maxIdeographs = 12 // letters of a name that is written without spaces

// grownOn are ends of sentences, and titles, that grow onto a name without a space.
var grownOn = [...]string{"です", "と申します", "である", "といいます", "입니다", "이라고", "이에요", "예요", "さん", "様", "님", "씨", "است"}

// nameEnding takes off what belongs to the sentence; one letter is no name.
func nameEnding(text string, i, end, letters int) int {
	if letters < 2 {
		return i
	}
	for _, e := range grownOn {
		if cut := strings.TrimRight(strings.TrimSuffix(text[i:end], e), " "); utf8.RuneCountInString(cut) > 1 {
			end = i + len(cut)
		}
	}
	name := text[i:end]
	for _, e := range [...]string{"은", "는"} { // the particle of a topic, or the end of a given name
		if cut := strings.TrimSuffix(name, e); utf8.RuneCountInString(cut) > 2 {
			return i + len(cut)
		}
	}
	return end
}

// mixedCase reports whether a capital stands behind a small letter, as in names of code.
func mixedCase(word string) bool {
	for i := 2; i < len(word); i++ {
		if isUpper(word[i]) && isLower(word[i-1]) && word[:2] != "Mc" {
			return true
		}
	}
	return false
}

// partPromise judges a name that means somebody only within an object: "user": {"name": …}, or
// that stands at the beginning of a line of a form.
func (v view) partPromise(start, end int) promise {
	switch strings.ToLower(v.text[start:end]) {
	case "name", "first", "last", "full":
	case "to", "from", "cc", "bcc", "attn":
		if before := v.back(start, 1); isUpper(v.text[start]) && (before == 0 || before == '\n') {
			return holder
		}
		return public
	default:
		return public
	}
	if v.back(start, 1) != '"' {
		if v.text[start] == 'N' && !isAlnum(v.back(start, 2)) {
			return holder
		}
		return public
	}
	if p := promiseOf(v.objectName(start)); p == holder || p == person {
		return person
	}
	return public
}

const objectReach = 256 // bytes between a member and the beginning of its object

// objectName returns the name of the object in which the member at text[i] stands.
func (v view) objectName(i int) string {
	depth := 0
	for p := i - 1; p > v.floor && i-p < objectReach; p-- {
		switch v.text[p] {
		case '}':
			depth++
		case '{':
			if depth--; depth >= 0 {
				continue
			}
			for p > v.floor && strings.IndexByte("{[ :\t\r\n", v.text[p]) >= 0 {
				p--
			}
			start, end := wordBefore(v, p+1)
			return v.text[start:end]
		}
	}
	return ""
}

// labelled finds a name that an element or the cell of a table in front of it announces:
// <firstName>Jane</firstName>, | Patient | Jane Doe |, \author{Jane Doe}.
func labelled(v view, i int) Finding {
	mark := i
	for mark > v.floor && i-mark < 3 && v.text[mark-1] == ' ' {
		mark--
	}
	b := v.back(mark, 1)
	if b != '|' && b != '>' && b != '{' || b != '|' && mark != i {
		return Finding{}
	}
	start, end := wordBefore(v, mark-1)
	p := pairPromise(v, start, end, promiseOf(v.text[start:end]))
	if p == public && strings.EqualFold(v.text[start:end], "name") {
		p = holder
	}
	switch {
	case b == '>' && v.back(start, 1) != '<' || b == '{' && v.back(start, 1) != '\\':
		return Finding{}
	case p == person:
		return bareName(v, i)
	case p == holder:
		return fullName(v, i)
	}
	return Finding{}
}

// mailbox finds the name in front of an address in angle brackets.
func mailbox(v view, i, end int) Finding {
	stop := capitalised(v, i, maxNameWords)
	if stop < end || !strings.HasPrefix(v.text[stop:], " <") {
		return Finding{}
	}
	local := localPart.run(v.text[:min(len(v.text), stop+2+maxLocal)], stop+2)
	if v.next(local) != '@' && !strings.HasPrefix(v.text[stop+2:], "[EMAIL_") {
		return Finding{}
	}
	return Finding{Person, i, stop}
}
