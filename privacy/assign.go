package privacy

import (
	"strings"
	"unicode/utf8"
)

const (
	maxKey    = 64   // bytes of a name in front of a separator
	maxQuoted = 1024 // bytes within quotes
)

var (
	nameChars   = nameSet()
	dottedNames = setOf(isAlnum, "_.")
)

// nameSet is what names consist of: letters of any script too.
func nameSet() charset {
	set := setOf(isAlnum, "_-.")
	for b := 0x80; b < len(set); b++ {
		set[b] = true
	}
	return set
}

// assignment finds the value in "name separator value" when the name says what it is; the separator
// (: = := => ==) starts at text[i].
func assignment(v view, i int) Finding {
	p := namePromise(v, i)
	if p == public {
		return plainName(v, i)
	}
	start, compared := afterSeparator(v, i)
	if start == 0 {
		return Finding{}
	}
	if f := pemValue(v, start); f.End > 0 {
		return f
	}
	if f := quotedValue(v, start, p); f.End > 0 || compared || isQuoted(v, start) {
		return f
	}
	switch p {
	case holder:
		return bareHolder(v, start)
	case person:
		return bareName(v, start)
	case place:
		return barePlace(v, start)
	default:
		return bareValue(v, start, p)
	}
}

// namePromise judges the name in front of text[i], past the type that may stand between them.
func namePromise(v view, i int) promise {
	start, end := wordBefore(v, operatorStart(v, i))
	p := promiseOf(strings.TrimSuffix(v.text[start:end], ".value"))
	if v.text[i] == ':' && v.text[start:end] == "PASS" {
		return public // the outcome of a test
	}
	p = pairPromise(v, start, end, p)
	if p == public {
		p = v.listedPromise(start, end)
	}
	if p == public && v.text[i] == ':' {
		p = v.partPromise(start, end)
	}
	if v.text[i] == ':' && v.back(start, 1) == '/' && v.next(i+1) != '"' {
		return public // a path, as in "cmd/secret: fix the client"
	}
	if p != public || v.text[i] != '=' {
		return p
	}
	return typedPromise(v, start, end)
}

// operatorStart returns where an assignment that ends in the = at text[i] begins, such as += and ||=.
func operatorStart(v view, i int) int {
	start := i
	for v.text[i] == '=' && i-start < 2 && start > v.floor && strings.IndexByte("+|.&", v.text[start-1]) >= 0 {
		start--
	}
	return start
}

// typedPromise judges the name in front of the type text[start:end]: password: string = "…", var password string = "…".
func typedPromise(v view, start, end int) promise {
	before := start
	for before > v.floor && start-before < 4 && v.text[before-1] == ' ' {
		before--
	}
	switch {
	case v.back(before, 1) == ':':
		before--
	case before == start || !textTypes[v.text[start:end]]:
		return public
	}
	start, end = wordBefore(v, before)
	return promiseOf(v.text[start:end])
}

// textTypes are types that stand behind the name of a variable.
var textTypes = wordSet("string str text varchar")

// pairPromise judges two words or three in front of a separator, such as full name, API key and name on card; the
// last is text[start:end], and promises one by itself.
func pairPromise(v view, start, end int, one promise) promise {
	first := start
	for range 2 {
		if v.back(first, 1) != ' ' || end-first > maxCueWord {
			return one
		}
		for first--; first > v.floor && end-first < 2*maxCueWord && isAlpha(v.text[first-1]); {
			first--
		}
		if several, length := endingOf(v.text[first:end]); length > end-start {
			return several
		}
	}
	return one
}

// wordBefore returns the name that ends before text[i], past spaces, quotes, brackets and emphasis.
func wordBefore(v view, i int) (start, end int) {
	end = i
	for end > v.floor && i-end < 8 && strings.IndexByte(" \t\"'`\\]*?", v.text[end-1]) >= 0 {
		end--
	}
	start = end
	for start > v.floor && end-start < maxKey && nameChars[v.text[start-1]] {
		start--
	}
	if v.back(start, 1) == '\'' && v.back(start, 2) >= utf8.RuneSelf { // ім'я
		for start--; start > v.floor && v.text[start-1] >= utf8.RuneSelf && end-start < maxKey; {
			start--
		}
	}
	return start, end
}

// afterSeparator returns where the value starts, or 0, and whether the separator compares.
func afterSeparator(v view, i int) (start int, compared bool) {
	start, compared = i+1, operatorStart(v, i) < i // only text in quotes is added
	switch next := v.next(start); {
	case v.text[i] == ':' && isMake(v.text[start:]):
		start += strings.IndexByte(v.text[start:], '=') + 1
	case v.text[i] == ':' && (next == ':' || next == '/'):
		return 0, false
	case v.text[i] == ':' && next == '=', v.text[i] == '=' && next == '>':
		start++
	case v.text[i] == '=' && next == '=':
		for start < i+3 && v.next(start) == '=' {
			start++
		}
		compared = true
	}
	for limit := start + 16; start < limit && (v.next(start) == ' ' || v.next(start) == '\t' || v.next(start) == '*'); {
		start++
	}
	if start >= len(v.text) {
		return 0, false
	}
	return start, compared
}

// isMake reports whether the rest of an assignment of make follows a colon: ::= or :::=.
func isMake(rest string) bool { return strings.HasPrefix(rest, ":=") || strings.HasPrefix(rest, "::=") }

// quotedValue finds a value between quotes, which may be escaped, as in JSON within a string, or
// marked, as in Python's b"…".
func quotedValue(v view, i int, p promise) Finding {
	if next := v.next(i + 1); isAlpha(v.text[i]) && (next == '"' || next == '\'') {
		i++
	}
	escape := 0
	if v.text[i] == '\\' {
		escape = 1
	}
	quote := v.next(i + escape)
	if quote != '"' && quote != '\'' && quote != '`' {
		return Finding{}
	}
	start := i + escape + 1
	end := closingQuote(v, start, quote, escape)
	if p == person && isLower(v.next(start)) {
		return Finding{} // what code calls somebody
	}
	if end == 0 || !p.accepts(v.text[start:end]) || isOperator(v.text[start:end]) || isLabel(v.text[start:end], p) {
		return Finding{}
	}
	return Finding{p.entity(), start, end}
}

// isQuoted reports whether a text in quotes starts at text[i] and ends on its line.
func isQuoted(v view, i int) bool {
	escape := 0
	if v.text[i] == '\\' {
		escape = 1
	}
	quote := v.next(i + escape)
	return (quote == '"' || quote == '\'' || quote == '`') && closingQuote(v, i+escape+1, quote, escape) > 0
}

// isLabel recognises what a form or a message says about a secret: "Enter your password".
func isLabel(text string, p promise) bool {
	if strings.IndexByte(text, ' ') < 0 {
		numbered := p == strong && strings.ContainsAny(text, "0123456789")
		_, known := endingOf(strings.TrimRight(text, "0123456789"))
		return !numbered && known > 0 && !strings.ContainsAny(text, "@!#$%^&*")
	}
	if !isUpper(text[0]) && strings.Count(text, " ") < 2 {
		return false
	}
	lowered := strings.ToLower(text)
	for _, word := range [...]string{"password", "token", "secret", "key", "credential", "author"} {
		if strings.Contains(lowered, word) {
			return true
		}
	}
	return false
}

// isOperator recognises what stands between two strings of code, as in "password=" + input + "\n".
func isOperator(text string) bool {
	text = strings.TrimLeft(text, " ")
	return text == "" || strings.IndexByte("+,.)", text[0]) >= 0
}

// closingQuote returns the end of the quoted text at text[start], or 0 if it does not end on its line.
func closingQuote(v view, start int, quote byte, escape int) int {
	limit := min(len(v.text), start+maxQuoted)
	for end := start; end < limit && (v.text[end] != '\n' || quote == '`'); end++ {
		switch {
		case v.text[end] == quote && escape == 0:
			return end
		case v.text[end] != '\\':
		case escape == 1 && v.next(end+1) == quote:
			return end
		default:
			end++
		}
	}
	return 0
}

// bareValue finds a value without quotes: it ends at a space, or at punctuation that closes something.
// A call, an index, an attribute and another variable are code, not values.
func bareValue(v view, i int, p promise) Finding {
	end := dottedNames.run(v.text, i)
	if next := v.next(end); end > i && (next == '(' || next == '[' && placeholderAt(v.text, end) == end) {
		return Finding{}
	}
	for end < len(v.text) && !isSpace(v.text[end]) && !closes(v, end) {
		end++
	}
	end = max(i, trimDots(v.text, end))
	if value := v.text[i:end]; isPath(value) || !p.accepts(value) || isWords(v, i, value, p) {
		return Finding{}
	}
	if isDigit(v.text[i]) {
		end = max(end, v.atNumber(i, words.run(v.text, i)).End) // 4111 1111 1111 1111
	}
	return Finding{Secret, i, end}
}

// isWords recognises the name of a variable, or prose, in place of a value at text[i].
func isWords(v view, i int, value string, p promise) bool {
	word := names.run(value, 0) == len(value)
	joined := v.back(i, 1) == '='
	made := (word || looksRandom(value) && 8*strings.Count(value, "/") <= len(value)) && random(value) && promiseOf(value) == public
	if joined && value[0] == '-' || made && (joined && len(value) >= 10 || len(value) >= minVague) {
		return false
	}
	if stop := names.run(value, 0); stop > 0 && stop < len(value) && (value[stop] == '{' || value[stop] == '(') || strings.HasPrefix(value, "0x") {
		return true
	}
	if !word || strings.ContainsAny(value, "0123456789") {
		return strings.IndexByte("-/(.[{&!", value[0]) >= 0 || word && p != strong && promiseOf(value) != public && (!joined || !isChosen(value))
	}
	if promiseOf(value) != public || isCamel(value) {
		return true
	}
	if p == strong {
		end := i + len(value)
		if v.back(i, 1) == ' ' && len(value) < 6 {
			return true
		}
		return v.back(i, 2) == '=' && v.back(i, 3) == ':' || v.next(end) == ' ' && isAlpha(v.next(end+1)) && v.back(i, 1) == ' '
	}
	return v.back(i, 1) != '=' || strings.ToLower(value) != value || strings.IndexByte(value, '_') >= 0
}

// isChosen reports whether a word with digits that ends like a name for a secret was rather thought up, such as
// hunter2secret: names are joined or have capitals.
func isChosen(word string) bool {
	return strings.ToLower(word) == word && strings.IndexByte(word, '_') < 0 && !isDigit(word[len(word)-1])
}

// barePlace finds an address behind a separator, to the end of its line.
func barePlace(v view, i int) Finding {
	end := i
	for limit := min(len(v.text), i+maxPlace); end < limit && strings.IndexByte("\n\r;\"<[{", v.text[end]) < 0; {
		end++
	}
	for end > i && strings.IndexByte(" ,.\t", v.text[end-1]) >= 0 {
		end--
	}
	if !isPlaceValue(v.text[i:end]) {
		return Finding{}
	}
	return Finding{Address, i, end}
}

// separatesFields reports whether the & at text[i] goes on to another field, command or entity, and is no letter of
// a password.
func separatesFields(v view, i int) bool {
	next := v.next(i + 1)
	if next == 0 || next == '&' || isSpace(next) {
		return true
	}
	end := nameChars.run(v.text[:min(len(v.text), i+1+maxKey)], i+1)
	return end > i+1 && strings.IndexByte("=;[%", v.next(end)) >= 0
}

// closes reports whether the byte at text[i] ends a bare value.
func closes(v view, i int) bool {
	switch v.text[i] {
	case '<', '`':
		return true
	case '&':
		return separatesFields(v, i)
	case '[':
		return placeholderAt(v.text, i) > i
	case ',', ';', ')', ']', '}', '"', '\'', '\\':
		next := v.next(i + 1)
		return next == 0 || isSpace(next) || strings.IndexByte(",;:)]}\"'\\n", next) >= 0
	}
	return false
}
