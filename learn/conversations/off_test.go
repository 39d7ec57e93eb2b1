package conversations

import (
	"fmt"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// talk is a session of twelve exchanges that ann liked.
func talk(change func(*events.ExchangeFeatures)) learn.Rows {
	table, at := new(learn.Memory), time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for i := range 12 {
		id := fmt.Sprint("x", i)
		f := &events.ExchangeFeatures{
			Relevance: new(events.Milli(600)), Clarity: &events.Clarity{Sentences: 900, Paragraphs: 800, Fences: 1000},
			Question: events.TextShape{Characters: 50}, Answer: events.TextShape{Characters: int64(100 + 100*i)}, Topics: []string{"go"},
		}
		change(f)
		head := events.Head{ID: id, Record: id, Time: at, Recorded: at, Group: events.ByPerson, Key: "ann"}
		head.Type = events.ExchangeRecorded.Kind.Type()
		Model().Apply(table, events.ExchangeRecorded.Fact(head, &events.Exchange{ExchangeID: events.ID(id), SessionID: "s", Features: f}))
		head.Type, head.Record = events.FeedbackResponse.Kind.Type(), "sign "+id
		Model().Apply(table, events.FeedbackResponse.Fact(head, &events.ResponseFeedback{ExchangeID: events.ID(id), FeedbackType: events.Copied}))
		at = at.Add(time.Minute)
	}
	table.Commit()
	return Model().Open(table)
}

func TestSwitchesThatWereOffStopWhatTheyName(t *testing.T) {
	for name, change := range map[string]func(*events.ExchangeFeatures){
		"none":            func(*events.ExchangeFeatures) {},
		"scoring":         func(f *events.ExchangeFeatures) { f.Unscored = true },
		"personalization": func(f *events.ExchangeFeatures) { f.Impersonal = true },
		"tracking":        func(f *events.ExchangeFeatures) { f.Untracked = true },
	} {
		t.Run(name, func(t *testing.T) {
			rows := talk(change)
			k, known := know(rows, userKey("ann"))
			total := summaryOf(rows, time.Time{}).Total()
			scored, personal, derived := total.Overall.N > 0, known && k.Taste.N > 0, total.Derived.total() > 0
			if scored == (name == "scoring") || personal == (name == "personalization") || derived == (name == "tracking") {
				t.Errorf("scored %v, personal %v, derived %v", scored, personal, derived)
			}
			if total.Exchanges != 12 || total.Signs.Copied != 12 {
				t.Errorf("%d exchanges, %d copies", total.Exchanges, total.Signs.Copied)
			}
		})
	}
}
