package privacy

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

var seeds = []string{
	"", "bob@example.com", "a@b.co@c.de", "+49 30 1234567 4111 1111 1111 1111", "4111 1111 1111 1111 4111 1111 1111 1111",
	"password=hunter2, token: \"abc def\"", `{"password":"hun\xter","b":"bob\u0040x.com"}`, "[EMAIL_3] eve@example.com [CARD_",
	"https://u:p@h/ ::1 fe80::1 00:1b:44:11:3a:b7", "-----BEGIN KEY-----\nMIIEpAIBAAKCAQEAMIIEp\n\nend", "ｂｏｂ＠ｘ．ｃｏｍ \u200b\u00ad",
	"DE89 3704 0044 0532 0130 00", "Bearer abcdefgh1234 Basic dXNlcjpwYXNz", "--- a/.env\n+++ b/.env\n@@\n+A=1\n", "```sh:.env\nA=1\n```\nB=2",
	"diff --git a/.env b/.env\n--- /dev/null\n+++ b/.env\n+A\ndiff --git a/x b/x\n", "\xff\xfe@a.co", "123-45-6789 10.1.2.3",
	"Patient: Jane Doe <j@x.org>, 12 Elm Road, Springfield, IL 62704", "| API key | abc123 |", "姓名：葛雅鑫 丹羽 淳様 최종현님", "Dutch tax id 557002333",
	"{\"ssn\":123456789}\n[2025550143,\"a@b.co\"]\n{\"path\":\".env\",\"x\":1}", "db_token aB3dE5gH7j\nx | y9 (was a1b2c3d4e5f6) & mac: afbee94c1484",
	"- name: DB_PASSWORD\n  value: hunter2", "<password>hunter2</password> ENV TOKEN abc123 my key is abc123", "Hauptstraße 5, 10115 Berlin; ul. Kwiatowa 12/4",
}

func FuzzRedact(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := Redact(text)
		if utf8.ValidString(text) && !utf8.ValidString(once) {
			t.Fatalf("%q is not UTF-8", once)
		}
		if twice := Redact(once); twice != once {
			t.Fatalf("redacted twice:\n%q\n%q\n%q", text, once, twice)
		}
		end := 0
		for _, found := range Find(text) {
			if found.Start < end || found.End <= found.Start || found.End > len(text) {
				t.Fatalf("finding %v of %d bytes, behind %d", found, len(text), end)
			}
			end = found.End
		}
	})
}

func FuzzProtectOpenJSON(f *testing.F) {
	for _, s := range seeds {
		quoted, _ := jsontext.AppendQuote(nil, s)
		f.Add(string(quoted))
		f.Add(`{"path":".env","n":[4111111111111111,true,` + string(quoted) + `],` + string(quoted) + `:{"x":null}}`)
	}
	f.Add(`{"bob@example.com":1,"BOB@example.com":2,"[EMAIL_1]":3}`)
	f.Add(`{"path":".env 00\\u00400.AA","":{}}`)
	f.Add(`{"path":".env","name PASS\"value:path":{}}`)
	f.Add(`{"a":"{\"path\":\"x/id_rsa\",\"content\":\"k\"}","password":[1234567,"x y z"]}`)
	guard := newTestGuard(f, Defaults())
	f.Fuzz(func(t *testing.T, text string) {
		if !jsontext.Value(text).IsValid() {
			t.Skip()
		}
		event := struct{ Data jsontext.Value }{jsontext.Value(text)}
		if _, err := guard.Protect(&event); err != nil {
			t.Fatal(err)
		}
		once := string(event.Data)
		if !event.Data.IsValid() {
			t.Fatalf("%s became %s", text, once)
		}
		if _, err := guard.Protect(&event); err != nil || string(event.Data) != once {
			t.Fatalf("protected twice (%v):\n%s\n%s\n%s", err, text, once, event.Data)
		}
	})
}

func FuzzMask(f *testing.F) {
	f.Add("he utilizes the tool", "he uses the tool", "he uses a tool", "a")
	f.Add("also goes", "goes also", "", "also")
	f.Add("[EMAIL_1] wrote [...] x", "[EMAIL_1] [WORD]", "1234 a1b2", "[...]")
	f.Add("Jürgen Müller", "\u200bп\u0301р", " ", "")
	f.Fuzz(func(t *testing.T, original, suggested, final, modification string) {
		fix := Fix{original, suggested, final, modification}
		for _, mode := range []Mode{Strict, Pattern, Full, "other"} {
			once := mode.Mask(fix)
			if twice := mode.Mask(once); twice != once {
				t.Fatalf("%s twice:\n%q\n%q\n%q", mode, fix, once, twice)
			}
		}
		same := Pattern.Mask(Fix{Original: original, Suggested: original, Final: original})
		if kept := strings.TrimSpace(same.Original + same.Suggested); kept != "" && strings.Trim(kept, "[.]") != "" {
			t.Fatalf("context of %q came through: %q", original, same)
		}
	})
}
