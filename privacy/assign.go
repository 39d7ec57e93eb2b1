package privacy

import "strings"

const (
	maxKey    = 64   // bytes of a name in front of a separator
	maxQuoted = 1024 // bytes within quotes
)

var (
	nameChars   = setOf(isAlnum, "_-.")
	dottedNames = setOf(isAlnum, "_.")
)

// assignment finds the value in "name separator value" when the name says that it is secret; the
// separator (: = := => ==) starts at text[i].
func assignment(v view, i int) Finding {
	strength := nameStrength(v, i)
	if strength == public {
		return Finding{}
	}
	start, compared := afterSeparator(v, i)
	if start == 0 {
		return Finding{}
	}
	if f := quotedValue(v, start, strength); f.End > 0 || compared {
		return f
	}
	return bareValue(v, start, strength)
}

// nameStrength judges the name in front of text[i], past the type that may stand between them.
func nameStrength(v view, i int) strength {
	start, end := wordBefore(v, i)
	if s := secretName(v.text[start:end]); s != public || v.text[i] != '=' {
		if v.back(start, 1) == '/' {
			return public // a path, as in "cmd/secret: fix the client"
		}
		return s
	}
	colon := start // password: string = "…"
	for colon > v.floor && start-colon < 4 && v.text[colon-1] == ' ' {
		colon--
	}
	if v.back(colon, 1) != ':' {
		return public
	}
	start, end = wordBefore(v, colon-1)
	return secretName(v.text[start:end])
}

// wordBefore returns the name that ends before text[i], past spaces, quotes, brackets and emphasis.
func wordBefore(v view, i int) (start, end int) {
	end = i
	for end > v.floor && i-end < 8 && strings.IndexByte(" \"'`\\]*?", v.text[end-1]) >= 0 {
		end--
	}
	start = end
	for start > v.floor && end-start < maxKey && nameChars[v.text[start-1]] {
		start--
	}
	return start, end
}

// afterSeparator returns where the value starts, or 0, and whether the separator compares.
func afterSeparator(v view, i int) (start int, compared bool) {
	start = i + 1
	switch next := v.next(start); {
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

// quotedValue finds a value between quotes, which may be escaped, as in JSON within a string, or
// marked, as in Python's b"…".
func quotedValue(v view, i int, s strength) Finding {
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
	if end == 0 || !s.accepts(v.text[start:end]) || isOperator(v.text[start:end]) {
		return Finding{}
	}
	return Finding{Secret, start, end}
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
// A call, an index and an attribute are code, not values.
func bareValue(v view, i int, s strength) Finding {
	end := dottedNames.run(v.text, i)
	if next := v.next(end); end > i && (next == '(' || next == '[' && placeholderAt(v.text, end) == end) {
		return Finding{}
	}
	for end < len(v.text) && !isSpace(v.text[end]) && !closes(v, end) {
		end++
	}
	end = max(i, trimDots(v.text, end))
	if value := v.text[i:end]; isPath(value) || !s.accepts(value) {
		return Finding{}
	}
	if isDigit(v.text[i]) {
		end = max(end, v.atNumber(i).End) // 4111 1111 1111 1111
	}
	return Finding{Secret, i, end}
}

// closes reports whether the byte at text[i] ends a bare value.
func closes(v view, i int) bool {
	switch v.text[i] {
	case '&', '<', '`':
		return true
	case '[':
		return placeholderAt(v.text, i) > i
	case ',', ';', ')', ']', '}', '"', '\'', '\\':
		next := v.next(i + 1)
		return next == 0 || isSpace(next) || strings.IndexByte(",;)]}\"'\\n", next) >= 0
	}
	return false
}
