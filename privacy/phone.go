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
	added := before == '+' && (v.back(i, 2) == 0 || v.back(i, 2) == '\n') // in a diff
	if !v.startsWord(i) || before == '+' && !added || before == ')' || v.next(i+1)-'1' > 8 {
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

// bracketed finds numbers whose area code stands in parentheses: (030) 123 4567, (202) 555-0143, (06 1) 234 5587.
func bracketed(v view, i int) Finding {
	area := digits.run(v.text[:min(len(v.text), i+8)], i+1)
	if v.next(i+1) == '0' && v.next(area) == ' ' && isDigit(v.next(area+1)) {
		area = digits.run(v.text, area+1)
	}
	if n := area - i - 1; n < 1 || n > 5 || v.next(area) != ')' || isAlnum(v.back(i, 1)) {
		return Finding{}
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

// fromTrunk returns where a number whose parenthesis is text[i] starts: at the single digit that is dialled in
// front of it, as in 8 (912) 381-44-30.
func fromTrunk(v view, i int) int {
	if v.back(i, 1) == ' ' && strings.IndexByte("018", v.back(i, 2)) >= 0 && strings.IndexByte("\x00 \n\t\"':=>(,", v.back(i, 3)) >= 0 {
		return i - 2
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

// nationalPhones are the shapes that hardly anything else has; an underscore stands for a space, a zero
// for itself.
var nationalPhones = phoneShapes("ddd-ddd-dddd ddd.ddd.dddd 1-ddd-ddd-dddd 1.ddd.ddd.dddd 1_ddd_ddd_dddd 001-ddd-ddd-dddd " +
	"8-ddd-ddd-dd-dd dd_ddddd-dddd ddd-dddd-dddd 1_ddd-ddd-dddd 001.ddd.ddd.dddd 1-ddd-ddd_dddd ddd_ddd-dddd dd-ddd-dd-dd")

func phoneShapes(pictures string) map[shape]string {
	index := make(map[shape]string)
	for picture := range strings.FieldsSeq(pictures) {
		picture = strings.ReplaceAll(picture, "_", " ")
		index[shapeOf(picture)] = picture
	}
	return index
}

// nationalPhone finds numbers without a country: of a shape that is usual for them, beginning with a
// zero, or any beside a cue.
func nationalPhone(v view, i int, n *number) Finding {
	if before := v.back(i, 1); before == '+' || before == ':' && isHex(v.back(i, 2)) && !isWordEnd(v, i-1) {
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
		if said == 0 && n.isGrouped(g) && inSentence(v, i, end) && v.cueBehind(end) == 0 && (n.shapes[g] != threes || homeOf(v.around(i, end)) != 0) {
			return Finding{Phone, i, end}
		}
		if (n.usual(g) || n.trunk(g)) && (!n.isOfficial(g) || n.shapes[g] == longIndian) && !inRow(v, i, end) && v.cueBehind(end)&official == 0 {
			return Finding{Phone, i, end}
		}
	}
	return Finding{}
}

// officialShapes are those of official numbers, and of hardly any phone.
var officialShapes = phoneShapes("ddd-dd-dddd ddd_dd_dddd ddd.ddd.ddd-dd ddd_ddd_ddd_dd ddd.ddd.ddd.dd dddd.dd.ddd dddd_dd_ddd dd.dd.dd-ddd.dd " +
	"dd_dd_dd_ddd_dd ddd.dddd.dddd.dd ddd_dddd_dddd_dd d-dddd-ddddd-dd-d d_dddd_ddddd_dd_d dddddd-dddd dddddd_ddddd dddddd-ddddddd " +
	"dddddd_dddd_ddd dddddd_dddd_dd_d dddd_dddd_dddd dddd-dddd-dddd dd/dddddddd/dd ddddddddd-dd")

// isOfficial reports whether the first groups have the shape of an official number.
func (n *number) isOfficial(last int) bool { return officialShapes[n.shapes[last]] != "" }

// groupedPhones are shapes of numbers in countries where they begin with no zero; other numbers have them too.
var groupedPhones = phoneShapes("ddd_ddd_ddd ddd_dd_dd_dd dd_dd_dd_dd dd_ddd_ddd dd_ddd_dd_dd d_dddd_dddd")

// isGrouped reports whether the first groups may be such a number.
func (n *number) isGrouped(last int) bool {
	if _, ok := groupedPhones[n.shapes[last]]; !ok || n.isRound(last) {
		return false
	}
	return n.digits[0] >= '6' || n.shapes[last] != threes && n.digits[0] >= '2'
}

// isRound reports whether the first groups end as large amounts do.
func (n *number) isRound(last int) bool {
	const thousands = "000"
	count := n.counts[last]
	return n.ends[last]-n.ends[last-1] == len(" 000") && string(n.digits[count-len(thousands):count]) == thousands
}

// threes is a shape in which English texts have other numbers of people, and large amounts.
var threes = shapeOf("999 999 999")

// inSentence reports whether text[i:end] stands among words, or in quotes or parentheses, and counts nothing.
func inSentence(v view, i, end int) bool {
	before, behind := v.back(i, 1), v.next(end)
	spaced := before == ' ' && (isLower(v.back(i, 2)) || v.back(i, 2) == ',')
	if !spaced && strings.IndexByte("\"'(>", before) < 0 {
		return false
	}
	if behind != ' ' {
		ends := behind != 0 && behind != '\n' || !spaced
		return ends && strings.IndexByte("\"').,;?!<\n\x00", behind) >= 0 && !isDigit(v.next(end+1))
	}
	word := wordBehindSpace(v, end)
	return isLower(v.next(end+1)) && !counted[word]
}

// counted are words behind numbers of them.
var counted = wordSet("b kb mb gb byte bytes bit bits row rows item items line lines record records time times ms us ns s sec second seconds minutes hours " +
	"days years user users people person persons inhabitants citizens residents votes views visitors copies pieces units token tokens kr zł euro euros " +
	"dollar dollars cents pounds francs crowns yen rubles km m mm cm kg g t tons miles feet meters metres hectares million millions billion percent " +
	"personnes habitants personas habitantes persone abitanti personen einwohner inwoners osób mieszkańców invånare euroa tys mln files events requests " +
	"messages points steps entries or of von")

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

// usual reports whether the first groups have the shape of a number of some country.
func (n *number) usual(last int) bool {
	picture, ok := nationalPhones[n.shapes[last]]
	if !ok {
		return n.shapes[last] == spacedPhone && n.digits[0] >= '2' && n.digits[3] >= '2'
	}
	switch picture[0] {
	case '1':
		return dialled(n.digits[:n.counts[last]]) && n.digits[0] == '1'
	case '8':
		return n.digits[0] == '8'
	}
	if picture[0] == '0' {
		return string(n.digits[:3]) == "001"
	}
	return n.digits[0] != '0' || len(picture) > len("ddd-ddd-dddd") || n.digits[1] != '0'
}

var spacedPhone = shapeOf("999 999 9999")

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
		return n.digits[2] != '0' && count >= 11 && n.counts[0] <= 6 && n.counts[0] > 2 && !n.small(last) && n.shapes[last] != fourFourFour
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
	return last >= 2 && n.counts[0] == 2 && n.counts[1] == 4 && n.counts[2] == 8
}

// sequence reports whether digits together or in groups may be a number to call.
func (n *number) sequence(last int) bool {
	count := n.counts[last]
	if n.dated(last) || n.isDate(last) || count <= 2*last {
		return false
	}
	return count >= minLocal && count <= maxPhone && (last > 0 || n.digits[0] != '0' || n.digits[1] != '0' || count > 9)
}
