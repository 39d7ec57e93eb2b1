package privacy

import "strings"

// idFormat is an official number of a country that consists of digits. How much its check tells decides
// what has to stand beside it: a picture with an exclamation mark is found anywhere, because few other
// numbers have this shape and pass; one with a question mark beside a cue for its country, because its check
// is weak or may be missing; the others beside a cue for the kind of number that they are called by as well.
// An underscore stands for a space.
type idFormat struct {
	country  cue
	called   cue
	entity   Entity
	pictures string
	valid    func(number []byte) bool
}

var idFormats = [...]idFormat{
	{cueUS, cueSocial, SSN, "!ddd-dd-dddd ddd_dd_dddd ddd.dd.dddd ?ddddddddd", isSSN},
	{cueCA, cueSocial, NationalID, "!ddd-ddd-ddd ddd_ddd_ddd ddddddddd", isSIN},
	{cueCA, cueSocial, NationalID, "?ddd-ddd-ddd ?ddd_ddd_ddd ?ddddddddd", luhn},
	{cueUK, cueHealth, NationalID, "ddd_ddd_dddd ddd-ddd-dddd dddddddddd", isNHS},
	{cueDE, cueTax, NationalID, "!ddddddddddd !dd_ddd_ddd_ddd dd/ddd/ddd/ddd", isSteuerID},
	{cueDE, cueTax, NationalID, "?ddddddddddd ?dd_ddd_ddd_ddd", hybrid},
	{cueFR, cueSocial, NationalID, "!ddddddddddddddd !d_dd_dd_dd_ddd_ddd_dd !ddddddddddddd_dd !d-dd-dd-dd-ddd-ddd-dd", isNIR},
	{cueNL, cueIdentity | cueSocial, NationalID, "ddddddddd !dddd.dd.ddd ddd.ddd.ddd ddd_ddd_ddd dddd_dd_ddd", isBSN},
	{cueBE, personal, NationalID, "!dd.dd.dd-ddd.dd !ddddddddddd !dd_dd_dd_ddd_dd !dd.dd.dd_ddd.dd !dd.dd.dd.ddd.dd !dddddd-ddd-dd " +
		"!dddddd_ddd_dd !dddddd-ddd.dd", isRijksregister},
	{cuePT, cueTax, NationalID, "ddddddddd ddd_ddd_ddd", isNIF},
	{cuePL, personal, NationalID, "!ddddddddddd", isPESEL},
	{cuePL, cueTax, NationalID, "!ddd-ddd-dd-dd !ddd-dd-dd-ddd dddddddddd", isNIP},
	{cueSE, personal, NationalID, "!dddddd-dddd !dddddd+dddd !dddddddd-dddd dddddddddd dddddddddddd", isPersonnummer},
	{cueSE, personal, NationalID, "!dddddddddddd", isLongPersonnummer},
	{cueNO, personal, NationalID, "!ddddddddddd !dddddd_ddddd !dddddd-ddddd", isFodselsnummer},
	{cueDK, personal, NationalID, "!dddddd-dddd dddddddddd dddddd_dddd", isCPR},
	{cueDK, personal, NationalID, "?dddddd-dddd ?dddddddddd ?dddddd_dddd", isLateCPR},
	{cueCH, personal, NationalID, "!ddd.dddd.dddd.dd !ddddddddddddd !ddd_dddd_dddd_dd !ddd-dddd-dddd-dd", isAHV},
	{cueAT, personal, NationalID, "!dddddddddd !dddd_dddddd !dddd-dddddd !dddd_dd_dd_dd", isSVNR},
	{cueAT, personal, NationalID, "?dddddddddd ?dddd_dddddd", hasSVNRCheck},
	{cueBR, personal, NationalID, "!ddd.ddd.ddd-dd !ddddddddddd !ddd.ddd.ddd.dd !ddd_ddd_ddd_dd !ddddddddd-dd", isCPF},
	{cueIN, cueIdentity, NationalID, "!dddd_dddd_dddd !dddd-dddd-dddd dddddddddddd", isAadhaar},
	{cueAU, cueTax, NationalID, "ddd_ddd_ddd ddd-ddd-ddd ddddddddd", isTFN},
	{cueAU, cueHealth, NationalID, "!dddd_ddddd_d dddddddddd dddd-ddddd-d ?ddddddddddd", isMedicare},
	{cueAU, cueTax, NationalID, "?dd_ddd_ddd_ddd ?ddddddddddd", isABN},
	{cueKR, personal, NationalID, "!dddddd-ddddddd ddddddddddddd", isRRN},
	{cueKR, personal, NationalID, "?dddddd-ddddddd ?ddddddddddddd", hasRRNCheck},
	{cueJP, cueTax | cueSocial, NationalID, "dddddddddddd dddd_dddd_dddd dddd-dddd-dddd", isMyNumber},
	{cueTR, personal, NationalID, "!ddddddddddd", isKimlik},
	{cueZA, personal, NationalID, "!ddddddddddddd !dddddd_dddd_ddd !dddddd_dddd_dd_d !dddddd-dddd-ddd", isSouthAfrican},
	{cueTH, cueTax, NationalID, "!d-dddd-ddddd-dd-d !d_dddd_ddddd_dd_d ddddddddddddd", isThai},
	{cueCZ, personal, NationalID, "!dddddd/dddd dddddddddd", isRodne},
	{cueCN, personal, NationalID, "!dddddddddddddddddd", isChinese},
}

// idRule is one picture of a format.
type idRule struct {
	*idFormat
	alone bool // needs no cue
	named bool // needs a cue for its country
}

var idRules = idRuleIndex()

func idRuleIndex() map[shape][]idRule {
	index := make(map[shape][]idRule)
	for i := range idFormats {
		f := &idFormats[i]
		for picture := range strings.FieldsSeq(f.pictures) {
			picture, alone := strings.CutPrefix(picture, "!")
			picture, named := strings.CutPrefix(picture, "?")
			s := shapeOf(strings.ReplaceAll(picture, "_", " "))
			index[s] = append(index[s], idRule{f, alone, named})
		}
	}
	return index
}

const minID, maxID = 9, 18 // digits

// nationalID finds an official number at text[i], whose groups n holds: the longest one that is valid.
func nationalID(v view, i int, n *number) Finding {
	if v.back(i, 1) == ' ' && isDigit(v.back(i, 2)) {
		return Finding{} // the rest of a longer number
	}
	var said cue
	asked := false
	for g := n.groups - 1; g >= 0 && n.counts[g] >= minID; g-- {
		rules := idRules[n.shapes[g]]
		if len(rules) == 0 || n.counts[g] > maxID || !endsNumber(v, n.ends[g]) {
			continue
		}
		if !asked {
			said, asked = v.officialAround(i, n.ends[g]), true
			if inRow(v, i, n.ends[g]) {
				said |= cueOther
			}
			if n.joined(g) {
				said &^= cueOther
			}
		}
		copied := n.digits // so that n need not leave the stack
		number := copied[:n.counts[g]]
		for _, r := range rules {
			if r.expected(said) && !isUniform(number) && r.valid(number) {
				return Finding{r.entity, i, n.ends[g]}
			}
		}
	}
	return Finding{}
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

// expected reports whether a number of this format may stand beside such cues: a named country decides.
func (r idRule) expected(said cue) bool {
	generic := said & personal
	switch {
	case said&r.country != 0:
		return true
	case said.named() != 0:
		return false
	case generic != 0:
		return !r.named && (r.alone || r.called&generic != 0)
	}
	return r.alone && said&(cueOther|cuePhone) == 0
}
