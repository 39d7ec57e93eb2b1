package privacy

func isDigit(b byte) bool { return b-'0' <= 9 }
func isUpper(b byte) bool { return b-'A' <= 'Z'-'A' }
func isLower(b byte) bool { return b-'a' <= 'z'-'a' }
func isAlpha(b byte) bool { return b|0x20-'a' <= 'z'-'a' }
func isAlnum(b byte) bool { return isDigit(b) || isAlpha(b) }
func isHex(b byte) bool   { return isDigit(b) || b|0x20-'a' <= 'f'-'a' }
func isSpace(b byte) bool { return b == ' ' || b-'\t' <= '\r'-'\t' }

func lower(b byte) byte {
	if isUpper(b) {
		return b | 0x20
	}
	return b
}

// charset is a set of ASCII bytes.
type charset [256]bool

func setOf(member func(byte) bool, also string) charset {
	var set charset
	for b := range 128 {
		set[b] = member(byte(b))
	}
	for i := range len(also) {
		set[also[i]] = true
	}
	return set
}

// run returns the end of the members of set that start at text[i].
func (set *charset) run(text string, i int) int {
	for i < len(text) && set[text[i]] {
		i++
	}
	return i
}

var (
	digits    = setOf(isDigit, "")
	hexes     = setOf(isHex, "")
	words     = setOf(isAlnum, "")
	names     = setOf(isAlnum, "_")
	base64URL = setOf(isAlnum, "_-")
	upperNum  = setOf(func(b byte) bool { return isDigit(b) || isUpper(b) }, "")
)
