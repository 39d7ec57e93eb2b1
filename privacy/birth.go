package privacy

import "strings"

const minYear, maxYear = 1850, 2099

// birthDate finds a date beside a word for birth; other dates stay.
func birthDate(v view, i int, n *number) Finding {
	start, end := dateAt(v, i, n)
	if end == 0 || !v.endsWord(end) && v.text[end] != 'T' {
		return Finding{}
	}
	if (v.known.cue|v.cueBefore(start))&cueBirth == 0 {
		return Finding{}
	}
	return Finding{DOB, start, timeEnd(v, end)}
}

// timeEnd returns the end of the time behind a date that ends at text[end], as in 1985-03-12T10:30:00Z, or end.
func timeEnd(v view, end int) int {
	if v.next(end) != 'T' || !isDigit(v.next(end+1)) {
		return end
	}
	stop := timeChars.run(v.text[:min(len(v.text), end+maxTime)], end+1)
	if v.next(stop) == 'Z' {
		stop++
	}
	return stop
}

// maxTime is the length of a time with its zone, in bytes.
const maxTime = len("T10:30:00.000000000+01:00")

var timeChars = setOf(isDigit, ":.+")

// dateAt reads a date with a day, a month and a year whose first digits are at text[i]; the name of its
// month may stand in front of them.
func dateAt(v view, i int, n *number) (start, end int) {
	for g := min(n.groups, 3) - 1; g >= 0; g-- {
		if n.isDate(g) {
			return i, n.ends[g]
		}
	}
	if n.counts[0] > 4 {
		return 0, 0
	}
	if end := cjkDate(v.text, i, n.ends[0]); end > 0 {
		return i, end
	}
	if next := v.next(n.ends[0]); n.counts[0] > 2 || next != ' ' && next != '.' && next != ',' && next != '-' && next < 'a' {
		return 0, 0
	}
	return namedDate(v, i, n.ends[0])
}

// isDate reports whether the first groups are the numbers of a date, in an order of some country.
func (n *number) isDate(last int) bool {
	d := n.digits[:]
	switch {
	case last == 0:
		return n.counts[0] == 8 && isYear(d[:4]) && isDay(d[4:6], d[6:8])
	case last != 2 || n.shapes[2]>>5&7 != n.shapes[2]>>13&7 || n.shapes[2]>>5&7 > 4:
		return false
	}
	a, b, c := d[:n.counts[0]], d[n.counts[0]:n.counts[1]], d[n.counts[1]:n.counts[2]]
	if len(b) > 2 {
		return false
	}
	if len(a) == 4 {
		return len(c) <= 2 && isYear(a) && isDay(b, c)
	}
	return len(a) <= 2 && (len(c) == 2 || len(c) == 4 && isYear(c)) && (isDay(a, b) || isDay(b, a))
}

func isYear(digits []byte) bool {
	y := value(digits)
	return y >= minYear && y <= maxYear
}

// cjkDate reads 1985年3月12日 or its Korean form behind the digits of the year.
func cjkDate(text string, i, end int) int {
	if end-i != 4 {
		return 0
	}
	for _, marks := range [...][3]string{{"年", "月", "日"}, {"년", "월", "일"}} {
		p := end
		for k, m := range marks {
			if !strings.HasPrefix(text[p:], m) {
				break
			}
			p += len(m)
			if k == 2 {
				return p
			}
			if p < len(text) && text[p] == ' ' {
				p++
			}
			p = digits.run(text, p)
		}
	}
	return 0
}

// monthWords begin the names of months, with three letters at least.
const monthWords = "jan feb mar apr may jun jul aug sep oct nov dec mär maa mai mag mei maj okt ott out dez dic des déc fév fev avr abr " +
	"ago août aou ene gen giu gli lug set juin juil hel huh tou kes hei elo syy lok jou sty lut kwi cze lip sie wrz paź lis gru " +
	"oca şub mart nis haz tem ağu eyl eki kas ara янв фев мар апр мая июн июл авг сен окт ноя дек січ лют бер кві тра чер лип сер вер жов лис гру"

// months tells the names of months by the bytes with which they begin.
var months = monthIndex()

func monthIndex() map[string]bool {
	index := make(map[string]bool)
	for word := range strings.FieldsSeq(monthWords) {
		index[word] = true
	}
	return index
}

// isMonth reports whether a word names a month, or begins like one.
func isMonth(word string) bool {
	if len(word) < 3 || len(word) > 20 {
		return false
	}
	var space [8]byte
	n := 0
	for n < min(len(word), len(space)) {
		space[n] = lower(word[n])
		n++
	}
	for k := 3; k <= n; k++ {
		if months[string(space[:k])] {
			return true
		}
	}
	return false
}

// namedDate reads a date with the name of its month, in front of the day text[i:end] or behind it.
func namedDate(v view, i, end int) (start, stop int) {
	for _, ordinal := range [...]string{"st", "nd", "rd", "th", "er", "º", "."} {
		if strings.HasPrefix(v.text[end:], ordinal) {
			end += len(ordinal)
			break
		}
	}
	if from := monthBefore(v, i); from < i {
		year := end
		for year < min(end+2, len(v.text)) && (v.text[year] == ',' || v.text[year] == ' ') {
			year++
		}
		if stop := yearEnd(v, year); stop > 0 && year > end {
			return from, stop
		}
	}
	p := skipWords(v.text, end, "of de d'")
	month := nameEnd(v.text, p)
	if p == end || !isMonth(v.text[p:month]) {
		return 0, 0
	}
	if v.next(month) == '.' || v.next(month) == ',' {
		month++
	}
	if stop := yearEnd(v, skipWords(v.text, month, "of de del")); stop > 0 {
		return i, stop
	}
	return 0, 0
}

// monthBefore returns where the name of a month in front of text[i] starts, or i.
func monthBefore(v view, i int) int {
	end := i
	for end > v.floor && i-end < 2 && (v.text[end-1] == ' ' || v.text[end-1] == '.') {
		end--
	}
	start := end
	for start > v.floor && end-start < 20 && inCue(v.text[start-1]) {
		start--
	}
	if end == i || !isMonth(v.text[start:end]) {
		return i
	}
	return start
}

// nameEnd returns the end of the letters at text[i].
func nameEnd(text string, i int) int {
	for i < len(text) && inCue(text[i]) {
		i++
	}
	return i
}

// skipWords returns where the text goes on behind a space or hyphen, and one of a few small words.
func skipWords(text string, i int, small string) int {
	if i >= len(text) || text[i] != ' ' && text[i] != '-' {
		return i
	}
	i++
	for word := range strings.FieldsSeq(small) {
		if strings.HasPrefix(text[i:], word) && i+len(word) < len(text) && text[i+len(word)] == ' ' {
			return i + len(word) + 1
		}
	}
	return i
}

// yearEnd returns the end of the year at text[i], or 0.
func yearEnd(v view, i int) int {
	end := digits.run(v.text[:min(len(v.text), i+5)], min(i, len(v.text)))
	if end-i != 4 || !isYear([]byte(v.text[i:end])) {
		return 0
	}
	return end
}
