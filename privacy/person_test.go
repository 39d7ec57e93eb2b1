package privacy

import "testing"

func TestPeopleAreFoundByCue(t *testing.T) {
	for text, want := range map[string]string{
		"Author: Qorl Xand <q@x.com>":        "PERSON(Qorl Xand) EMAIL(q@x.com)",
		"Signed-off-by: Qorl Xand":           "PERSON(Qorl Xand)",
		"Co-authored-by: Q. R. Xand-Zyl":     "PERSON(Q. R. Xand-Zyl)",
		"Dear Qorl,":                         "PERSON(Qorl)",
		"Dear Mr. Xand,":                     "PERSON(Xand)",
		"my name is Qorl Xand and":           "PERSON(Qorl Xand)",
		"Ask Dr. Qorl van der Xand about it": "PERSON(Qorl van der Xand)",
		"Frau Xündel kommt":                  "PERSON(Xündel)",
		"je m'appelle Qorl":                  "PERSON(Qorl)",
		"cd /home/qorl/src":                  "PERSON(qorl)",
		"open /Users/qorl.xand/file":         "PERSON(qorl.xand)",
		`C:\Users\qorl\Desktop`:              "PERSON(qorl)",
		"Thanks,\nQorl Xand\n":               "PERSON(Qorl Xand)",
		"Best regards,\n\nQorl":              "PERSON(Qorl)",
		`"customer_name": "Qorl Xand",`:      "PERSON(Qorl Xand)",
		"Hi Qorl, how are you":               "PERSON(Qorl)",
		`{"name": "Qorl Xand", "age": 41}`:   "PERSON(Qorl Xand)",
		`{"name": "Qorl Xand", "size": 41}`:  "",
		"name,email\nQorl Xand,q@x.com":      "PERSON(Qorl Xand) EMAIL(q@x.com)",
		"id;full_name\n7;Qorl Xand\n":        "PERSON(Qorl Xand)",
		"name,size\nQorl Xand,7":             "",
		"if name is QorlXand then":           "",
		"Meeting with Qorl Xand at noon.":    "PERSON(Qorl Xand)",
		"According to Qorl Xand, it is late": "PERSON(Qorl Xand)",
		"The patient, Qorl Xand, went home":  "PERSON(Qorl Xand)",
		"it was closed by Qorl Xand in May":  "PERSON(Qorl Xand)",
		"Hi Qorl Xand! How are you":          "PERSON(Qorl Xand)",
		"@author Qorl Xand":                  "PERSON(Qorl Xand)",
		"full_name = 'Qorl Xand'":            "PERSON(Qorl Xand)",
		`\author{Qorl Xand}`:                 "PERSON(Qorl Xand)",
		"name on card: Qorl Xand":            "PERSON(Qorl Xand)",
		"attn. Qorl Xand":                    "PERSON(Qorl Xand)",
		"hi, this is Qorl Xand from sales":   "PERSON(Qorl Xand)",
		"Mr. June Xand called":               "PERSON(June Xand)",
		"Reviewed-by: Çağla Öz":              "PERSON(Çağla Öz)",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestUsualNamesAreFoundInProse(t *testing.T) {
	for text, want := range map[string]string{
		"Yesterday Michael called.":          "PERSON(Michael)",
		"The report by Jane Smith is ready.": "PERSON(Jane Smith)",
		"We met Qorl Johnson there.":         "PERSON(Qorl Johnson)",
		"María José García Márquez agreed.":  "PERSON(María José García Márquez)",
		"It was J. K. Williams who said so.": "PERSON(J. K. Williams)",
		"Ask Łukasz Kowalski about it.":      "PERSON(Łukasz Kowalski)",
		"Mark Thompson wrote it.":            "PERSON(Mark Thompson)",
		"We saw Vincent van Gogh there.":     "PERSON(Vincent van Gogh)",
		"Jane's idea":                        "PERSON(Jane)",
		"Jane's method is her own":           "PERSON(Jane)",
		"Jane Smith's theorem":               "PERSON(Jane Smith)",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWhatIsNobodyStays(t *testing.T) {
	for _, text := range []string{"Hello World", "Dear Customer,", "Dear All,", "Mark the file as read.",
		"Will it work?", "May is here.", "in Paris and San Francisco",
		"Stanford University", "Johnson Street", "the function name is Foo", "Ruby and Julia are languages", "Claude wrote this", "Hope this helps",
		"func (m *Martin) David() {", "x := Michael.Smith(David)", `import "david/michael"`, "// by David Smith", "the Bayes Theorem", "Lake Michael",
		"Stewart's Theorem",
		"Lloyd’s algorithm", "by Wilson's theorem", "Newton's Method", "The Kelly Criterion", "the Martin Luther King Boulevard", "a Monte Carlo sampler",
		"Alan's disease",
		"/home/user/x", "/home/runner/work", "https://x.com/users/bob/repos", "/home/index.html", "author = getAuthor()", "fullName: userName,",
		"Author: TBD", "name is required", "[PERSON_1] wrote", "Grace period", "Rose bush", "Dear [PERSON_1],", "Thanks,\nThe Team"} {
		if got := found(text); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func TestStreetsAreFoundWithTheirTowns(t *testing.T) {
	for text, want := range map[string]string{
		"lives at 123 Main Street now":                         "ADDRESS(123 Main Street)",
		"to 1600 Old Mill Road, Apt 4B, Springfield, IL 62704": "ADDRESS(1600 Old Mill Road, Apt 4B, Springfield, IL 62704)",
		"at 221B Baker Street, London NW1 6XE.":                "ADDRESS(221B Baker Street, London NW1 6XE)",
		"Hauptstraße 12a, 10115 Berlin":                        "ADDRESS(Hauptstraße 12a, 10115 Berlin)",
		"in der Goethestr. 5 wohnt":                            "ADDRESS(Goethestr. 5)",
		"habite 12 rue de la Paix, 75002 Paris":                "ADDRESS(12 rue de la Paix, 75002 Paris)",
		"Calle Mayor, 12":                                      "ADDRESS(Calle Mayor, 12)",
		"abita in Via Garibaldi 7":                             "ADDRESS(Via Garibaldi 7)",
		"Rua Augusta, 1500":                                    "ADDRESS(Rua Augusta, 1500)",
		"Keizersgracht 123, 1015 Amsterdam":                    "ADDRESS(Keizersgracht 123, 1015 Amsterdam)",
		"Storgatan 12":                                         "ADDRESS(Storgatan 12)",
		"ship_to street_address: Foo bar 12, Baz":              "ADDRESS(Foo bar 12, Baz)",
	} {
		if got := found(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"12 Monkeys", "3 Blind Mice ran", "Brigade 12", "Weg 5", "chapter 5 The Way",
		"Version 12 Street", "10 items in Square brackets"} {
		if got := found(text); got != "" {
			t.Errorf("%q: %s", text, got)
		}
	}
}
