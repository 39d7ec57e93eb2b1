package privacy

import (
	"strings"
	"unicode/utf8"
)

const maxRoadWords = 6 // of the name of a street, with the small ones between

// roadNames are words for roads that stand in front of their names, whatever their case.
var roadNames = wordSet("rue avenue boulevard impasse allée chemin quai faubourg sentier ruelle venelle esplanade " +
	"calle avenida paseo travesía bulevar carrera callejón costanilla glorieta camino ronda plaza rambla carrer passeig plaça carretera " +
	"viale piazza piazzale corso vicolo largo lungotevere lungomare lungarno strada contrada borgo salita calata " +
	"ulica ulicy ulicę ulice aleja aleje alei plac placu osiedle osiedlu rondo bulwar " +
	"rua travessa praça praceta alameda estrada beco calçada ladeira rodovia viela azinhaga laan plein")

// roadShorts are short for them, with what stands between them and the name.
var roadShorts = [...]string{"C/ ", "c/ ", "C/", "c/", "Cl. ", "Pza. ", "Plza. ", "Ctra. ", "Avda. ", "Av. ", "av. ", "Trav. ", "P.zza ", "P.za ",
	"V.le ", "C.so ", "L.go ", "Tv. ", "Rod. ", "Lg. ", "ul. ", "Ul. ", "ul.", "ul ", "al. ", "Al. ", "pl. ", "Pl. ", "os. ", "Os. ", "bd ", "Bd "}

// roadLinks stand in small letters within the names of streets.
var roadLinks = wordSet("de del della delle dei degli dello di da das do dos du des d la le las los el y e i san im den der van het")

// markedRoad returns where a street begins that ends at text[stop] and has a word for a road in front of its name,
// as in rua das Flores or C/ Colón, and where that name begins; -1 when there is none.
func markedRoad(v view, stop int) (road, name int) {
	named := false // the word behind the one at hand begins a name
	for p, n := stop, 0; n < maxRoadWords; n++ {
		start := roadWordBack(v, p)
		if start == p {
			return -1, -1
		}
		word := v.text[start:p]
		if named && roadNames[strings.ToLower(word)] && v.startsWord(start) {
			return start, p + 1
		}
		capital := isCapital(v.text, start) || isDigit(word[0]) && len(word) < 3
		if !capital && (n == 0 || !roadLinks[word]) {
			return -1, -1
		}
		named = named || capital
		if short := shortRoad(v, start); named && short < start {
			return short, start
		}
		if b := v.back(start, 1); b != ' ' && b != '\'' && b != '-' {
			return -1, -1
		}
		p = start - 1
	}
	return -1, -1
}

// roadWordBack returns where the word of letters, or of a digit or two, begins that ends at text[end].
func roadWordBack(v view, end int) int {
	start := end
	for start > v.floor && end-start < maxStreetWord && inCue(v.text[start-1]) {
		start--
	}
	for start == end && end > v.floor && isDigit(v.text[end-1]) || start < end && end-start < 3 && start > v.floor && isDigit(v.text[start-1]) {
		start--
	}
	return start
}

// shortRoad returns where what is short for a road begins in front of text[i], or i; et al. is none.
func shortRoad(v view, i int) int {
	for _, short := range roadShorts {
		start := i - len(short)
		if start < v.floor || v.text[start:i] != short || !v.startsWord(start) {
			continue
		}
		if !strings.HasSuffix(v.text[v.floor:start], "et ") {
			return start
		}
	}
	return i
}

// numberedRoad finds the address of the house text[i:house] in a street with a word for a road in front of its name,
// which ends at text[stop]. Things are counted behind such words too, and years are told.
func numberedRoad(v view, i, stop, house int) Finding {
	start, name := markedRoad(v, stop)
	if start < 0 || isCounted(v, house) || isYearly(v, i, house) {
		return Finding{}
	}
	return roadAddress(v, namedRoad{start, name, stop}, house)
}

// namedRoad is a street text[start:stop] with a word for a road in front of its name, text[name:stop].
type namedRoad struct{ start, name, stop int }

// roadAddress is the address of a house, whose number ends at text[house], unless the words of its street name something else.
func roadAddress(v view, r namedRoad, house int) Finding {
	flat := withFlat(v, house)
	town := withTown(v, flat)
	coded := strings.ContainsAny(v.text[flat:town], "0123456789") && !isYear4(v, flat, town)
	precise := flat > house || v.text[r.stop] != ' ' || digits.run(v.text, r.stop+1) != house
	if !coded && !namesRoad(v, r, house, precise) {
		return Finding{}
	}
	return Finding{Address, r.start, town}
}

// doubtfulRoads are words for roads, and what is short for them, that mean other things as well.
var doubtfulRoads = wordSet("c/ ul al. pl. Pl. os. Os. bd rondo Rondo corso carrera strada ronda camino largo borgo salita calata contrada plein laan")

// programs have numbers for their versions, and hardly a street.
var programs = wordSet("windows linux ubuntu debian fedora android macos ios python java javascript typescript rust ruby perl php kotlin swift scala node " +
	"react angular vue django rails postgres mysql redis docker kubernetes excel word office photoshop chrome firefox lua haskell fortran cobol bash " +
	"powershell sql html css vim emacs gradle maven")

// namesRoad reports whether the words behind the one for a road name one, and are no thing with a number. Where that
// word means other things as well, the number of the house is precise (it has a letter, a flat or a comma in front), or
// something shows the language or a place.
func namesRoad(v view, r namedRoad, house int, precise bool) bool {
	last := strings.ToLower(v.text[lastWord(v, r.stop):r.stop])
	if programs[last] || notRoads[last] || thingWords[last] {
		return false
	}
	road, mark := v.text[r.start:r.stop], strings.TrimSpace(v.text[r.start:r.name])
	course := isCourse(road)
	switch {
	case precise || !course && !doubtfulRoads[mark] || located(v, r.start, locators):
		return true
	case course:
		return false
	case strings.EqualFold(mark, "rondo"): // of music
		return polishRoad(road)
	}
	return roadLinks[roadWordOf(v.text[r.name:r.stop])] || polishRoad(road) || homeOf(v.around(r.start, house)) != 0
}

// isCourse reports whether what may be a street is rather one that is studied, as in corso di Chimica; there are
// streets by the gates of towns.
func isCourse(road string) bool {
	for _, course := range [...]string{"corso di ", "Corso di ", "carrera de "} {
		if strings.HasPrefix(road, course) {
			return !strings.HasPrefix(road[len(course):], "Porta ")
		}
	}
	return false
}

// polishEndings end the names of streets in Polish, and hardly names elsewhere.
var polishEndings = byLastByte([]string{"owa", "ska", "cka", "lna", "ina", "ego", "cza", "wej", "iej", "nej", "skie", "ckie", "owy", "lne", "ów", "ich", "ych",
	"ki", "ika", "cji", "maja"})

// polishRoad reports whether the name of a street has a letter beyond ASCII, or an ending of Polish.
func polishRoad(name string) bool {
	for word := range strings.FieldsSeq(name) {
		if endsInAny(word, &polishEndings) {
			return true
		}
	}
	return strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf })
}

// isYearly reports whether text[i:end] is rather a year than the number of a house.
func isYearly(v view, i, end int) bool {
	return end-i == len("2019") && digits.run(v.text[:end], i) == end && isYear([]byte(v.text[i:end])) && v.next(end) == ' ' && isLower(v.next(end+1))
}

// isCounted reports whether what stands behind the number that ends at text[end] is counted by it; m. is a flat.
func isCounted(v view, end int) bool {
	word := wordBehindSpace(v, end)
	return counted[word] && (word != "m" || v.next(end+len(" m")) != '.')
}
