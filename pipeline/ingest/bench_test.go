package ingest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/all"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
)

const vocabulary = `the a of to and in that it was is for on with as at by from this report team section page table deadline
author written wrote asked utilize use leverage method result figure caption reader note review draft passive voice sentence
paragraph although because nobody expected should would could before after between whitelist allowlist ASCII`

// fixes are decisions as agents send them, of about 1 KB: texts of 16 to 28 words that differ in a few, every
// tenth with a comment, every fifth modified.
func fixes(tb testing.TB) []events.Envelope {
	tb.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	list := make([]events.Envelope, 100)
	for i := range list {
		data, err := json.Marshal(fix(rnd, i))
		if err != nil {
			tb.Fatal(err)
		}
		list[i] = envelope(uuid(rnd), string(data))
		list[i].Extensions = map[string]string{events.ExtTrace: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}
	}
	return list
}

func fix(rnd *rand.Rand, i int) events.FixFeedback {
	text := make([]string, 16+rnd.IntN(13))
	for n := range text {
		text[n] = word(rnd)
	}
	text[len(text)/2] += ","
	if i%10 == 2 {
		text[0] = "naïve"
	}
	f := events.FixFeedback{
		FeedbackID: events.ID(uuid(rnd)), SuggestionID: events.ID(uuid(rnd)), DeviationID: events.ID(uuid(rnd)),
		RuleID: events.ID(fmt.Sprintf("style/passive-voice-%02d", i%20)), Category: "style", Decision: events.Accepted,
		OriginalText:       sentence(text),
		SuggestedText:      sentence(edited(rnd, text, 3)),
		OriginalConfidence: new(float64(i) / 100),
		UserID:             events.ID(fmt.Sprintf("dev-%02d", i%40)),
		Language:           "en", Model: "small-model-1", Timestamp: now.Add(-time.Duration(i) * time.Second),
	}
	final := f.SuggestedText
	switch i % 5 {
	case 0:
		final = sentence(edited(rnd, text, 2))
		f.Decision, f.UserModification = events.Modified, &final
	case 1:
		final, f.Decision = f.OriginalText, events.Rejected
	}
	f.FinalText = &final
	if i%10 == 1 {
		f.UserComment = "the passive is fine where nobody knows who did it, ask bob@example.com"
	}
	return f
}

func sentence(words []string) string { return "In " + strings.Join(words, " ") + "." }

// edited is a text with some words replaced.
func edited(rnd *rand.Rand, text []string, n int) []string {
	text = strings.Fields(strings.Join(text, " "))
	for range n {
		text[rnd.IntN(len(text))] = word(rnd)
	}
	return text
}

func word(rnd *rand.Rand) string {
	list := strings.Fields(vocabulary)
	return list[rnd.IntN(len(list))]
}

func uuid(rnd *rand.Rand) string {
	return fmt.Sprintf("%08x-%04x-5%03x-8%03x-%012x", rnd.Uint32(), rnd.Uint32N(1<<16), rnd.Uint32N(1<<12), rnd.Uint32N(1<<12), rnd.Uint64N(1<<48))
}

func BenchmarkAdmit(b *testing.B) {
	keys, err := privacy.NewKeys(make([]byte, 32))
	if err != nil {
		b.Fatal(err)
	}
	policy := defaults()
	g, err := NewGate(House{Keys: keys, Models: all.Models(), Partitions: 32, Policy: func() *Policy { return &policy }})
	if err != nil {
		b.Fatal(err)
	}
	list := fixes(b)
	size := 0
	for _, env := range list {
		size += len(env.Data)
	}
	b.SetBytes(int64(size / len(list)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if v, err := g.Admit("learn.in.feedback.fix", list[i%len(list)]); err != nil || v.Refusal.Refused() {
			b.Fatal(err, v.Refusal)
		}
	}
}
