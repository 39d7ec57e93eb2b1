package privacy

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// roadWithNumber finds an address that begins with the word text[i:end] for a road: Via Roma 12, Calle
// Mayor, 5.
func roadWithNumber(v view, i, end int) Finding {
	if v.next(end) == '.' {
		end++
	}
	if v.next(end) != ' ' {
		return Finding{}
	}
	from := afterRoadLinks(v.text, end+1)
	stop := capitalised(v, from, maxStreet)
	if stop == from {
		return Finding{}
	}
	if house := houseAfter(v, stop); house > 0 {
		return roadAddress(v, namedRoad{i, end + 1, stop}, house)
	}
	return Finding{}
}

// afterRoadLinks returns where the text goes on behind the small words at text[i] with which names of streets begin.
func afterRoadLinks(text string, i int) int {
	for range 2 {
		end := i
		for end < len(text) && isLower(text[end]) && end-i < len("della")+1 {
			end++
		}
		if end == i || end >= len(text) || text[end] != ' ' && text[end] != '\'' || !roadLinks[text[i:end]] {
			return i
		}
		i = end + 1
	}
	return i
}

// houseLinks stand between a street and the number of a house.
var houseLinks = [...]string{", n. ", ", nº ", ", n° ", " nº ", " n° ", " n. ", " nr ", " nr. ", ", no. ", ", km ", " km ", " No: ", " No:", " no: ",
	" no. ", " č. ", ", ", " "}

// houseAfter returns the end of the number of a house behind a street that ends at text[end], or 0.
func houseAfter(v view, end int) int {
	p := end
	for _, link := range houseLinks {
		if strings.HasPrefix(v.text[p:], link) {
			p += len(link)
			break
		}
	}
	if p == end {
		return 0
	}
	if strings.HasPrefix(v.text[p:], "s/n") && v.endsWord(p+len("s/n")) {
		return p + len("s/n")
	}
	house := houseEnd(v, p)
	if isCounted(v, house) {
		return 0
	}
	return house
}

// houseEnd returns the end of the number of a house at text[i], such as 12a, 12/34 or 12-14, or 0.
func houseEnd(v view, i int) int {
	stop := digits.run(v.text[:min(len(v.text), i+maxHouse+1)], i)
	if stop == i || stop-i > maxHouse-1 {
		return 0
	}
	stop = houseLetter(v, stop)
	if b := v.next(stop); (b == '/' || b == '-') && isDigit(v.next(stop+1)) {
		if more := digits.run(v.text, stop+1); more-stop <= maxHouse-1 {
			stop = houseLetter(v, more)
		}
	}
	stop = housePart(v, stop)
	if !endsNumber(v, stop) || v.next(stop) == '%' {
		return 0
	}
	return stop
}

// houseParts are what a house is divided into, behind its number.
var houseParts = [...]string{"-I", "-II", "-III", "-IV", "-hs", " bis", " hs", " huis", "/A", "/B", "/C", "/D", "/E"}

// housePart returns the end of the part of a house whose number ends at text[end], or end.
func housePart(v view, end int) int {
	for _, part := range houseParts {
		if strings.HasPrefix(v.text[end:], part) && v.endsWord(end+len(part)) {
			return end + len(part)
		}
	}
	return end
}

// houseLetter returns the end of a letter behind the number of a house, or end.
func houseLetter(v view, end int) int {
	if v.next(end) == ' ' && isAlpha(v.next(end+1)) && lower(v.next(end+1)) <= 'h' && (v.next(end+2) == ',' || v.next(end+2) == 0) {
		return end + 2
	}
	if isAlpha(v.next(end)) && !isAlnum(v.next(end+1)) {
		return end + 1
	}
	return end
}

// roadEndings end the names of streets.
var roadEndings = [...]string{
	"straße", "strasse", "str.", "platz", "allee", "gasse", "damm", "straat", "gracht", "laan", "plein", "kade", "dijk",
	"singel", "gatan", "vägen", "gränd", "gade", "vej", "veien", "vegen", "katu", "gata", "gaten", "weg", "steeg", "stieg",
	"chaussee", "promenade", "baan", "dreef", "allé", "stigen", "torget", "backen", "gangen", "svingen", "bakken", "stræde", "plads", "vænget",
	"parken", "haven", "kuja", "polku", "kaari", "tie", "raitti", "väylä", "rinne", "ranta", "penger", "tori", "hagen", "toppen", "stien",
	"Caddesi", "Cad.", "Sokak", "Sokağı", "Sok.", "Bulvarı", "Mahallesi", "ufer", "graben", "pfad", "ring", "steig", "kamp", "winkel", "hof",
	"utca", "út", "útja", "tér", "ulice", "náměstí", "třída", "nábřeží",
}

// weakEndings are those among them that many other words have: they need a town.
var weakEndings = [...]string{"tie", "haven", "ring", "hof", "kamp", "ranta", "tori", "parken", "hagen", "toppen", "graben", "winkel", "út",
	"tér", "stien", "gangen",
	"promenade", "gata", "gade", "rinne", "penger"}

// roadWords are no names of streets although they end like them.
var roadWords = strings.Fields("Norweg Brigade Decade Facade Cascade Arcade Blockade Upgrade Trade Grade Shade Blade Made Fade Degrade Promenade Weg " +
	"Platz Allee Damm Unterweg")

// houseNumber finds an address whose house is the digits text[i:end], behind its street: Hauptstraße 5. A
// name of any kind will do when a town with its postal code follows.
func houseNumber(v view, i int) Finding {
	stop := beforeHouse(v, i)
	if stop == i {
		return Finding{}
	}
	start := lastWord(v, stop)
	if start == stop {
		return Finding{}
	}
	house := houseEnd(v, i)
	if house == 0 {
		return Finding{}
	}
	if f := numberedRoad(v, i, stop, house); f.End > 0 {
		return f
	}
	word := v.text[start:stop]
	if !isCapital(v.text, start) && !endsRoad(word) && !smallRoads[word] {
		return Finding{} // most words
	}
	if capital := wordWithCapital(v, start); smallRoads[word] && capital >= 0 {
		start = capital
	}
	flat := withFlat(v, house)
	town := withTown(v, flat)
	from := streetStart(v, start)
	if from < 0 {
		from = start
	}
	switch {
	case isYearly(v, i, house) && town == flat:
		return Finding{}
	case isRoad(v, start, word):
		return Finding{Address, from, town}
	case !isCapital(v.text, from) && !roadFirsts[roadWordOf(v.text[from:stop])] || isThingNumbered(v.text[from:stop], word):
		return Finding{}
	case town > flat && !isYear4(v, flat, town), located(v, from, homely):
		return Finding{Address, from, town}
	}
	return Finding{}
}

// beforeHouse returns where the street ends in front of the number of a house at text[i], or i.
func beforeHouse(v view, i int) int {
	if i < v.floor+4 || v.text[i-1] != ' ' && v.text[i-1] != ':' {
		return i
	}
	if b := v.text[i-2]; v.text[i-1] == ' ' && isAlpha(b) && b != 'r' {
		return i - 1 // most numbers
	}
	for _, link := range houseLinks {
		if strings.HasSuffix(v.text[v.floor:i], link) {
			return i - len(link)
		}
	}
	return i
}

// lastWord returns where the word that ends at text[stop] starts, with its dots and hyphens.
func lastWord(v view, stop int) int {
	start := stop
	for start > v.floor && stop-start < maxStreetWord && (inCue(v.text[start-1]) || strings.IndexByte(".-'", v.text[start-1]) >= 0) {
		start--
	}
	for start < stop && !utf8.RuneStart(v.text[start]) {
		start++
	}
	return start
}

// roadWordOf returns the first word of a street in small letters, without its dot.
func roadWordOf(street string) string {
	word, _, _ := strings.Cut(street, " ")
	return strings.ToLower(strings.TrimSuffix(word, "."))
}

// isRoad reports whether the word at text[start] ends like a street and stands for one: capitalised, or
// behind a word with a capital as in Lange Straße.
func isRoad(v view, start int, word string) bool {
	if smallRoads[word] {
		return isCapital(v.text, start)
	}
	if germanPlace(v, start, word) {
		return true
	}
	if !endsRoad(word) || endsWeakly(word) {
		return false
	}
	if isCapital(v.text, start) && len(word) >= 7 && !slices.Contains(roadWords, word) {
		return true
	}
	return wordWithCapital(v, start) >= 0
}

// germanPlaces end the names of streets that tell where they are, as in Am Stadttor 4; in front of them stands one of
// germanFronts.
var germanPlaces = byLastByte([]string{"tor", "berg", "bach", "see", "feld", "wald", "park", "markt", "rain", "hang", "anger", "bahnhof", "kirche",
	"brunnen", "mühle", "hof", "garten", "gärten", "wall", "wiese", "wiesen", "teich", "weiher", "ufer", "graben", "tal", "grund", "linden", "eichen"})

var germanFronts = [...]string{"Am ", "Im ", "An der ", "An den ", "Auf dem ", "Auf der ", "In der ", "In den ", "Zum ", "Zur ", "Unter den ",
	"Hinter der ", "Beim "}

// formPlaces end as places do and are parts of forms, games and pictures, as in Im Feld 12.
var formPlaces = wordSet("Feld Textfeld Datenfeld Eingabefeld Formularfeld Suchfeld Spielfeld Zahlenfeld Pflichtfeld Umfeld Vorfeld Mittelfeld " +
	"Hintergrund Vordergrund Untergrund Abgrund")

func germanPlace(v view, start int, word string) bool {
	if !endsInAny(word, &germanPlaces) {
		return false
	}
	house := digits.run(v.text, start+len(word)+1)
	if v.next(house) == ' ' && (isUpper(v.next(house+1)) || isCounted(v, house)) {
		return false // Am Bahnhof 12 Minuten
	}
	for _, front := range germanFronts {
		if strings.HasSuffix(v.text[v.floor:start], front) {
			return front == "Am " || !formPlaces[word]
		}
	}
	return false
}

// smallRoads stand behind the names of streets as words of their own.
var smallRoads = wordSet("gate vei veg plass utca út tér körút ulice náměstí třída caddesi sokak")

// streetStart returns where the street starts whose last word is at text[start]: the leftmost of the words
// with capitals, or for a kind of road, with small words between them; -1 when there is none.
func streetStart(v view, start int) int {
	first := -1
	for n := range maxStreet {
		end := nameEnd(v.text, start)
		word := v.text[start:end]
		road := roadFirsts[strings.ToLower(word)] && (len(word) > 2 || v.next(end) == '.' || v.next(end) == '/')
		capital := isCapital(v.text, start)
		if capital && n > 0 && slices.Contains(germanStarts[:], word) {
			return start
		}
		if k := kinds[word]; capital && k&function != 0 && k&(given|surname|doubtful) == 0 && !slices.Contains(capitalParticles, word) {
			break
		}
		if road || capital {
			first = start
		} else if n == 0 || !slices.Contains(particles, word) && word != "the" && word != "of" && word != "und" {
			break
		}
		if road && n > 0 || v.back(start, 1) != ' ' {
			break
		}
		prev := lastWord(v, start-1)
		if prev == start-1 {
			break
		}
		start = prev
	}
	return first
}

// germanStarts are small words with which the name of a street begins.
var germanStarts = [...]string{"Am", "An", "Auf", "Im", "In", "Zum", "Zur", "Unter", "Hinter", "Beim", "Vor"}

// isThingNumbered recognises what is counted, dates, and names in capitals in place of a street, whose last word
// is given.
func isThingNumbered(street, last string) bool {
	if notRoads[strings.ToLower(last)] || thingWords[strings.ToLower(last)] {
		return true
	}
	for word := range strings.FieldsSeq(street) {
		if calendar[strings.TrimRight(word, ".,")] || len(word) > 1 && upperNum.run(word, 0) == len(word) {
			return true
		}
	}
	return false
}

// calendar are the short names of days and months, and the long ones.
var calendar = wordSet("Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Monday Tuesday Wednesday Thursday Friday " +
	"Saturday Sunday " +
	"January February March April May June July August September October November December Januar Februar März Mai Juni Juli Oktober Dezember " +
	"janvier février mars avril mai juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto " +
	"septiembre octubre noviembre diciembre Mo Di Mi Do Fr Sa So Day Week Year Q1 Q2 Q3 Q4")

// isYear4 reports whether what looks like a postal code between a house and a town is rather a year.
func isYear4(v view, end, town int) bool {
	for i := end; i < town; i++ {
		stop := digits.run(v.text[:town], i)
		if stop == i {
			continue
		}
		if stop-i == 4 && v.next(stop) != '-' && !depictsDutch(v.text[stop:town]) && isYear([]byte(v.text[i:stop])) {
			return true
		}
		i = stop
	}
	return false
}

// depictsDutch reports whether a text goes on like a postal code of the Netherlands: 2011 AB.
func depictsDutch(rest string) bool {
	return len(rest) > 3 && depictsAll(" AA", rest[:3]) && !isAlnum(rest[3])
}

// roadFirsts begin the names of streets, also in small letters.
var roadFirsts = wordSet("acceso alameda aleja aleje al allée avda avenida avenue av borgo boulevard boul calle c callejón callejuela camino " +
	"carrer carretera chemin " +
	"contrada corso cours cuesta estrada glorieta impasse incrocio jardim ladeira largo paseo pasaje pasadizo passeig piazza piazzale plac plaza place " +
	"praça praceta quai quinta rambla rodovia ronda rotonda rua r rue ruelle route sentier square strada stretto travessa tv ul ulica ulice " +
	"urbanización via viale vicolo " +
	"vereda viela voie os osiedle trg nám náměstí canale cañada polígono rotunda beco pátio")

// notRoads stand in front of numbers and are no streets.
var notRoads = wordSet("version chapter section page table figure room step part level line item phase stage release build windows line article " +
	"clause appendix " +
	"volume issue note example test week day year season episode number no nr nº formula flight gate platform track lot block unit floor apollo iphone " +
	"kapitel seite tabelle abbildung schritt absatz artikel woche tag jahr teil chapitre page tableau figure étape semaine capítulo página tabla paso " +
	"capitolo pagina tabella hoofdstuk pagina tabel stap about over under total top bus tram line route highway interstate size type class model psalm " +
	"flat apt apartment studio suite level unit zimmer")

// endsWeakly reports whether a word ends like a street and like many other words.
func endsWeakly(word string) bool { return endsInAny(word, &weakRoads) }

// endsRoad reports whether a word ends like a street.
func endsRoad(word string) bool { return endsInAny(word, &strongRoads) }

// endingIndexed are endings by their last byte, whatever its case.
type endingIndexed [32][]string

var strongRoads, weakRoads = byLastByte(roadEndings[:]), byLastByte(weakEndings[:])

func byLastByte(endings []string) (index endingIndexed) {
	for _, e := range endings {
		at := e[len(e)-1] & 31
		index[at] = append(index[at], e)
	}
	return index
}

func endsInAny(word string, index *endingIndexed) bool {
	if len(word) < 3 {
		return false
	}
	for _, e := range index[word[len(word)-1]&31] {
		if hasEnding(word, e) {
			return true
		}
	}
	return false
}

func hasEnding(word, ending string) bool {
	return len(word) >= len(ending) && strings.EqualFold(word[len(word)-len(ending):], ending)
}

// wordWithCapital returns where the capitalised word in front of text[i] starts, or -1.
func wordWithCapital(v view, i int) int {
	if v.back(i, 1) != ' ' {
		return -1
	}
	start := lastWord(v, i-1)
	if !isCapital(v.text, start) || kinds[v.text[start:i-1]]&function != 0 {
		return -1
	}
	return start
}
