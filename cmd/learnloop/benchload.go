package main

import (
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/kv"

	"github.com/go-json-experiment/json"
)

// benchRules are so many rules for events to be about.
func benchRules(n int) []string {
	rules := make([]string, n)
	for i := range rules {
		rules[i] = fmt.Sprintf("bench/rule-%03d", i)
	}
	return rules
}

// benchFix is the i-th decision, the round-th about its rule: about 1 KB as it travels, fifty patterns in
// each rule, decided as people do.
func benchFix(run string, i, round int, rule string) events.FixFeedback {
	id := events.ID(fmt.Sprintf("%s-%07d", run, i))
	confidence := float64(50+i%50) / 100
	f := events.FixFeedback{
		FeedbackID: id, SuggestionID: id, DeviationID: id, RuleID: events.ID(rule), Category: "bench",
		Decision:           events.Accepted,
		OriginalText:       benchText("the report was written by the team that had been asked", round%50),
		SuggestedText:      benchText("the team that had been asked wrote the report", round%50),
		OriginalConfidence: &confidence,
		UserID:             events.ID(fmt.Sprintf("person-%02d", i%40)),
		Language:           "en", Model: "bench-model",
	}
	switch i % 10 {
	case 3, 7:
		f.Decision, f.UserComment = events.Rejected, "the passive is fine where nobody knows who did it"
	case 5:
		shorter := benchText("the team wrote the report", round%50)
		f.Decision, f.FinalText, f.UserModification = events.Modified, &shorter, &shorter
	case 9:
		f.Decision = events.Skipped
	}
	return f
}

// benchText is a paragraph around a variation.
func benchText(variation string, n int) string {
	return fmt.Sprintf("In the section on method %d, %s, although the deadline was near and nobody had expected it; "+
		"the reader learns this only from a note at the end of the page, after the tables and their captions.", n, variation)
}

// benchCount is how many decisions a context of the benchmark rests on.
func benchCount(c kv.Context) int {
	var o outlineOf
	if json.Unmarshal(c.Value, &o) != nil {
		return 0
	}
	return o.samples()
}

// rate is how many per second.
func rate(n int, took time.Duration) float64 { return float64(n) / took.Seconds() }

// micros is a duration for each of n, in microseconds.
func micros(took time.Duration, n int) float64 {
	return float64(took.Nanoseconds()) / 1000 / float64(n)
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
