package privacy

import "strings"

// codeFormat is an official number of a country with letters in it: in a picture, 9 is a digit, A a
// letter and X either; an exclamation mark says that it is found anywhere, in capitals, and an underscore
// is a space.
type codeFormat struct {
	country  cue
	pictures string
	valid    func(code []byte) bool
}

var codeFormats = [...]codeFormat{
	{cueES, "!99999999A !99999999-A !99.999.999-A !99999999_A", isDNI},
	{cueES, "!A9999999A !A-9999999-A !A-9999999A !A9999999-A !A_9999999_A", isNIE},
	{cueIE, "!9999999A !9999999AA 9999999_A 9999999_AA", isPPS},
	{cueIT, "!AAAAAA9XA9XA9XXXA !AAAAAAXXAXXAXXXA !AAA_AAA_XXAXX_AXXXA", isCodiceFiscale},
	{cuePT, "!999999999AX9 !99999999_9_AX9 !99999999-9-AX9 !999999999_AX9 !99999999_9AX9", isCartao},
	{cuePL, "AAA999999 AAA_999999", isDowod},
	{cueSG, "!A9999999A", isNRIC},
	{cueFI, "!999999-999X !999999+999X !999999A999X", isHetu},
	{cueUK, "AA999999A !AA_99_99_99_A AA_999999_A AA-99-99-99-A", isNINO},
	{cueIN, "AAAAA9999A", isPAN},
	{cueDE, "!99999999A999 !99_999999_A_999 !99999999_A_999", isPensionNumber},
	{cueDE, "AXXXXXXXX9", isIDCard},
	{cueFR, "!99999XA99999999 !9_99_99_9A_999_999_99", isCorsican},
	{cueCN, "!99999999999999999A", isChineseX},
	{cueMX, "!AAAA999999AAAAAAX9", isCURP},
	{cueCL, "!99.999.999-A 99999999-A", isChileanK},
	{cuePassport, "A99999999 AA9999999 A9999999 999999999 AAA999999 AA999999 99AA99999 A99A99999 99999999 99999999A A999999", isAny},
}

// codeRule is one picture of a format.
type codeRule struct {
	*codeFormat
	picture string
	alone   bool
}

// codeRules are the pictures by how many digits and letters stand together at their beginning, and by
// whether a letter is the first.
var codeRules = codeRuleIndex()

const maxCode = 18

func codeRuleIndex() (index [2][maxCode + 1][]codeRule) {
	for i := range codeFormats {
		f := &codeFormats[i]
		for picture := range strings.FieldsSeq(f.pictures) {
			picture, alone := strings.CutPrefix(picture, "!")
			picture = strings.ReplaceAll(picture, "_", " ")
			first := 0
			if picture[0] == 'A' {
				first = 1
			}
			n := words.run(picture, 0)
			index[first][n] = append(index[first][n], codeRule{f, picture, alone})
		}
	}
	return index
}

// idCode finds an official number with letters whose first word is text[i:end].
func idCode(v view, i, end int) Finding {
	n := end - i
	if n > maxCode {
		return Finding{}
	}
	first := 0
	if isAlpha(v.text[i]) {
		first = 1
	}
	rules := codeRules[first][n]
	if len(rules) == 0 || first == 1 && !mayBeCode(v, i, end) || !startsNumber(v, i) {
		return Finding{}
	}
	for _, r := range rules {
		if stop := r.match(v, i); stop > 0 {
			return Finding{NationalID, i, stop}
		}
	}
	return Finding{}
}

// mayBeCode refuses most words: a code of one word has a digit near its end, else digits stand behind it.
func mayBeCode(v view, i, end int) bool {
	if end-i <= 3 && !isDigit(v.text[end-1]) {
		next := v.next(end + 1)
		return isDigit(next) || end-i == 3 && isAlpha(next) && v.next(end) == ' ' && isAlnum(v.next(end+3)) && v.next(end+4) == ' '
	}
	return end-i <= 3 || isDigit(v.text[end-1]) || isDigit(v.text[end-2])
}

// match returns the end of a valid code at text[i], or 0.
func (r codeRule) match(v view, i int) int {
	end := i + len(r.picture)
	if end > len(v.text) {
		return 0
	}
	for k := range len(r.picture) {
		if !depicts(r.picture[k], v.text[i+k]) {
			return 0
		}
	}
	code, small := bareCode(v.text[i:end])
	if !endsNumber(v, end) || !r.valid(code) {
		return 0
	}
	said := v.cueAround(i, end).spoken()
	if said&personal != 0 {
		said = v.settingOf(i, end).said
	}
	named := said.named() != 0
	if said&countries&r.country != 0 || said&cuePassport != 0 && r.country == cuePassport {
		return end
	}
	generic := said&personal != 0 && r.country != cuePassport
	if !named && (generic || r.alone && !small && said&cueOther == 0) {
		return end
	}
	return 0
}

// bareCode returns the digits and letters of a code, in capitals, and whether it has small ones.
func bareCode(text string) (code []byte, small bool) {
	code = make([]byte, 0, maxCode)
	for i := range len(text) {
		if b := text[i]; isAlnum(b) {
			small = small || isLower(b)
			code = append(code, b&^(b>>1&0x20))
		}
	}
	return code, small
}

// depicts reports whether a character of a picture stands for a byte.
func depicts(picture, b byte) bool {
	switch picture {
	case '9':
		return isDigit(b)
	case 'A':
		return isAlpha(b)
	case 'X':
		return isAlnum(b)
	}
	return picture == b
}

func isAny([]byte) bool { return true }

const dniLetters = "TRWAGMYFPDXBNJZSQVHLCKE"

func isDNI(c []byte) bool { return dniLetters[value(c[:8])%23] == c[8] }

func isNIE(c []byte) bool {
	return c[0] >= 'X' && c[0] <= 'Z' && dniLetters[(int(c[0]-'X')*10_000_000+value(c[1:8]))%23] == c[8]
}

func isPPS(c []byte) bool {
	sum := weighed(c, "8765432")
	if len(c) == 9 && c[8] != 'W' {
		if c[8] > 'I' {
			return false
		}
		sum += 9 * int(c[8]-'A'+1)
	}
	return "WABCDEFGHIJKLMNOPQRSTUV"[sum%23] == c[7]
}

// odd holds what the characters of an Italian tax code count at odd places, digits and letters alike.
var odd = [...]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23}

func isCodiceFiscale(c []byte) bool {
	const months, replaced = "ABCDEHLMPRST", "0123456789LMNPQRSTUV"
	for _, at := range [...]int{6, 7, 9, 10, 12, 13, 14} {
		if strings.IndexByte(replaced, c[at]) < 0 {
			return false
		}
	}
	sum := 0
	for i, b := range c[:15] {
		n := int(b - 'A')
		if isDigit(b) {
			n = int(b - '0')
		}
		if i%2 == 0 {
			n = odd[n]
		}
		sum += n
	}
	return strings.IndexByte(months, c[8]) >= 0 && byte(sum%26)+'A' == c[15]
}

// isCartao is the check of Portuguese citizen cards: that of Luhn, in which letters count from ten.
func isCartao(c []byte) bool {
	sum := 0
	for i, b := range c {
		n := letterValue(b)
		if i%2 == 0 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}

// letterValue counts letters from ten.
func letterValue(b byte) int {
	if isDigit(b) {
		return int(b - '0')
	}
	return int(b-'A') + 10
}

// isDowod is the check of Polish identity cards.
func isDowod(c []byte) bool {
	sum := 0
	for i, w := range [...]int{7, 3, 1, 9, 7, 3, 1, 7, 3} {
		sum += w * letterValue(c[i])
	}
	return sum%10 == 0
}

func isNRIC(c []byte) bool {
	sum := weighed(c[1:], "2765432")
	switch c[0] {
	case 'S':
		return "JZIHGFEDCBA"[sum%11] == c[8]
	case 'T':
		return "JZIHGFEDCBA"[(sum+4)%11] == c[8]
	case 'F':
		return "XWUTRQPNMLK"[sum%11] == c[8]
	case 'G':
		return "XWUTRQPNMLK"[(sum+4)%11] == c[8]
	case 'M':
		return "KLJNPQRTUWX"[10-(sum+3)%11] == c[8]
	}
	return false
}

func isHetu(c []byte) bool {
	tail := c[len(c)-4:]
	if !isDay(c[2:4], c[:2]) || len(c) == 11 && strings.IndexByte("ABCDEFUVWXY", c[6]) < 0 {
		return false
	}
	return "0123456789ABCDEFHJKLMNPRSTUVWXY"[(value(c[:6])*1000+value(tail[:3]))%31] == tail[3]
}

// isNINO knows the letters that British insurance numbers do not use; they have no check.
func isNINO(c []byte) bool {
	if strings.IndexByte("DFIQUV", c[0]) >= 0 || strings.IndexByte("DFIOQUV", c[1]) >= 0 || c[8] > 'D' {
		return false
	}
	switch string(c[:2]) {
	case "BG", "GB", "KN", "NK", "NT", "TN", "ZZ":
		return false
	}
	return true
}

func isPAN(c []byte) bool { return strings.IndexByte("ABCFGHJLPT", c[3]) >= 0 }

// isPensionNumber adds the digits of the products; the letter counts as two digits.
func isPensionNumber(c []byte) bool {
	var n [12]byte
	letter := c[8] - 'A' + 1
	copy(n[:8], c[:8])
	n[8], n[9] = '0'+letter/10, '0'+letter%10
	copy(n[10:], c[9:11])
	sum := 0
	for i, w := range "212571212121" {
		p := int(n[i]-'0') * int(w-'0')
		sum += p/10 + p%10
	}
	day := value(c[2:4])
	return day >= 1 && day <= 81 && value(c[4:6]) <= 12 && sum%10 == int(c[11]-'0')
}

func isIDCard(c []byte) bool {
	sum := 0
	for i, b := range c[:9] {
		sum += letterValue(b) * [...]int{7, 3, 1}[i%3]
	}
	return sum%10 == int(c[9]-'0')
}

// isCorsican is the French number of who was born in the departments 2A and 2B.
func isCorsican(c []byte) bool {
	n := [15]byte(c)
	if c[5] != '2' || c[6] != 'A' && c[6] != 'B' {
		return false
	}
	n[5], n[6] = '1', '9'
	if c[6] == 'B' {
		n[6] = '8'
	}
	return isNIR(n[:])
}

func isChineseX(c []byte) bool {
	return c[17] == 'X' && isDay(c[10:12], c[12:14]) && chineseCheck(c) == 'X'
}
