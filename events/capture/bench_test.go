package capture

import (
	"strings"
	"testing"

	"learnloop.dev/events"
)

// realistic is an event of about 1 KB, as an editor's agent sends it.
func realistic() events.Envelope {
	e := events.Envelope{Source: "/agents/editor/7", Kind: events.FeedbackFix.Kind}
	e.Data = []byte(`{"suggestion_id":"s-1","deviation_id":"d-1","rule_id":"passive-voice","category":"style",` +
		`"decision":"modified","original_text":"` + strings.Repeat("It was shown that. ", 20) +
		`","suggested_text":"` + strings.Repeat("We showed that. ", 25) + `","user_id":"u-1","language":"en"}`)
	return e
}

// BenchmarkCapture measures what the agent pays: senders are played by taking
// loads out, without encoding and sending them.
func BenchmarkCapture(b *testing.B) {
	for name, extend := range map[string]bool{"plain": false, "with trace": true} {
		b.Run(name, func(b *testing.B) {
			e := realistic()
			if extend {
				e.Extensions = map[string]string{events.ExtTrace: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
			}
			p := &Publisher{buffer: newBuffer(defaultEvents, defaultBytes), losses: newLosses(nil)}
			var l load
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if err := p.Capture(e); err != nil {
					b.Fatal(err)
				}
				if n++; n%batchEvents == 0 {
					p.buffer.take(&l)
					p.buffer.settle(&l, len(l.items), 0)
				}
			}
		})
	}
}

// BenchmarkPublish measures the same with a payload that has to be encoded.
func BenchmarkPublish(b *testing.B) {
	p := &Publisher{opts: Options{Source: "/agents/editor"}, buffer: newBuffer(defaultEvents, defaultBytes), losses: newLosses(nil)}
	payload := events.FixFeedback{
		SuggestionID: "s-1", DeviationID: "d-1", RuleID: "passive-voice", Category: "style", Decision: events.Modified,
		OriginalText: strings.Repeat("It was shown that. ", 20), SuggestedText: strings.Repeat("We showed that. ", 25),
	}
	var l load
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if err := Publish(p, events.FeedbackFix, payload); err != nil {
			b.Fatal(err)
		}
		if n++; n%batchEvents == 0 {
			p.buffer.take(&l)
			p.buffer.settle(&l, len(l.items), 0)
		}
	}
}
