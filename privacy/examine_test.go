package privacy

import (
	"fmt"
	"strings"
	"testing"
)

// shown says what Examine finds, by the bytes of the text at the offsets.
func shown(text string) (kept, found string) {
	kept, list := Examine(text)
	var parts []string
	for _, f := range list {
		parts = append(parts, fmt.Sprintf("%s(%s)", f.Entity, text[f.Start:f.End]))
	}
	return kept, strings.Join(parts, " ")
}

func TestADocumentIsExaminedAsWhenItComesInAnEvent(t *testing.T) {
	for _, c := range [...]struct{ text, kept, found string }{
		{"ask bob@example.com", "ask [EMAIL_1]", "EMAIL(bob@example.com)"},
		{`{"bob@example.com":1,"ssn":[123456789],"n":123456789}`, `{"[EMAIL_1]":1,"ssn":["[SSN_1]"],"n":123456789}`,
			"EMAIL(bob@example.com) SSN(123456789)"},
		{`{"a":"\u00e4\n\ud83d\ude00 bob\u0040example.com\t"}`, `{"a":"ä\n😀 [EMAIL_1]\t"}`, `EMAIL(bob\u0040example.com)`},
		{`{"a":"{\"password\":\"hun\\\\ter2\",\"x\":\"\\u0062ob@x.com\"}"}`, `{"a":"{\"password\":\"[SECRET_1]\",\"x\":\"[EMAIL_1]\"}"}`,
			`SECRET(hun\\\\ter2) EMAIL(\\u0062ob@x.com)`},
		{`{"full_name":"x qorl","password":1234567}`, `{"full_name":"[PERSON_1]","password":"[SECRET_1]"}`, "PERSON(x qorl) SECRET(1234567)"},
		{`{"path":".env","content":"ask bob@example.com"}`, `{"path":".env","content":"ask [EMAIL_1]"}`, "EMAIL(bob@example.com)"},
		{`{"type":"phone","value":"2025550143"}`, `{"type":"phone","value":"[PHONE_1]"}`, "PHONE(2025550143)"},
		{"{\"ssn\":123456789}\n{\"n\":\"123456789\"}\n[{\"phone\":2025550143}]", "{\"ssn\":\"[SSN_1]\"}\n{\"n\":\"123456789\"}\n[{\"phone\":\"[PHONE_1]\"}]",
			"SSN(123456789) PHONE(2025550143)"},
		{"{\"ssn\":123456789}\nand bob@example.com", "{\"ssn\":[SSN_1]}\nand [EMAIL_1]", "SSN(123456789) EMAIL(bob@example.com)"},
		{`{"a":"x"}`, `{"a":"x"}`, ""},
		{"", "", ""},
	} {
		if kept, found := shown(c.text); kept != c.kept || found != c.found {
			t.Errorf("%s\nkept %s\nwant %s\nfound %s\n want %s", c.text, kept, c.kept, found, c.found)
		}
	}
}

func TestADocumentThatTurnsOutToBeNoneIsExaminedOnce(t *testing.T) {
	for _, c := range [...]struct{ text, kept, found string }{
		{`{"a":"ann@example.com"} and bob@example.com`, `{"a":"[EMAIL_1]"} and [EMAIL_2]`, "EMAIL(ann@example.com) EMAIL(bob@example.com)"},
		{`{"bob@example.com":1,"a":"\ud83d"}`, `{"[EMAIL_1]":1,"a":"\ud83d"}`, "EMAIL(bob@example.com)"},
	} {
		if kept, found := shown(c.text); kept != c.kept || found != c.found {
			t.Errorf("%s\nkept %s\nwant %s\nfound %s\n want %s", c.text, kept, c.kept, found, c.found)
		}
	}
	g := NewTextGuard()
	event := struct {
		Text string `privacy:"text"`
	}{`{"a":"ann@example.com"} and bob@example.com`}
	if report, err := g.Protect(&event); err != nil || report.Found[Email] != 2 {
		t.Errorf("counted %d of 2 addresses, %v", report.Found[Email], err)
	}
}

func TestWhatIsTooDeepInsideADocumentIsASecret(t *testing.T) {
	deep := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	text := `{"a":"` + deep + `","b":"bob@example.com"}`
	kept, found := shown(text)
	if want := `{"a":"[REMOVED]","b":"[EMAIL_1]"}`; kept != want || found != "SECRET("+deep+") EMAIL(bob@example.com)" {
		t.Errorf("kept %s, found %s", kept, found)
	}
}

func TestWhatIsTooDeepIsASecretAsAWhole(t *testing.T) {
	text := strings.Repeat("[", 100) + strings.Repeat("]", 100)
	if kept, found := Examine(text); kept != removedMark || len(found) != 1 || found[0] != (Finding{Secret, 0, len(text)}) {
		t.Errorf("%s %v", kept, found)
	}
}

func TestWhatIsExaminedAgainIsUnchanged(t *testing.T) {
	for _, text := range seeds {
		kept, found := Examine(text)
		if again, more := Examine(kept); again != kept || len(more) > 0 {
			t.Errorf("%q became %q and %q with %v", text, kept, again, more)
		}
		if (len(found) > 0) != (kept != text) {
			t.Errorf("%q became %q with %v", text, kept, found)
		}
	}
}
