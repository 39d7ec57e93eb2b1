package privacy

import (
	"slices"
	"strings"
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
	if stop, sure := englishRoad(v, p); stop > 0 {
		town, start := withTown(v, withFlat(v, stop)), flatWord(v, i)
		if start == i {
			start = flatBefore(v, i)
		}
		if sure || start < i || town > stop || located(v, i, locators) {
			return Finding{Address, start, town}
		}
	}
	if stop := placed(v, p); stop > 0 {
		return Finding{Address, flatBefore(v, i), stop}
	}
	return Finding{}
}

// locators are words in front of an address, with another word or two between them.
var locators = wordSet("visit near moved office deliver delivery ship send meet mail stay staying house home flat apartment lieferung livraison " +
	"envoyer enviar " +
	"envío spedire bezorgen " + dwellings)

// dwellings are those among them that hardly announce anything but an address.
const dwellings = "live lives lived living located addr address reside resides residing residence wohne wohnt wohnen wohnhaft anschrift adresse " +
	"ziehe zieht gezogen habite habitons demeurant " +
	"domicilié vivo vive dirección domicilio abito abita indirizzo residente woon woont adres mieszkam mieszka moro mora endereço bor adress asun asuu " +
	"osoite bydlí bydlím adresa oturuyorum adresim"

var homely = wordSet(dwellings)

const locatorWords = 4 // words in front of an address among which a locator stands

// located reports whether one of a few words in front of text[i] announces a place.
func located(v view, i int, by map[string]bool) bool {
	for range locatorWords {
		word := wordBeforeSpace(v, i)
		if word == "" {
			return false
		}
		if by[strings.ToLower(word)] {
			return true
		}
		i -= len(word) + 1
	}
	return false
}

// placed returns the end of a name of any kind that a town and its postal code follow, or 0.
func placed(v view, i int) int {
	end := capitalised(v, i, maxStreet)
	if end == i || v.next(withFlat(v, end)) != ',' && v.next(withFlat(v, end)) != '\n' {
		return 0
	}
	flat := withFlat(v, end)
	if town := withTown(v, flat); town > flat && !isYear4(v, flat, town) && !isThingNumbered(v.text[i:end], v.text[lastWord(v, end):end]) {
		return town
	}
	return 0
}

// englishRoad returns the end of a name that ends in a word for a road, or 0, and whether that word hardly
// means anything else.
func englishRoad(v view, i int) (stop int, sure bool) {
	for n := range maxStreet {
		end := roadWord(v.text, i)
		if end == i {
			if small := smallRoad(v, i); n > 0 && small > i {
				stop, sure = small, false
			}
			break
		}
		word := v.text[i:end]
		if k := kinds[word]; n > 0 && (k&roadLast != 0 || softRoads[word]) {
			stop, sure = end, k&roadLast != 0
			if v.next(end) == '.' && len(word) < 5 {
				stop++
			}
		} else if k&function != 0 && k&(surname|given|doubtful|roadFirst) == 0 && !roadAdjectives[word] {
			break
		}
		if v.next(end) == '.' && len(word) <= 2 {
			end++
		}
		for _, of := range [...]string{"'s ", "’s "} { // St John's Road
			if strings.HasPrefix(v.text[end:], of) {
				end += len(of) - 1
			}
		}
		if v.next(end) != ' ' {
			break
		}
		i = end + 1
	}
	return stop, sure
}

// roadAdjectives begin sentences, and names of streets.
var roadAdjectives = wordSet("New Old First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth May Just Great Upper Lower March One")

// softRoads end names of streets, and of much else.
var softRoads = wordSet("Bank Banks Bottom Branch Bridge Brook Brooks Burg Burgs Bury Cape Chase Center Centers Circles Circuit Cliff Cliffs Club Common " +
	"Commons Corner Corners Course Coves Creek Crossroad Crossroads Curve Dale Dam Dene Divide Drives Edge End Estate Extension " +
	"Extensions Fall Field Fields Flat Flats Ford Fords Forest Forges Fork Forks Fort Garden Garth Gate Gateway Glade Glens Grange Green Greens Groves " +
	"Harbor Harbors Harbour Haven Head Heath Hills Inlet Island Islands Isle Junctions Key Keys Lake Lakes Land Lea Light Lights Loaf Lock Locks Lodge Loops " +
	"Mall Manors Meadow Mills Mission Mount Mountain Mountains Neck Oval Parks Parkways Pass Passage Path Pine Plain Plains " +
	"Plazas Point Points Port Ports Prairie Radial Ramp Ranch Rapid Rapids Rest Ridges Rise River Route Rue Run Shoal Shoals Side Spring " +
	"Springs Spur Spurs Squares Station Stream Summit Throughway Trace Track Trafficway Tunnel Underpass Union Unions Vale Valley Valleys Via View " +
	"Views Village Ville Walks Wall Well Wells Wharf Wood Woods Yard")

// smallRoad returns the end of a word for a road in small letters, or i.
func smallRoad(v view, i int) int {
	end := nameEnd(v.text[:min(len(v.text), i+maxStreetWord)], i)
	if end-i < 3 || !isLower(v.text[i]) || !v.endsWord(end) {
		return i
	}
	word := string(v.text[i]-0x20) + v.text[i+1:end]
	if kinds[word]&roadLast == 0 && !softRoads[word] {
		return i
	}
	return end
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

// frenchRoads are the words for roads that stand in front of their names in small letters.
var frenchRoads = [...]string{
	"rue ", "avenue ", "av. ", "boulevard ", "bd ", "place ", "chemin ", "impasse ", "allée ", "quai ", "cours ", "route ",
	"square ", "passage ", "sentier ", "faubourg ", "rond-point ", "ruelle ", "esplanade ",
}

// lessons are among them words that count other things too: 10 cours de Python.
var lessons = [...]string{"cours ", "place ", "route ", "passage "}

// frenchRoad returns the end of "rue de la Paix" at text[i], or 0.
func frenchRoad(text string, i int) int {
	for _, road := range frenchRoads {
		if len(text) < i+len(road) || !strings.EqualFold(text[i:i+len(road)], road) {
			continue
		}
		p := i + len(road)
		for _, link := range [...]string{"de la ", "de l'", "de ", "du ", "des ", "d'", "l'", "la ", "le "} {
			if strings.HasPrefix(text[p:], link) {
				if link == "de " && slices.Contains(lessons[:], road) {
					return 0
				}
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
