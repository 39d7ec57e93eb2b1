package privacy

import "strings"

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
// as in rua das Flores or C/ Colón; -1 when there is none.
func markedRoad(v view, stop int) int {
	named := false // the word behind the one at hand begins a name
	for p, n := stop, 0; n < maxRoadWords; n++ {
		start := roadWordBack(v, p)
		if start == p {
			return -1
		}
		word := v.text[start:p]
		if named && roadNames[strings.ToLower(word)] && v.startsWord(start) {
			return start
		}
		capital := isCapital(v.text, start) || isDigit(word[0]) && len(word) < 3
		if !capital && (n == 0 || !roadLinks[word]) {
			return -1
		}
		named = named || capital
		if short := shortRoad(v, start); named && short < start {
			return short
		}
		if b := v.back(start, 1); b != ' ' && b != '\'' && b != '-' {
			return -1
		}
		p = start - 1
	}
	return -1
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
	start := markedRoad(v, stop)
	if start < 0 || isCounted(v, house) || isYearly(v, i, house) {
		return Finding{}
	}
	return Finding{Address, start, withTown(v, withFlat(v, house))}
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
