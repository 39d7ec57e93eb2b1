package privacy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// issuedNumbers are valid numbers of each country, found by computing their checks elsewhere.
var issuedNumbers = map[string]string{
	"SSN":                       "453-33-1478|956-75-5930",
	"SIN":                       "710-859-703|556122661|976 980 946",
	"NHS number":                "261 749 3865|4597604839",
	"UTR":                       "2321668484|23216 68484",
	"PPSN":                      "1473859T|8847153FA",
	"Steuer-ID":                 "96640715620|29 438 635 013",
	"NIR":                       "2 80 10 12 834 766 03|242107330891043",
	"DNI":                       "57094012P|85225806-L|Y7832527Y|Y-2634217-H",
	"codice fiscale":            "ISBWJG85L54H501S",
	"BSN":                       "4632.46.469|557002333",
	"rijksregisternummer":       "42010519361|77.08.13-873.22",
	"contribuinte":              "633 648 353|254191886",
	"PESEL":                     "40040222705",
	"NIP":                       "7133946671|396-738-12-18",
	"personnummer":              "920712-9884|195602259813|19480701-0139",
	"henkilötunnus":             "030301-550B|280356-2810",
	"fødselsnummer":             "18096811523|140396 10362",
	"CPR":                       "0707610026|070761-4285|010187-1237",
	"AHV":                       "7565855099492|756.5248.0815.23",
	"SVNR":                      "2917110972|8607 131003",
	"CPF":                       "26613257435|889.615.482-04",
	"Aadhaar":                   "4113 4254 3737|879383682577",
	"PAN":                       "ABCPE1234F",
	"tax file number":           "635422696|191 940 550",
	"NRIC":                      "F9954585L",
	"resident registration":     "730813-1414394|7703131162493",
	"マイナンバー":                    "3020-3757-7460|193694548329|9729 1774 9525",
	"TC Kimlik No":              "92432786102",
	"South African ID":          "8705280167087",
	"Thai ID":                   "2333965973031|7-7433-00042-08-0",
	"National Insurance number": "AB 12 34 56 C|ab123456c",
	"passport no.":              "X1234567|123456789",
	"sozialversicherungsnummer": "65170839J003",
	"cartão de cidadão":         "00000000 0 ZZ4|000000000ZZ4",
	"TAJ szám":                  "550136156|550 136 156",
	"adóazonosító jel":          "8941713307",
	"személyi szám":             "16405073880|1-640507-3880",
	"Hungarian ID":              "550136156",
	"CNP":                       "2891021122057",
	"OIB":                       "16362055841",
	"RUT":                       "11.907.236-0|12345684-K|12.345.684-K",
	"teudat zehut":              "683626998",
	"isikukood":                 "36305083422",
	"asmens kodas":              "47107158157",
	"personas kods":             "140999-19583",
	"EGN":                       "7002026199",
	"AMKA":                      "08109109077",
	"СНИЛС":                     "372-910-190 76",
	"ИНН":                       "658407772701",
	"CURP":                      "BADD110313HCMLNS06",
	"person number":             "557002333",

	"My national identity number": "557002333",
}

func TestOfficialNumbersOfEachCountryAreFoundBesideTheirCue(t *testing.T) {
	for cue, list := range issuedNumbers {
		for number := range strings.SplitSeq(list, "|") {
			for _, text := range []string{cue + ": " + number, "my " + cue + " is " + number + ".", `{"` + cue + `":"` + number + `"}`} {
				if got := Redact(text); strings.Contains(got, number) || strings.Count(got, "_1]") != 1 {
					t.Errorf("%s became %s", text, got)
				}
			}
		}
	}
}

// withDigits fills a picture with digits, of which the first ones may be given.
func withDigits(rnd *rand.Rand, picture, first string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		switch r {
		case 'd':
			if n++; n <= len(first) {
				return rune(first[n-1])
			}
			return '0' + rune(rnd.IntN(10))
		case '_':
			return ' '
		}
		return r
	}, strings.TrimLeft(picture, "!?~"))
}

func onlyDigits(text string) []byte {
	var digits []byte
	for i := range len(text) {
		if isDigit(text[i]) {
			digits = append(digits, text[i])
		}
	}
	return digits
}

// cueFor is a word that names the country of a format.
func cueFor(c cue) string {
	for _, w := range cueWords {
		if w.cue == c {
			return strings.TrimSuffix(strings.Fields(w.words)[0], "*")
		}
	}
	return ""
}

func TestNumbersOfEveryPictureAreFoundAndThoseThatFailTheirCheckStay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 6))
	found, wrong, cases := 0, 0, 0
	first := map[cue]string{cueCH: "756", cueCN: "11010519850312", cueFR: "28512"}
	for _, f := range slices.Concat(idFormats[:], namedFormats[:]) {
		for picture := range strings.FieldsSeq(f.pictures) {
			for range 40 {
				number := ""
				for range 400_000 {
					number = withDigits(rnd, picture, first[f.country])
					if digits := onlyDigits(number); f.valid(digits) && !isUniform(digits) {
						break
					}
				}
				cases++
				cue := cueFor(f.country)
				if got := Redact(cue + ": " + number); !strings.Contains(got, number) {
					found++
				}
				last := len(number) - 1
				other := number[:last] + string('0'+(number[last]-'0'+1+byte(rnd.IntN(9)))%10)
				if !f.valid(onlyDigits(other)) && Redact(cue+": "+other) != cue+": "+other {
					wrong++
				}
			}
		}
	}
	if cases < 3000 || found*1000 < cases*995 || wrong*100 > cases {
		t.Errorf("of %d numbers %d were found, and %d that fail the check", cases, found, wrong)
	}
}

func TestCodesWithLettersNeedTheirCheckLetter(t *testing.T) {
	for _, code := range []string{"57094012P", "Y7832527Y", "ISBWJG85L54H501S", "030301-550B", "F9954585L", "1473859T"} {
		last := code[len(code)-1]
		for letter := byte('A'); letter <= 'Z'; letter++ {
			other := code[:len(code)-1] + string(letter)
			if got := found("no. " + other); (got != "") != (letter == last) {
				t.Errorf("%s: %q", other, got)
			}
		}
	}
}

func TestNumbersWithoutACheckNeedACue(t *testing.T) {
	for text, want := range map[string]string{
		"SSN 123456789":                       "SSN(123456789)",
		"value 123456789":                     "",
		"social security number: 123 45 6789": "SSN(123 45 6789)",
		"rows 123 45 6789":                    "",
		"national insurance AB123456C":        "NATIONAL_ID(AB123456C)",
		"part AB123456C":                      "",
		"passport X1234567":                   "NATIONAL_ID(X1234567)",
		"part X1234567":                       "",
		"order number 198509088954":           "",
		"046-454-286":                         "NATIONAL_ID(046-454-286)",
		"046 454 286 is my SIN":               "NATIONAL_ID(046 454 286)",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTheNameOfAMemberIsACue(t *testing.T) {
	g := newTestGuard(t, Defaults())
	for value, want := range map[string]string{
		`{"ssn":"123456789","id":"123456789"}`:             `{"ssn":"[SSN_1]","id":"123456789"}`,
		`{"phone_number":2025550143,"count":2025550143}`:   `{"phone_number":"[PHONE_1]","count":2025550143}`,
		`{"dateOfBirth":"1985-03-12","date":"1985-03-12"}`: `{"dateOfBirth":"[DOB_1]","date":"1985-03-12"}`,
		`{"user":{"name":"Xia Qorl"},"name":"Xia Qorl"}`:   `{"user":{"name":"[PERSON_1]"},"name":"Xia Qorl"}`,
		`{"sin":["046454286"]}`:                            `{"sin":["[NATIONAL_ID_1]"]}`,
		`{"full_name":"x qorl","title":"x qorl"}`:          `{"full_name":"[PERSON_1]","title":"x qorl"}`,
		`{"street_address":"5 Foo x, Bar"}`:                `{"street_address":"[ADDRESS_1]"}`,
	} {
		if got, _ := protectJSON(t, g, value); got != want {
			t.Errorf("%s:\n got %s\nwant %s", value, got, want)
		}
	}
}

func ExampleFind() {
	for _, f := range Find("Ask Jane Smith, born 12 March 1985, at +49 30 1234567.") {
		fmt.Println(f.Entity, f.Start, f.End)
	}
	// Output:
	// PERSON 4 14
	// DOB 21 34
	// PHONE 39 53
}

func TestTheCodeOfACountryWithinANameIsACue(t *testing.T) {
	for text, want := range map[string]string{
		"nl_bsn 557002333":                   "NATIONAL_ID(557002333)",
		`{"national_id_nl":"557002333"}`:     "NATIONAL_ID(557002333)",
		`{"national_id_ca":"557002333"}`:     "",
		"[ca_sin] 556122661":                 "NATIONAL_ID(556122661)",
		"fr_ssn=242107330891043":             "NATIONAL_ID(242107330891043)",
		"PT,national_id,557002333":           "",
		"tax_no: 557002333":                  "NATIONAL_ID(557002333)", // no country's
		"tax_id_gb: 2321668484":              "NATIONAL_ID(2321668484)",
		"The NHS number 2321668484 is wrong": "",
	} {
		if got := found(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	got, _ := protectJSON(t, newTestGuard(t, Defaults()), `{"national_id_nl":557002333,"national_id_ca":557002333}`)
	if want := `{"national_id_nl":"[NATIONAL_ID_1]","national_id_ca":557002333}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAWeakCheckNeedsAWordForTheKindOfNumber(t *testing.T) {
	for text, want := range map[string]string{
		"tax id 635422696":                             "NATIONAL_ID(635422696)", // a tax file number of Australia
		"document 635422696":                           "",
		"it should be 23090544632, please":             "NATIONAL_ID(23090544632)",
		"son numéro de 23090544632 de Norvège":         "NATIONAL_ID(23090544632)",
		"personal identity code no. 161079-3546":       "NATIONAL_ID(161079-3546)",
		"7c be 23090544632 de ad":                      "",
		"my Individual Number is 193694548329":         "NATIONAL_ID(193694548329)",
		"personal ID 1608798672":                       "NATIONAL_ID(1608798672)",
		"Meine Identifikationsnummer ist 7074220884.":  "NATIONAL_ID(7074220884)",
		"identity number 260882-2074":                  "", // no Swedish coordination number
		"order 635422696":                              "",
		"635422696":                                    "",
		"health card 4597604839":                       "NATIONAL_ID(4597604839)",
		"uid 879383682577":                             "NATIONAL_ID(879383682577)",
		"number 879383682577":                          "",
		"national ID: 557002333":                       "NATIONAL_ID(557002333)",
		"Dutch tax id: 557002333":                      "NATIONAL_ID(557002333)",
		"tax id (Netherlands): 557002333":              "NATIONAL_ID(557002333)",
		`{"country":"NL","tax_id":"557002333"}`:        "NATIONAL_ID(557002333)",
		"the Portuguese national ID 557002333":         "",
		"social security number 2 80 10 12 834 766 03": "NATIONAL_ID(2 80 10 12 834 766 03)",
		"identity card 030301-550B":                    "NATIONAL_ID(030301-550B)",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestTheLanguageAroundANumberTellsItsCountry(t *testing.T) {
	for text, want := range map[string]string{
		"Ik heb 557002333 op het formulier ingevuld.":            "NATIONAL_ID(557002333)",
		"J'ai saisi 557002333 dans le formulaire.":               "",
		"De bestelling is 557002333, dat staat in het formulier": "",
		"Meu número é 254191886, obrigado":                       "NATIONAL_ID(254191886)",
		"私の番号は 193694548329 です":                                  "NATIONAL_ID(193694548329)",
		"รหัส 2333965973031 ครับ":                                "NATIONAL_ID(2333965973031)",
		"Min kollega är född och har 40040222705 med sig":        "", // a PESEL
		"Ta osoba ma 40040222705 i nie jest tutaj":               "NATIONAL_ID(40040222705)",
		"kundens personnummer är 010185-1237 och det är fel":     "",
		"kundens personnummer er 070761-4285, tak for det":       "NATIONAL_ID(070761-4285)",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAColumnOfATableIsNamedByItsHead(t *testing.T) {
	for text, want := range map[string]string{
		"id,bsn\n17,557002333\n18,557002333":                        "NATIONAL_ID(557002333) NATIONAL_ID(557002333)",
		"id;phone;n\n17;2025550143;3":                               "PHONE(2025550143)",
		"| n | BSN |\n|---|---|\n| 1 | 557002333 |":                 "NATIONAL_ID(557002333)",
		"bsn,id\n17,557002333":                                      "",
		"id,bsn\n\n17,557002333":                                    "",
		"Dear bsn, we\nsent 557002333":                              "",
		"Social Insurance Number\n976 980 946":                      "NATIONAL_ID(976 980 946)",
		"{\n  \"country\": \"NL\",\n  \"tax_id\": \"557002333\"\n}": "NATIONAL_ID(557002333)",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWhatStandsBesideAMemberTellsWhoseNumberItHolds(t *testing.T) {
	g := newTestGuard(t, Defaults())
	for value, want := range map[string]string{
		`{"passport":{"number":"X1234567"},"x":{"number":"X1234567"}}`:          `{"passport":{"number":"[NATIONAL_ID_1]"},"x":{"number":"X1234567"}}`,
		`{"country":"PT","social_number":557002333}`:                            `{"country":"PT","social_number":557002333}`,
		`[{"social_number":557002333,"country":"NL"},{"country":"PT"}]`:         `[{"social_number":"[NATIONAL_ID_1]","country":"NL"},{"country":"PT"}]`,
		`{"マイナンバー":"193694548329","taxFileNumber":"635422696","n":"635422696"}`: `{"マイナンバー":"[NATIONAL_ID_1]","taxFileNumber":"[NATIONAL_ID_2]","n":"635422696"}`,
	} {
		if got, _ := protectJSON(t, g, value); got != want {
			t.Errorf("%s:\n got %s\nwant %s", value, got, want)
		}
	}
}

func TestNumbersWhoseCheckWasGivenUpNeedTheirName(t *testing.T) {
	for text, want := range map[string]string{
		"CPR 010185-1234":    "NATIONAL_ID(010185-1234)", // issued when those with a check had run out
		"CPR 140315-4321":    "NATIONAL_ID(140315-4321)", // born after 2007
		"CPR 140385-1234":    "",
		"no. 010185-1234":    "",
		"RRN 501224-9394416": "NATIONAL_ID(501224-9394416)", // born before 1900
		"no. 501224-9394416": "",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
