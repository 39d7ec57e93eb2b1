package privacy

// view is a text under examination; nothing before floor may become part of a finding.
type view struct {
	text  string
	floor int
}

// startsWord reports whether a word may start at text[i].
func (v view) startsWord(i int) bool {
	return i <= v.floor || !isAlnum(v.text[i-1]) || v.escaped(i-1)
}

// endsWord reports whether a word may end before text[end].
func (v view) endsWord(end int) bool {
	return end == len(v.text) || !isAlnum(v.text[end])
}

// escaped reports whether text[i] is the letter of an escape such as \n.
func (v view) escaped(i int) bool {
	return i > v.floor && v.text[i-1] == '\\' && isEscape(v.text[i])
}

func isEscape(b byte) bool { return b == 'n' || b == 'r' || b == 't' }

// back returns the byte n before text[i], or 0 where the view ends.
func (v view) back(i, n int) byte {
	if i-n < v.floor {
		return 0
	}
	return v.text[i-n]
}

// next returns the byte at text[i], or 0 behind the end.
func (v view) next(i int) byte {
	if i < len(v.text) {
		return v.text[i]
	}
	return 0
}

// anchor says which detectors a byte calls.
type anchor uint8

const (
	none    anchor = iota
	letter         // starts a word: vendor prefix, token, authorisation scheme, IBAN
	digit          // starts a number: card, SSN, IPv4
	at             // e-mail
	percent        // e-mail, percent-encoded
	colon          // URL credentials, assignment, IPv6, MAC
	equals         // assignment
	dash           // PEM, MAC
	plus           // phone
	bracket        // mark or tag
	escape         // a letter behind a backslash may start no word
)

var anchors = anchorTable()

func anchorTable() [256]anchor {
	table := [256]anchor{'@': at, '%': percent, ':': colon, '=': equals, '-': dash, '+': plus, '[': bracket, '\\': escape}
	for b := range 128 {
		switch {
		case isAlpha(byte(b)):
			table[b] = letter
		case isDigit(byte(b)):
			table[b] = digit
		}
	}
	return table
}

// detect asks the detectors of an anchor at text[i]; the zero Finding is nothing.
func detect(kind anchor, v view, i int) Finding {
	switch kind {
	case letter:
		return v.atWord(i)
	case digit:
		return v.atNumber(i)
	case at:
		return email(v, i, i+1)
	case percent:
		return encodedEmail(v, i)
	case colon:
		return v.atColon(i)
	case equals:
		return assignment(v, i)
	case dash:
		return v.atDash(i)
	case plus:
		return phone(v, i)
	default:
		return Finding{}
	}
}

func (v view) atWord(i int) Finding {
	if f := vendorToken(v, i); f.End > 0 {
		return f
	}
	switch v.text[i] {
	case 'e':
		if f := jwt(v, i); f.End > 0 {
			return f
		}
	case 'B', 'b':
		if f := authorization(v, i); f.End > 0 {
			return f
		}
	}
	return iban(v, i)
}

// atNumber looks at the first digits to choose the one detector that can match.
func (v view) atNumber(i int) Finding {
	end := digits.run(v.text, i)
	switch n, next := end-i, v.next(end); {
	case n == 3 && next == '-':
		return ssn(v, i)
	case n <= 3 && next == '.':
		return ipv4(v, i)
	case n == 4 || n >= minCard:
		return card(v, i)
	}
	return Finding{}
}

func (v view) atColon(i int) Finding {
	if f := urlCredentials(v, i); f.End > 0 {
		return f
	}
	if f := assignment(v, i); f.End > 0 {
		return f
	}
	return address(v, i)
}

func (v view) atDash(i int) Finding {
	if v.next(i+1) == '-' {
		return pemBlock(v, i)
	}
	return macAt(v, i-2)
}

// afterAnchor returns where to read on when an anchor led to nothing.
func afterAnchor(kind anchor, text string, i int) int {
	switch {
	case kind == letter, kind == digit:
		return words.run(text, i)
	case kind == escape && i+1 < len(text) && isEscape(text[i+1]):
		return i + 2
	}
	return i + 1
}
