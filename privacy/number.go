package privacy

const (
	maxDigits = 24 // of a number, in all its groups
	maxGroups = 8
)

// shape says how the digits of a number are grouped: a byte for each group, the last one lowest, with
// how many digits it has and what stands before it.
type shape uint64

// separators may stand, one at a time, between the groups of a number; their place is their code.
const separators = " -./+"

// number is a stretch of digit groups; what a detector wants may be its first few groups.
type number struct {
	digits [maxDigits]byte
	groups int
	ends   [maxGroups]int   // where each group ends in the text
	counts [maxGroups]int   // digits up to there
	shapes [maxGroups]shape // shape up to there
}

// readNumber reads the groups of digits that start at text[i], which is a digit.
func readNumber(v view, i int) (n number) {
	count, sofar, separator := 0, shape(0), byte(0)
	for p := i; n.groups < maxGroups; n.groups++ {
		end := digits.run(v.text, p)
		if count+end-p > maxDigits {
			break
		}
		count += copy(n.digits[count:], v.text[p:end])
		sofar = sofar<<8 | shape(separator)<<5 | shape(end-p)
		n.ends[n.groups], n.counts[n.groups], n.shapes[n.groups] = end, count, sofar
		if separator = separatorCode[v.next(end)]; separator == 0 || !isDigit(v.next(end+1)) {
			n.groups++
			break
		}
		p = end + 1
	}
	return n
}

var separatorCode = separatorCodes()

func separatorCodes() (codes [256]byte) {
	for i := range len(separators) {
		codes[separators[i]] = byte(i + 1)
	}
	return codes
}

// shapeOf reads a shape from its picture, such as "ddd-dd-dddd".
func shapeOf(picture string) (s shape) {
	separator, n := byte(0), 0
	for i := range len(picture) {
		if code := separatorCode[picture[i]]; code != 0 {
			s = s<<8 | shape(separator)<<5 | shape(n)
			separator, n = code, 0
			continue
		}
		n++
	}
	return s<<8 | shape(separator)<<5 | shape(n)
}

// inRow reports whether the number at text[i:end] stands among others, as in a matrix.
func inRow(v view, i, end int) bool {
	last := v.back(i, 2)
	before := v.back(i, 1) == ' ' && (isDigit(last) || last == ',' && isDigit(v.back(i, 3)) || endsPair(v, i-1) && endsPair(v, i-4))
	return before || (v.next(end) == ' ' || v.next(end) == ',') && isHex(v.next(end+1)) && startsGroup(v, end+1)
}

// endsPair reports whether two hexadecimal digits that stand alone end at text[end], as in a dump; alone they may be
// a word, such as be or de.
func endsPair(v view, end int) bool {
	return isHex(v.back(end, 1)) && isHex(v.back(end, 2)) && !isAlnum(v.back(end, 3))
}

// startsGroup reports whether a number starts at text[i], or hexadecimal digits stand there in pairs.
func startsGroup(v view, i int) bool {
	return isDigit(v.next(i)) || startsPair(v, i) && startsPair(v, i+3)
}

func startsPair(v view, i int) bool {
	return isHex(v.next(i)) && isHex(v.next(i+1)) && !isAlnum(v.next(i+2))
}
