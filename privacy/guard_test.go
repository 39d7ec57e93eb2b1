package privacy

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// protectJSON returns what becomes of a JSON value, and the report.
func protectJSON(t *testing.T, g *Guard, value string) (string, Report) {
	t.Helper()
	event := struct{ Data jsontext.Value }{jsontext.Value(value)}
	report, err := g.Protect(&event)
	if err != nil {
		t.Fatal(err)
	}
	if !event.Data.IsValid() {
		t.Errorf("%s became %s", value, event.Data)
	}
	return string(event.Data), report
}

func TestEachFieldIsTreatedByItsClass(t *testing.T) {
	g := newTestGuard(t, Defaults())
	final := "eve@x.com and bob@x.com"
	event := fixPayload{FeedbackID: "f-1", SuggestionID: "mail bob@x.com", RuleID: "passive", Category: "4111111111111111",
		Decision: "password=not-looked-at", OriginalText: "bob@x.com", FinalText: &final, UserID: "bob", Session: "bob", Unit: "bob",
		Tags: []string{"a", "eve@x.com"}}
	report, err := g.Protect(&event)
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]string{
		"plain id": {event.FeedbackID, "f-1"}, "telling id": {event.SuggestionID, g.keys.Shield("mail bob@x.com")},
		"rule": {event.RuleID, "passive"}, "category": {event.Category, g.keys.Shield("4111111111111111")},
		"enum": {event.Decision, "password=not-looked-at"}, "text": {event.OriginalText, "[EMAIL_1]"},
		"pointer": {final, "[EMAIL_2] and [EMAIL_1]"}, "tag": {event.Tags[1], "[EMAIL_2]"},
		"person": {event.UserID, g.keys.Pseudonym(Users, "bob")}, "session": {event.Session, g.keys.Pseudonym(Sessions, "bob")},
		"unit": {event.Unit, g.keys.Pseudonym(Units, "bob")},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: got %q, want %q", name, pair[0], pair[1])
		}
	}
	if report.Found[Email] != 4 || report.Found.Total() != 4 || report.Shielded != 2 || report.Disabled {
		t.Errorf("report %+v", report)
	}
}

func TestTagsAreNumberedWithinOneEvent(t *testing.T) {
	g := newTestGuard(t, Defaults())
	for _, mail := range []string{"bob@x.com", "eve@x.com"} {
		event := fixPayload{OriginalText: mail}
		if _, err := g.Protect(&event); err != nil || event.OriginalText != "[EMAIL_1]" {
			t.Errorf("got %q, %v", event.OriginalText, err)
		}
	}
}

func TestNestedValuesAndMapsAreProtected(t *testing.T) {
	g := newTestGuard(t, Defaults())
	event := samplePayload{
		Meta:  map[string]string{"bob@x.com": "a", "eve@x.com": "bob@x.com", "[EMAIL_1]": "c"},
		Parts: []samplePart{{Text: "bob@x.com", Next: &samplePart{Text: "eve@x.com"}}},
	}
	if _, err := g.Protect(&event); err != nil {
		t.Fatal(err)
	}
	if m := event.Meta; len(m) != 3 || m["[EMAIL_2]"] != "a" || m["[EMAIL_3]"] != "[EMAIL_2]" || m["[EMAIL_1]"] != "c" {
		t.Errorf("meta %q", m)
	}
	if p := event.Parts[0]; p.Text != "[EMAIL_2]" || p.Next.Text != "[EMAIL_3]" {
		t.Errorf("parts %+v", p)
	}
}

func TestOpenJSONIsProtectedAtAnyDepth(t *testing.T) {
	g := newTestGuard(t, Defaults())
	for value, want := range map[string]string{
		`{"a": [ {"b" : "bob@x.com"} ], "n":1.50}`:                               `{"a": [ {"b" : "[EMAIL_1]"} ], "n":1.50}`,
		`[4111111111111111,-4111111111111111,4.111111111111111e+15]`:             `["[CARD_1]","[CARD_1]","[CARD_1]"]`,
		`[1700000000000, 0.4111111111111111, 12345678901234567890]`:              `[1700000000000, 0.4111111111111111, 12345678901234567890]`,
		`{"bob@x.com":1,"BOB@x.com":2}`:                                          `{"[EMAIL_1]":1,"[EMAIL_1]#2":2}`,
		`{"password":"a b","pin":1,"token":[123456,"abcdefg"]}`:                  `{"password":"[SECRET_1]","pin":1,"token":["[SECRET_2]","[SECRET_3]"]}`,
		`"{\"mail\":\"bob\\u0040x.com\"}"`:                                       `"{\"mail\":\"[EMAIL_1]\"}"`,
		`{"s":"[1, {\"x\":\"[\\\"bob@x.com\\\"]\"}]"}`:                           `{"s":"[1, {\"x\":\"[\\\"[EMAIL_1]\\\"]\"}]"}`,
		`{"t":"bob\u0040x.com \u00fc"}`:                                          `{"t":"[EMAIL_1] ü"}`,
		`{"password":"${PW}","token":"<token>","max_tokens":1000000}`:            `{"password":"${PW}","token":"<token>","max_tokens":1000000}`,
		`[{"name":"A_TOKEN","value":"abc123"},{"name":"LEVEL","value":"debug"}]`: `[{"name":"A_TOKEN","value":"[SECRET_1]"},{"name":"LEVEL","value":"debug"}]`,
		`{"patient":"Qorl Xand","owner":"Platform Team"}`:                        `{"patient":"[PERSON_1]","owner":"Platform Team"}`,
		`{"address":"12 Qorl Xyz, Town","ip_address":"7 of 9 Hosts"}`:            `{"address":"[ADDRESS_1]","ip_address":"7 of 9 Hosts"}`,
		`null`: `null`,
		``:     ``,
	} {
		event := struct{ Data jsontext.Value }{jsontext.Value(value)}
		if _, err := g.Protect(&event); err != nil || string(event.Data) != want {
			t.Errorf("%s: %v\n got %s\nwant %s", value, err, event.Data, want)
		}
	}
}

func TestOptedOutContentLeavesAMark(t *testing.T) {
	g := newTestGuard(t, Defaults())
	for value, want := range map[string]string{
		`{"body":"A=1","path":"d/.ENV.local","new":true,"n":[1]}`:                      `{"body":"[OPTED_OUT]","path":"d/.ENV.local","new":true,"n":"[OPTED_OUT]"}`,
		`{"x":{"file_path":"C:\\keys\\id_rsa.pub","body":{"a":1}},"y":"kept"}`:         `{"x":{"file_path":"C:\\keys\\id_rsa.pub","body":"[OPTED_OUT]"},"y":"kept"}`,
		`{"files":["a.go","b.tfstate"],"diff":"x"}`:                                    `{"files":["a.go","b.tfstate"],"diff":"[OPTED_OUT]"}`,
		`{"files":{"a.go":"kept","conf/server.pem":"x"}}`:                              `{"files":{"a.go":"kept","conf/server.pem":"[OPTED_OUT]"}}`,
		`{"path":"a.go","content":"kept","profile":"x"}`:                               `{"path":"a.go","content":"kept","profile":"x"}`,
		`"--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-A=1\n--- a/x.go\n+++ b/x.go\n+kept\n"`: `"--- a/.env\n[OPTED_OUT]\n--- a/x.go\n+++ b/x.go\n+kept\n"`,
		`"diff --git a/.env b/.env\n--- /dev/null\n+++ b/.env\n+A=1"`:                  `"diff --git a/.env b/.env\n[OPTED_OUT]"`,
		`"see:\n` + "```sh title=prod.env" + `\nA=1\n` + "```" + `\nkept"`:             `"see:\n` + "```sh title=prod.env" + `\n[OPTED_OUT]\n` + "```" + `\nkept"`,
		`"**.env**\n` + "```" + `\nA=1"`:                                               `"**.env**\n` + "```" + `\n[OPTED_OUT]"`,
		`"` + "```go" + `\nkept := 1\n` + "```" + `"`:                                  `"` + "```go" + `\nkept := 1\n` + "```" + `"`,
		`"call item.key like so:\n` + "```" + `\nkept"`:                                `"call item.key like so:\n` + "```" + `\nkept"`,
		`"the .env file is kept"`:                                                      `"the .env file is kept"`,
		`{"uri":"file:///srv/x.key?v=1#2","text":"x"}`:                                 `{"uri":"file:///srv/x.key?v=1#2","text":"[OPTED_OUT]"}`,
	} {
		got, report := protectJSON(t, g, value)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", value, got, want)
		}
		if (report.OptedOut > 0) != strings.Contains(want, optedOutMark) {
			t.Errorf("%s: reported %+v", value, report)
		}
	}
}

func TestOptOutPatternsWithFoldersMatchPaths(t *testing.T) {
	o := newOptOut([]string{"secrets/**", "/etc/*.conf", "v?.[ch]"})
	for path, want := range map[string]bool{"a/secrets/b/c.txt": true, "secrets/x": true, "secret/x": false, "/etc/a.conf": true,
		"etc/a.conf": true, "x/V1.C": true, "v12.c": false, "x.go:12:3": false, "secrets/x.go:12:3": true, "": false} {
		if o.matches(path) != want {
			t.Errorf("%s: %v, want %v", path, !want, want)
		}
	}
}

func TestWhatCannotBeExaminedIsDropped(t *testing.T) {
	g := newTestGuard(t, Defaults())
	huge := strings.Repeat("a", maxText+1)
	event := fixPayload{FeedbackID: huge, OriginalText: huge, SuggestedText: "kept"}
	report, err := g.Protect(&event)
	if err != nil || event.OriginalText != "[REMOVED]" || event.SuggestedText != "kept" || report.Removed != 1 {
		t.Errorf("report %+v, %v, text of %d", report, err, len(event.OriginalText))
	}
	if event.FeedbackID != g.keys.Shield(huge) {
		t.Error("an endless id was kept")
	}
	deep := strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1)
	nested := `"bob@x.com"`
	for range maxNested {
		quoted, err := jsontext.AppendQuote(nil, "["+nested+"]")
		if err != nil {
			t.Fatal(err)
		}
		nested = string(quoted)
	}
	for _, value := range []string{`{"a":`, `{"a":1} x`, deep} {
		event := struct{ Data jsontext.Value }{jsontext.Value(value)}
		if report, err := g.Protect(&event); err != nil || string(event.Data) != `"[REMOVED]"` || report.Removed != 1 {
			t.Errorf("%.20s became %.20s, %+v, %v", value, event.Data, report, err)
		}
	}
	if got, report := protectJSON(t, g, nested); strings.Contains(got, "bob") || report.Removed != 1 {
		t.Errorf("nested %s, %+v", got, report)
	}
}

// brokenFinder fails on every text.
type brokenFinder struct{}

func (brokenFinder) find(text string, _ cue) []Finding { panic("broken by " + text) }
func (brokenFinder) reserved() [entities]int           { return [entities]int{} }

func TestABrokenDetectorLetsNothingPass(t *testing.T) {
	g := newTestGuard(t, Defaults())
	g.scan = brokenFinder{}
	event := struct {
		Text string
		ID   string `privacy:"id"`
		Open jsontext.Value
		User string `privacy:"person"`
	}{"content", "an id", jsontext.Value(`{"content":["content",1234567890123]}`), "bob"}
	report, err := g.Protect(&event)
	if err != nil {
		t.Fatal(err)
	}
	if event.Text != "[REMOVED]" || event.ID != g.keys.Shield("an id") || strings.Contains(string(event.Open), "content") {
		t.Errorf("left %+v, %s", event, event.Open)
	}
	if report.Removed < 2 || event.User != g.keys.Pseudonym(Users, "bob") {
		t.Errorf("report %+v, user %s", report, event.User)
	}
	if !event.Open.IsValid() {
		t.Errorf("invalid JSON %s", event.Open)
	}
}

func TestTypesThatCannotBeExaminedAreRefused(t *testing.T) {
	type hidden struct{ secret string }
	g := newTestGuard(t, Defaults())
	for name, event := range map[string]any{
		"no pointer": fixPayload{}, "nil": nil, "nil pointer": (*fixPayload)(nil), "no struct": new(string),
		"anything": &struct{ X any }{}, "bytes": &struct{ X []byte }{}, "hidden": &struct{ X hidden }{},
		"number names": &struct{ X map[int]string }{}, "no such class": &struct {
			X string `privacy:"secret"`
		}{}, "a pseudonym of JSON": &struct {
			X jsontext.Value `privacy:"person"`
		}{},
	} {
		if _, err := g.Protect(event); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if h := (hidden{}); h.secret != "" {
		t.Error("never")
	}
}

func TestTimesAreLeftAlone(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	event := struct{ At time.Time }{at}
	if _, err := newTestGuard(t, Defaults()).Protect(&event); err != nil || event.At != at {
		t.Errorf("%v, %v", event.At, err)
	}
}

func TestSettingsSwitchProtectionOff(t *testing.T) {
	s := Defaults()
	s.AnonymizeUsers, s.AnonymizePII, s.Confirmed, s.Enabled = false, false, true, false
	g := newTestGuard(t, s)
	event := fixPayload{FeedbackID: "bob@x.com", OriginalText: "bob@x.com", UserID: "bob"}
	report, err := g.Protect(&event)
	if err != nil || event.FeedbackID != "bob@x.com" || event.OriginalText != "bob@x.com" || event.UserID != "bob" || !report.Disabled {
		t.Errorf("got %+v, %+v, %v", event, report, err)
	}
	value := `{"path":".env","content":"A=1","password":"x y z","n":4111111111111111}`
	want := `{"path":".env","content":"[OPTED_OUT]","password":"[OPTED_OUT]","n":"[OPTED_OUT]"}`
	if got, _ := protectJSON(t, g, value); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestIdentifiersStayDistinct(t *testing.T) {
	g := newTestGuard(t, Defaults())
	a, b := g.Identifier("rule/bob@x.com"), g.Identifier("rule/eve@x.com")
	if a == b || !strings.HasPrefix(a, "x"+g.keys.ID()+"_") {
		t.Errorf("shielded as %s and %s", a, b)
	}
	for _, id := range []string{"", a, "golint/unused", "2c4ee881-94de-5592-a783-3b5a2ae9d03f", "AIME_2024-q0/1/control", "/data/mlqe_pe",
		g.Pseudonym(Users, "bob")} {
		if got := g.Identifier(id); got != id {
			t.Errorf("%q became %q", id, got)
		}
	}
}

func TestAGuardNeedsKeysAndValidSettings(t *testing.T) {
	if _, err := NewGuard(nil, Defaults()); err == nil {
		t.Error("a guard without keys")
	}
	if _, err := NewGuard(newTestKeys(t), Settings{}); err == nil {
		t.Error("a guard without a text mode")
	}
}

func TestHashesAndFiguresStayAndWhatStandsInTheirPlaceDoesNot(t *testing.T) {
	g := newTestGuard(t, Defaults())
	for text, stays := range map[string]bool{"k3xq7m2n5p4r6s8t": true, "ig5xzmrlyp7wr6r4qa4vzy3j7q": true, "bob@example.com": false,
		"4556737586899855": false, "": true} {
		event := struct {
			Subject string         `privacy:"blind"`
			Value   jsontext.Value `privacy:"figures"`
		}{text, jsontext.Value(`{"n":4556737586899855,"s":"bob@example.com"}`)}
		if _, err := g.Protect(&event); err != nil {
			t.Fatal(err)
		}
		if (event.Subject == text) != stays {
			t.Errorf("%q became %q", text, event.Subject)
		}
		if want := `{"n":4556737586899855,"s":"[EMAIL_1]"}`; string(event.Value) != want {
			t.Errorf("figures became %s", event.Value)
		}
	}
}
