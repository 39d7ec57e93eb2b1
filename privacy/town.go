package privacy

import "strings"

// flats introduce what is more precise than a house.
var flats = [...]string{
	"Apartment ", "Apt. ", "Apt ", "Suite ", "Ste. ", "Ste ", "Unit ", "Flat ", "Floor ", "Room ", "#", "Apto. ", "Apto ", "Bldg ",
	"Appartamento ", "Puerta ", "Piso ", "Lgh ", "Appt ", "Appt. ", "Bus ", "bus ", "m. ", "Whg. ", "Esc. ", "Interno ", "Int. ", "Studio ",
	"Wohnung ", "Zimmer ", "Etage ", "Stock ", "étage ",
}

// withDoor extends a floor that ends at text[end] by the door on it, as in 2º B or 3º Esq.
func withDoor(v view, end int) int {
	if isUpper(v.next(end+1)) && v.next(end) == ' ' && v.endsWord(end+2) {
		return end + 2
	}
	for _, door := range [...]string{" Esq.", " Dto.", " Frt.", " izq.", " Izq.", " dcha.", " Dcha.", " dch.", " esq.", " dto."} {
		if strings.HasPrefix(v.text[end:], door) {
			return end + len(door)
		}
	}
	return end
}

const maxFlat = 6 // characters of the number of a flat

// withFlat extends an address by the number of its apartment.
func withFlat(v view, end int) int {
	p := end
	for p < end+2 && (v.next(p) == ',' || v.next(p) == ' ') {
		p++
	}
	if floor := digits.run(v.text[:min(len(v.text), p+2)], p); floor > p { // 3 OG, 2. étage
		for _, word := range [...]string{" OG", ". OG", " étage", "e étage", ". Stock", ". Etage", "º", "ª"} {
			if strings.HasPrefix(v.text[floor:], word) && v.endsWord(floor+len(word)) {
				return withDoor(v, floor+len(word))
			}
		}
	}
	for _, word := range flats {
		if !strings.HasPrefix(v.text[p:], word) {
			continue
		}
		from := p + len(word)
		if stop := words.run(v.text[:min(len(v.text), from+maxFlat)], from); stop > from && v.endsWord(stop) {
			return stop
		}
	}
	return end
}

// flatBefore returns where an address begins whose house is at text[i]: with the number of a flat in front of it.
func flatBefore(v view, i int) int {
	p := i
	for p > v.floor && i-p < 3 && (v.text[p-1] == ' ' || v.text[p-1] == ',') {
		p--
	}
	start := p
	for start > v.floor && p-start < maxFlat && isAlnum(v.text[start-1]) {
		start--
	}
	if start == p || !strings.ContainsAny(v.text[start:p], "0123456789") {
		return i
	}
	if word := flatWord(v, start); word < start {
		return word
	}
	return i
}

// flatWord returns where a word for a flat in front of its number at text[i] starts, or i.
func flatWord(v view, i int) int {
	for _, word := range [...]string{"Flat ", "Apt. ", "Apt ", "Unit ", "Suite ", "Level ", "Studio ", "Apartment ", "Floor "} {
		if strings.HasSuffix(v.text[v.floor:i], word) {
			return i - len(word)
		}
	}
	return i
}

const maxTown = 5 // words of the name of a town

// withTown extends an address by a town with the postal code in front of it or behind, also on the next line.
func withTown(v view, end int) int {
	p := end
	for p < end+2 && (v.next(p) == ',' || isSpace(v.next(p))) {
		p++
	}
	if p == end {
		return end
	}
	if code := postalCode(v, p); code > p && v.next(code) == ' ' {
		if stop := townEnd(v, code+1); stop > code+1 {
			return stop
		}
	}
	town := townEnd(v, p)
	if town == p {
		return end
	}
	for range 2 { // a county or a state
		q := afterComma(v, town)
		if isUpper(v.next(q)) && isUpper(v.next(q+1)) && v.next(q+2) == ' ' {
			q += len("NY ")
		}
		if code := postalCode(v, q); code > q && q > town {
			return code
		}
		if q == town || townEnd(v, q) == q {
			break
		}
		town = townEnd(v, q)
	}
	return end
}

// afterComma returns where the text goes on behind a comma, a space or both.
func afterComma(v view, end int) int {
	for p := end; p < end+3; p++ {
		if b := v.next(p); b != ',' && b != ' ' && b != '\n' {
			return p
		}
	}
	return end
}

// townEnd returns the end of the capitalised words of a town at text[i], with the small ones between them, or i.
func townEnd(v view, i int) int {
	stop := i
	for p, n := i, 0; n < maxTown && isCapital(v.text, p); n++ {
		end := nameWord(v.text, p)
		for v.next(end) == '-' && (isLower(v.next(end+1)) || isUpper(v.next(end+1))) { // Stoke-on-Trent
			end = nameWord(v.text, end+1)
		}
		if end == p || !v.endsWord(end) || n > 0 && kinds[v.text[p:end]]&function != 0 {
			break
		}
		stop = end
		if v.next(end) == '.' && end-p < 4 {
			end++
		}
		if v.next(end) != ' ' {
			break
		}
		p = afterParticles(v.text, end+1)
	}
	return stop
}

// postalShapes are how digits are grouped in postal codes, longer ones first.
var postalShapes = [...]string{"99999-9999", "99999-999", "9999-999", "99-999", "999 999", "999 99", "9999 AA", "999999", "99999", "9999"}

// postalCode returns the end of the postal code at text[i], which may begin with a letter for its country, or i.
func postalCode(v view, i int) int {
	if end := britishCode(v, i); end > i {
		return end
	}
	from := i
	if isUpper(v.next(i)) {
		for from < i+2 && isUpper(v.next(from)) {
			from++
		}
		if v.next(from) != '-' {
			return i
		}
		from++
	}
	for _, s := range postalShapes {
		if end := from + len(s); end <= len(v.text) && depictsAll(s, v.text[from:end]) && v.endsWord(end) {
			return end
		}
	}
	return i
}

// depictsAll reports whether a text has the form of a picture.
func depictsAll(picture, text string) bool {
	for i := range len(picture) {
		if b := text[i]; picture[i] == 'A' && !isUpper(b) || !depicts(picture[i], b) {
			return false
		}
	}
	return true
}

// britishCode returns the end of a code such as NW1 6XE, K1A 0B1 or D02 AF30, or i.
func britishCode(v view, i int) int {
	if !isUpper(v.next(i)) {
		return i
	}
	if joined := i + len("A9A9A9"); joined <= len(v.text) && depictsAll("A9A9A9", v.text[i:joined]) && v.endsWord(joined) {
		return joined
	}
	first := upperNum.run(v.text[:min(len(v.text), i+5)], i)
	if eircode := upperNum.run(v.text, min(first+1, len(v.text))); first == i+3 && eircode == first+5 && v.next(first) == ' ' && isDigit(v.text[i+1]) {
		return eircode
	}
	if n := first - i; n < 2 || n > 4 || v.next(first) != ' ' || !strings.ContainsAny(v.text[i:first], "0123456789") {
		return i
	}
	last := upperNum.run(v.text, first+1)
	if last != first+4 || !isDigit(v.text[first+1]) && !isDigit(v.text[first+2]) {
		return i
	}
	return last
}
