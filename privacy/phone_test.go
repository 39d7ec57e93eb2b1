package privacy

import (
	"strings"
	"testing"
)

func TestPhonesOfManyCountriesAreFound(t *testing.T) {
	for _, number := range []string{"(202) 555-0143", "202-555-0143", "202.555.0143", "1-202-555-0143", "(202)555-0143 x123", "001-202-555-0143 ext. 12",
		"020 7946 0958", "07700 900123", "030/1234567", "0171 123 45 67", "(030) 1234-567", "01 23 45 67 89", "06-12345678", "(11) 91234-5678",
		"03-1234-5678", "090-1234-5678", "010-1234-5678", "138-0013-8000", "044 668 18 00", "08-123 456 78", "0412 345 678", "(02) 9876 5432",
		"0049 30 1234567", "+49 (0) 30 1234567", "+1-202-555-0143 x7", "+442079460958", "(+49) 30 1234567", "8-800-555-35-35", "0151-23456789",
		"8 (912) 381-44-30", "08-53 37 40", "(06 1) 234 5587",
		"(02).4656.3414", "074105 78969"} {
		if got := found("see " + number + ", ok"); got != "PHONE("+number+")" {
			t.Errorf("%s: %q", number, got)
		}
	}
}

func TestNumbersWithoutAZeroArePhonesWithinASentence(t *testing.T) {
	for text, want := range map[string]string{
		"ask for 12 34 56 78, please":                        "",
		"ask for 22 34 56 78, please":                        "PHONE(22 34 56 78)",
		"el cliente llama desde 612 345 678 hoy":             "PHONE(612 345 678)",
		"the sum of 612 345 678 was paid":                    "",
		`{"v":"612 34 56 78"}`:                               "PHONE(612 34 56 78)",
		"all 612 34 56 78 rows":                              "",
		"22 34 56 78":                                        "",
		"item 11 4023-8812":                                  "",
		"ask 11 4023-8812, please":                           "PHONE(11 4023-8812)",
		"11 4023-8812":                                       "PHONE(11 4023-8812)",
		"1300 123 456":                                       "PHONE(1300 123 456)",
		"06 1 327 4411":                                      "PHONE(06 1 327 4411)",
		"part 415-555-0143":                                  "PHONE(415-555-0143)",
		"see 22 34 56 78 90 below":                           "",
		"it was 514 555-0143, poste 12, that rang yesterday": "PHONE(514 555-0143, poste 12)",
	} {
		if got := found(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestWhatIsNumberedItselfSaysNothingOfAnotherNumber(t *testing.T) {
	if got := found("Ticket #4411: 085 067 2647 is out of order"); got != "PHONE(085 067 2647)" {
		t.Error(got)
	}
	if got := found("Ticket: 085 067 2647"); got != "" {
		t.Error(got)
	}
}

func TestBareDigitsAreAPhoneBesideACueOnly(t *testing.T) {
	for _, number := range []string{"2025550143", "07700900123", "612 345 678", "555-0143", "12 34 56 78", "98765 43210", "66661234"} {
		for _, cue := range []string{"phone: ", "call me at ", "Tel. ", "mobile ", "my number is ", "WhatsApp ", "Telefon: ", "téléphone ", "電話："} {
			if got := found(cue + number); got != "PHONE("+number+")" {
				t.Errorf("%s%s: %q", cue, number, got)
			}
		}
		if got := found("value " + number); got != "" {
			t.Errorf("%s: %q", number, got)
		}
	}
}

func TestNumbersOfOtherTradesAreNoPhones(t *testing.T) {
	for _, text := range []string{"2024-01-02 10:20:30", "01.02.2024 10:20", "order number is 123456789", "0.123 456 789", "01 02 03 04 05 06",
		"255.255.255.0", "010.000.015.001", "calls of f with 2024-05-06", "0000050 00 6d 01 00 00 00 00", "15:04:05.000000000",
		"SSN: 000-12-3456", "1 2 3 4 5 6 7 8 9", "12-34", "call 911", "+12", "[007218.798056] usb", "03-15 10 30", "a+12345678901",
		"a budget of 25 000 000 in total", "a population of 38 000 000 in 2020"} {
		if got := found(text); strings.Contains(got, "PHONE") {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestTheTimeOfABirthGoesWithItsDate(t *testing.T) {
	for _, date := range []string{"1985-03-12T10:21:59.197Z", "1985-03-12T10:21:59+01:00", "1985-03-12T10:21"} {
		if got := found("born " + date + " in Leeds"); got != "DOB("+date+")" {
			t.Errorf("%s: %q", date, got)
		}
	}
}

func TestBirthsAreFoundAndOtherDatesStay(t *testing.T) {
	for _, date := range []string{"1985-03-12", "12/03/1985", "12.3.1985", "12 March 1985", "12th of March 1985", "March 12, 1985", "12. März 1985",
		"12 de marzo de 1985", "12 mars 1985", "19850312", "12-03-85", "1985年3月12日", "12 marca 1985", "Mar 12 1985"} {
		for _, cue := range []string{"born ", "DOB: ", "Date of birth: ", "geboren am ", "né le ", "birthday on ", "생년월일 ", `"birth_date": "`, "nacido el "} {
			if got := found(cue + date); got != "DOB("+date+")" {
				t.Errorf("%s%s: %q", cue, date, got)
			}
		}
		if got := found("released on " + date); got != "" {
			t.Errorf("%s: %q", date, got)
		}
	}
}
