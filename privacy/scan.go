package privacy

// view is a text under examination; nothing before floor may become part of a finding.
type view struct {
	text  string
	floor int
	known *known
}

// known is what is known of a text beside what stands around a number.
type known struct {
	cue   cue // what the numbers in it are
	block int // where the paragraph at hand begins
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
	letter         // starts a word: vendor prefix, token, authorisation scheme, IBAN, official number, coin, introduction
	capital        // starts a word as well: somebody, a street
	digit          // starts a number: card, official number, IPv4, phone, date, house
	at             // e-mail
	percent        // e-mail, percent-encoded
	colon          // URL credentials, assignment, IPv6, MAC
	equals         // assignment
	dash           // PEM, MAC, flag
	plus           // phone
	bracket        // mark or tag
	paren          // phone
	accent         // may start a name with a capital that is not ASCII
	foreign        // may start an introduction in another script
	angle          // the text of an element
	bar            // the cell of a table
	feed           // the end of a line
	escape         // a letter behind a backslash may start no word
)

var anchors = anchorTable()

func anchorTable() [256]anchor {
	table := [256]anchor{'@': at, '%': percent, ':': colon, '=': equals, '-': dash, '+': plus, '[': bracket, '(': paren, '>': angle, '|': bar, '\n': feed,
		'\\': escape, 0xC3: accent, 0xC4: accent, 0xC5: accent}
	for lead := range foreignCues {
		table[lead] = foreign
	}
	for b := range 128 {
		switch {
		case isUpper(byte(b)):
			table[b] = capital
		case isLower(byte(b)):
			table[b] = letter
		case isDigit(byte(b)):
			table[b] = digit
		}
	}
	return table
}

// detect asks the detectors of an anchor at text[i]; the zero Finding is nothing. It returns where to
// read on as well when there is nothing.
func detect(kind anchor, v view, i int) (f Finding, next int) {
	next = i + 1
	switch kind {
	case letter, capital:
		next = words.run(v.text, i)
		f = v.atWord(i, next)
	case digit:
		next = words.run(v.text, i)
		f = v.atNumber(i, next)
	case escape:
		if i+1 < len(v.text) && isEscape(v.text[i+1]) {
			next = i + 2
		}
	default:
		f = v.atMark(kind, i)
	}
	return f, next
}

// atMark looks at what stands around a character that is no letter or digit.
func (v view) atMark(kind anchor, i int) Finding {
	switch kind {
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
	case paren:
		if f := bracketed(v, i); f.End > 0 {
			return f
		}
		return argument(v, i)
	case angle:
		return element(v, i)
	case bar:
		return cell(v, i)
	case foreign:
		return introducedAbroad(v, i)
	case accent:
		if isCapital(v.text, i) {
			return somebody(v, i)
		}
		return Finding{}
	default:
		return Finding{}
	}
}

// atWord looks at the word text[i:end].
func (v view) atWord(i, end int) Finding {
	if f := vendorToken(v, i); f.End > 0 {
		return f
	}
	if f := v.atSmallWord(i, end); f.End > 0 {
		return f
	}
	if f := spacedValue(v, i, end); f.End > 0 {
		return f
	}
	if f := v.atLongWord(i, end); f.End > 0 {
		return f
	}
	if f := idCode(v, i, end); f.End > 0 {
		return f
	}
	if f := iban(v, i); f.End > 0 || !isUpper(v.text[i]) {
		return f
	}
	return somebody(v, i)
}

// atSmallWord looks at words that introduce what stands behind them.
func (v view) atSmallWord(i, end int) Finding {
	switch v.text[i] | 0x20 {
	case 'e':
		if f := jwt(v, i); f.End > 0 {
			return f
		}
		return set(v, i, end)
	case 'b':
		if f := authorization(v, i); f.End > 0 {
			return f
		}
		return done(v, i, end)
	case 'p':
		return spoken(v, i, end)
	case 'u':
		return homeOwner(v, i, end)
	case 'h':
		if f := homeOwner(v, i, end); f.End > 0 {
			return f
		}
		return introduced(v, i, end)
	case 's':
		return set(v, i, end)
	case 'w':
		return told(v, i, end)
	case 't':
		if end-i == len("to") {
			return told(v, i, end)
		}
		return callerName(v, i, end)
	case 'i':
		if f := told(v, i, end); f.End > 0 {
			return f
		}
		return introduced(v, i, end)
	case 'a':
		if f := set(v, i, end); f.End > 0 {
			return f
		}
		return introduced(v, i, end)
	case 'n', 'l', 'c':
		return introduced(v, i, end)
	}
	return Finding{}
}

// atLongWord looks at words that may carry a checksum or begin a token.
func (v view) atLongWord(i, end int) Finding {
	if end-i == 4 && v.next(end) == '.' {
		if f := dottedMAC(v, i); f.End > 0 {
			return f
		}
	}
	if next := v.next(end); next == '.' || next == '~' || next == '-' || next == '_' {
		if f := markedToken(v, i, end); f.End > 0 {
			return f
		}
	}
	if end-i < minBech32 {
		return bareMAC(v, i, end)
	}
	return coin(v, i, end)
}

// atNumber looks at the digits at text[i], in the word text[i:end], to choose what can match.
func (v view) atNumber(i, end int) Finding {
	stop := digits.run(v.text, i)
	if stop == i+1 {
		if f := digitToken(v, i, end); f.End > 0 {
			return f
		}
	}
	if stop < end {
		if f := v.atLongWord(i, end); f.End > 0 {
			return f
		}
		if f := idCode(v, i, end); f.End > 0 || v.text[stop] != 'x' && stop-i > maxHouse {
			return f
		}
	}
	n, next := stop-i, v.next(stop)
	if n == 4 && next == '.' {
		if f := dottedMAC(v, i); f.End > 0 {
			return f
		}
	}
	if n <= 3 && next == '.' {
		if f := ipv4(v, i); f.End > 0 {
			return f
		}
	}
	if n <= maxHouse && (next == ' ' || next == ',' || isAlpha(next)) {
		if f := street(v, i, stop); f.End > 0 {
			return f
		}
	}
	if n < maxHouse {
		if f := houseNumber(v, i); f.End > 0 {
			return f
		}
	}
	return v.atGroups(i, n, next)
}

// atGroups looks at a number of several digits or groups.
func (v view) atGroups(i, n int, next byte) Finding {
	if n < 4 && next == ' ' && isDigit(v.next(i+n+1)) && v.back(i, 1) == ' ' && isDigit(v.back(i, 2)) {
		return Finding{} // in a row of numbers
	}
	grouped := next >= 0x80 || next == ' ' || separatorCode[next] > 0 && isDigit(v.next(i+n+1)) || n <= 2
	if n > maxDigits || n < minLocal && !grouped || !startsNumber(v, i) {
		return Finding{}
	}
	num := readNumber(v, i)
	if f := birthDate(v, i, &num); f.End > 0 {
		return f
	}
	if num.counts[num.groups-1] < minLocal {
		return Finding{}
	}
	if f := v.atDigits(i, &num); f.End > 0 {
		return f
	}
	return nationalPhone(v, i, &num)
}

// atDigits looks at the digits of a number that has enough of them.
func (v view) atDigits(i int, num *number) Finding {
	if f := numberedToken(v, i, num); f.End > 0 {
		return f
	}
	n, total := num.counts[0], num.counts[num.groups-1]
	said := v.known.cue | v.cueBefore(i)
	if said == 0 && total >= minCard && total <= 13 {
		said = v.cueBehind(num.ends[num.groups-1])
	}
	pays := said&cueCard != 0 && said&personal == 0
	if short := total <= 13 && !pays && (said&official != 0 || said&cueOther != 0 && n == total); (n == 4 || n >= minCard) && !short {
		if f := card(v, i); f.End > 0 {
			return f
		}
	}
	if total >= minID {
		if f := nationalID(v, i, num); f.End > 0 {
			return f
		}
	}
	return idCode(v, i, num.ends[0])
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
		if f := pemBlock(v, i); f.End > 0 {
			return f
		}
	} else if f := macAt(v, i-2); f.End > 0 {
		return f
	}
	return flagValue(v, i)
}
