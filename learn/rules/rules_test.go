package rules_test

import (
	"fmt"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/rules"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

func TestScripts(t *testing.T) { learntest.Scripts(t, "testdata/scripts", rules.Model()) }

func TestRuleFeedbackKeepsTheLawsOfModels(t *testing.T) {
	learntest.Laws{
		Model:         rules.Model(),
		Events:        rapid.Custom(drawFeedback),
		RowsPerRecord: 40,
		LongestRow:    4 << 10,
	}.Check(t)
}

// drawFeedback draws from few values, so that patterns, people and identities repeat.
func drawFeedback(t *rapid.T) learntest.Event {
	text := rapid.SampledFrom([]string{"", " ", "Utilize", "use", "in order to", "to", "[EMAIL_1] was told", "Ünder  way"})
	data := events.FixFeedback{
		SuggestionID:    "s",
		DeviationID:     "d",
		RuleID:          rapid.SampledFrom([]events.ID{"passive", "wordy", "a/b.c"}).Draw(t, "rule"),
		Category:        rapid.SampledFrom([]string{"style", "clarity"}).Draw(t, "category"),
		Decision:        rapid.SampledFrom([]events.Decision{"accepted", "rejected", "modified", "skipped"}).Draw(t, "decision"),
		OriginalText:    text.Draw(t, "original"),
		SuggestedText:   text.Draw(t, "suggested"),
		UserComment:     rapid.SampledFrom([]string{"", "too formal", "Too Formal", "wrong"}).Draw(t, "comment"),
		UserID:          rapid.SampledFrom([]events.ID{"", "ann", "bob"}).Draw(t, "user"),
		IsBulkOperation: rapid.Bool().Draw(t, "bulk"),
	}
	if rapid.Bool().Draw(t, "confident") {
		data.OriginalConfidence = new(rapid.Float64Range(0, 1).Draw(t, "confidence"))
	}
	if rapid.Bool().Draw(t, "edited") {
		data.UserModification = new(text.Draw(t, "modification"))
	}
	return event(fmt.Sprint(rapid.IntRange(1, 30).Draw(t, "id")), when(rapid.IntRange(0, 5000).Draw(t, "minute")), data)
}

func when(minute int) time.Time {
	return time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC)
}

func event(id string, at time.Time, data events.FixFeedback) learntest.Event {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return learntest.Event{Kind: events.FeedbackFix.Kind, ID: id, Source: "test", Time: at, Data: raw}
}

func FuzzFold(f *testing.F) {
	learntest.Fuzz(f, rules.Model(),
		`{"rule_id":"r","category":"c","decision":"modified","original_text":"a","suggested_text":"b c","user_modification":"b d","user_id":"u"}`,
		`{"rule_id":"","category":"","decision":"rejected","user_comment":"\u0000`+"```"+`no","original_confidence":-1e300}`,
		`{"rule_id":1,"decision":"accepted","derived":{"pattern":"\u001f","original":"x","suggested":"","mode":"?"}}`,
		`{"model":"rules","name":"calibration","value":{"n":[1,2,3,4,5,6,7,8,9,10,11,12,13]}}`,
	)
}
