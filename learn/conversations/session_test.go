package conversations_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/learn/learntest"
)

// hear returns a loop that has heard events.
func hear(tb testing.TB, log ...learntest.Event) *learntest.Loop {
	tb.Helper()
	l := &learntest.Loop{Models: []learn.Model{conversations.Model()}, Partitions: 3}
	for _, e := range log {
		if err := l.Hear(e); err != nil {
			tb.Fatal(err)
		}
	}
	l.Refresh()
	return l
}

func about(tb testing.TB, l *learntest.Loop, id string) conversations.Exchange {
	tb.Helper()
	parts, err := learntest.Ask[[]conversations.Exchange](l, conversations.Model(), conversations.AskExchange, conversations.ExchangeArgs{ExchangeID: id})
	if err != nil {
		tb.Fatal(err)
	}
	found := slices.Concat(parts...)
	if len(found) != 1 {
		tb.Fatalf("%d answers are known under %s, want 1", len(found), id)
	}
	return found[0]
}

func asked(id string, minute int, more ...func(*events.Exchange)) learntest.Event {
	x := events.Exchange{ExchangeID: events.ID(id), SessionID: "s", UserID: "ann", Features: features(400, "go")}
	for _, change := range more {
		change(&x)
	}
	return event(events.ExchangeRecorded.Kind, "x"+id, minute, x)
}

func signed(id string, minute int, sign events.ResponseSign) learntest.Event {
	return event(events.FeedbackResponse.Kind, fmt.Sprint("f", id, minute), minute, events.ResponseFeedback{
		ExchangeID: events.ID(id), UserID: "ann", FeedbackType: sign})
}

func TestOfTwoSignsTheLastCountsAndBothAreKept(t *testing.T) {
	up, down := signed("1", 3, events.ThumbsUp), signed("1", 2, events.ThumbsDown)
	for _, log := range [][]learntest.Event{{asked("1", 1), down, up}, {up, down, asked("1", 1)}} {
		x := about(t, hear(t, log...), "1")
		if x.Explicit.FeedbackType != events.ThumbsUp || *x.Quality.Helpfulness != 1 || len(x.Signs) != 2 || x.Signs[1].FeedbackType != events.ThumbsDown {
			t.Errorf("%+v", x)
		}
	}
}

func TestFeedbackForAnExchangeThatNeverComesIsScoredByItself(t *testing.T) {
	l := hear(t, signed("9", 5, events.Copied))
	x := about(t, l, "9")
	if x.Recorded || x.Quality == nil || *x.Quality.Overall != 0.9 || x.Quality.Confidence != 0.25 {
		t.Errorf("%+v %+v", x, x.Quality)
	}
	if b := summary(t, l).Block(); b.Exchanges != 0 || b.Explicit.Total != 1 || b.Explicit.Exchanges != 1 {
		t.Errorf("%+v", b)
	}
}

func summary(tb testing.TB, l *learntest.Loop) conversations.Summary {
	tb.Helper()
	return period(tb, l, conversations.Window{})
}

// period is what is known of a period.
func period(tb testing.TB, l *learntest.Loop, w conversations.Window) conversations.Summary {
	tb.Helper()
	parts, err := learntest.Ask[conversations.Summary](l, conversations.Model(), conversations.AskSummary, w)
	if err != nil {
		tb.Fatal(err)
	}
	return conversations.MergeSummaries(parts...)
}

func TestTheSessionShowsWhatNobodyReported(t *testing.T) {
	words := func(hashes ...uint16) func(*events.Exchange) {
		return func(x *events.Exchange) { x.Features.Sketch = hashes }
	}
	topic := func(name string) func(*events.Exchange) {
		return func(x *events.Exchange) { x.Features.Topics = []string{name} }
	}
	l := hear(
		t,
		asked("again", 0, words(1, 2, 3)),
		asked("on", 1, words(1, 2, 3)),   // the same once more
		asked("turn", 3, words(7, 8, 9)), // the same topic in other words
		asked("last", 4, words(20, 21, 22), topic("cooking")), // another topic
		asked("next", 100, words(30), topic("music")),         // another day, so to speak
	)
	for id, want := range map[string]struct {
		follow events.FollowUp
		ms     float64
	}{
		"again": {events.Clarification, 60_000}, "on": {events.Continuation, 120_000}, "turn": {events.NewTopic, 60_000}, "last": {events.End, 0},
	} {
		x := about(t, l, id)
		if x.Implicit == nil || !x.Implicit.Derived || x.Implicit.FollowUpType != want.follow {
			t.Errorf("%s: %+v, want %s", id, x.Implicit, want.follow)
			continue
		}
		if ms := x.Implicit.ResponseTimeMS; want.ms > 0 && (ms == nil || *ms != want.ms) {
			t.Errorf("%s took %v, want %v", id, ms, want.ms)
		}
	}
	if x := about(t, l, "again"); !x.Rephrased || *x.Quality.Helpfulness != 0.3 {
		t.Errorf("a question asked again in other words is a regeneration: %+v", x.Quality)
	}
	if x := about(t, l, "next"); x.Implicit != nil {
		t.Errorf("nobody knows yet what comes after the last: %+v", x.Implicit)
	}
}

func TestAClockThatJumpsBackLeavesNoNegativeDelays(t *testing.T) {
	l := hear(t, asked("1", 50), asked("2", 51), asked("3", 20), asked("4", 21))
	for _, id := range []string{"1", "2", "3", "4"} {
		if x := about(t, l, id); x.Implicit != nil && x.Implicit.ResponseTimeMS != nil && *x.Implicit.ResponseTimeMS < 0 {
			t.Errorf("%s: %v", id, *x.Implicit.ResponseTimeMS)
		}
	}
}

func TestWhatComesLateCountsAndIsCounted(t *testing.T) {
	l := &learntest.Loop{Models: []learn.Model{conversations.Model()}}
	start := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for i, minute := range []int{10, 30, 25, 15} { // the third is out of order, the fourth is late
		l.Fold(&events.Fact[events.Exchange]{
			Head: events.Head{
				Type: events.ExchangeRecorded.Kind.Type(), Record: fmt.Sprint(i), Group: events.ByPerson, Key: "ann",
				Time: start.Add(time.Duration(minute) * time.Minute), Recorded: start.Add(time.Duration(100+i) * time.Minute),
			},
			Data: events.Exchange{ExchangeID: events.ID(fmt.Sprint(i)), SessionID: "s"},
		})
	}
	if b := summary(t, l).Block(); b.Exchanges != 4 || b.Late != 1 {
		t.Errorf("%+v", b)
	}
}

func TestANegativeResponseTimeSaysNothing(t *testing.T) {
	l := hear(t, asked("1", 1), event(events.FeedbackEngagement.Kind, "e", 2, events.Engagement{
		ExchangeID: "1", SessionID: "s", UserID: "ann", ResponseTimeMS: new(-5.0), FollowUpType: events.NewTopic}))
	if x := about(t, l, "1"); x.Implicit.ResponseTimeMS != nil || *x.Quality.Engagement != 0.4 {
		t.Errorf("%+v %v", x.Implicit, *x.Quality.Engagement)
	}
}

func TestASessionOfTenThousandExchangesIsKnownWhole(t *testing.T) {
	log := make([]learntest.Event, 0, 10_000)
	for i := range cap(log) {
		log = append(log, asked(fmt.Sprint(i), i))
	}
	slices.Reverse(log)
	l := hear(t, log...)
	if b := summary(t, l).Block(); b.Exchanges != 10_000 || b.Derived["continuation"] != 9_999 || b.People != 1 {
		t.Errorf("%+v", b)
	}
	contexts, err := l.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(contexts["learn_contexts user.ann"]); n == 0 || n > 8<<10 {
		t.Errorf("the context has %d bytes", n)
	}
}

func TestTheSameThingsGoWrongAgainAndAgain(t *testing.T) {
	var log []learntest.Event
	for i := range 4 {
		id := fmt.Sprint(i)
		log = append(log, asked(id, 100*i, func(x *events.Exchange) { x.Features.Corrections = 1 }), signed(id, 100*i+1, events.ThumbsDown))
	}
	p := preferences(t, hear(t, log...))
	if len(p.ErrorPatterns) != 2 {
		t.Fatalf("%+v", p.ErrorPatterns)
	}
	for _, e := range p.ErrorPatterns {
		if e.Frequency != 4 || e.Topic != "go" || e.Fix == "" || !slices.Equal(e.Examples, []string{"3", "2", "1", "0"}) {
			t.Errorf("%+v", e)
		}
	}
}

func preferences(tb testing.TB, l *learntest.Loop) conversations.Preferences {
	tb.Helper()
	parts, err := learntest.Ask[[]conversations.Preferences](l, conversations.Model(), conversations.AskPerson, conversations.PersonArgs{Person: "ann"})
	if err != nil {
		tb.Fatal(err)
	}
	if found := slices.Concat(parts...); len(found) == 1 {
		return found[0]
	}
	return conversations.Empty("ann")
}

// liking are answers of which a person likes the short ones; every so many is taken the other way.
func liking(n, noise int) (log []learntest.Event) {
	for i := range n {
		id, characters, sign := fmt.Sprint(i), int64(200), events.ThumbsUp
		if i%2 == 1 {
			characters, sign = 4000, events.ThumbsDown
		}
		if noise > 0 && i%noise == 0 {
			sign = events.ThumbsUp
			if i%2 == 0 {
				sign = events.ThumbsDown
			}
		}
		log = append(log, asked(id, 100*i, func(x *events.Exchange) { x.Features = features(characters, "go") }), signed(id, 100*i+1, sign))
	}
	return log
}

func TestALikingForShortAnswersIsFoundAndLeftAloneByNoise(t *testing.T) {
	prompts := map[string]int{}
	log := liking(200, 5)
	for n := 40; n <= 200; n += 2 {
		prompts[preferences(t, hear(t, log[:2*n]...)).Prompt]++
	}
	p := preferences(t, hear(t, log...))
	if p.Style.LengthPreference >= 0.3 || p.Confidence != 1 || p.SampleSize != 200 || !strings.Contains(p.Prompt, "concise") {
		t.Errorf("%+v\n%s", p.Style, p.Prompt)
	}
	if len(prompts) > 2 {
		t.Errorf("the prompt came in %d versions: %v", len(prompts), prompts)
	}
}

func TestUpToTenAnswersAndUpToAConfidenceOfThreeTenthsNothingIsSaid(t *testing.T) {
	if p := preferences(t, hear(t, liking(9, 0)...)); p.Confidence != 0 || p.Style.LengthPreference != 0.5 || p.Style.PreferredFormat != "balanced" {
		t.Errorf("%+v", p.Style)
	}
	if p := preferences(t, hear(t, liking(15, 0)...)); p.Confidence != 0.3 || p.Prompt != "" {
		t.Errorf("%v %q", p.Confidence, p.Prompt)
	}
}

func wanted(minute int, kind events.PreferenceType, key, value string) learntest.Event {
	return event(events.ControlPreferenceCorrected.Kind, fmt.Sprint("w", minute), minute, events.PreferenceCorrected{
		UserID: "ann", PreferenceType: kind, PreferenceKey: key, PreferenceValue: []byte(value)})
}

func TestWhatAPersonSaysCountsMoreThanWhatWasObserved(t *testing.T) {
	log := liking(30, 0)
	set := wanted(4000, events.StylePreference, "length_preference", "0.9")
	if p := preferences(t, hear(t, append(log, set)...)); p.Style.LengthPreference != 0.9 || !p.Style.Length.Corrected || !strings.Contains(p.Prompt, "thorough") {
		t.Errorf("set: %+v %q", p.Style.Length, p.Prompt)
	}
	topic := wanted(4001, events.TopicAffinity, "chess", "1")
	if p := preferences(t, hear(t, append(log, topic)...)); p.Topics[0].Topic != "chess" || !strings.Contains(p.Prompt, `"chess"`) {
		t.Errorf("a topic: %+v %q", p.Topics, p.Prompt)
	}
	gone := wanted(4002, "", "", "null")
	if p := preferences(t, hear(t, append(log, set, topic, gone)...)); p.Prompt != "" || p.SampleSize != 0 || len(p.Topics) > 0 {
		t.Errorf("all deleted: %+v", p)
	}
	if p := preferences(t, hear(t, append(log, wanted(4003, events.TopicAffinity, "go", "null"))...)); len(p.Topics) > 0 || p.SampleSize != 30 {
		t.Errorf("a topic deleted: %+v", p)
	}
	later := asked("new", 5000)
	if p := preferences(t, hear(t, append(log, gone, later, signed("new", 5001, events.ThumbsUp))...)); p.SampleSize != 1 {
		t.Errorf("what comes later counts: %+v", p.SampleSize)
	}
}
