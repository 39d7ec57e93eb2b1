package ingest

import (
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn/all"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
)

const talked = `{"exchange_id":"x","session_id":"s","user_id":"anna","user_text":"How do I cache a zanzibar list in Go? Ask jane.roe@example.com",
	"agent_text":"You cache a quagga list like this:\n` + "```\\nx\\n```" + `","corrections":["it is okapi",{"okapi":1}]}`

// exchanged lets an exchange in and returns what the log keeps of it.
func exchanged(t *testing.T, p Policy, data string) (*events.Fact[events.Exchange], string) {
	t.Helper()
	env := envelope("e", data)
	env.Kind = events.ExchangeRecorded.Kind
	v, err := gate(t, p).Admit("learn.in.exchange.recorded", env)
	if err != nil || len(v.Messages) != 1 {
		t.Fatalf("admit: %v %+v", err, v)
	}
	rec, err := events.ExchangeRecorded.ReadFact(v.Messages[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	return rec.(*events.Fact[events.Exchange]), string(v.Messages[0].Data)
}

func TestOfAnExchangeItsFeaturesStay(t *testing.T) {
	fact, stored := exchanged(t, defaults(), talked)
	f := fact.Data.Features
	switch {
	case f == nil || f.Relevance == nil || f.Clarity == nil:
		t.Fatalf("features %+v", f)
	case f.Corrections != 2 || f.Answer.CodeBlocks != 1 || f.Question.Questions != 1 || f.Language != "en" || len(f.Sketch) == 0:
		t.Errorf("features %+v", f)
	}
	for _, planted := range []string{"zanzibar", "quagga", "okapi", "jane", "cache a", "anna"} {
		if strings.Contains(stored, planted) {
			t.Errorf("%q is in the stored fact", planted)
		}
	}
}

func TestAnAgentThatClassifiesItselfIsBelieved(t *testing.T) {
	fact, _ := exchanged(t, defaults(), strings.Replace(talked, "{", `{"topics":["Zebra Crossings","jane.roe@example.com"],`, 1))
	if got := fact.Data.Features.Topics; len(got) != 1 || got[0] != "zebra crossings" || fact.Data.Topics != nil {
		t.Errorf("topics %q, and %q beside", got, fact.Data.Topics)
	}
}

func TestSwitchesOfConversationsStopWhatTheyName(t *testing.T) {
	quality, personal, tracking := defaults(), defaults(), defaults()
	quality.Privacy.EnableQualityScoring = false
	personal.Privacy.EnablePersonalization = false
	tracking.Privacy.EnableImplicitTracking = false
	for name, c := range map[string]struct {
		policy                                      Policy
		scored, personal, tracked, relevance, shape bool
	}{
		"all":      {defaults(), true, true, true, true, true},
		"quality":  {quality, false, true, true, false, true},
		"personal": {personal, true, false, true, true, false},
		"tracking": {tracking, true, true, false, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			fact, _ := exchanged(t, c.policy, talked)
			f := fact.Data.Features
			if f.Unscored == c.scored || f.Impersonal == c.personal || f.Untracked == c.tracked ||
				(f.Relevance != nil) != c.relevance || (f.Answer.Words > 0) != c.shape {
				t.Errorf("features %+v", f)
			}
		})
	}
}

func TestAnExchangeThatCannotBeReadKeepsNoTextAndIsCounted(t *testing.T) {
	g := gate(t, defaults())
	g.Keys = nil // whoever hashes crashes
	e := &events.Exchange{UserText: "okapi", AgentText: "quagga"}
	v := Verdict{}
	g.distil(e, &v.Report)
	drop(e, g.policy.Privacy)
	if e.Features != nil || e.UserText+e.AgentText != "" || v.Report.Removed != 1 {
		t.Errorf("%+v, removed %d", e, v.Report.Removed)
	}
}

func BenchmarkAnExchangeOfAKilobyte(b *testing.B) { benchmarkExchange(b, 500) }

func BenchmarkAnExchangeOf32KiBEach(b *testing.B) { benchmarkExchange(b, 32<<10) }

func benchmarkExchange(b *testing.B, size int) {
	b.Helper()
	const said = "How should I tune the garbage collector of a Go service that keeps a large cache in memory? We see pauses at peak load. "
	text := strings.Repeat(said, size/len(said)+1)[:size]
	data, err := json.Marshal(map[string]string{"exchange_id": "x", "session_id": "s", "user_text": text, "agent_text": text})
	if err != nil {
		b.Fatal(err)
	}
	keys, err := privacy.NewKeys(make([]byte, 32))
	if err != nil {
		b.Fatal(err)
	}
	p := defaults()
	g, err := NewGate(House{Keys: keys, Models: all.Models(), Partitions: 32, Policy: func() *Policy { return &p }})
	if err != nil {
		b.Fatal(err)
	}
	env := envelope("e", string(data))
	env.Kind = events.ExchangeRecorded.Kind
	for b.Loop() {
		if v, err := g.Admit("learn.in.exchange.recorded", env); err != nil || len(v.Messages) != 1 {
			b.Fatalf("%v %+v", err, v)
		}
	}
}
