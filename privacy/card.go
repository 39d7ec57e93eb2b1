package privacy

import "strings"

const minCard, maxCard = 12, 19 // digits

// card finds payment card numbers: a known prefix, a length of its issuer, a valid check digit, and
// digits together or in the groups in which cards are printed.
func card(v view, i int) Finding {
	if !startsNumber(v, i) || v.back(i, 1) == '-' && strings.IndexByte(" \t,([{=", v.back(i, 2)) >= 0 && v.back(i, 2) != 0 {
		return Finding{} // a part of something, or a negative number
	}
	var number [maxCard]byte
	var groups [8]int
	n, best, p := 0, 0, i
	for g := range groups {
		end := digits.run(v.text, p)
		if n+end-p > maxCard {
			break
		}
		n += copy(number[n:], v.text[p:end])
		groups[g] = end - p
		if endsNumber(v, end) && printed(groups[:g+1]) && (g == 0 || n >= 16 || !inRow(v, i, end)) && (n <= 16 || !listed(v, i, end)) && isCard(number[:n]) {
			best = end
		}
		if sep := v.next(end); sep != ' ' && sep != '-' && (sep != '.' || end-p != 4) || !isDigit(v.next(end+1)) {
			break
		}
		p = end + 1
	}
	if best == 0 {
		return Finding{}
	}
	return Finding{Card, i, best}
}

// listed reports whether other numbers stand in front of and behind text[i:end], with commas between.
func listed(v view, i, end int) bool {
	behind := v.next(end) == ',' && (isDigit(v.next(end+2)) || v.next(end+2) == '-')
	return behind || v.back(i, 1) == ' ' && v.back(i, 2) == ',' && isDigit(v.back(i, 3))
}

// startsNumber refuses digits that continue a decimal number, a UUID or a dashed code.
func startsNumber(v view, i int) bool {
	switch v.back(i, 1) {
	case '.':
		return !isDigit(v.back(i, 2))
	case '-':
		return !isDigit(v.back(i, 2)) && !endsUUID(v, i) && !goesOnUUID(v, i)
	}
	return v.startsWord(i)
}

// endsUUID reports whether the last block of a UUID would start at text[i].
func endsUUID(v view, i int) bool {
	return v.back(i, 6) == '-' && hexes.run(v.text, i-5) == i-1
}

// goesOnUUID reports whether the second block of a UUID may start at text[i].
func goesOnUUID(v view, i int) bool {
	const head = 9 // eight digits and a hyphen
	return i-head >= v.floor && hexes.run(v.text, i-head) == i-1 && !isAlnum(v.back(i, head+1)) && v.next(i+4) == '-'
}

// endsNumber refuses digits that go on as a decimal number, a word or a dashed code.
func endsNumber(v view, end int) bool {
	if next := v.next(end); next == '.' || next == '-' {
		return !isDigit(v.next(end + 1))
	}
	return v.endsWord(end)
}

// printed reports whether digits are grouped as on a card: all together, by fours, or 4-6-5 and 4-6-4.
func printed(groups []int) bool {
	last := len(groups) - 1
	if last == 0 {
		return true
	}
	if last == 2 && groups[0] == 4 && groups[1] == 6 {
		return groups[2] == 5 || groups[2] == 4
	}
	for _, n := range groups[:last] {
		if n != 4 {
			return false
		}
	}
	return groups[last] <= 4
}

func isCard(number []byte) bool {
	return len(number) >= minCard && issued(number) && luhn(number)
}

// issued reports whether an issuer hands out numbers of this prefix and length.
func issued(number []byte) bool {
	p := 0
	for _, b := range number[:4] {
		p = p*10 + int(b-'0')
	}
	n, pp := len(number), p/100
	switch {
	case p/1000 == 4: // Visa
		return n == 13 || n == 16 || n == 19
	case pp >= 51 && pp <= 55, p >= 2221 && p <= 2720: // Mastercard
		return n == 16
	case pp == 34 || pp == 37: // American Express
		return n == 15
	case p >= 3000 && p <= 3059, p == 3095, pp == 36, pp == 38, pp == 39: // Diners
		return n >= 14
	case p >= 3528 && p <= 3589: // JCB
		return n >= 16
	case p >= 2200 && p <= 2204, pp == 81: // Mir, UnionPay
		return n >= 16
	case pp == 82, p == 9792: // RuPay, Troy
		return n == 16
	}
	return pp == 50 || pp >= 56 && pp <= 69 // Maestro, and Discover and UnionPay within it
}
