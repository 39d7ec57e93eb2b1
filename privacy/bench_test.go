package privacy

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

const prose = `The quarterly report is ready, and the team will meet on 12 March at 10:30 to discuss it.
She said: "we should utilize the whitelist" — version 2.1.4 fixed that. See https://docs.example.org/guide?page=2 for more.
`

const code = `func (s *Server) handle(w http.ResponseWriter, r *http.Request) error {
	id, count := r.PathValue("id"), map[string]int{"a": 1, "b": 0x1f}
	for i := 0; i < len(s.items); i++ {
		if s.items[i].key == id && count["a"] != 3.14159 { // 550e8400-e29b-41d4-a716-446655440000
			return fmt.Errorf("item %s: %w", id, errNotFound)
		}
	}
}
`

func BenchmarkFindProseAndCode(b *testing.B) {
	text := strings.Repeat(prose+code, 64)
	text += "write to bob@example.com"
	var s scanner
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if len(s.find(text)) != 1 {
			b.Fatal("want the address only")
		}
	}
}

func BenchmarkFindDense(b *testing.B) {
	text := strings.Repeat("mail bob@example.com or +49 30 1234567, card 4111 1111 1111 1111, password=hunter2\n", 64)
	var s scanner
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.find(text)
	}
}

func BenchmarkProtectFix(b *testing.B) {
	g := newTestGuard(b, Defaults())
	half := prose + code[:120]
	for b.Loop() {
		event := fixPayload{FeedbackID: "2c4ee881-94de-5592-a783-3b5a2ae9d03f", SuggestionID: "c0bd4b42-70e4-5b19-883d-f94f5d790fd4",
			RuleID: "passive-voice", Category: "style", Decision: "modified", OriginalText: half, SuggestedText: half,
			FinalText: &half, UserID: "dev-03", Comment: "ask bob@example.com"}
		if _, err := g.Protect(&event); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkProtectOpenJSON(b *testing.B) {
	g := newTestGuard(b, Defaults())
	quoted, _ := jsontext.AppendQuote(nil, prose+code)
	value := `{"intent_text":` + string(quoted) + `,"context":{"files":["a.go","b.go"],"lines":[1,2,3],"user":"bob@example.com"}}`
	b.SetBytes(int64(len(value)))
	for b.Loop() {
		event := samplePayload{Input: jsontext.Value(value)}
		if _, err := g.Protect(&event); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPseudonym(b *testing.B) {
	k := newTestKeys(b)
	for b.Loop() {
		k.Pseudonym(Users, "somebody@example.com")
	}
}

func BenchmarkMaskPattern(b *testing.B) {
	fix := Fix{Original: prose + prose, Suggested: strings.Replace(prose, "utilize", "use", 1) + prose, Final: prose}
	for b.Loop() {
		Pattern.Mask(fix)
	}
}
