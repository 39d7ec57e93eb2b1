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
	{cueHU, "hungary hungarian magyar magyarország"},
	{cueRO, "romania romanian românia"},
	{cueHR, "croatia croatian hrvatska"},
	{cueCL, "chile chilean chileno chilena"},
	{cueIL, "israel israeli"},
	{cueEE, "estonia estonian lithuania lithuanian eesti lietuva"},
	{cueLV, "latvia latvian latvija"},
	{cueBG, "bulgaria bulgarian"},
	{cueGR, "greece greek"},
	{cueRU, "russia russian россия"},
	{cueMX, "mexico mexican mexicano mexicana"},
}

// countryCodes are the codes of ISO 3166 of the same countries, as records have them; a dash where the code is said
// of something else too.
const countryCodes = "US CA GB IE DE FR ES IT NL BE PT PL SE FI NO DK CH AT BR IN AU SG KR JP TR ZA TH CN CZ HU RO - CL - EE LV BG GR RU MX"

var countryIndex, countryCode = countryNames()

func countryNames() (index, coded map[string]cue) {
	index, coded = make(map[string]cue), make(map[string]cue)
	codes := strings.Fields(countryCodes)
	for i, c := range countryWords {
		coded[codes[i]] = c.cue
		for word := range strings.FieldsSeq(c.words) {
			index[string(appendPlain(nil, word))] = c.cue
		}
	}
	coded["UK"] = cueUK
	return index, coded
}

// reach of what tells whose an official number is, in bytes: its country, and the language around it.
const reachBefore, reachBehind = 160, 96

// setting is what surrounds an official number.
type setting struct {
	said cue
	home cue // the countries of the language around it, if that is not English, or those that are named beside no kind of number
}

// settingOf reads what surrounds the official number text[i:end].
func (v view) settingOf(i, end int) setting {
	s := v.countriesOf(i, end)
	if s.said&cueUK != 0 && s.said&cueTax != 0 {
		s.said |= cueUTR
	}
	return s
}

// countriesOf reads what is said about text[i:end], and of which countries.
func (v view) countriesOf(i, end int) setting {
	s := setting{said: v.cueAround(i, end).spoken()}
	before, behind := v.around(i, end)
	if named := s.said.named(); named != 0 {
		s.said = s.said&^countries | s.said&cueUS | narrowed(named, before, behind)
		return s
	}
	lineBefore := before[strings.LastIndexByte(before, '\n')+1:]
	lineBehind, _, _ := strings.Cut(behind, "\n")
	found := countriesIn(lineBefore) | countriesIn(lineBehind)
	if found == 0 && (len(lineBefore) < len(before) || len(lineBehind) < len(behind)) {
		found = countriesIn(before) | countriesIn(behind)
	}
	switch {
	case found == 0:
		s.home = homeOf(before, behind)
	case s.said&personal != 0:
		s.said |= found
	default:
		s.home = found
	}
	return s
}

// narrowed chooses among several countries that have the same name for their numbers those of the language around.
func narrowed(named cue, before, behind string) cue {
	if named&(named-1) == 0 {
		return named
	}
	home := homeOf(before, behind)
	if named&home != 0 {
		return named & home
	}
	return named
}

// around returns what stands in front of text[i:end] and behind it, within the same paragraph and object.
func (v view) around(i, end int) (before, behind string) {
	return around(v.text, i, end)
}

func around(text string, i, end int) (before, behind string) {
	before, behind = text[max(0, i-reachBefore):i], text[end:min(len(text), end+reachBehind)]
	before = before[max(strings.LastIndex(before, "\n\n"), strings.LastIndexByte(before, '}'))+1:]
	behind, _, _ = strings.Cut(behind, "\n\n")
	behind, _, _ = strings.Cut(behind, "{")
	return before, behind
}

// countriesBeside returns the countries that are named around the member of an object whose name is text[i:end].
func countriesBeside(text string, i, end int) cue {
	before, behind := around(text, i, end)
	return countriesIn(before) | countriesIn(behind)
}

// countriesIn returns the countries that a stretch of text names, by words or, where a code may stand, by codes.
func countriesIn(text string) (found cue) {
	before := ""
	for i := 0; i < len(text); {
		end := i
		if inCue(text[i]) {
			end = wordAhead(text, i)
		}
		if end == i {
			i++
			continue
		}
		word := text[i:end]
		if len(word) == codeLength && (coded(text, i, end, before) || isKind(text, end)) {
			found |= countryCode[strings.ToUpper(word)]
		}
		if len(word) > 2 || word == "UK" {
			found |= countryName(word, "") | countryName(before, word)
		}
		before, i = word, end
	}
	return found
}

// coded reports whether text[i:end] may be the code of a country: within quotes or parentheses, or behind the word for it.
func coded(text string, i, end int, before string) bool {
	if !isUpper(text[i]) && !isLower(text[i]) {
		return false
	}
	if i > 0 && end < len(text) && isUpper(text[i]) && strings.IndexByte("(\"'", text[i-1]) >= 0 && strings.IndexByte(")\"'", text[end]) >= 0 {
		return true
	}
	switch strings.ToLower(before) {
	case "country", "countrycode", "code", "nationality", "land", "pays", "issuer", "citizenship":
		marked := i > 1 && (strings.IndexByte("=:\"'", text[i-1]) >= 0 || text[i-1] == ' ' && strings.IndexByte("=:", text[i-2]) >= 0)
		return marked || i > 0 && text[i-1] == ' ' && isUpper(text[i]) && isUpper(text[i+1]) // and not code no.
	}
	return false
}

// isKind reports whether the word behind text[end] is a kind of official number, as in "NL tax ID".
func isKind(text string, end int) bool {
	if end == len(text) || text[end] != ' ' && text[end] != ',' || !isUpper(text[end-1]) || !isUpper(text[end-2]) {
		return false
	}
	stop := wordAhead(text, end+1)
	if stop == end+1 || stop == len(text) || lookUp(text[end-2:end], "") != 0 {
		return false
	}
	last := wordAhead(text, stop+1)
	return (lookUp(text[end+1:stop], "")|lookUp(text[end+1:stop], text[stop+1:last]))&personal != 0
}

// codeLength is how long the code of a country is, in bytes.
const codeLength = len("NL")

// codeOf returns the country whose code begins or ends the name of an official number, as in nl_bsn and tax_id_de.
func codeOf(name string) cue {
	n := len(name)
	if n <= codeLength+1 {
		return 0
	}
	if isJoint(name[codeLength]) {
		if c := codedCountry(name[:codeLength]); c != 0 {
			return c
		}
	}
	if last := name[n-codeLength:]; isJoint(name[n-codeLength-1]) && !strings.EqualFold(last, "no") {
		return codedCountry(last)
	}
	return 0
}

// isJoint reports whether a byte joins the words of a name.
func isJoint(b byte) bool { return b == '_' || b == '-' }

func codedCountry(code string) cue {
	return countryCode[string([]byte{code[0] &^ 0x20, code[1] &^ 0x20})]
}

// codeWithin returns the country whose code text[i:end] is, within the name of an official number.
func codeWithin(text string, i, end int) cue {
	before, behind := i > 0 && isJoint(text[i-1]), end < len(text) && isJoint(text[end])
	if before == behind || codedCountry(text[i:end]) == 0 {
		return 0
	}
	for i > 0 && end-i < maxCueWord && (isAlnum(text[i-1]) || isJoint(text[i-1])) {
		i--
	}
	for end < len(text) && end-i < maxCueWord && (isAlnum(text[end]) || isJoint(text[end])) {
		end++
	}
	if name := text[i:end]; nameCue(name)&official != 0 {
		return codeOf(name)
	}
	return 0
}

// countryName returns the country that one or two words name.
func countryName(word, next string) cue {
	var space [maxCueWord + 4]byte
	return countryIndex[string(appendPlain(appendPlain(space[:0], word), next))]
}
