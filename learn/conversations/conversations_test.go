package conversations_test

import (
	"fmt"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/learntest"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

func TestConversationsKeepTheLawsOfModels(t *testing.T) {
	learntest.Laws{
		Model:         conversations.Model(),
		Events:        rapid.Custom(drawEvent),
		RowsPerRecord: 3,
		LongestRow:    4 << 10,
		Apart:         apart,
	}.Check(t)
}

var (
	exchanges = rapid.SampledFrom([]events.ID{"1", "2", "1/2", "é x", "3"})
	users     = rapid.SampledFrom([]events.ID{"ann", "ann/b", "bob", ""})
	sessions  = rapid.SampledFrom([]events.ID{"s", "s2"})
	topics    = rapid.SampledFrom([][]string{nil, {"go"}, {"go", "maps"}})
)

func drawEvent(t *rapid.T) learntest.Event {
	kind, data := drawPayload(t)
	return event(kind, fmt.Sprint(rapid.IntRange(1, 40).Draw(t, "id")), rapid.IntRange(0, 5000).Draw(t, "minute"), data)
}

func drawPayload(t *rapid.T) (events.Kind, any) {
	id, user, session := exchanges.Draw(t, "exchange"), users.Draw(t, "user"), sessions.Draw(t, "session")
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return events.FeedbackResponse.Kind, events.ResponseFeedback{
			ExchangeID: id, UserID: user, SessionID: session,
			FeedbackType: rapid.SampledFrom([]events.ResponseSign{events.ThumbsUp, events.ThumbsDown, events.Copied, events.Regenerate}).Draw(t, "sign"),
		}
	case 1:
		e := events.Engagement{ExchangeID: id, UserID: user, SessionID: session}
		if rapid.Bool().Draw(t, "measured") {
			e.ResponseTimeMS, e.UserMessageLength = new(rapid.Float64Range(0, 1e6).Draw(t, "ms")), new(rapid.Int64Range(0, 500).Draw(t, "length"))
			e.FollowUpType = rapid.SampledFrom([]events.FollowUp{"", events.Clarification, events.Continuation, events.NewTopic, events.End}).Draw(t, "next")
		}
		return events.FeedbackEngagement.Kind, e
	}
	x := events.Exchange{ExchangeID: id, UserID: user, SessionID: session, Model: "m"}
	if rapid.Bool().Draw(t, "featured") {
		x.Features = features(rapid.Int64Range(1, 5000).Draw(t, "characters"), topics.Draw(t, "topics")...)
		x.Features.Sketch = events.Sketch{uint16(rapid.IntRange(1, 3).Draw(t, "word"))}
	}
	return events.ExchangeRecorded.Kind, x
}

// features are those of an exchange whose answer has so many characters.
func features(characters int64, topics ...string) *events.ExchangeFeatures {
	return &events.ExchangeFeatures{
		Relevance: new(events.Milli(700)), Clarity: &events.Clarity{Sentences: 800, Paragraphs: 800, Fences: 1000},
		Question: events.TextShape{Characters: 80}, Answer: events.TextShape{Characters: characters, ListItems: characters % 4, Terms: 200},
		Topics: topics,
	}
}

func event(kind events.Kind, id string, minute int, data any) learntest.Event {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	at := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(minute) * time.Minute)
	return learntest.Event{Kind: kind, ID: id, Source: "test", Time: at, Data: raw}
}

// apart gives an exchange, which its data identifies, an identity of its own.
func apart(e learntest.Event, n int) learntest.Event {
	if e.Kind != events.ExchangeRecorded.Kind {
		return e
	}
	var x events.Exchange
	if err := json.Unmarshal(e.Data, &x); err != nil {
		panic(err)
	}
	x.ExchangeID = events.ID(fmt.Sprint("apart", n))
	return event(e.Kind, e.ID, int(e.Time.Sub(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC))/time.Minute), x)
}

func FuzzAnyConversationSurvives(f *testing.F) {
	learntest.Fuzz(f, conversations.Model(),
		`{"exchange_id":1,"session_id":"s","user_text":"a","agent_text":"b","corrections":["no"]}`,
		`{"exchange_id":1,"feedback_type":"copy"}`, `{"exchange_id":1,"session_id":"s","response_time_ms":0,"follow_up_type":"end"}`,
		`{"user_id":"ann","preference_type":"style","preference_key":"length_preference","preference_value":0.2}`)
}

func TestScripts(t *testing.T) { learntest.Scripts(t, "testdata/scripts", conversations.Model()) }
