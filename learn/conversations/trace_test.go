package conversations_test

import (
	"slices"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/learntest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func TestWhatStandsBehindAPersonsContextIsTraced(t *testing.T) {
	head := events.Head{Group: events.ByPerson, Key: "ann"}
	for line, rec := range map[string]events.Recorded{
		"corrected": &events.Fact[events.PreferenceCorrected]{Head: head, Data: events.PreferenceCorrected{UserID: "ann"}},
		"error_patterns": &events.Fact[events.Exchange]{Head: head, Data: events.Exchange{
			Features: &events.ExchangeFeatures{Corrections: 1},
		}},
		"topics/go": &events.Fact[events.Exchange]{Head: head, Data: events.Exchange{Features: features(100, "go")}},
		"style":     &events.Fact[events.Engagement]{Head: head},
		"evidence":  &events.Fact[events.PersonSummed]{Head: head},
	} {
		got := conversations.Model().Trace(nil, learn.Key{Kind: conversations.KindUser, ID: "ann"}, rec)
		if !slices.Contains(got, line) {
			t.Errorf("%T stands behind %q, and not behind %q", rec.Payload(), got, line)
		}
		if got := conversations.Model().Trace(nil, learn.Key{Kind: conversations.KindUser, ID: "ben"}, rec); len(got) > 0 {
			t.Errorf("%T stands behind %q of another", rec.Payload(), got)
		}
	}
}

// What somebody did about an answer that nobody recorded is feedback, and scored by what
// there is; it is no exchange, and says nothing of how the person likes answers.
func TestEngagementWithAnExchangeThatNeverComesIsFeedbackAndNoExchange(t *testing.T) {
	l := &learntest.Loop{Models: []learn.Model{conversations.Model()}}
	e := events.Engagement{ExchangeID: "lost", SessionID: "s", UserID: "ann", FollowUpType: events.Continuation, UserMessageLength: new(int64(200))}
	if err := l.Hear(event(events.FeedbackEngagement.Kind, "1", 1, e)); err != nil {
		t.Fatal(err)
	}
	l.Refresh()
	x := one[conversations.Exchange](t, l, conversations.AskExchange, `{"exchange_id":"lost"}`)
	if x.Recorded || x.Implicit == nil || x.Implicit.Derived || x.Quality == nil || *x.Quality.Engagement != 1 || x.Quality.Relevance != nil {
		t.Errorf("the exchange: %+v", x)
	}
	p := one[conversations.Preferences](t, l, conversations.AskPerson, `{"person":"ann"}`)
	if p.Evidence.Exchanges != 0 || p.Evidence.Implicit != 1 || p.SampleSize != 0 || p.Prompt != "" {
		t.Errorf("the person: %+v", p)
	}
}

// one is the only answer to a question.
func one[A any](t *testing.T, l *learntest.Loop, question, args string) A {
	t.Helper()
	parts, err := learntest.Ask[[]A](l, conversations.Model(), question, jsontext.Value(args))
	all := slices.Concat(parts...)
	if err != nil || len(all) != 1 {
		data, _ := json.Marshal(all)
		t.Fatalf("%v: %s", err, data)
	}
	return all[0]
}
