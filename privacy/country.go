package privacy

import "strings"

// countryWords are names of countries and of what comes from there: beside a cue for an official number
// they tell whose it is.
var countryWords = [...]struct {
	cue   cue
	words string
}{
	{cueUS, "unitedstates usa american"},
	{cueCA, "canada canadian canadien canadienne"},
	{cueUK, "unitedkingdom uk britain british england english scottish welsh"},
	{cueIE, "ireland irish éire"},
	{cueDE, "germany german deutschland deutsche deutscher deutschen"},
	{cueFR, "france french français française francés"},
	{cueES, "spain spanish españa español española"},
	{cueIT, "italy italian italia italiano italiana"},
	{cueNL, "netherlands dutch nederland nederlands nederlandse holland"},
	{cueBE, "belgium belgian belgië belgique belge belgisch belgische"},
	{cuePT, "portugal portuguese português portuguesa"},
	{cuePL, "poland polish polska polski polskie"},
	{cueSE, "sweden swedish sverige svensk svenskt"},
	{cueFI, "finland finnish suomi suomen"},
	{cueNO, "norway norwegian norge norsk"},
	{cueDK, "denmark danish danmark dansk"},
	{cueCH, "switzerland swiss schweiz suisse svizzera schweizer"},
	{cueAT, "austria austrian österreich österreichische"},
	{cueBR, "brazil brazilian brasil brasileiro brasileira"},
	{cueIN, "india indian"},
	{cueAU, "australia australian"},
	{cueSG, "singapore singaporean"},
	{cueKR, "korea korean southkorea"},
	{cueJP, "japan japanese"},
	{cueTR, "turkey turkish türkiye turkiye"},
	{cueZA, "southafrica southafrican"},
	{cueTH, "thailand thai"},
	{cueCN, "china chinese"},
	{cueCZ, "czechia czech česko"},
}

// countryCodes are the codes of ISO 3166 of the same countries, as records have them.
const countryCodes = "US CA GB IE DE FR ES IT NL BE PT PL SE FI NO DK CH AT BR IN AU SG KR JP TR ZA TH CN CZ"

var countryIndex = countryNames()

func countryNames() map[string]cue {
	index := make(map[string]cue)
	codes := strings.Fields(countryCodes)
	for i, c := range countryWords {
		index[codes[i]] = c.cue
		for word := range strings.FieldsSeq(c.words) {
			index[word] = c.cue
		}
	}
	return index
}

// countryReach is how far from a number its country may be named, in bytes.
const countryReach = 80

// officialAround returns what is said about the official number text[i:end]; where only its kind is, the
// country that the line names is added.
func (v view) officialAround(i, end int) cue {
	said := v.cueAround(i, end)
	if said&personal == 0 || said.named() != 0 {
		return said
	}
	return said | v.countryOn(v.text[max(0, i-countryReach):i], true) | v.countryOn(v.text[end:min(len(v.text), end+countryReach)], false)
}

// named returns the countries that a cue names; other countries than one have social security.
func (c cue) named() cue {
	if c&cueSocial != 0 {
		c &^= cueUS
	}
	return c & countries
}

// countryOn returns the countries that a stretch names on its last line, or on its first.
func (view) countryOn(text string, last bool) (found cue) {
	if n := strings.LastIndexByte(text, '\n'); last {
		text = text[n+1:]
	} else if n = strings.IndexByte(text, '\n'); n >= 0 {
		text = text[:n]
	}
	before := ""
	for i := 0; i < len(text); {
		end := nameEnd(text, i)
		if end == i {
			i++
			continue
		}
		word := text[i:end]
		if len(word) == len("NL") && i > 0 && end < len(text) && strings.IndexByte("(\"'", text[i-1]) >= 0 && strings.IndexByte(")\"'", text[end]) >= 0 {
			found |= countryIndex[word]
		}
		if len(word) > 2 || word == "UK" {
			word = strings.ToLower(word)
			found |= countryIndex[word] | countryIndex[before+word]
			before = word
		}
		i = end
	}
	return found
}
