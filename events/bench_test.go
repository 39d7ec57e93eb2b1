package events

import (
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// fix1k is a decision of about 1 KB, as agents send them.
func fix1k() []byte {
	text := strings.Repeat("The report was written by the team. ", 6)
	return []byte(`{"feedback_id":"2c4ee881-94de-5592-a783-3b5a2ae9d03f","suggestion_id":"c0bd4b42-70e4-5b19-883d-f94f5d790fd4",` +
		`"deviation_id":"80b78786-c3fa-52e3-ab15-9c100e383384","rule_id":"passive-voice","category":"style","decision":"modified",` +
		`"original_text":"` + text + `","suggested_text":"` + text + `","final_text":"` + text + `",` +
		`"original_confidence":0.7501,"is_bulk_operation":false,"user_id":"dev-03","user_comment":"too long for a title"}`)
}

func fixEnvelope() Envelope {
	e := voteEnvelope()
	e.ID, e.Kind, e.Data = "cbf50f32-5438-5714-bac1-f8bbb1cf1f2a", FeedbackFix.Kind, fix1k()
	return e
}

func BenchmarkDecode(b *testing.B) {
	b.Run("fast", func(b *testing.B) { benchDecode(b, FeedbackFix, fix1k()) })
	b.Run("deletion", func(b *testing.B) {
		benchDecode(b, FeedbackFix, []byte(strings.Replace(string(fix1k()), `"suggested_text":"The`, `"suggested_text":"","model":"The`, 1)))
	})
	b.Run("task of five", func(b *testing.B) { benchDecode(b, TaskFinished, taskOfFive()) })
}

func taskOfFive() []byte {
	step := `{"id":"run-tests","description":"Run the tests","model_used":"small-1","success":true,` +
		`"retry_count":0,"duration_seconds":12.5,"tokens_used":1830,"failure_reasons":[]}`
	return []byte(`{"task_id":"t","goal":"g","status":"completed","subtasks":[` + strings.Repeat(step+",", 4) + step + `]}`)
}

func benchDecode(b *testing.B, s Spec, data []byte) {
	b.Helper()
	if !quick(s, data) {
		b.Fatal("the fast path is not taken")
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, r := Decode(s, data); r.Refused() {
			b.Fatal(r)
		}
	}
}

func BenchmarkValidate(b *testing.B) {
	data := fix1k()
	for b.Loop() {
		if wrong := Validate(FeedbackFix, data); wrong != nil {
			b.Fatal(wrong)
		}
	}
}

func BenchmarkUnpack(b *testing.B) {
	header, body := EncodeBinary(fixEnvelope())
	b.Run("binary", func(b *testing.B) { benchUnpack(b, header, body, 1) })
	body, err := EncodeStructured(fixEnvelope())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("structured", func(b *testing.B) { benchUnpack(b, contentType(ContentStructured), body, 1) })
	list := make([]Envelope, 100)
	for n := range list {
		list[n] = fixEnvelope()
	}
	if body, err = EncodeBatch(list); err != nil {
		b.Fatal(err)
	}
	b.Run("batch of 100", func(b *testing.B) { benchUnpack(b, contentType(ContentBatch), body, 100) })
}

func benchUnpack(b *testing.B, header map[string][]string, body []byte, want int) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		if items := Unpack(header, body); len(items) != want || items[0].Refused() {
			b.Fatal(items)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	e := fixEnvelope()
	b.Run("binary", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			EncodeBinary(e)
		}
	})
	b.Run("structured", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := EncodeStructured(e); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fact", func(b *testing.B) {
		payload, r := Decode(FeedbackFix, fix1k())
		if r.Refused() {
			b.Fatal(r)
		}
		at := time.Date(2026, 3, 4, 5, 6, 7, 890_000_000, time.UTC)
		f := FeedbackFix.Fact(Head{SpecVersion: "1.0", ID: e.ID, Source: e.Source, Type: e.Kind.Type(), Time: at, Recorded: at, Stamp: at,
			Record: "3tdx2uv6ju6gqyoysbvwehyvqe", Content: "uyhngxkpsggvsqc5mkqaxn3pbi", Group: ByRule, Key: "passive-voice",
			Person: "e2ylpvs4dyjq2bdzoyuzuzoqha"}, payload)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Encode(f); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkReadFact compares reading a stored decision with what the decoder takes for it.
func BenchmarkReadFact(b *testing.B) {
	p, r := Decode(FeedbackFix, fix1k())
	if r.Refused() {
		b.Fatal(r)
	}
	fix := p.(*FixFeedback)
	fix.Derived.Pattern, fix.Derived.Mode = "2c4ee88194de5592", "pattern"
	now := time.Date(2026, 3, 2, 11, 12, 13, 0, time.UTC)
	data, err := Encode(FeedbackFix.Fact(Head{SpecVersion: "1.0", ID: "1", Source: "/bench", Type: FeedbackFix.Kind.Type(), Time: now, Recorded: now,
		Record: "2c4ee88194de55922c4ee88194de5592", Content: "c0bd4b4270e45b19c0bd4b4270e45b19", Group: ByRule, Key: "passive-voice"}, fix))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("short way", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := FeedbackFix.ReadFact(data); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decoder", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := json.Unmarshal(data, new(Fact[FixFeedback])); err != nil {
				b.Fatal(err)
			}
		}
	})
}
