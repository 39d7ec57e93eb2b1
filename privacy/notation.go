package privacy

import "strings"

// element finds the text of an element whose name says that it is a secret: <password>x</password>; its
// start tag ends with the > at text[i].
func element(v view, i int) Finding {
	start, end := wordBefore(v, i)
	if end != i || v.back(start, 1) != '<' {
		return Finding{}
	}
	p := promiseOf(v.text[start:end])
	stop := strings.IndexByte(v.text[i:min(len(v.text), i+maxQuoted)], '<')
	if p != weak && p != strong || stop <= 1 {
		return Finding{}
	}
	if value := v.text[i+1 : i+stop]; strings.IndexByte(value, '\n') >= 0 || !p.accepts(value) || isLabel(value, p) {
		return Finding{}
	}
	return Finding{Secret, i + 1, i + stop}
}

// cell finds the secret in the cell behind the one that names it: | API key | x |; the bar between them is
// text[i].
func cell(v view, i int) Finding {
	start, end := wordBefore(v, i)
	p := pairPromise(v, start, end, promiseOf(v.text[start:end]))
	if p != weak && p != strong || v.next(i+1) != ' ' {
		return Finding{}
	}
	rest := v.text[i+1 : min(len(v.text), i+maxQuoted)]
	stop := strings.IndexAny(rest, "|\n")
	if stop < 0 {
		stop = len(rest)
	}
	from := i + 2
	value := strings.TrimRight(v.text[from:i+1+stop], " ")
	if strings.IndexByte(value, ' ') >= 0 || !hasDigit(value) || !p.accepts(value) || promiseOf(value) != public {
		return Finding{}
	}
	return Finding{Secret, from, from + len(value)}
}

// argument finds the second of two strings of which the first names a secret: put("password", "x"); the
// parenthesis in front of them is text[i].
func argument(v view, i int) Finding {
	quote := v.next(i + 1)
	if quote != '"' && quote != '\'' {
		return Finding{}
	}
	end := nameChars.run(v.text[:min(len(v.text), i+2+maxKey)], i+2)
	p := promiseOf(v.text[i+2 : end])
	if p != weak && p != strong || v.next(end) != quote || v.next(end+1) != ',' {
		return Finding{}
	}
	from := end + 2
	if v.next(from) == ' ' {
		from++
	}
	if from >= len(v.text) {
		return Finding{}
	}
	return quotedValue(v, from, p)
}

// told finds the secret in "my API key is x", "(was x)" and "has been reset to x"; the verb, or to, is text[i:end].
func told(v view, i, end int) Finding {
	word := v.text[i:end]
	if word != "is" && word != "ist" && word != "was" && (word != "to" || !digitAhead(v, end+1)) || v.next(end) != ' ' && v.next(end) != ':' {
		return Finding{}
	}
	last := i - 1
	if v.back(i, 1) == '(' {
		last--
	}
	if last < v.floor || v.text[last] != ' ' {
		return Finding{}
	}
	if word == "to" {
		last = beforeChange(v, last)
	}
	first, stop := wordBefore(v, last)
	p := pairPromise(v, first, stop, promiseOf(v.text[first:stop]))
	verb := word == "to" && stop-first == len("pass") // pass x to y1
	if p != weak && p != strong || stop != last || verb {
		return Finding{}
	}
	f := toldValue(v, end, p)
	if word == "to" && f.End > 0 && !isMadeUp(v.text[f.Start:f.End]) {
		return Finding{}
	}
	return f
}

// digitAhead reports whether a digit stands before the next space behind text[i].
func digitAhead(v view, i int) bool {
	for limit := min(len(v.text), i+maxCueWord); i < limit && v.text[i] != ' '; i++ {
		if isDigit(v.text[i]) {
			return true
		}
	}
	return false
}

// changes are the words between a name and what it was changed to.
var changes = wordSet("reset set changed updated rotated is was been has")

// beforeChange returns the end of what stands in front of the words of a change that end at text[end].
func beforeChange(v view, end int) int {
	for range 4 {
		start := end
		for start > v.floor && end-start < maxCueWord && isAlpha(v.text[start-1]) {
			start--
		}
		if !changes[v.text[start:end]] || v.back(start, 1) != ' ' {
			return end
		}
		end = start - 1
	}
	return end
}

// isMadeUp reports whether a word is longer, or has other marks, than a name such as Base64 or OAuth2.
func isMadeUp(word string) bool {
	return hasDigit(word) && (len(word) >= minMadeUp || strings.ContainsAny(word, "!@#$%^&*"))
}

const minMadeUp = 10 // characters

// toldValue finds the word behind text[end] that looks as if somebody, or a machine, had made it up.
func toldValue(v view, end int, p promise) Finding {
	from := end
	for from < end+2 && (v.next(from) == ' ' || v.next(from) == ':') {
		from++
	}
	if from >= len(v.text) {
		return Finding{}
	}
	if f := quotedValue(v, from, p); f.End > 0 {
		return f
	}
	stop := from
	for stop < len(v.text) && !isSpace(v.text[stop]) && !closes(v, stop) {
		stop++
	}
	for stop > from && strings.IndexByte(".,;?)", v.text[stop-1]) >= 0 {
		stop--
	}
	if value := v.text[from:stop]; !isMixed(value) || p == weak && !hasDigit(value) || !p.accepts(value) || value[0] == '*' {
		return Finding{}
	}
	return Finding{Secret, from, stop}
}

// isMixed reports whether a word has more than letters, or capitals within.
func isMixed(word string) bool {
	return strings.ContainsAny(word, "0123456789!@#$%^&*") || mixedCase(word)
}

func hasDigit(word string) bool { return strings.ContainsAny(word, "0123456789") }

// setters are words behind which a name and its value stand apart by a space.
var setters = wordSet("env setenv arg setx")

// set finds the secret in "ENV TOKEN x"; the word in front of the name is text[i:end].
func set(v view, i, end int) Finding {
	if v.next(end) != ' ' || !setters[strings.ToLower(v.text[i:end])] || v.back(i, 1) != 0 && !isSpace(v.back(i, 1)) {
		return Finding{}
	}
	stop := nameChars.run(v.text[:min(len(v.text), end+1+maxKey)], end+1)
	p := promiseOf(v.text[end+1 : stop])
	if p != weak && p != strong || v.next(stop) != ' ' {
		return Finding{}
	}
	return flagWord(v, stop+1, p)
}

// spacedValue finds the value behind a name and a space: in quotes, as in api_key "x", or alone on its line; the
// name ends with the word text[i:end].
func spacedValue(v view, i, end int) Finding {
	if v.next(end) != ' ' {
		return Finding{}
	}
	if next := v.next(end + 1); next != '"' && next != '\'' {
		if before := v.back(i, 1); isAlnum(next) && (before == '_' || before == '.' || before == '-' || before == 0 || before == '\n') {
			return lineValue(v, end)
		}
		return Finding{}
	}
	start, last := wordBefore(v, end)
	if before := v.back(start, 1); last != end || before != 0 && !isSpace(before) && before != ':' || before == ' ' && isAlpha(v.back(start, 2)) {
		return Finding{}
	}
	p := promiseOf(v.text[start:end])
	if p != weak && p != strong {
		return Finding{}
	}
	f := quotedValue(v, end+1, p)
	if f.End == 0 || !isMixed(v.text[f.Start:f.End]) || strings.IndexByte(v.text[f.Start:f.End], ' ') >= 0 {
		return Finding{}
	}
	return f
}

// lineValue finds the rest of a line that begins with a compound name, which ends at text[end].
func lineValue(v view, end int) Finding {
	start := end
	for start > v.floor && end-start < maxKey && nameChars[v.text[start-1]] {
		start--
	}
	name := v.text[start:end]
	if before := v.back(start, 1); before != 0 && before != '\n' || !strings.ContainsAny(name, "_-.") && !isCamel(name) {
		return Finding{}
	}
	p := promiseOf(name)
	if p != weak && p != strong {
		return Finding{}
	}
	f := flagWord(v, end+1, p)
	if next := v.next(f.End); f.End == 0 || next != 0 && next != '\n' && next != '\r' || !isMadeUp(v.text[f.Start:f.End]) {
		return Finding{}
	}
	return f
}

// listedPromise judges the member or attribute "value" by the one called "name" in front of it, as in the list of
// an environment; the name of the first member is text[start:end].
func (v view) listedPromise(start, end int) promise {
	if word := v.text[start:end]; word != "value" && word != "Value" {
		return public
	}
	p := start
	for p > v.floor && start-p < 24 && strings.IndexByte(" \t\r\n\",'-", v.text[p-1]) >= 0 {
		p--
	}
	from, last := wordBefore(v, p)
	colon := from
	for colon > v.floor && from-colon < 4 && strings.IndexByte(" \"':=", v.text[colon-1]) >= 0 {
		colon--
	}
	if key, stop := wordBefore(v, colon); last != p || !namesMembers[strings.ToLower(v.text[key:stop])] {
		return public
	}
	return promiseOf(v.text[from:last])
}

var namesMembers = wordSet("name key")
