package privacy

import (
	"strings"
	"unicode/utf8"
)

// vendor is a published token format: a prefix, and how many characters of which kind follow.
type vendor struct {
	prefix string
	min    int
	set    *charset
}

// maxSample is how many characters decide whether a token is one.
const maxSample = 96

var (
	tokenDots    = setOf(isAlnum, "_-.")
	pathChars    = setOf(isAlnum, "_-/")
	webhookChars = setOf(isAlnum, "_-/@")
	base64All    = setOf(isAlnum, "+/=_-")
	uuidChars    = setOf(isHex, "-")
	dollars      = setOf(isAlnum, "$")
	tokenAll     = setOf(isAlnum, "_-.=")
)

// vendorFamily is the prefixes of an issuer that share what follows them.
type vendorFamily struct {
	set      *charset
	min      int
	prefixes string
}

// vendors lists the families one format after another.
var vendors = vendorList()

func vendorList() (list []vendor) {
	for _, f := range vendorFamilies {
		for prefix := range strings.FieldsSeq(f.prefixes) {
			list = append(list, vendor{prefix, f.min, f.set})
		}
	}
	return list
}

// vendorPrefixes finds the format of a token; vendorSeconds has a bit for each second character of the
// formats with a first one.
var vendorPrefixes, vendorSeconds = vendorIndex()

func vendorIndex() (prefixes *automaton, seconds [256][2]uint64) {
	all := make([]string, len(vendors))
	for i, v := range vendors {
		all[i] = v.prefix
		first, second := v.prefix[0], v.prefix[1]
		seconds[first][second>>6] |= 1 << (second & 63)
	}
	return newAutomaton(all), seconds
}

// vendorToken finds a token of a known format.
func vendorToken(v view, i int) Finding {
	first, second := v.text[i], v.next(i+1)
	if second >= utf8.RuneSelf || vendorSeconds[first][second>>6]>>(second&63)&1 == 0 || !v.startsWord(i) {
		return Finding{}
	}
	found, n := vendorPrefixes.match(v.text, i)
	for k := n - 1; k >= 0; k-- {
		known := &vendors[found[k]]
		from := i + len(known.prefix)
		sample := known.set.run(v.text[:min(len(v.text), from+maxSample)], from)
		if sample-from < known.min || !random(v.text[from:sample]) {
			continue
		}
		if end := trimDots(v.text, known.set.run(v.text, sample)); v.endsWord(end) {
			return Finding{Secret, schemeBefore(v, i), end}
		}
	}
	return Finding{}
}

// schemeBefore returns where a URL starts whose host is at text[i], or i.
func schemeBefore(v view, i int) int {
	const scheme = "https://"
	host := i
	for host > v.floor && i-host < maxKey && (dottedNames[v.text[host-1]] || v.text[host-1] == '-') {
		host--
	}
	if from := host - len(scheme); from >= v.floor && v.text[from:host] == scheme {
		return from
	}
	return i
}

func trimDots(text string, end int) int {
	for end > 0 && text[end-1] == '.' {
		end--
	}
	return end
}

// random refuses what only illustrates a format, one character over and over, and what is made of words:
// without a digit, a token needs many capitals.
func random(token string) bool {
	if monotone(token) {
		return false
	}
	capitals := 0
	for i := range len(token) {
		if isDigit(token[i]) {
			return true
		}
		if isUpper(token[i]) {
			capitals++
		}
	}
	return 4*capitals >= len(token)
}

// monotone reports whether one character fills the text.
func monotone(text string) bool {
	return text != "" && strings.Count(text, text[:1]) == len(text)
}
