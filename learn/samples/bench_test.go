package samples_test

import (
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/samples"
)

// What a sample of about 1 KB costs on its way into a training set, once it is read.
func BenchmarkExample(b *testing.B) {
	s := events.Sample{
		SampleID: "8d2f1c9e-7a4b-4f0c-9a43-1d3f0f5f4a10", SampleFamily: events.IntentResolution, CreatedAt: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC),
		Input: []byte(`{"intent_text":"Move the reports of the billing service to the new format and check them","context":{"project":"billing reports",` +
			`"files":["report.sql","format.go"],"notes":"The last column has the tax, which the old format rounds per line and the new one per report; ` +
			`the difference has to be shown to whoever signs the report before it goes out, and is kept with it"}}`),
		Output: []byte(`{"plan_structure":[{"id":"inventory","description":"List what reads the old reports and what writes them"},` +
			`{"id":"convert","description":"Write the new format beside the old one"},{"id":"compare","description":"Compare both over a month"}]}`),
		Feedback: events.SampleFeedback{Source: events.ByUser, Type: events.Approval, QualityLabel: events.Good},
	}
	var text []byte
	b.ReportAllocs()
	for b.Loop() {
		text = samples.ExampleOf(&s).AppendIn(text[:0], samples.Plain)
	}
	b.ReportMetric(float64(len(text)), "bytes")
}
