package privacy_test

import (
	"math/big"
	"strconv"
	"strings"
)

// official is a number of a country: how it is written, what it is called, and when it is valid.
type official struct {
	country  string
	pictures string // as in chance.fill, separated by bars
	names    string
	valid    func(n []int) bool // of the digits, letters counting from ten
}

func officials() []official {
	return []official{
		{"Canada", "###-###-###|### ### ###|#########", "SIN|social insurance number", doubled},
		{"United Kingdom", "### ### ####|##########", "NHS number|NHS no", mod(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)},
		{"Germany", "## ### ### ###|###########", "Steuer-ID|IdNr|Steueridentifikationsnummer", german},
		{"France", "1YM##########|2 ## M ## ### ### ##", "NIR|numéro de sécurité sociale|numéro INSEE", french},
		{"Spain", "########A|########-A", "DNI|NIF", spanish},
		{"Italy", "AAAAAA##BDA###A", "codice fiscale|cod. fiscale", italian},
		{"Netherlands", "#########|####.##.###", "BSN|burgerservicenummer", mod(11, 9, 8, 7, 6, 5, 4, 3, 2, -1)},
		{"Belgium", "Y.M.D-###.##|YMD#####", "rijksregisternummer|INSZ|numéro national", belgian},
		{"Portugal", "#########|### ### ###", "NIF|contribuinte", portuguese},
		{"Portugal, card", "######## # AA#|#########AA#", "cartão de cidadão|citizen card number", cartao},
		{"Poland", "YMD#####", "PESEL|nr PESEL", mod(10, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)},
		{"Sweden", "YMD-####", "personnummer", doubled},
		{"Finland", "DMY-###A", "henkilötunnus|hetu", nil},
		{"Norway", "DMY#####|DMY #####", "fødselsnummer|fnr", norwegian},
		{"Denmark", "DMY-####", "CPR|CPR-nummer", mod(11, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)},
		{"Switzerland", "756.####.####.##|756##########", "AHV-Nummer|numéro AVS", mod(10, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1)},
		{"Austria", "#### DMY|####DMY", "SVNR|Versicherungsnummer", austrian},
		{"Brazil", "###.###.###-##|###########", "CPF", brazilian},
		{"India", "#### #### ####|############", "Aadhaar|Aadhaar number", dihedral},
		{"Australia", "### ### ###|#########", "TFN|tax file number", mod(11, 1, 4, 3, 7, 5, 8, 6, 9, 10)},
		{"Singapore", "S#######A|F#######A", "NRIC|FIN", singaporean},
		{"Korea", "YMD-1######|YMD-2######", "RRN|resident registration number|주민등록번호", korean},
		{"Japan", "#### #### ####|############", "My Number|マイナンバー", japanese},
		{"Turkey", "###########", "T.C. Kimlik No|TCKN", turkish},
		{"South Africa", "YMD####0##|YMD #### 1##", "South African ID|RSA ID", doubled},
		{"Thailand", "#-####-#####-##-#|#############", "Thai ID|เลขประจำตัวประชาชน", thai},
		{"Ireland", "#######A", "PPS number|PPSN", irish},
	}
}

// finnish needs its letter, which counts otherwise.
const finnish = "0123456789ABCDEFHJKLMNPRSTUVWXY"

// number makes a valid number; false when there is none.
func (o official) number(c chance) (string, bool) {
	for range 200_000 {
		s := c.fill(strings.ReplaceAll(c.pick(strings.Split(o.pictures, "|")...), "B", c.pick("C", "E", "T", "R")))
		if n := valuesOf(s); o.check(s, n) && plausible(n) {
			return s, true
		}
	}
	return "", false
}

// broken changes the last character of a number, which no check forgives.
func (c chance) broken(number string) string {
	last := number[len(number)-1]
	if last >= 'A' {
		return number[:len(number)-1] + string('A'+(last-'A'+1+byte(c.IntN(25)))%26)
	}
	return number[:len(number)-1] + string('0'+(last-'0'+1+byte(c.IntN(9)))%10)
}

func (o official) check(s string, n []int) bool {
	if o.valid != nil {
		return o.valid(n)
	}
	head, _ := strconv.Atoi(s[:6] + s[7:10])
	return finnish[head%31] == s[10]
}

// plausible refuses one digit over and over.
func plausible(n []int) bool { return n[0] != n[1] || n[1] != n[2] }

func valuesOf(s string) (n []int) {
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			n = append(n, int(r-'0'))
		case r >= 'A' && r <= 'Z':
			n = append(n, int(r-'A')+10)
		}
	}
	return n
}

func sum(n []int, weights ...int) (total int) {
	for i, w := range weights {
		total += n[i] * w
	}
	return total
}

func mod(m int, weights ...int) func([]int) bool {
	return func(n []int) bool { return len(n) == len(weights) && sum(n, weights...)%m == 0 }
}

func whole(n []int) int {
	total := 0
	for _, d := range n {
		total = total*10 + d
	}
	return total
}

// doubled is the formula of Luhn.
func doubled(n []int) bool {
	total := 0
	for i := range n {
		d := n[len(n)-1-i] * (1 + i%2)
		total += d/10 + d%10
	}
	return total%10 == 0 && n[0] != 8 && (len(n) != 13 || n[10] < 2)
}

func german(n []int) bool {
	times := map[int]int{}
	for _, d := range n[:10] {
		times[d]++
	}
	if len(times) != 9 && len(times) != 8 || n[0] == 0 {
		return false
	}
	for _, k := range times {
		if len(times) == 8 && k == 2 || k > 3 {
			return false
		}
	}
	p := 10
	for _, d := range n[:10] {
		s := (d + p) % 10
		if s == 0 {
			s = 10
		}
		p = 2 * s % 11
	}
	return (11-p)%10 == n[10]
}

func french(n []int) bool { return n[5] != 9 && 97-whole(n[:13])%97 == whole(n[13:]) }

func spanish(n []int) bool {
	return len(n) == 9 && n[8] >= 10 && "TRWAGMYFPDXBNJZSQVHLCKE"[whole(n[:8])%23] == byte('A'+n[8]-10)
}

func italian(n []int) bool {
	const odd = "\x01\x00\x05\x07\x09\x0d\x0f\x11\x13\x15\x02\x04\x12\x14\x0b\x03\x06\x08\x0c\x0e\x10\x0a\x16\x19\x18\x17"
	total := 0
	for i, d := range n[:15] {
		if d >= 10 {
			d -= 10
		}
		if i%2 == 0 {
			d = int(odd[d])
		}
		total += d
	}
	return len(n) == 16 && total%26 == n[15]-10
}

func belgian(n []int) bool { return 97-whole(n[:9])%97 == whole(n[9:]) }

func portuguese(n []int) bool {
	rest := sum(n, 9, 8, 7, 6, 5, 4, 3, 2) % 11
	check := 11 - rest
	if rest < 2 {
		check = 0
	}
	return n[8] == check && n[0] > 0
}

// cartao doubles every second value from the left, letters counting from ten.
func cartao(n []int) bool {
	total := 0
	for i, d := range n {
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		total += d
	}
	return len(n) == 12 && total%10 == 0
}

func norwegian(n []int) bool {
	return sum(n, 3, 7, 6, 1, 8, 9, 4, 5, 2, 1)%11 == 0 && sum(n, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)%11 == 0
}

func austrian(n []int) bool { return sum(n, 3, 7, 9, 0, 5, 8, 4, 2, 1, 6)%11 == n[3] && n[0] > 0 }

func brazilian(n []int) bool {
	return sum(n, 10, 9, 8, 7, 6, 5, 4, 3, 2)*10%11%10 == n[9] && sum(n, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)*10%11%10 == n[10]
}

// dihedral is the formula of Verhoeff, with the group computed instead of listed.
func dihedral(n []int) bool {
	times := func(a, b int) int {
		switch {
		case a < 5 && b < 5:
			return (a + b) % 5
		case a < 5:
			return 5 + (a+b)%5
		case b < 5:
			return 5 + (a-b+5)%5
		}
		return (a - b + 5) % 5
	}
	turned := []int{1, 5, 7, 6, 2, 8, 3, 0, 9, 4}
	check := 0
	for i := range n {
		d := n[len(n)-1-i]
		for range i % 8 {
			d = turned[d]
		}
		check = times(check, d)
	}
	return check == 0 && n[0] > 1
}

func singaporean(n []int) bool {
	total := sum(n[1:], 2, 7, 6, 5, 4, 3, 2)
	letters := "JZIHGFEDCBA"
	if n[0] == 'F'-'A'+10 {
		letters = "XWUTRQPNMLK"
	}
	return letters[total%11] == byte('A'+n[8]-10)
}

func korean(n []int) bool {
	return (11-sum(n, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)%11)%10 == n[12]
}

func japanese(n []int) bool {
	rest := sum(n, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2) % 11
	return rest < 2 && n[11] == 0 || rest >= 2 && n[11] == 11-rest
}

func turkish(n []int) bool {
	odd, even := n[0]+n[2]+n[4]+n[6]+n[8], n[1]+n[3]+n[5]+n[7]
	return n[0] > 0 && (odd*7-even+100)%10 == n[9] && (odd+even+n[9])%10 == n[10]
}

func thai(n []int) bool {
	return (11-sum(n, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11)%10 == n[12] && n[0] > 0
}

func irish(n []int) bool {
	return "WABCDEFGHIJKLMNOPQRSTUV"[sum(n, 8, 7, 6, 5, 4, 3, 2)%23] == byte('A'+n[7]-10)
}

// account makes an IBAN of a country from the picture of its account.
func (c chance) account(country, picture string) string {
	account := c.fill(picture)
	var digits strings.Builder
	for _, d := range valuesOf(account + country + "00") {
		digits.WriteString(strconv.Itoa(d))
	}
	number, _ := new(big.Int).SetString(digits.String(), 10)
	check := 98 - new(big.Int).Mod(number, big.NewInt(97)).Int64()
	return country + strconv.FormatInt(100+check, 10)[1:] + account
}

// card completes a prefix by the formula of Luhn.
func (c chance) card(prefix string, length int) string {
	for {
		s := prefix + c.fill(strings.Repeat("#", length-len(prefix)))
		total := 0
		for i := range len(s) {
			d := int(s[len(s)-1-i]-'0') * (1 + i%2)
			total += d/10 + d%10
		}
		if total%10 == 0 {
			return s
		}
	}
}

// inFours writes a number in groups of four.
func inFours(s, separator string) string {
	var groups []string
	for ; len(s) > 4; s = s[4:] {
		groups = append(groups, s[:4])
	}
	return strings.Join(append(groups, s), separator)
}
