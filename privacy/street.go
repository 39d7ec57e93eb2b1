package privacy

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxHouse      = 5 // digits of a house
	maxStreet     = 5 // words of the name of a street
	maxStreetWord = 32
)

// street finds an address that begins with the number of a house, the digits text[i:end].
func street(v view, i, end int) Finding {
	if end-i > maxHouse || isDigit(v.back(i, 2)) && v.back(i, 1) != ' ' || !startsNumber(v, i) {
		return Finding{}
	}
	p := end
	if isAlpha(v.next(p)) && !isAlnum(v.next(p+1)) {
		p++
	}
	for _, word := range [...]string{" bis", " ter", ","} {
		if strings.HasPrefix(v.text[p:], word) {
			p += len(word)
		}
	}
	if v.next(p) != ' ' {
		return Finding{}
	}
	p++
	if stop := frenchRoad(v.text, p); stop > 0 {
		return Finding{Address, i, withTown(v, stop)}
	}
	if stop := englishRoad(v, p); stop > 0 {
		return Finding{Address, i, withTown(v, withFlat(v, stop))}
	}
	return Finding{}
}

// englishRoad returns the end of a name that ends in a word for a road, or 0.
func englishRoad(v view, i int) int {
	stop := 0
	for n := range maxStreet {
		end := roadWord(v.text, i)
		if end == i {
			break
		}
		word := v.text[i:end]
		if k := kinds[word]; n > 0 && k&roadLast != 0 {
			stop = end
			if v.next(end) == '.' && len(word) < 5 {
				stop++
			}
		} else if k&function != 0 && k&(surname|given|doubtful|roadFirst) == 0 && word != "New" && word != "Old" {
			break
		}
		if v.next(end) == '.' && len(word) <= 2 {
			end++
		}
		if v.next(end) != ' ' {
			break
		}
		i = end + 1
	}
	return stop
}

// roadWord returns the end of a capitalised word, an ordinal such as 5th, or a small word within a name.
func roadWord(text string, i int) int {
	if isCapital(text, i) {
		return nameWord(text, i)
	}
	if end := digits.run(text, i); end > i && end-i < 4 {
		if rest := text[end:]; strings.HasPrefix(rest, "st") || strings.HasPrefix(rest, "nd") || strings.HasPrefix(rest, "rd") || strings.HasPrefix(rest, "th") {
			return end + 2
		}
	}
	for _, word := range [...]string{"of ", "the "} {
		if strings.HasPrefix(text[i:], word) {
			return i + len(word) - 1
		}
	}
	return i
}

// flats introduce what is more precise than a house.
var flats = [...]string{
	"Apartment ", "Apt. ", "Apt ", "Suite ", "Ste. ", "Ste ", "Unit ", "Flat ", "Floor ", "Room ", "#", "Apto. ", "Bldg ",
	"Appartamento ", "Puerta ", "Piso ", "Lgh ",
}

// withFlat extends an address by the number of its apartment.
func withFlat(v view, end int) int {
	p := end
	for p < end+2 && (v.next(p) == ',' || v.next(p) == ' ') {
		p++
	}
	for _, word := range flats {
		if strings.HasPrefix(v.text[p:], word) {
			from := p + len(word)
			if stop := words.run(v.text[:min(len(v.text), from+6)], from); stop > from && v.endsWord(stop) {
				return stop
			}
		}
	}
	return end
}

// withTown extends an address by a town with the postal code in front of it or behind.
func withTown(v view, end int) int {
	p := end
	for p < end+2 && (v.next(p) == ',' || isSpace(v.next(p))) {
		p++
	}
	if p == end {
		return end
	}
	if code := postalCode(v, p); code > p && v.next(code) == ' ' {
		if stop := capitalised(v, code+1, 3); stop > code+1 {
			return stop
		}
	}
	town := capitalised(v, p, 3)
	if town == p {
		return end
	}
	q := town
	for q < town+2 && (v.next(q) == ',' || v.next(q) == ' ') {
		q++
	}
	if isUpper(v.next(q)) && isUpper(v.next(q+1)) && v.next(q+2) == ' ' { // a state
		q += 3
	}
	if code := postalCode(v, q); code > q {
		return code
	}
	return end
}

// postalCode returns the end of four or five digits, with four more or not, or of a British or Canadian code.
func postalCode(v view, i int) int {
	end := digits.run(v.text, min(i, len(v.text)))
	if n := end - i; n == 4 || n == 5 {
		if v.next(end) == '-' && digits.run(v.text, end+1) == end+5 {
			end += 5
		}
		if v.endsWord(end) {
			return end
		}
		return i
	}
	first := upperNum.run(v.text[:min(len(v.text), i+5)], min(i, len(v.text)))
	if n := first - i; n < 2 || n > 4 || v.next(first) != ' ' || !isUpper(v.text[i]) {
		return i
	}
	last := upperNum.run(v.text, first+1)
	if last != first+4 || !isDigit(v.text[first+1]) && !isDigit(v.text[first+2]) {
		return i
	}
	return last
}

// frenchRoads are the words for roads that stand in front of their names in small letters.
var frenchRoads = [...]string{
	"rue ", "avenue ", "av. ", "boulevard ", "bd ", "place ", "chemin ", "impasse ", "allée ", "quai ", "cours ", "route ",
	"square ", "passage ",
}

// frenchRoad returns the end of "rue de la Paix" at text[i], or 0.
func frenchRoad(text string, i int) int {
	for _, road := range frenchRoads {
		if len(text) < i+len(road) || !strings.EqualFold(text[i:i+len(road)], road) {
			continue
		}
		p := i + len(road)
		for _, link := range [...]string{"de la ", "de l'", "de ", "du ", "des ", "d'", "l'", "la ", "le "} {
			if strings.HasPrefix(text[p:], link) {
				p += len(link)
				break
			}
		}
		if stop := capitalised(view{text: text}, p, 4); stop > p {
			return stop
		}
	}
	return 0
}

// roadWithNumber finds an address that begins with the word text[i:end] for a road: Via Roma 12, Calle
// Mayor, 5.
func roadWithNumber(v view, i, end int) Finding {
	if v.next(end) == '.' {
		end++
	}
	if v.next(end) != ' ' {
		return Finding{}
	}
	from := afterParticles(v.text, end+1)
	stop := capitalised(v, from, maxStreet)
	if stop == from {
		return Finding{}
	}
	if house := houseAfter(v, stop); house > 0 {
		return Finding{Address, i, withTown(v, withFlat(v, house))}
	}
	return Finding{}
}

// houseAfter returns the end of the number of a house behind a street that ends at text[end], or 0.
func houseAfter(v view, end int) int {
	p := end
	for _, link := range [...]string{", n. ", ", nº ", ", n° ", " nº ", " n. ", " nr ", ", ", " "} {
		if strings.HasPrefix(v.text[p:], link) {
			p += len(link)
			break
		}
	}
	stop := digits.run(v.text[:min(len(v.text), p+maxHouse+1)], p)
	if p == end || stop == p || stop-p > maxHouse-1 {
		return 0
	}
	if next := v.next(stop); isAlpha(next) && !isAlnum(v.next(stop+1)) {
		stop++
	}
	if !endsNumber(v, stop) || v.next(stop) == '%' {
		return 0
	}
	return stop
}

// roadEndings end the names of streets that are one word.
var roadEndings = [...]string{
	"straße", "strasse", "str.", "platz", "allee", "gasse", "damm", "straat", "gracht", "laan", "plein", "kade", "dijk",
	"singel", "gatan", "vägen", "gränd", "gade", "vej", "veien", "vegen", "katu", "gata", "gaten", "weg", "steeg", "stieg",
	"chaussee", "promenade",
}

// roadWords are no names of streets although they end like them.
var roadWords = strings.Fields("Norweg Brigade Decade Facade Cascade Arcade Blockade Upgrade Trade Grade Shade Blade Made Fade Degrade Promenade Weg " +
	"Platz Allee Damm Unterweg")

// houseNumber finds an address whose house is the digits text[i:end], behind its street: Hauptstraße 5.
func houseNumber(v view, i, end int) Finding {
	if v.back(i, 1) != ' ' || end-i > maxHouse-1 || i < 7 {
		return Finding{}
	}
	stop := i - 1
	if v.text[stop-1] == ',' {
		stop--
	}
	start := stop
	for start > v.floor && stop-start < maxStreetWord && (inCue(v.text[start-1]) || v.text[start-1] == '.' || v.text[start-1] == '-') {
		start--
	}
	for start < stop && !utf8.RuneStart(v.text[start]) {
		start++
	}
	word := v.text[start:stop]
	if !endsRoad(word) {
		return Finding{}
	}
	if !isCapital(v.text, start) || len(word) < 7 || slices.Contains(roadWords, word) {
		if start = wordWithCapital(v, start); start < 0 {
			return Finding{}
		}
	}
	house := houseAfter(v, stop)
	if house == 0 {
		return Finding{}
	}
	return Finding{Address, start, withTown(v, house)}
}

// endsRoad reports whether a word ends like a street.
func endsRoad(word string) bool {
	if len(word) < 3 {
		return false
	}
	for _, e := range roadEndings {
		if len(word) >= len(e) && strings.EqualFold(word[len(word)-len(e):], e) {
			return true
		}
	}
	return false
}

// wordWithCapital returns where the capitalised word in front of text[i] starts, or -1.
func wordWithCapital(v view, i int) int {
	if v.back(i, 1) != ' ' {
		return -1
	}
	start := i - 1
	for start > v.floor && i-start < maxStreetWord && (inCue(v.text[start-1]) || v.text[start-1] == '-') {
		start--
	}
	if !isCapital(v.text, start) || kinds[v.text[start:i-1]]&function != 0 {
		return -1
	}
	return start
}
