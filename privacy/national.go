package privacy

import (
	"slices"
	"strings"
)

// idFormat is an official number of a country that consists of digits. How much its check tells decides
// what has to stand beside it. A picture with an exclamation mark is found anywhere, because few other
// numbers have this shape and pass. One with a tilde is too, but not within the language of another country,
// which may well have a number of the same shape. One with a question mark is found beside a cue for its
// country, because its check is weak or may be missing; the others beside a cue for the kind of number that
// they are called by as well, or within the language of their country. An underscore stands for a space.
type idFormat struct {
	country  cue
	called   cue
	entity   Entity
	pictures string
	valid    func(number []byte) bool
}

var idFormats = [...]idFormat{
	{cueUS, personal, SSN, "!ddd-dd-dddd ddd_dd_dddd ddd.dd.dddd ?ddddddddd", isSSN},
	{cueCA, anyKind, NationalID, "~ddd-ddd-ddd ddd_ddd_ddd ddddddddd", isSIN},
	{cueCA, anyKind, NationalID, "?ddd-ddd-ddd ?ddd_ddd_ddd ?ddddddddd", luhn},
	{cueUK, personal, NationalID, "~ddd_ddd_dddd ddd-ddd-dddd dddddddddd", isNHS},
	{cueUTR, cueTax, NationalID, "?dddddddddd ?ddddd_ddddd", isUTR},
	{cueDE, cueTax, NationalID, "!ddddddddddd !dd_ddd_ddd_ddd dd/ddd/ddd/ddd", isSteuerID},
	{cueDE, cueTax, NationalID, "?ddddddddddd ?dd_ddd_ddd_ddd", hybrid},
	{cueFR, cueSocial, NationalID, "!ddddddddddddddd !d_dd_dd_dd_ddd_ddd_dd !ddddddddddddd_dd !d-dd-dd-dd-ddd-ddd-dd", isNIR},
	{cueFR, cueTax | cueIdentity, NationalID, "ddddddddddddd !dd_dd_ddd_ddd_ddd", isSPI},
	{cueES, cueSocial, NationalID, "!dd/dddddddd/dd !dd-dddddddd-dd !dd_dddddddd_dd dddddddddddd", isNUSS},
	{cueNL, anyKind, NationalID, "ddddddddd !dddd.dd.ddd ddd.ddd.ddd ?ddd_ddd_ddd dddd_dd_ddd", isBSN},
	{cueBE, personal, NationalID, "!dd.dd.dd-ddd.dd !ddddddddddd !dd_dd_dd_ddd_dd !dd.dd.dd_ddd.dd !dd.dd.dd.ddd.dd !dddddd-ddd-dd " +
		"!dddddd_ddd_dd !dddddd-ddd.dd", isRijksregister},
	{cuePT, anyKind, NationalID, "ddddddddd ddd_ddd_ddd", isPersonNIF},
	{cuePT, anyKind, NationalID, "?ddddddddd ?ddd_ddd_ddd", isNIF},
	{cuePT, cueSocial, NationalID, "ddddddddddd", isNISS},
	{cuePL, personal, NationalID, "~ddddddddddd", isPESEL},
	{cuePL, cueTax, NationalID, "!ddd-ddd-dd-dd !ddd-dd-dd-ddd dddddddddd", isNIP},
	{cueSE, personal, NationalID, "~dddddd-dddd ~dddddd+dddd ~dddddddd-dddd", isPersonnummer},
	{cueSE, personal, NationalID, "~dddddddddd ~dddddddddddd", isPlainPersonnummer},
	{cueSE, personal, NationalID, "?dddddd-dddd ?dddddddd-dddd ?dddddddddd ?dddddddddddd", isSamordningsnummer},
	{cueNO, personal, NationalID, "!ddddddddddd !dddddd_ddddd !dddddd-ddddd", isFodselsnummer},
	{cueDK, personal, NationalID, "~dddddd-dddd ~dddddd_dddd", isCPR},
	{cueDK, personal, NationalID, "dddddddddd", isCPR},
	{cueDK, personal, NationalID, "~dddddddddd", isPlainCPR},
	{cueDK, personal, NationalID, "?dddddd-dddd ?dddddddddd ?dddddd_dddd", isLateCPR},
	{cueCH, personal, NationalID, "!ddd.dddd.dddd.dd !ddddddddddddd !ddd_dddd_dddd_dd !ddd-dddd-dddd-dd", isAHV},
	{cueAT, personal, NationalID, "~dddddddddd ~dddd_dddddd ~dddd-dddddd ~dddd_dd_dd_dd", isSVNR},
	{cueAT, personal, NationalID, "?dddddddddd ?dddd_dddddd", hasSVNRCheck},
	{cueBR, personal, NationalID, "!ddd.ddd.ddd-dd !ddddddddddd !ddd.ddd.ddd.dd !ddd_ddd_ddd_dd !ddddddddd-dd", isCPF},
	{cueIN, personal, NationalID, "~dddd_dddd_dddd ~dddd-dddd-dddd dddddddddddd", isAadhaar},
	{cueAU, anyKind, NationalID, "ddd_ddd_ddd ddd-ddd-ddd ddddddddd", isTFN},
	{cueAU, cueHealth, NationalID, "!dddd_ddddd_d dddddddddd dddd-ddddd-d ?ddddddddddd", isMedicare},
	{cueAU, cueTax, NationalID, "?dd_ddd_ddd_ddd ?ddddddddddd", isABN},
	{cueKR, personal, NationalID, "~dddddd-ddddddd ~ddddddddddddd", isRRN},
	{cueKR, personal, NationalID, "?dddddd-ddddddd ?ddddddddddddd", hasRRNCheck},
	{cueJP, personal, NationalID, "dddddddddddd dddd_dddd_dddd ?dddd-dddd-dddd", isMyNumber},
	{cueTR, personal, NationalID, "!ddddddddddd", isKimlik},
	{cueZA, personal, NationalID, "~ddddddddddddd ~dddddd_dddd_ddd ~dddddd_dddd_dd_d ~dddddd-dddd-ddd", isSouthAfrican},
	{cueZA, personal, NationalID, "?ddddddddddddd ?dddddd_dddd_ddd", isRefugee},
	{cueTH, personal, NationalID, "!d-dddd-ddddd-dd-d !d_dddd_ddddd_dd_d ddddddddddddd", isThai},
	{cueCZ, personal, NationalID, "!dddddd/dddd dddddddddd", isRodne},
	{cueCN, personal, NationalID, "!dddddddddddddddddd", isChinese},
}

// anyKind are the kinds that say more than that something has a number.
const anyKind = personal &^ cuePaper

// idRule is one picture of a format.
type idRule struct {
	*idFormat
	need need
}

// need says what has to stand beside a number of a picture.
type need uint8

const (
	needKind     need = iota // its kind, or a language of its country
	needCountry              // its name or its country
	needNothing              // no other country
	needLanguage             // no other country, nor the language of another one
)

var needMarks = map[byte]need{'?': needCountry, '!': needNothing, '~': needLanguage}

var idRules = idRuleIndex()

func idRuleIndex() map[shape][]idRule {
	index := make(map[shape][]idRule)
	for _, f := range slices.Concat(idFormats[:], namedFormats[:]) {
		for picture := range strings.FieldsSeq(f.pictures) {
			rule := idRule{&f, needMarks[picture[0]]}
			if rule.need != needKind {
				picture = picture[1:]
			}
			s := shapeOf(strings.ReplaceAll(picture, "_", " "))
			index[s] = append(index[s], rule)
		}
	}
	return index
}

const minID, maxID = 9, 18 // digits

// nationalID finds an official number at text[i], whose groups n holds: the longest one that is valid.
func nationalID(v view, i int, n *number) Finding {
	if v.back(i, 1) == ' ' && endsDigits(v, i-1) {
		return Finding{} // the rest of a longer number
	}
	for g := n.groups - 1; g >= 0 && n.counts[g] >= minID; g-- {
		if n.counts[g] > maxID || !endsNumber(v, n.ends[g]) {
			continue
		}
		if f := validID(v, i, n, g); f.End > 0 {
			return f
		}
	}
	return Finding{}
}

// endsDigits reports whether a number ends at text[end], and not a word with digits such as AHVN13.
func endsDigits(v view, end int) bool {
	i := end
	for i > v.floor && end-i < maxDigits && isDigit(v.text[i-1]) {
		i--
	}
	return i < end && !isAlpha(v.back(i, 1))
}

// validID finds an official number in the first groups of n.
func validID(v view, i int, n *number, last int) Finding {
	rules := idRules[n.shapes[last]]
	if len(rules) == 0 {
		return Finding{}
	}
	copied := n.digits // so that n need not leave the stack
	number, end := copied[:n.counts[last]], n.ends[last]
	if isUniform(number) {
		return Finding{}
	}
	var s setting
	asked := false
	for _, r := range rules {
		if weak := r.need == needKind || r.need == needCountry; weak && last < n.groups-1 || !r.valid(number) {
			continue // the beginning of a longer number, or none
		}
		if !asked {
			s, asked = v.settingOfGroups(i, n, last), true
		}
		if claimed := last == 0 && dated(number); r.expected(s, claimed) {
			return Finding{r.entity, i, end}
		}
	}
	return Finding{}
}

// settingOfGroups reads what surrounds the first groups of n.
func (v view) settingOfGroups(i int, n *number, last int) setting {
	s := v.settingOf(i, n.ends[last])
	switch {
	case n.joined(last):
		s.said &^= cueOther
	case inRow(v, i, n.ends[last]):
		s.said |= cueOther
	}
	return s
}

// joined reports whether the groups, of which there are several, have no spaces between them.
func (n *number) joined(last int) bool {
	space := shape(separatorCode[' '])
	for s := n.shapes[last]; s>>8 != 0; s >>= 8 {
		if s>>5&7 == space {
			return false
		}
	}
	return last > 0
}

// expected reports whether a number of this format may stand in such a setting: a named country decides, and
// without one what its check tells, unless it is claimed by formats whose check it fails.
func (r idRule) expected(s setting, claimed bool) bool {
	kind := s.said & personal
	if named := s.said.named() | s.said&r.country; named != 0 {
		return named&r.country != 0 && (kind == 0 || kind&r.called != 0 || r.need == needNothing)
	}
	other := kind == 0 && s.said&(cueOther|cuePhone) != 0
	switch r.need {
	case needNothing:
		return !other
	case needLanguage:
		return !other && (s.home == 0 || s.home&r.country != 0)
	case needCountry:
		return kind != 0 && s.home&r.country != 0
	case needKind:
		if s.home != 0 {
			return !other && s.home&r.country != 0
		}
		return kind&r.called != 0 && (!claimed || r.country&begunByBirth != 0)
	}
	return false
}

// begunByBirth are countries whose numbers with a weak check begin with a birthday themselves.
const begunByBirth = cueDK | cueCZ

// dated reports whether a number of ten, twelve or thirteen digits looks like one with a birthday of its holder, or like
// one of Switzerland: if it were one it would pass another check.
func dated(n []byte) bool {
	switch len(n) {
	case 10:
		return isDay(n[2:4], n[4:6]) || isDay(n[2:4], n[:2]) || isDay(n[6:8], n[4:6])
	case 12:
		return (string(n[:2]) == "19" || string(n[:2]) == "20") && isDay(n[4:6], n[6:8])
	case 13:
		return isDay(n[2:4], n[4:6]) || string(n[:3]) == "756"
	}
	return false
}
