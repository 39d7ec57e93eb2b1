package privacy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// cardWith completes a prefix to a number of n digits with a valid check digit.
func cardWith(rnd *rand.Rand, prefix string, n int) string {
	for len(prefix) < n-1 {
		prefix += fmt.Sprint(rnd.IntN(10))
	}
	for check := range 10 {
		if number := prefix + fmt.Sprint(check); luhn([]byte(number)) {
			return number
		}
	}
	panic("no check digit")
}

func TestCardsOfEveryIssuerAreFound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for prefix, lengths := range map[string][]int{"4": {13, 16, 19}, "51": {16}, "55": {16}, "2221": {16}, "2720": {16}, "34": {15},
		"37": {15}, "300": {14}, "3095": {14}, "36": {14, 16}, "38": {14}, "3528": {16, 19}, "3589": {16}, "6011": {16, 19},
		"644": {16}, "65": {16}, "62": {16, 19}, "81": {16}, "2200": {16}, "2204": {19}, "9792": {16}, "50": {12, 19}, "67": {12, 13, 16}} {
		for _, n := range lengths {
			for range 20 {
				number := cardWith(rnd, prefix, n)
				if got := found("(" + number + ")"); got != "CARD("+number+")" {
					t.Errorf("%s of %d digits: %q", prefix, n, got)
				}
				at := 4 + rnd.IntN(n-4)
				wrong := number[:at] + fmt.Sprint((int(number[at]-'0')+1+rnd.IntN(9))%10) + number[at+1:]
				if got := found(wrong); strings.Contains(got, "CARD") {
					t.Errorf("wrong digit in %s: %q", number, got)
				}
			}
		}
	}
}

func TestNumbersOfNoIssuerStay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 2))
	for _, prefix := range []string{"0", "1", "7", "2100", "2730", "3527", "3590", "40000000000000000000", "80", "99"} {
		for n := range 8 {
			if number := cardWith(rnd, prefix, 12+n); strings.Contains(found(number), "CARD") {
				t.Errorf("%s: %s", number, found(number))
			}
		}
	}
}

// ibanWith computes the check digits of an account.
func ibanWith(country, account string) string {
	for check := 2; check < 99; check++ {
		if iban := fmt.Sprintf("%s%02d%s", country, check, account); remainsOne([]byte(iban)) {
			return iban
		}
	}
	panic("no check digits")
}

func TestAccountsOfEveryCountryAreFound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for list := ibanCountries; list != ""; list = list[5:] {
		country := list[:2]
		format := ibanFormats[int(list[0]-'A')*26+int(list[1]-'A')]
		letters := map[byte]int{'a': 4, 'b': 2, 'i': 1}[format.kind]
		account := ""
		for n := range format.length - 4 {
			if n < letters {
				account += string(rune('A' + rnd.IntN(26)))
			} else {
				account += fmt.Sprint(rnd.IntN(10))
			}
		}
		iban := ibanWith(country, account)
		spaced := strings.TrimSpace(strings.Join(split(iban, 4), " "))
		for _, text := range []string{iban, strings.ToLower(iban), spaced, strings.ToLower(spaced)} {
			if got := found("to " + text + "."); got != "IBAN("+text+")" {
				t.Errorf("%s: %q", text, got)
			}
		}
		last := len(iban) - 1
		wrong := iban[:last] + fmt.Sprint((int(iban[last]-'0')+1+rnd.IntN(9))%10)
		if got := found(wrong); got != "" {
			t.Errorf("wrong digit in %s: %q", iban, got)
		}
	}
}

func split(text string, n int) []string {
	var parts []string
	for len(text) > n {
		parts, text = append(parts, text[:n]), text[n:]
	}
	return append(parts, text)
}

func TestRegistryExamplesAreFound(t *testing.T) {
	for _, iban := range []string{"GB29NWBK60161331926819", "FR1420041010050500013M02606", "NL91ABNA0417164300", "NO9386011117947",
		"MT84MALT011000012345MTLCAST001S", "BR1800360305000010009795493C1", "SC18SSCB11010000000000001497USD",
		"IT60X0542811101000000123456", "LC55HEMM000100010012001200023015", "GE29NB0000000101904917", "CH9300762011623852957",
		"IR900022305002600498210078", "MU17BOMM0101101030300200000MUR", "KZ86125KZT5004100100", "JO94CBJO0010000000000131000302", "BE68539007547034"} {
		if got := found(iban); got != "IBAN("+iban+")" {
			t.Errorf("%s: %q", iban, got)
		}
	}
}

func TestAreaRulesOfSocialSecurityNumbers(t *testing.T) {
	for area := range 1000 {
		text := fmt.Sprintf("%03d-45-6789", area)
		if valid := area != 0 && area != 666 && area < 900; valid != (found(text) == "SSN("+text+")") {
			t.Errorf("%s: %q", text, found(text))
		}
	}
}

func TestRandomIdentifiersStay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	hex := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%x", rnd.IntN(16))
		}
		return b.String()
	}
	for range 20_000 {
		text := fmt.Sprintf("%s-%s-4%s-a%s-%s %s %s v%d.%d.%d", hex(8), hex(4), hex(3), hex(3), hex(12), hex(40), hex(64),
			rnd.IntN(30), rnd.IntN(30), rnd.IntN(30))
		if got := found(text); got != "" {
			t.Fatalf("%s: %s", text, got)
		}
	}
}

// TestAnythingBesideAnythingIsRedactedOnce puts pieces together at random and redacts the result twice.
func TestAnythingBesideAnythingIsRedactedOnce(t *testing.T) {
	pieces := append(strings.Split(" |\n|.|,|:|=|@|-|/|\\|\"|'|[|]|(|)|{|}|1|4111|a|x.com|bob|%40|+49|+1|password|token|é|\u200b|：|_|```|"+
		"--- |.env|::|Bearer |eyJ|eyJhbGciOiJIUzI1NiJ9.|192.168.0.1|fe80::1|aa:bb:cc:dd:ee:ff|[EMAIL_1]|[REMOVED]|[SECRET_|\\n|\\u0040|"+
		"https://|user:pw@|123-45-6789|DE89370400440532013000|{\"a\":1}|-----END KEY-----|"+
		"born |12 March |1985|SSN |phone: |Dear |Mr. |Jane| Smith| Street|123 |Main |Via |Roma |Author: |Regards,\n|/home/|my name is |van |J. |, |"+
		"IL 62704|2025550143|(202) |-u bob:|mysql -p|%20|%3D|//|hunter2|order |046-454-286|Straße 5|Patient: |"+
		"<token>|</token>| | token | |ENV "+
		"|我叫|麦婷婷|様|님|Имя: |Котов|tax id |Dutch |12 Elm Road|, |10115 Berlin|No: 5|value: |name: |is |by |said |live at |"+
		"MacD|is |C/ |ul. |rua |das |nº |Am |tor 4|612 34 56 78|03(3211)4446|8(916)|123-45-67|“|”|city|email|A B|"+
		"|'s|full_name|x123|0x|1985-03-12|PESEL ",
		"|"), seeds...)
	rnd := rand.New(rand.NewPCG(5, 5))
	guard := newTestGuard(t, Defaults())
	for range 30_000 {
		var b strings.Builder
		for range 1 + rnd.IntN(12) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		once := Redact(b.String())
		if twice := Redact(once); twice != once {
			t.Fatalf("redacted twice:\n%q\n%q\n%q", b.String(), once, twice)
		}
		guard.begin()
		once = guard.text(b.String())
		guard.begin()
		if twice := guard.text(once); twice != once {
			t.Fatalf("protected twice:\n%q\n%q\n%q", b.String(), once, twice)
		}
	}
}

// TestHostileTextsTakeLinearTime would take minutes if any detector read to the end and then gave up.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	guard := newTestGuard(t, Defaults())
	for _, unit := range []string{"eyJ-", "eyJhbGciOi.", `password="`, `password='a"`, "token=", "token: ", "@", "a@", "a@b", "a.a@a.a", "://",
		"x://a:", "-----BEGIN ", "-----BEGIN A-----", "-----BEGIN A----- b ", "::", "a:", "1:", "1 ", "4111 ", "1-", "+1", "+1 ", "[", "[EMAIL_",
		"[EMAIL_1]", `{"a":`, "DE89 ", "sk-", "ghp_", "é", "\u200b", "%40", "a%40b", "```\n", "--- a/.env\n", `\`, "=", `"\"`,
		`{"path":".env","b":`, "Bearer ", "Basic ", "a:b:c:d:e:f:", "pass:pass:", "password=`", "bob@x.com ",
		"Jane ", "Jane\n", "Qorl ", "J. ", "12 March ", "Main ", "1 Main ", "Calle ", "Via A ", "born 1", "/home/", "Dear ", "van ", "-u ", "-p", "(12",
		"%20", "1,",
		"name is ", "Mr. ", "12.12.12", "A1", "phone ", "phone 1 ", "Regards,\n", "0x", "a%3D", "Straße ", "rue de la ", "123456789:A", "mysql -p",
		"<a>", "<token>", "| token | ", "- name: a_token\n  value: ", "ENV token ", "token is ", "(\"token\", ", "Patient: ", "Name: ", "我叫", "名様",
		"님", "Меня зовут ", "שמי ",
		"Am 1, ", "A No: 1 ", "ul. A ", "live A ", "reported by ", "I'm A ", "A said ", "1 A B, C, ", "Flat 1, ", "\"name\":", "{\"user\":{", "A <a",
		"login password ", "tax id Dutch 1",
		"612 34 56 78\n", "03(3211)", "C/ A ", "Am Tor 4 ", "rua das A, 1 ", "8123-9999 ", "ul. 3 A ", "“612 34 56 78”", "{\"name\":\"A B\",\"city\":",
		"J-", "O'", "1Aa", "bc1q", "AKIA", "password is "} {
		guard.begin()
		if guard.text(strings.Repeat(unit, 256<<10/len(unit))) == "" {
			t.Errorf("%q left nothing", unit)
		}
	}
}
