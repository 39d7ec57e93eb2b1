package privacy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxNameWord  = 32  // bytes
	maxNameWords = 4   // of one name
	codeReach    = 100 // bytes on each side that decide whether a line is code
)

// somebody finds the name of a person that starts with the capital at text[i]: behind a title, a
// greeting or a farewell, or because a word of it is a usual name and the line is prose.
func somebody(v view, i int) Finding {
	if !startsName(v, i) {
		return Finding{}
	}
	end := nameWord(v.text, i)
	k := kindOf(v.text[i:end])
	if v.text[i] == 'I' || v.text[i] == 'T' {
		if f := ownName(v, i); f.End > 0 {
			return f
		}
	}
	switch {
	case k&(honorific|greeting|salute) != 0:
		return addressed(v, end, k, maxTitles)
	case k&(roadFirst) != 0 && k&given == 0:
		return roadWithNumber(v, i, end)
	case k&function != 0:
		return Finding{}
	}
	if f := signed(v, i); f.End > 0 {
		return f
	}
	if f := labelled(v, i); f.End > 0 {
		return f
	}
	if f := mailbox(v, i, end); f.End > 0 {
		return f
	}
	if f := namedByHead(v, i); f.End > 0 {
		return f
	}
	stop := named(v, i, end, k)
	if stop == 0 {
		stop = spokenOf(v, i, end)
	}
	if stop == 0 || isStreet(v, i, stop) || isCode(v.text, i, stop) || !standsAlone(v, i, stop) {
		return Finding{}
	}
	return Finding{Person, i, stop}
}

// isStreet reports whether the name text[i:stop] is that of a street with a number.
func isStreet(v view, i, stop int) bool {
	end := stop
	if v.next(end) == '.' {
		end++
	}
	if word := wordBehindSpace(v, stop); smallRoads[word] && isDigit(v.next(stop+len(word)+2)) {
		return true
	}
	if road, _ := markedRoad(v, stop); road >= 0 && houseAfter(v, stop) > 0 {
		return true
	}
	return v.next(end) == ' ' && isDigit(v.next(end+1)) && (endsRoad(v.text[i:end]) || endsRoad(v.text[i:stop]))
}

// startsName refuses what continues a name of code, a path or an address.
func startsName(v view, i int) bool {
	before := v.back(i, 1)
	return before == 0 || isSpace(before) || strings.IndexByte("(\"'*>,:;[|~{", before) >= 0 || v.escaped(i-1) || before >= 0x80 && !continues(v.text, i)
}

// continues reports whether the rune in front of text[i] is a letter.
func continues(text string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

// nameWord returns the end of the letters at text[i], with inner hyphens and apostrophes in front of
// a capital, as in O'Brien.
func nameWord(text string, i int) int {
	limit := min(len(text), i+maxNameWord)
	end := i
	for end < limit {
		b := text[end]
		switch {
		case isAlpha(b):
			end++
		case (b == '-' || b == '\'') && end > i && end+1 < limit && (isUpper(text[end+1]) || b == '\'' && end == i+1 && isLower(text[end+1])):
			end++
		case b >= 0xC3 && b <= 0xD6 && end+1 < limit:
			end += 2
		case b == 0xE1 && end+2 < limit || end > i && end+3 < limit && text[end:end+3] == "’" && (isUpper(text[end+3]) || text[end+3] >= 0x80):
			end += 3
		default:
			return end
		}
	}
	return end
}

// named returns the end of the name that starts with the word text[i:end], of kind k, or 0.
func named(v view, i, end int, k kind) int {
	stop := capitalised(v, i, maxNameWords)
	next := nextWord(v, end)
	second := kind(0)
	if next > 0 {
		second = kindOf(v.text[next:nameWord(v.text, next)])
	}
	switch family := second & (surname | given); {
	case k&given != 0:
		return stop
	case next == 0 && stop > end && k&(function|geography|body) == 0 && isVan(v.text[end:stop]):
		return stop
	case stop == end || next == 0 || second&(function|body) != 0 && second&surname == 0:
		return 0
	case k&doubtful != 0:
		if family&surname != 0 || isInitial(v, next) && stop > next+2 {
			return stop
		}
	case isInitial(v, i):
		if stop > end+3 {
			return stop
		}
	case k&(geography|body) == 0 && second&surname != 0 && second&(doubtful|body|geography) == 0:
		return stop
	}
	return 0
}

// isVan recognises the particle that makes a name of any two words; von is a common word of German.
func isVan(rest string) bool { return strings.HasPrefix(rest, " van ") }

// nextWord returns where the capitalised word behind text[end] starts, or 0.
func nextWord(v view, end int) int {
	if v.next(end) == '.' && v.next(end+1) == ' ' {
		end++
	}
	if v.next(end) != ' ' || !isCapital(v.text, end+1) {
		return 0
	}
	return end + 1
}

// isInitial reports whether a capital with a dot stands at text[i].
func isInitial(v view, i int) bool {
	return isUpper(v.text[i]) && v.next(i+1) == '.'
}

func isCapital(text string, i int) bool {
	if i >= len(text) {
		return false
	}
	if text[i] < utf8.RuneSelf {
		return isUpper(text[i])
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return unicode.IsUpper(r)
}

// particles stand within names in small letters.
var particles = strings.Fields("van von de der den del della di da dos das du la le los el al bin ibn ben af av ter ten zu y e")

var capitalParticles = strings.Fields("Van Von De Der Den Del Della Di Da Dos Du La Le El Al Ter Ten Mac Bin")

// capitalised returns the end of at most n capitalised words at text[i], with the initials and particles
// between them, or i.
func capitalised(v view, i, n int) int {
	stop := i
	for p := i; n > 0 && isCapital(v.text, p); n-- {
		end := nameWord(v.text, p)
		word := v.text[p:end]
		if k := kindOf(word); p > i && k&(function|farewell|honorific) != 0 && k&(given|surname|doubtful) == 0 && !slices.Contains(capitalParticles, word) {
			break
		}
		if !v.endsWord(end) || v.next(end) == '_' {
			break
		}
		stop = end
		if end == p+1 && v.next(end) == '.' {
			end++
			stop = end
		}
		if v.next(end) != ' ' {
			break
		}
		p = afterParticles(v.text, end+1)
	}
	return stop
}

// afterParticles returns where the text goes on behind the particles at text[i].
func afterParticles(text string, i int) int {
	for range 2 {
		end := i
		for end < len(text) && isLower(text[end]) && end-i < 6 {
			end++
		}
		if end == i || end >= len(text) || text[end] != ' ' || !slices.Contains(particles, text[i:end]) {
			return i
		}
		i = end + 1
	}
	return i
}

const maxTitles = 3 // as in Dear Prof. Dr. Smith

// addressed finds the name behind a title or greeting that ends at text[end], and a few more titles.
func addressed(v view, end int, k kind, titles int) Finding {
	from := end
	if k&honorific != 0 && v.next(from) == '.' {
		if v.back(end, 1) == 's' && v.back(end, 2) == 's' {
			return Finding{} // a miss
		}
		from++
	}
	if v.next(from) != ' ' {
		return Finding{}
	}
	from++
	if stop := scriptName(v.text, from); stop > from {
		return Finding{Person, from, stop}
	}
	if !isCapital(v.text, from) {
		return Finding{}
	}
	word := nameWord(v.text, from)
	first := kindOf(v.text[from:word])
	if first&honorific != 0 && first&(given|surname) == 0 {
		if titles == 0 {
			return Finding{}
		}
		return addressed(v, word, first, titles-1)
	}
	stop := capitalised(v, from, 3)
	if k&honorific != 0 && nextWord(v, word) > 0 && stop > word {
		first &^= function | body // Mr. June Clark
	}
	if stop == from || first&(function|body|farewell|geography) != 0 && first&(given|surname) == 0 || v.text[word-1] == 's' && v.next(word) == '(' {
		return Finding{}
	}
	if next := v.next(stop); k&salute != 0 && first&(given|doubtful) == 0 && next != ',' && (next != '!' || stop == word) || !endsName(v, stop) {
		return Finding{}
	}
	return Finding{Person, from, stop}
}

// endsName refuses what goes on as code: a call, an attribute, an assignment.
func endsName(v view, end int) bool {
	switch v.next(end) {
	case '(', '[', '_', '/', '=', '{', '@', '\\':
		return false
	case '\'':
		return v.next(end+1) != 't'
	case '.', ':':
		return !isAlnum(v.next(end+1)) && v.next(end+1) != ':'
	case '-':
		return !isAlnum(v.next(end + 1))
	}
	return true
}

// signed finds a name behind a farewell: Regards, Jane Doe.
func signed(v view, i int) Finding {
	end := i
	for end > v.floor && i-end < 4 && isSpace(v.text[end-1]) {
		end--
	}
	if end == i || v.back(end, 1) != ',' && strings.IndexByte(v.text[end:i], '\n') < 0 {
		return Finding{}
	}
	if v.back(end, 1) == ',' {
		end--
	}
	start := end
	for start > v.floor && end-start < 20 && inCue(v.text[start-1]) {
		start--
	}
	if end == start {
		return Finding{}
	}
	word := v.text[start:end]
	if kinds[word]&farewell == 0 && (isUpper(word[0]) || kinds[strings.ToUpper(word[:1])+word[1:]]&farewell == 0) {
		return Finding{}
	}
	stop := capitalised(v, i, 3)
	if next := v.next(stop); stop == i || next != 0 && next != '\n' && next != '\r' && next != '.' && next != '\\' && next != '"' && next != '<' && next != '[' {
		return Finding{}
	}
	if kindOf(v.text[i:nameWord(v.text, i)])&function != 0 {
		return Finding{}
	}
	return Finding{Person, i, stop}
}

// standsAlone refuses names of places and institutions, and of code.
func standsAlone(v view, i, end int) bool {
	last := i + strings.LastIndexByte(v.text[i:end], ' ') + 1
	k := kinds[v.text[last:end]]
	long := strings.Count(v.text[i:end], " ") > 1
	if last > i && k&surname == 0 && (k&body != 0 || long && k&roadLast != 0) || !endsName(v, end) || last == i && isEponym(v, end) {
		return false
	}
	if next := nextWord(v, end); next > 0 && v.next(end) == ' ' && kinds[v.text[next:nameWord(v.text, next)]]&(body|roadLast) != 0 {
		return false
	}
	start := i - 1
	for start > v.floor && i-start < 16 && isAlpha(v.text[start-1]) {
		start--
	}
	if start < v.floor || v.back(i, 1) != ' ' {
		return true
	}
	before := v.text[start : i-1]
	return before == "" || kinds[before]&geography == 0
}

// findings are what is named after who found it, and is hardly owned by anybody.
var findings = wordSet("theorem theorems lemma conjecture hypothesis corollary law laws inequality inequalities equation equations identity formula " +
	"paradox " +
	"principle criterion constant algorithm transform theory syndrome disease lymphoma palsy ataxia triangle problem")

// works are named after people too, but only in capitals: in small letters they are somebody's.
var works = wordSet("Method Methods Rule Rules Test Series Sampling Number Numbers Process Effect Model Machine Coding Distribution Function Space")

// isEponym reports whether the name that ends at text[end] belongs to what its bearer found: Stewart's theorem.
func isEponym(v view, end int) bool {
	for _, of := range [...]string{"'s ", "’s ", "' ", "’ ", " "} {
		rest, ok := strings.CutPrefix(v.text[end:], of)
		if !ok {
			continue
		}
		word := rest[:nameEnd(rest[:min(len(rest), maxNameWord)], 0)]
		return findings[strings.ToLower(word)] || works[word]
	}
	return false
}

var codeMarks = setOf(func(byte) bool { return false }, "{}();=<>[]_\\|&$#@+`/")

// isCode reports whether the line around text[i:end] looks like a program.
func isCode(text string, i, end int) bool {
	start, stop := i, end
	for start > 0 && i-start < codeReach && text[start-1] != '\n' {
		start--
	}
	for stop < len(text) && stop-end < codeReach && text[stop] != '\n' {
		stop++
	}
	line := strings.TrimLeft(text[start:stop], " \t")
	marks := 0
	for k := range len(line) {
		quote := (line[k] == '\'' || line[k] == '"') && k+1 < len(line) && strings.IndexByte(",:]})", line[k+1]) >= 0
		if codeMarks[line[k]] || quote {
			marks++
		}
	}
	comment := strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "#include") || strings.HasPrefix(line, "import ")
	return comment || marks > 2 && marks*16 > len(line) || marks > 0 && strings.HasSuffix(line, ";") || strings.HasSuffix(line, "{")
}
