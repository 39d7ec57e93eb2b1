package privacy

import "strings"

// forms are pictures of telephone numbers by their shape: d stands for any digit, e for one but zero, n for one
// from 2, h for one from 5, and other digits for themselves; an underscore stands for a space.
type forms map[shape][]string

func formsOf(pictures string) forms {
	index := make(forms)
	for picture := range strings.FieldsSeq(pictures) {
		picture = strings.ReplaceAll(picture, "_", " ")
		s := shapeOf(picture)
		index[s] = append(index[s], picture)
	}
	return index
}

// has reports whether one of the forms depicts the first groups of a number.
func (f forms) has(n *number, last int) bool {
	for _, picture := range f[n.shapes[last]] {
		if depictsDigits(picture, n.digits[:n.counts[last]]) {
			return true
		}
	}
	return false
}

func depictsDigits(picture string, digits []byte) bool {
	at := 0
	for i := range len(picture) {
		if separatorCode[picture[i]] > 0 {
			continue
		}
		if digits[at] < leastOf(picture[i]) || isDigit(picture[i]) && digits[at] != picture[i] {
			return false
		}
		at++
	}
	return true
}

// leastOf is the smallest digit that a letter of a picture stands for.
func leastOf(letter byte) byte {
	switch letter {
	case 'e':
		return '1'
	case 'n':
		return '2'
	case 'h':
		return '5'
	}
	return '0'
}

// usualPhones are written in forms that hardly anything else has.
var usualPhones = formsOf("edd-ddd-dddd 0ed-ddd-dddd edd.ddd.dddd 0ed.ddd.dddd ndd_ndd_dddd ddd_ddd-dddd ddd-dddd-dddd 1ed_dddd_dddd " +
	"1-ndd-ndd-dddd 1.ndd.ndd.dddd 1_ndd_ndd_dddd 1_ndd-ndd-dddd 1-ndd-ndd_dddd 001-ddd-ddd-dddd 001.ddd.ddd.dddd " +
	"8-ddd-ddd-dd-dd 8_ddd_ddd-dd-dd 8_ddd_ddd_dd_dd 8_edd_dd_ddd 8-edd-dd_ddd 8_e_ddd_dddd dd-ddd-dd-dd dd_ddd-dd-dd " +
	"dd_ddddd-dddd 0_8dd_ddd_ddd 0_edd_ddd_dd_dd 0_edd_dd_ddd 08ed_dddd_dddd 08ed-dddd-dddd 015d_dddd_dddd 016d_dddd_dddd 017d_dddd_dddd")

// rarePhones are forms in which things are numbered too.
var rarePhones = formsOf("ee_dddd-dddd ee-dddd-dddd dd_9dddd_dddd hddd-ddd-ddd 1300_ddd_ddd 1800_ddd_ddd 06_e_ddd_dddd 06-e-ddd-dddd ndd_ddd_dd_dd")

// namedPhones are forms of countries where numbers begin with no zero; other numbers have them too, though
// hardly within a sentence, or alone in a line or a cell.
var namedPhones = formsOf("ndd_dd_dd_dd edd_dd_ddd ee_ddd_dd_dd nd_ddd_dddd nd_dddd_dddd ndd_edd_dddd n_dddd_dddd hdd-ddd-ddd 0_nddd_dddd")

// sayablePhones are forms that amounts, ranges and measures have as well.
var sayablePhones = formsOf("nd_dd_dd_dd nd_ddd_ddd hdd_ddd_ddd hdddd_ddddd nddd_dddd nddd-dddd ndd_ddddddd ndd-ddddddd hdd_dddd")

// perhaps reports whether the first groups, text[i:end], have such a form and stand where people write numbers
// that somebody dials.
func (n *number) perhaps(v view, i, end, last int) bool {
	if n.isRound(last) || n.isSpan(last) {
		return false
	}
	switch {
	case namedPhones.has(n, last):
		return !numbersThing(v, i) && (inSentence(v, i, end) || alone(v, i, end))
	case !sayablePhones.has(n, last) || !inSentence(v, i, end) || numbersThing(v, i):
		return false
	}
	text := v.back(i, 1) == '"' && v.next(end) == '"' // amounts are no strings
	return n.shapes[last] != threes || text || n.digits[0] > '5' && homeOf(v.around(i, end)) != 0
}

// threes is a shape in which English texts have other numbers of people, and large amounts.
var threes = shapeOf("999 999 999")

// isSpan reports whether the first groups are two that may be the ends of a range, or years.
func (n *number) isSpan(last int) bool {
	if last != 1 || n.counts[0]*2 != n.counts[1] {
		return false
	}
	from, to := n.digits[:n.counts[0]], n.digits[n.counts[0]:n.counts[1]]
	ranges := n.shapes[1]>>5&7 == shape(separatorCode['-']) && string(from) < string(to)
	return ranges || len(from) == len("1999") && isYear(from) && isYear(to)
}

// isRound reports whether the first groups end as large amounts do.
func (n *number) isRound(last int) bool {
	const thousands = "000"
	count := n.counts[last]
	return last > 0 && n.ends[last]-n.ends[last-1] == len(" 000") && string(n.digits[count-len(thousands):count]) == thousands
}

// alone reports whether text[i:end] fills a line or a cell, with a mark of a list in front of it perhaps.
func alone(v view, i, end int) bool {
	if next := v.next(end); next != 0 && strings.IndexByte("\n\r\t;|]<", next) < 0 && (next != ' ' || v.next(end+1) != '|') &&
		(next != '\\' || !isEscape(v.next(end+1))) {
		return false
	}
	before := v.back(i, 1)
	if v.escaped(i - 1) {
		return true
	}
	if v.next(end) == '\n' && !dialledAt(v, end+1) || before == '\n' && !dialledAt(v, lineBefore(v, i)) {
		return false // a matrix
	}
	if before == ' ' {
		mark := v.back(i, 2)
		return mark == '|' || strings.IndexByte("->*+", mark) >= 0 && (v.back(i, 3) == 0 || v.back(i, 3) == '\n')
	}
	return before == 0 || strings.IndexByte("\n\t;|[>=", before) >= 0
}

// dialledAt reports whether no number starts at text[i], or one that may be for a telephone.
func dialledAt(v view, i int) bool {
	if !isDigit(v.next(i)) {
		return true
	}
	n := readNumber(v, i)
	return namedPhones.has(&n, n.groups-1) || n.usual(n.groups-1) || rarePhones.has(&n, n.groups-1) || n.trunk(n.groups-1)
}

// lineBefore returns where the line begins in front of the one that starts at text[i].
func lineBefore(v view, i int) int {
	from := max(v.floor, i-1-headReach)
	return from + strings.LastIndexByte(v.text[from:i-1], '\n') + 1
}

// officialShapes are those of official numbers, and of hardly any phone.
var officialShapes = shapesOf("ddd-dd-dddd ddd_dd_dddd ddd.ddd.ddd-dd ddd_ddd_ddd_dd ddd.ddd.ddd.dd dddd.dd.ddd dddd_dd_ddd dd.dd.dd-ddd.dd " +
	"dd_dd_dd_ddd_dd ddd.dddd.dddd.dd ddd_dddd_dddd_dd d-dddd-ddddd-dd-d d_dddd_ddddd_dd_d dddddd-dddd dddddd_ddddd dddddd-ddddddd " +
	"dddddd_dddd_ddd dddddd_dddd_dd_d dddd_dddd_dddd dddd-dddd-dddd dd/dddddddd/dd ddddddddd-dd")

func shapesOf(pictures string) map[shape]bool {
	index := make(map[shape]bool)
	for picture := range strings.FieldsSeq(pictures) {
		index[shapeOf(strings.ReplaceAll(picture, "_", " "))] = true
	}
	return index
}

// isOfficial reports whether the first groups have the shape of an official number.
func (n *number) isOfficial(last int) bool { return officialShapes[n.shapes[last]] }

// usual reports whether the first groups are written as numbers of some country are, and hardly anything else.
func (n *number) usual(last int) bool { return usualPhones.has(n, last) }

// rare reports whether the first groups, text[i:end], have a form of telephones in which nothing is numbered here.
func (n *number) rare(v view, i, end, last int) bool {
	return rarePhones.has(n, last) && !n.isMadeUp(last) && !numbersThing(v, i) && !countsThings(v, i, end)
}
