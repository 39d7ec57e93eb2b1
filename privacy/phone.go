package privacy

import "strings"

const (
	minPhone, maxPhone = 8, 15 // digits of an international number
	minLocal           = 7     // digits of a number beside a cue
	minTrunk           = 9     // digits of a number that begins with a zero
)

// phone finds international numbers: a plus and groups of digits.
func phone(v view, i int) Finding {
	before := v.back(i, 1)
	if !v.startsWord(i) || before == '+' && !v.added(i-1) || before == ')' || v.next(i+1)-'1' > 8 {
		return Finding{}
	}
	if f := card(v, i+1); f.End-i > maxPhone+1 {
		return f // in a diff, or behind a sign
	}
	var number [maxPhone]byte
	n, best, dots, groups := 0, 0, 0, 0
	for p := i + 1; ; groups++ {
		end := digits.run(v.text, p)
		if n+end-p > maxPhone {
			break
		}
		n += copy(number[n:], v.text[p:end])
		hyphened := n == 11 && v.text[i+2] == '-' && v.text[end-5] == '-'
		if n >= minPhone && v.endsWord(extended(v, end)) && (dialled(number[:n]) || hyphened || v.cueBefore(i)&cuePhone != 0) {
			best = end
		}
		next := afterPhoneSeparator(v, end)
		if next == end {
			break
		}
		if v.text[end] == '.' {
			dots++
		}
		p = next
	}
	if fraction := groups == 1 && dots == 1; best == 0 || fraction {
		return Finding{}
	}
	if v.back(i, 1) == '(' && v.next(digits.run(v.text, i+1)) == ')' {
		i--
	}
	return Finding{Phone, i, extended(v, best)}
}

// added reports whether the plus at text[i] marks a line of a diff.
func (v view) added(i int) bool { return v.back(i, 1) == 0 || v.back(i, 1) == '\n' }

// afterPhoneSeparator returns where the next digits start, or end if there are none.
func afterPhoneSeparator(v view, end int) int {
	for p := end; p < end+3; p++ {
		switch b := v.next(p); {
		case isDigit(b):
			return p
		case b != ' ' && b != '-' && b != '.' && b != '(' && b != ')' && b != '/':
			return end
		}
	}
	return end
}

// dialled refuses what the numbering plan of North America cannot contain; other plans vary too much.
func dialled(number []byte) bool {
	if number[0] != '1' {
		return true
	}
	return len(number) == 11 && number[1] >= '2' && number[4] >= '2'
}

// extended returns the end of the extension behind a number that ends at text[end], or end.
func extended(v view, end int) int {
	p := end
	if v.next(p) == ',' {
		p++
	}
	if v.next(p) == ' ' {
		p++
	}
	rest := v.text[p:min(len(v.text), p+len("extension "))]
	for _, word := range [...]string{"extension ", "poste ", "ext. ", "ext.", "ext ", "ext", "x", "#"} {
		if len(rest) < len(word) || !strings.EqualFold(rest[:len(word)], word) {
			continue
		}
		from := p + len(word)
		if stop := digits.run(v.text, from); stop > from && stop-from <= 6 && v.endsWord(stop) {
			return stop
		}
	}
	return end
}

// bracketed finds numbers whose area code stands in parentheses: (030) 123 4567, (202) 555-0143, (06 1) 234 5587,
// (8-5) 211 4587.
func bracketed(v view, i int) Finding {
	area := digits.run(v.text[:min(len(v.text), i+8)], i+1)
	if first := v.next(i + 1); (first == '0' || first == '8') && (v.next(area) == ' ' || v.next(area) == '-') && isDigit(v.next(area+1)) {
		area = digits.run(v.text, area+1)
	}
	if n := area - i - 1; n < 1 || n > 5 || v.next(area) != ')' {
		return Finding{}
	}
	if !v.startsWord(i) && fromTrunk(v, i) == i {
		return splitNumber(v, i, area)
	}
	start := area + 1
	if next := v.next(start); next == ' ' || next == '-' || next == '.' {
		start++
	}
	if !isDigit(v.next(start)) {
		return Finding{}
	}
	n := readNumber(v, start)
	least := minTrunk
	if (v.known.cue|v.cueBefore(i))&(cuePhone|cueNumber) != 0 {
		least = minLocal
	} else if area == i+2 {
		return Finding{}
	}
	for g := n.groups - 1; g >= 0; g-- {
		local, total := n.counts[g], n.counts[g]+area-i-1
		end := extended(v, n.ends[g])
		if local >= 5 && local <= 9 && total >= least && total <= 13 && endsNumber(v, end) && !longGroups(&n, g) {
			return Finding{Phone, fromTrunk(v, i), end}
		}
	}
	return Finding{}
}

// splitNumber finds a number whose middle stands in parentheses, text[i] to text[end], as in 03(3211)4446.
func splitNumber(v view, i, end int) Finding {
	const whole, last = 10, 4 // digits
	start := i
	for start > v.floor && i-start < last && isDigit(v.text[start-1]) {
		start--
	}
	stop := digits.run(v.text, end+1)
	if v.text[start] != '0' || !startsNumber(v, start) || stop-end-1 != last || i-start+end-i-1+last != whole || !endsNumber(v, stop) {
		return Finding{}
	}
	return Finding{Phone, start, stop}
}

// fromTrunk returns where a number whose parenthesis is text[i] starts: at the single digit that is dialled in
// front of it, as in 8 (912) 381-44-30.
func fromTrunk(v view, i int) int {
	p := i - 1
	if v.back(i, 1) == ' ' {
		p--
	}
	if p >= v.floor && strings.IndexByte("018", v.text[p]) >= 0 && strings.IndexByte("\x00 \n\t\"':=>(,;[", v.back(p, 1)) >= 0 {
		return p
	}
	return i
}

// longGroups reports whether a group is one digit, or whether they are more than a number has.
func longGroups(n *number, last int) bool {
	for s := n.shapes[last]; s != 0; s >>= 8 {
		if s&31 < 2 {
			return true
		}
	}
	return last > 3
}

// nationalPhone finds numbers without a country: of a shape that is usual for them, beginning with a
// zero, or any beside a cue.
func nationalPhone(v view, i int, n *number) Finding {
	if before := v.back(i, 1); before == '+' && !v.added(i-1) || before == ':' && isHex(v.back(i, 2)) && !isWordEnd(v, i-1) {
		return Finding{} // an international number that is none, a time
	}
	said := (v.known.cue | v.cueBefore(i)).spoken()
	if perhaps := said&official == cuePaper && said&cueNumber != 0; said&(official|cueOther) != 0 && said&cuePhone == 0 && !perhaps {
		return Finding{}
	}
	called := said&cuePhone != 0 && said&(cueOther|official) == 0 || v.known.cue&cuePhone != 0
	perhaps := said&cueNumber != 0 && said&cueOther == 0
	for g := n.groups - 1; g >= 0 && n.counts[g] >= minLocal; g-- {
		end := extended(v, n.ends[g])
		if !endsNumber(v, end) || n.counts[g] > maxPhone+2 {
			continue
		}
		whole := g == n.groups-1 && v.next(end) != '-'
		if (called || perhaps && whole && n.callable(g)) && n.sequence(g) {
			return Finding{Phone, i, end}
		}
		if said == 0 && n.perhaps(v, i, end, g) && v.cueBehind(end) == 0 {
			return Finding{Phone, i, end}
		}
		trunk := n.trunk(g) && (!n.isOfficial(g) || n.shapes[g] == longIndian)
		if (trunk || n.usual(g) || n.rare(v, i, end, g)) && !inRow(v, i, end) && v.cueBehind(end)&official == 0 {
			return Finding{Phone, i, end}
		}
	}
	return Finding{}
}

// inSentence reports whether text[i:end] stands among words, or in quotes or parentheses, and counts nothing.
func inSentence(v view, i, end int) bool {
	before, behind := v.back(i, 1), v.next(end)
	spaced := before == ' ' && (isLower(v.back(i, 2)) || v.back(i, 2) == ',')
	if quoted(v, i, end) {
		return true
	}
	if !spaced && strings.IndexByte("\"'(>", before) < 0 {
		return false
	}
	if behind != ' ' {
		ends := behind != 0 && behind != '\n' || !spaced
		return ends && strings.IndexByte("\"').,;?!<\n\x00", behind) >= 0 && !isDigit(v.next(end+1))
	}
	return isLower(v.next(end+1)) && !countsThings(v, i, end)
}

// quoted reports whether text[i:end] stands between the marks “ and ”, or „ and “.
func quoted(v view, i, end int) bool {
	const mark = len("“")
	if i-mark < v.floor || v.text[i-mark] != 0xE2 || v.next(end) != 0xE2 {
		return false
	}
	open := v.text[i-mark : i]
	return (open == "“" || open == "„") && (strings.HasPrefix(v.text[end:], "”") || strings.HasPrefix(v.text[end:], "“"))
}

// counted are words behind numbers of them.
var counted = wordSet("b kb mb gb byte bytes bit bits row rows item items line lines record records time times ms us ns s sec second seconds minutes hours " +
	"days years user users people person persons inhabitants citizens residents votes views visitors copies pieces units token tokens kr zł euro euros " +
	"dollar dollars cents pounds francs crowns yen rubles km m mm cm kg g t tons miles feet meters metres hectares million millions billion percent " +
	"personnes habitants personas habitantes persone abitanti personen einwohner inwoners osób mieszkańców invånare euroa tys mln files events requests " +
	"messages points steps entries or of von children men women sheep cattle " +
	"años anni ans jahre lat anos horas ore stunden heures godzin lezioni lecciones lekcji crediti créditos giorni días dni settimane " +
	"semanas mesi meses miesięcy")

// callable reports whether the first groups, beside words that only perhaps tell of a phone, may be a number
// that somebody dials.
func (n *number) callable(last int) bool {
	count, d := n.counts[last], n.digits
	if n.isOfficial(last) {
		return false
	}
	switch {
	case count < 9 || d[0] == '0':
		return count < 13
	case count == 9:
		return d[0] > '3'
	case count == 10:
		return d[0] > '5' || d[0] > '1' && d[3] > '1'
	case count == 11:
		return dialled(d[:count]) && d[0] == '1' || d[2] == '9'
	}
	return count <= 13 && longCodes[string(d[:2])]
}

// longCodes are the codes of countries in which a number with its code has twelve digits or thirteen.
var longCodes = wordSet("39 44 49 52 55 62 86 90 91 92")

// trunk reports whether the first groups are a number with a leading zero, or two and a country.
func (n *number) trunk(last int) bool {
	count := n.counts[last]
	if n.shapes[last] == longIndian && n.digits[0] == '0' && !isDay(n.digits[2:4], n.digits[:2]) {
		return true // and no Norwegian number
	}
	if n.shapes[last] == shortSwedish && n.digits[0] == '0' {
		return n.digits[1] != '0' && !isDay(n.digits[:2], n.digits[2:4])
	}
	if n.digits[0] != '0' || last == 0 || count < minTrunk || n.dated(last) || n.isFraction(last) {
		return false
	}
	if n.digits[1] == '0' {
		return n.digits[2] != '0' && count >= 11 && n.counts[0] <= 6 && n.counts[0] > 2 && (!n.small(last) || n.foreignCity(last)) && n.shapes[last] != fourFourFour
	}
	if n.counts[0] == 2 && last == 4 { // 01 23 45 67 89
		return n.pairs(last)
	}
	return n.shapes[last] != zipPlusFour && count <= 12 && n.counts[0] >= 2 && n.counts[0] <= 5 && last < 5 && !n.small(last)
}

var shortSwedish, longIndian = shapeOf("99-99 99 99"), shapeOf("999999 99999")

// isFraction reports whether the first groups are two with a dot between.
func (n *number) isFraction(last int) bool {
	return last == 1 && n.shapes[1]>>5&7 == shape(separatorCode['.'])
}

var zipPlusFour = shapeOf("99999-9999")

var fourFourFour = shapeOf("9999 9999 9999")

// foreignCity reports whether a single digit for a city stands behind two zeros and a country, as in 0032 9 266 12 34.
func (n *number) foreignCity(last int) bool {
	return n.counts[0] == len("0032") && last >= 3 && n.counts[1] == len("00329")
}

// pairs reports whether all groups have two digits.
func (n *number) pairs(last int) bool { return n.counts[last] == 2*(last+1) }

// small reports whether a group of the first ones has a single digit, all have two, or four with
// dots between have three at most.
func (n *number) small(last int) bool {
	single, quad := false, true
	for s := n.shapes[last]; s != 0; s >>= 8 {
		single = single || s&31 < 2
		quad = quad && s&31 <= 3 && (s>>5 == 0 || s>>5&7 == shape(separatorCode['.']))
	}
	return single || n.pairs(last) || quad && last == 3
}

// dated reports whether the number begins with a date such as 01.02.2024.
func (n *number) dated(last int) bool {
	d := n.digits
	return last >= 2 && n.counts[0] == 2 && n.counts[1] == 4 && n.counts[2] == 8 && isYear(d[4:8]) && (isDay(d[:2], d[2:4]) || isDay(d[2:4], d[:2]))
}

// sequence reports whether digits together or in groups may be a number to call.
func (n *number) sequence(last int) bool {
	count := n.counts[last]
	if n.dated(last) || n.isDate(last) || count <= 2*last {
		return false
	}
	return count >= minLocal && count <= maxPhone && (last > 0 || n.digits[0] != '0' || n.digits[1] != '0' || count > 9)
}
