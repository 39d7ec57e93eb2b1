package privacy

import "strings"

// cue is a set of what the words beside a number say about it.
type cue uint64

const (
	cueOther cue = 1 << iota // some other kind of number
	cuePhone
	cueNumber // perhaps a number to call
	cueBirth
	cuePaper    // a document, which may have an official number
	cueIdentity // an official number of a person, of any country
	cueTax
	cueSocial
	cueHealth
	cuePassport
	cueCard // a payment card, or one of another kind
	cueMAC
	cueUS
	cueCA
	cueUK
	cueIE
	cueDE
	cueFR
	cueES
	cueIT
	cueNL
	cueBE
	cuePT
	cuePL
	cueSE
	cueFI
	cueNO
	cueDK
	cueCH
	cueAT
	cueBR
	cueIN
	cueAU
	cueSG
	cueKR
	cueJP
	cueTR
	cueZA
	cueTH
	cueCN
	cueCZ
	cueHU
	cueRO
	cueHR
	cueCL
	cueIL
	cueEE // and Lithuania
	cueLV
	cueBG
	cueGR
	cueRU
	cueMX
	cueUTR    // British taxpayers, beside cueUK for patients
	personal  = cuePaper | cueIdentity | cueTax | cueSocial | cueHealth
	thing     = cueCard | cueMAC // of no person
	countries = ^(cueOther | cuePhone | cueNumber | cueBirth | personal | cuePassport | thing)
	official  = countries | personal | cuePassport
)

// named returns the countries that a cue names; SSN is said of other countries' numbers too.
func (c cue) named() cue {
	if c&(cueSocial|cueIdentity) != 0 {
		c &^= cueUS
	}
	return c & countries
}

// of replaces the countries of a cue, unless there is none to replace them.
func (c cue) of(country cue) cue {
	if country == 0 {
		return c
	}
	return c&^countries | country
}

// spoken takes "my number is" for what it says in English, and not for the number of Japan.
func (c cue) spoken() cue {
	if c&(cueJP|cueNumber|cueIdentity) == cueJP|cueNumber {
		return c&^cueJP | cuePaper
	}
	return c
}

const (
	cueReach = 48 // letters in front of a number in which its cue stands
	cueTrail = 32 // letters behind it
)

// cueAround returns what is said about text[i:end] on its line, in front of it or else behind it.
func (v view) cueAround(i, end int) cue {
	c := v.known.cue | v.cueBefore(i)
	if c&^(cueOther|thing) != 0 {
		return c
	}
	return c | v.cueBehind(end)
}

// cueBefore reads the words in front of text[i], backwards, up to one that names another kind of number; on a
// line by itself, or in a table, a number is called what stands above it.
func (v view) cueBefore(i int) cue {
	r := cueReader{view: v}
	for end, left := i, cueReach; end > 0 && left > 0 && !r.done; left-- {
		end = r.step(i, end)
	}
	return r.found
}

// cueReader reads the words in front of a number, the nearest first.
type cueReader struct {
	view
	found   cue
	behind  string // the word behind the one at hand
	words   int
	colon   bool // a colon stands in front of the number
	closed  bool // a colon or a stop stands behind the word at hand, or its own number does
	crossed bool // so does a digit
	above   bool // a line above is read
	done    bool
}

// step reads the character or the word that ends at text[end] and returns where it begins.
func (r *cueReader) step(i, end int) int {
	b := r.text[end-1]
	switch {
	case b == '\n':
		return r.lineAbove(i, end)
	case r.found != 0 && (isDigit(b) || b == ',' || b == ';' || b == '|'):
		r.done = true
		return end
	case b == ']':
		return r.skipTag(end)
	}
	start := end
	if inCue(b) {
		start = wordBack(r.text, end)
	}
	if start == end {
		r.crossed = r.crossed || isDigit(b)
		r.closed = r.closed || r.words > 0 && (b == ':' || b == '.') || r.colon && r.crossed
		r.colon = r.colon || b == ':' && !r.crossed
		return end - 1
	}
	r.read(r.text[start:end], strings.IndexByte(":=_\"'>]", r.next(end)) >= 0 || r.back(start, 1) == '_')
	switch end - start {
	case 1:
		r.found |= r.initial(start)
	case codeLength:
		r.found = r.found.of(codeWithin(r.text, start, end))
	}
	return start
}

// initial tells what the single letter at text[i] stands for: D.O.B., or the T of a card with addresses.
func (r *cueReader) initial(i int) cue {
	switch b := r.text[i]; {
	case b|0x20 == 'b' && i >= 4 && strings.EqualFold(r.text[i-4:i], "d.o."):
		return cueBirth
	case strings.IndexByte("TMPF", b) >= 0 && r.next(i+1) == ':' && strings.IndexByte("\x00\n|", r.back(i, 1)) >= 0:
		return cuePhone
	}
	return 0
}

// read adds what a word says, alone and with the one behind it; it may name a value.
func (r *cueReader) read(word string, names bool) {
	c := lookUp(word, "") | lookUp(word, r.behind) | acronym(word, names)
	if r.crossed {
		c &^= cueNumber
	}
	if r.closed { // in another clause
		c &^= cueOther
	}
	r.found |= c
	r.done = c&cueOther != 0
	r.behind = word
	r.words++
}

// lineAbove goes on at the end of the line above when nothing stands in front of the number, or else looks
// at the head of its column.
func (r *cueReader) lineAbove(i, end int) int {
	if r.found == 0 && !r.above && strings.Trim(r.text[end:i], " \t\"'>*-") == "" && end > 1 && r.text[end-2] != '\n' {
		r.above = true
		return end - 1
	}
	r.done = true
	if r.found == 0 && !r.above {
		r.found = r.head(end, i)
	}
	return end
}

// skipTag returns where the tag that ends at text[end] begins, or one byte less.
func (v view) skipTag(end int) int {
	start := strings.LastIndexByte(v.text[max(0, end-cueReach):end], '[')
	if start += max(0, end-cueReach); start >= 0 && v.text[start] == '[' && placeholderAt(v.text, start) == end {
		return start
	}
	return end - 1
}

// cueBehind reads the words behind text[end], up to the end of the sentence.
func (v view) cueBehind(end int) cue {
	found, before := cue(0), ""
	for i, left := end, cueTrail; i < len(v.text) && left > 0; left-- {
		b := v.text[i]
		if b == '\n' || b == '.' || b == ';' || b == '[' || isDigit(b) {
			break
		}
		stop := i
		if inCue(b) {
			stop = wordAhead(v.text, i)
		}
		if stop == i {
			i++
			continue
		}
		word := v.text[i:stop]
		found |= lookUp(word, "") | lookUp(before, word) | acronym(word, false)
		before, i = word, stop
	}
	return found &^ (cueOther | cueBirth)
}

// nameCue tells from a name what numbers its value holds, by its words, written together or apart.
func nameCue(name string) cue {
	found, next := lookUp(name, ""), ""
	for end := len(name); end > 0; {
		start := wordBack(name, end)
		if start == end {
			end--
			continue
		}
		found |= lookUp(name[start:end], "") | lookUp(name[start:end], next) | acronym(name[start:end], true)
		next, end = name[start:end], start
	}
	if found&official != 0 {
		found = found.of(codeOf(name))
	}
	return found &^ cueOther
}
