package privacy

import "strings"

// idFormat is an official number of a country that consists of digits. A picture with an exclamation
// mark is found anywhere, one with a question mark beside a cue for its country, the others beside any cue
// for such numbers; an underscore stands for a space.
type idFormat struct {
	country  cue
	entity   Entity
	pictures string
	valid    func(number []byte) bool
}

var idFormats = [...]idFormat{
	{cueUS, SSN, "!ddd-dd-dddd ddd_dd_dddd ddd.dd.dddd ?ddddddddd", isSSN},
	{cueCA, NationalID, "!ddd-ddd-ddd ddd_ddd_ddd ddddddddd", isSIN},
	{cueUK, NationalID, "ddd_ddd_dddd ddd-ddd-dddd dddddddddd", isNHS},
	{cueDE, NationalID, "!ddddddddddd !dd_ddd_ddd_ddd dd/ddd/ddd/ddd", isSteuerID},
	{cueFR, NationalID, "!ddddddddddddddd !d_dd_dd_dd_ddd_ddd_dd !ddddddddddddd_dd !d-dd-dd-dd-ddd-ddd-dd", isNIR},
	{cueNL, NationalID, "ddddddddd dddd.dd.ddd ddd.ddd.ddd ddd_ddd_ddd dddd_dd_ddd", isBSN},
	{cueBE, NationalID, "!dd.dd.dd-ddd.dd !ddddddddddd !dd_dd_dd_ddd_dd !dd.dd.dd_ddd.dd !dd.dd.dd.ddd.dd !dddddd-ddd-dd !dddddd_ddd_dd " +
		"!dddddd-ddd.dd", isRijksregister},
	{cuePT, NationalID, "ddddddddd ddd_ddd_ddd", isNIF},
	{cuePL, NationalID, "!ddddddddddd", isPESEL},
	{cuePL, NationalID, "!ddd-ddd-dd-dd !ddd-dd-dd-ddd ?dddddddddd", isNIP},
	{cueSE, NationalID, "!dddddd-dddd !dddddd+dddd !dddddddd-dddd dddddddddd dddddddddddd", isPersonnummer},
	{cueSE, NationalID, "!dddddddddddd", isLongPersonnummer},
	{cueNO, NationalID, "!ddddddddddd !dddddd_ddddd !dddddd-ddddd", isFodselsnummer},
	{cueDK, NationalID, "!dddddd-dddd dddddddddd dddddd_dddd", isCPR},
	{cueDK, NationalID, "?dddddd-dddd ?dddddddddd ?dddddd_dddd", isLateCPR},
	{cueCH, NationalID, "!ddd.dddd.dddd.dd !ddddddddddddd !ddd_dddd_dddd_dd !ddd-dddd-dddd-dd", isAHV},
	{cueAT, NationalID, "!dddddddddd !dddd_dddddd !dddd-dddddd !dddd_dd_dd_dd", isSVNR},
	{cueBR, NationalID, "!ddd.ddd.ddd-dd !ddddddddddd !ddd.ddd.ddd.dd !ddd_ddd_ddd_dd !ddddddddd-dd", isCPF},
	{cueIN, NationalID, "!dddd_dddd_dddd !dddd-dddd-dddd dddddddddddd", isAadhaar},
	{cueAU, NationalID, "ddd_ddd_ddd ddd-ddd-ddd ddddddddd", isTFN},
	{cueAU, NationalID, "!dddd_ddddd_d ?dddddddddd dddd-ddddd-d ?ddddddddddd", isMedicare},
	{cueAU, NationalID, "?dd_ddd_ddd_ddd ?ddddddddddd", isABN},
	{cueKR, NationalID, "!dddddd-ddddddd ddddddddddddd", isRRN},
	{cueJP, NationalID, "dddddddddddd dddd_dddd_dddd dddd-dddd-dddd", isMyNumber},
	{cueTR, NationalID, "!ddddddddddd", isKimlik},
	{cueZA, NationalID, "!ddddddddddddd !dddddd_dddd_ddd !dddddd_dddd_dd_d !dddddd-dddd-ddd", isSouthAfrican},
	{cueTH, NationalID, "!d-dddd-ddddd-dd-d !d_dddd_ddddd_dd_d ddddddddddddd", isThai},
	{cueCZ, NationalID, "!dddddd/dddd dddddddddd", isRodne},
	{cueCN, NationalID, "!dddddddddddddddddd", isChinese},
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
			said, asked = v.cueAround(i, n.ends[g]), true
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
	switch {
	case said&countries != 0:
		return said&r.country != 0
	case said&cuePersonal != 0:
		return !r.named
	}
	return r.alone && said&(cueOther|cuePhone) == 0
}
