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

// What comes when a switch is off counts as little as the exchange it is about would,
// though that came before, or never.
func TestReactionsThatCameWithASwitchOffStopWhatItNames(t *testing.T) {
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	reacted := func(w *events.Withheld, recorded bool) learn.Rows {
		rows := new(learn.Memory)
		head := events.Head{Time: at, Recorded: at, Group: events.ByPerson, Key: "ann"}
		if recorded {
			head.Type, head.Record = events.ExchangeRecorded.Kind.Type(), "x"
			Model().Apply(rows, events.ExchangeRecorded.Fact(head, &events.Exchange{ExchangeID: "x", SessionID: "s", Features: &events.ExchangeFeatures{}}))
		}
		head.Type, head.Record = events.FeedbackResponse.Kind.Type(), "sign"
		Model().Apply(rows, events.FeedbackResponse.Fact(head, &events.ResponseFeedback{ExchangeID: "x", FeedbackType: events.Copied, Withheld: w}))
		head.Type, head.Record = events.FeedbackEngagement.Kind.Type(), "deed"
		Model().Apply(rows, events.FeedbackEngagement.Fact(head, &events.Engagement{ExchangeID: "x", SessionID: "s", FollowUpType: events.Continuation, Withheld: w}))
		rows.Commit()
		return Model().Open(rows)
	}
	for _, recorded := range []bool{true, false} {
		for name, c := range map[string]struct {
			off              *events.Withheld
			scored, personal bool
		}{
			"none":            {nil, true, true},
			"scoring":         {&events.Withheld{Unscored: true}, false, true},
			"personalization": {&events.Withheld{Impersonal: true}, true, false},
			"both":            {&events.Withheld{Unscored: true, Impersonal: true}, false, false},
		} {
			rows := reacted(c.off, recorded)
			k, _ := know(rows, userKey("ann"))
			total := summaryOf(rows, time.Time{}).Total()
			if scored, personal := total.Overall.N > 0, k.Interest.N > 0; scored != c.scored || personal != c.personal {
				t.Errorf("%s, recorded %v: scored %v, personal %v", name, recorded, scored, personal)
			}
			if total.Signs.Copied != 1 || total.Deeds.total() != 1 {
				t.Errorf("%s: %d copies, %d deeds", name, total.Signs.Copied, total.Deeds.total())
			}
		}
	}
}
