package rules_test

import (
	"fmt"
	"strings"
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
		Events:        rapid.OneOf(rapid.Custom(drawFeedback), rapid.Custom(drawFeedback), rapid.Custom(drawImport)),
		Apart:         importApart,
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

// importApart gives an import a chunk of its own.
func importApart(e learntest.Event, n int) learntest.Event {
	if e.Kind != events.ControlImported.Kind {
		return e
	}
	var data events.DataImported
	if err := json.Unmarshal(e.Data, &data); err != nil {
		panic(err)
	}
	data.Chunk += int64(10 * (n + 1))
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	e.Data = raw
	return e
}

// drawImport draws from few installations, rules and chunks, so that one replaces another.
// Not more decisions stated a confidence than there were: others are refused before they
// get here.
func drawImport(t *rapid.T) learntest.Event {
	n := rapid.Int64Range(0, 40)
	at := when(rapid.IntRange(0, 3).Draw(t, "exported"))
	data := events.DataImported{
		Origin:  rapid.SampledFrom([]string{learntest.Blind("installation"), "0123456789abcdef"}).Draw(t, "origin"),
		RuleID:  rapid.SampledFrom([]events.ID{"passive", "a/b.c"}).Draw(t, "rule"),
		Version: "1.0", Checksum: strings.Repeat("a", 64), Chunk: rapid.Int64Range(0, 1).Draw(t, "chunk"),
		Moment: events.Moment{Timestamp: at},
	}
	if data.Chunk == 0 {
		data.Counts = &events.ImportedRule{First: "2026-01-02", Last: "2026-02-01", Cells: []events.ImportedCell{
			{Category: rapid.SampledFrom([]string{"style", "clarity"}).Draw(t, "category"), Bulk: rapid.Bool().Draw(t, "bulk"),
				Accepted: 2 + n.Draw(t, "accepted"), Rejected: n.Draw(t, "rejected"), Skipped: n.Draw(t, "skipped"), Graded: 2, Hits: 1},
		}, Confidence: []events.ImportedBin{{Bin: 11, N: 2, Kept: 1, Sum: 180_000}}, ErrorRest: 8_200_000_000}
	} else {
		data.Patterns = []events.ImportedPattern{{
			Pattern: learntest.Blind("pattern", "utilize", "use"), OriginalPattern: "utilize", SuggestedPattern: "use", Mode: "full",
			Accepted: n.Draw(t, "kept"), Rejected: n.Draw(t, "turned"),
		}, {
			Pattern: "00000000deadbeef", OriginalPattern: "[…] very", SuggestedPattern: "[…]", Mode: rapid.SampledFrom([]string{"strict", "pattern"}).Draw(t, "mode"),
			Modified: n.Draw(t, "modified"),
		}}
	}
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return learntest.Event{Kind: events.ControlImported.Kind, ID: "i" + fmt.Sprint(rapid.IntRange(1, 30).Draw(t, "id")), Source: "test", Time: at, Data: raw}
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
		`{"origin":"0123456789abcdef","rule_id":"r","version":"1.0","checksum":"`+strings.Repeat("0", 64)+`",`+
			`"counts":{"cells":[{"category":"c","accepted":3}],"confidence":[{"bin":12,"n":1}]},`+
			`"patterns":[{"pattern":"0123456789abcdef","original_pattern":"a","suggested_pattern":"b","mode":"strict","rejected":99999999999}]}`,
		`{"model":"rules","name":"calibration","value":{"n":[1,2,3,4,5,6,7,8,9,10,11,12,13]}}`,
	)
}
