package samples_test

import (
	"fmt"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/samples"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSamplesKeepTheLawsOfModels(t *testing.T) {
	learntest.Laws{
		Model:         samples.Model(),
		Events:        rapid.Custom(drawSample),
		RowsPerRecord: 1,
		LongestRow:    1 << 10,
		Apart:         apart,
	}.Check(t)
}

func FuzzFold(f *testing.F) {
	learntest.Fuzz(f, samples.Model(),
		`{"sample_id":"s","sample_family":"f","input":{},"output":{},"feedback":{"source":"user","type":"approval","quality_label":"good"}}`,
		`{"sample_family":"","feedback":{"source":"?","type":"","quality_label":"splendid"}}`,
		`{"sample_family":"\u0000/#","meta":{"quality_score":1e300}}`,
	)
}

// drawSample draws from few values, so that families and identities repeat.
func drawSample(t *rapid.T) learntest.Event {
	s := events.Sample{
		SampleID:     events.ID(fmt.Sprint(rapid.IntRange(1, 30).Draw(t, "id"))),
		SampleFamily: rapid.SampledFrom([]string{events.IntentResolution, events.ErrorCorrection, "a/b.c"}).Draw(t, "family"),
		Feedback: events.SampleFeedback{
			Source:       rapid.SampledFrom([]events.FeedbackSource{events.ByUser, events.BySystem}).Draw(t, "source"),
			Type:         rapid.SampledFrom([]events.SampleVerdict{events.Approval, events.Rejection, events.Correction, events.Score}).Draw(t, "type"),
			QualityLabel: rapid.SampledFrom([]events.QualityLabel{"", events.Good, events.Acceptable, events.Poor}).Draw(t, "label"),
		},
	}
	return event(rapid.IntRange(0, 5000).Draw(t, "minute"), s)
}

// event makes one that happened so many minutes after a new year.
func event(minute int, s events.Sample) learntest.Event {
	at := time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC)
	s.CreatedAt = at
	if s.Input == nil {
		s.Input = []byte(`{"intent_text":"Book a flight"}`)
	}
	if s.Output == nil {
		s.Output = []byte(`{"result":"booked"}`)
	}
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return learntest.Event{Kind: events.SampleCaptured.Kind, ID: "e-" + string(s.SampleID), Source: "test", Time: at, Data: raw}
}

// apart gives a sample an identity of its own.
func apart(e learntest.Event, n int) learntest.Event {
	var s events.Sample
	if err := json.Unmarshal(e.Data, &s); err != nil {
		panic(err)
	}
	s.SampleID = events.ID(fmt.Sprint("apart-", n))
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	e.Data = raw
	return e
}

func TestNothingOfSamplesIsToldToGenerators(t *testing.T) {
	loop := heard(t, event(0, events.Sample{SampleID: "1", SampleFamily: "f", Feedback: judged(events.Good)}))
	contexts, err := loop.Contexts()
	if err != nil || len(contexts) != 0 {
		t.Errorf("told %v, %v", contexts, err)
	}
	if samples.Model().Tells(learn.Key{Kind: "families"}) {
		t.Error("the tallies are published")
	}
}

func TestOrderPartitionsAndDuplicatesDoNotMatterToTheTallies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := rapid.SliceOfN(rapid.Custom(drawSample), 1, 40).Draw(t, "log")
		again := append(rapid.Permutation(log).Draw(t, "order"), rapid.SliceOf(rapid.SampledFrom(log)).Draw(t, "duplicates")...)
		want := tallies(t, heardBy(t, 3, log...), samples.Filter{})
		got := tallies(t, heardBy(t, rapid.IntRange(1, 7).Draw(t, "partitions"), again...), samples.Filter{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("-want +got\n%s", diff)
		}
	})
}

func TestWhatIsCountedFromRecordsIsWhatIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loop := heardBy(t, 3, rapid.SliceOfN(rapid.Custom(drawSample), 1, 40).Draw(t, "log")...)
		always := samples.Filter{From: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)}
		if diff := cmp.Diff(tallies(t, loop, samples.Filter{}), tallies(t, loop, always)); diff != "" {
			t.Fatalf("-kept +counted\n%s", diff)
		}
	})
}

func TestRatesAreOfSamplesThatHaveALabel(t *testing.T) {
	loop := heard(t,
		event(0, events.Sample{SampleID: "1", SampleFamily: "f", Feedback: judged(events.Good)}),
		event(1, events.Sample{SampleID: "2", SampleFamily: "f", Feedback: judged(events.Good)}),
		event(2, events.Sample{SampleID: "3", SampleFamily: "f", Feedback: judged(events.Acceptable)}),
		event(3, events.Sample{SampleID: "4", SampleFamily: "f", Feedback: judged(events.Poor)}),
		event(4, events.Sample{SampleID: "5", SampleFamily: "f", Feedback: judged("")}),
		event(5, events.Sample{SampleID: "6", SampleFamily: "bare", Feedback: judged("")}),
	)
	m := tallies(t, loop, samples.Filter{}).Metrics()
	if m.Total != 6 || m.Unlabelled != 2 || *m.ApprovalRate != .5 || *m.CorrectionRate != .25 || *m.RejectionRate != .25 {
		t.Errorf("all: %+v", m.Quality)
	}
	if bare := m.Families["bare"]; bare.Total != 1 || bare.ApprovalRate != nil || bare.CorrectionRate != nil || bare.RejectionRate != nil {
		t.Errorf("without labels: %+v", bare)
	}
}

func TestAPeriodIsExactAndFamiliesAreChosen(t *testing.T) {
	loop := heard(t,
		event(0, events.Sample{SampleID: "1", SampleFamily: "f", Feedback: judged(events.Good)}),
		event(1, events.Sample{SampleID: "2", SampleFamily: "f", Feedback: judged(events.Poor)}),
		event(2, events.Sample{SampleID: "3", SampleFamily: "f", Feedback: judged(events.Good)}),
		event(1, events.Sample{SampleID: "4", SampleFamily: "g", Feedback: judged(events.Good)}),
	)
	at := func(minute int) time.Time { return time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC) }
	for name, c := range map[string]struct {
		filter samples.Filter
		want   samples.Tallies
	}{
		"a family":       {samples.Filter{Families: []string{"g"}}, samples.Tallies{"g": one(events.Good)}},
		"half-open":      {samples.Filter{From: at(1), To: at(2)}, samples.Tallies{"f": one(events.Poor), "g": one(events.Good)}},
		"both":           {samples.Filter{From: at(1), To: at(2), Families: []string{"f"}}, samples.Tallies{"f": one(events.Poor)}},
		"nothing there":  {samples.Filter{From: at(9)}, samples.Tallies{}},
		"unknown family": {samples.Filter{Families: []string{"x"}}, samples.Tallies{}},
	} {
		if diff := cmp.Diff(c.want, tallies(t, loop, c.filter)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func one(label events.QualityLabel) samples.Tally {
	t := samples.Tally{N: 1, Types: samples.Types{Approval: 1}, Sources: samples.Sources{User: 1}}
	switch label {
	case events.Good:
		t.Labels.Good = 1
	case events.Poor:
		t.Labels.Poor = 1
	case events.Acceptable:
		t.Labels.Acceptable = 1
	}
	return t
}

func judged(label events.QualityLabel) events.SampleFeedback {
	return events.SampleFeedback{Source: events.ByUser, Type: events.Approval, QualityLabel: label}
}

func heard(t *testing.T, log ...learntest.Event) *learntest.Loop {
	t.Helper()
	return heardBy(t, 3, log...)
}

// fataler is a test, or a draw of one.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

func heardBy(t fataler, partitions int, log ...learntest.Event) *learntest.Loop {
	t.Helper()
	loop := &learntest.Loop{Models: []learn.Model{samples.Model()}, Partitions: partitions}
	for _, e := range log {
		if err := loop.Hear(e); err != nil {
			t.Fatal(err)
		}
	}
	return loop
}

func tallies(t fataler, loop *learntest.Loop, f samples.Filter) samples.Tallies {
	t.Helper()
	parts, err := learntest.Ask[samples.Tallies](loop, samples.Model(), samples.AskTallies, f)
	if err != nil {
		t.Fatal(err)
	}
	return samples.MergeTallies(parts...)
}
