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
		if len(s.find(text, 0)) != 1 {
			b.Fatal("want the address only")
		}
	}
}

func BenchmarkFindDense(b *testing.B) {
	text := strings.Repeat("mail bob@example.com or +49 30 1234567, card 4111 1111 1111 1111, password=hunter2\n", 64)
	var s scanner
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.find(text, 0)
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

func BenchmarkBlind(b *testing.B) {
	k := newTestKeys(b)
	b.Run("ids", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			k.Blind("record", "feedback.fix", "rule//passive-voice", "0", "2c4ee881-94de-5592-a783-3b5a2ae9d03f")
		}
	})
	b.Run("content", func(b *testing.B) {
		data := []byte(strings.Repeat("0123456789", 100))
		b.ReportAllocs()
		for b.Loop() {
			k.BlindData("content", data, "2026-03-04 05:06:07 +0000 UTC")
		}
	})
}

// BenchmarkMaskPattern masks what people send: a sentence or two, of which a few words change.
func BenchmarkMaskPattern(b *testing.B) {
	said := "In the section on method 7, the report was written by the team that had been asked, although the deadline was near."
	better := "In the section on method 7, the team that had been asked wrote the report, although the deadline was near."
	shorter := "In the section on method 7, the team wrote the report, though the deadline was near."
	for _, c := range []struct {
		name string
		fix  Fix
	}{
		{"accepted", Fix{Original: said, Suggested: better, Final: better}},
		{"modified", Fix{Original: said, Suggested: better, Final: shorter, Modification: shorter}},
		{"pages", Fix{strings.Repeat(prose, 20), strings.Repeat(prose+prose+code, 10), strings.Repeat(code+prose, 20), prose}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Pattern.Mask(c.fix)
			}
		})
	}
}
