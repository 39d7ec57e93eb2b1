package samples_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/samples"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func TestPromptsBeginWithTheRequestsOwnText(t *testing.T) {
	for name, c := range map[string]struct{ input, state, output, prompt, completion string }{
		"a text": {`{"intent_text":"Book"}`, ``, `{"result":"booked"}`, "Book", "booked"},
		"and more": {`{"context":{"a":1},"intent_text":"Book","plan_state":[2]}`, ``, `{"result":{"n":1}}`,
			"Book\n\n{\"context\":{\"a\":1},\"plan_state\":[2]}", `{"result":{"n":1}}`},
		"MPLP v1 intent": {`{"intent_id":"i","raw_request_summary":"Plan"}`, `{"phase":"new"}`, `{"final_intent_summary":"A plan"}`,
			"Plan\n\n{\"intent_id\":\"i\",\"state\":{\"phase\":\"new\"}}", "A plan"},
		"MPLP v1 delta": {`{"change_summary":"Shorter"}`, ``, `{"impact_scope":"local","rollback_used":false}`,
			"Shorter", `{"impact_scope":"local","rollback_used":false}`},
		"no text":        {`{"context":"x"}`, ``, `{"result":""}`, `{"context":"x"}`, `{"result":""}`},
		"nothing":        {`{}`, `null`, `{}`, "", "{}"},
		"a state inside": {`{"state":1}`, `{"a":2}`, `{"n":1}`, `{"state":1}`, `{"n":1}`},
		"odd texts":      {`{"intent_text":7,"a\"b":"\u00e4"}`, ``, `{"r":"\"q\"\n"}`, `{"intent_text":7,"a\"b":"\u00e4"}`, "\"q\"\n"},
	} {
		e := samples.ExampleOf(&events.Sample{Input: []byte(c.input), State: []byte(c.state), Output: []byte(c.output)})
		if e.Prompt != c.prompt || e.Completion != c.completion {
			t.Errorf("%s:\n%q\n%q", name, e.Prompt, e.Completion)
		}
	}
}

func TestThePlainFormIsTheExampleAsJSON(t *testing.T) {
	good := events.Good
	for _, e := range []samples.Example{{}, {Prompt: "<&\u2028\x00\"ä\\", Completion: "\t€", Metadata: samples.Metadata{
		SampleID: "s\"1", Quality: &good, Family: "f\n", Source: events.ByUser, Type: events.Approval,
		CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 120, time.FixedZone("", 3600)),
	}}} {
		want, err := json.Marshal(e)
		if got := e.AppendIn(nil, samples.Plain); err != nil || string(got) != string(want) {
			t.Errorf("%s\nwant %s, %v", got, want, err)
		}
	}
}

func TestFormatsAreLinesOfJSON(t *testing.T) {
	e := samples.ExampleOf(&events.Sample{SampleID: "s-1", SampleFamily: "f", CreatedAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Input: []byte(`{"intent_text":"a\nb"}`), Output: []byte(`{"result":"c"}`), Feedback: events.SampleFeedback{Source: events.ByUser, Type: events.Score}})
	for format, want := range map[samples.Format]string{
		samples.Plain: `{"prompt":"a\nb","completion":"c","metadata":{"sample_id":"s-1","quality":null,"sample_family":"f",` +
			`"source":"user","type":"score","created_at":"2026-01-01T00:00:00Z"}}`,
		samples.Chat:   `{"messages":[{"role":"user","content":"a\nb"},{"role":"assistant","content":"c"}]}`,
		samples.Gemini: `{"contents":[{"role":"user","parts":[{"text":"a\nb"}]},{"role":"model","parts":[{"text":"c"}]}]}`,
	} {
		if got := string(e.AppendIn(nil, format)); got != want {
			t.Errorf("%s: %s", format, got)
		}
	}
}

// read pages through all that a loop has.
func read(t *testing.T, loop *learntest.Loop, args samples.PageArgs) (lines []string, pages int) {
	t.Helper()
	for more := true; more; pages++ {
		parts, err := learntest.Ask[samples.Page](loop, samples.Model(), samples.AskPage, args)
		if err != nil {
			t.Fatal(err)
		}
		var page samples.Page
		page, args.Position, more = samples.MergePages(args.Position, parts...)
		for _, e := range page.Examples {
			lines = append(lines, string(e))
		}
	}
	return lines, pages
}

func TestOnlyWhatIsGoodEnoughIsLetThrough(t *testing.T) {
	var log []learntest.Event
	for i, label := range []events.QualityLabel{events.Good, events.Acceptable, events.Poor, ""} {
		log = append(log, event(i, events.Sample{SampleID: events.ID("s-" + string(label)), SampleFamily: "f", Feedback: judged(label)}))
	}
	loop := heard(t, log...)
	for least, want := range map[samples.Least]int{"": 1, samples.LeastGood: 1, samples.LeastAcceptable: 2, samples.LeastPoor: 3, samples.AnyQuality: 4} {
		if lines, _ := read(t, loop, samples.PageArgs{Least: least}); len(lines) != want {
			t.Errorf("%q lets through %d, want %d", least, len(lines), want)
		}
	}
}

func TestTheSamePromptIsAlwaysOnTheSameSide(t *testing.T) {
	var log []learntest.Event
	for i := range 400 {
		s := events.Sample{SampleID: events.ID(fmt.Sprint("s-", i)), SampleFamily: fmt.Sprint("f", i%3), Feedback: judged(events.Good)}
		s.Input = jsontext.Value(fmt.Sprintf(`{"intent_text":"question %d"}`, i%100))
		log = append(log, event(i, s))
	}
	loop := heard(t, log...)
	sides := map[string]samples.Side{}
	total := 0
	for _, side := range []samples.Side{samples.Train, samples.Validation} {
		lines, _ := read(t, loop, samples.PageArgs{Validation: .25, Side: side, Format: samples.Chat})
		total += len(lines)
		for _, l := range lines {
			if known, seen := sides[l]; seen && known != side {
				t.Errorf("on both sides: %s", l)
			}
			sides[l] = side
		}
	}
	held := 0
	for _, side := range sides {
		if side == samples.Validation {
			held++
		}
	}
	if total != 400 || held < 15 || held > 35 {
		t.Errorf("%d in all, %d of 100 prompts for validation", total, held)
	}
}

func TestALargeFamilyComesInPagesAndFiltersMayLeaveSomeEmpty(t *testing.T) {
	var log []learntest.Event
	for i := range 9000 {
		label := events.Poor
		if i >= 8990 {
			label = events.Good
		}
		log = append(log, event(i, events.Sample{SampleID: events.ID(fmt.Sprint("s-", i)), SampleFamily: "f", Feedback: judged(label)}))
	}
	loop := heard(t, log...)
	lines, pages := read(t, loop, samples.PageArgs{})
	if len(lines) != 10 || pages < 3 || !strings.Contains(lines[9], "s-8999") {
		t.Errorf("%d samples on %d pages", len(lines), pages)
	}
}

// An operator exports what people approved, as conversations.
func Example() {
	loop := learntest.Loop{Models: []learn.Model{samples.Model()}}
	for i, s := range []events.Sample{
		{SampleID: "s-1", SampleFamily: events.IntentResolution, Input: []byte(`{"intent_text":"Book a flight"}`),
			Output: []byte(`{"plan_structure":["search","book"]}`), Feedback: judged(events.Good)},
		{SampleID: "s-2", SampleFamily: events.IntentResolution, Input: []byte(`{"intent_text":"Cancel it"}`),
			Output: []byte(`{"plan_structure":["apologise"]}`), Feedback: judged(events.Poor)},
	} {
		if err := loop.Hear(event(i, s)); err != nil {
			fmt.Println(err)
		}
	}
	args := samples.PageArgs{Format: samples.Chat, Position: samples.Position{Family: events.IntentResolution}}
	pages, err := learntest.Ask[samples.Page](&loop, samples.Model(), samples.AskPage, args)
	if err != nil {
		fmt.Println(err)
	}
	for _, line := range pages[0].Examples {
		fmt.Println(string(line))
	}
	// Output:
	// {"messages":[{"role":"user","content":"Book a flight"},{"role":"assistant","content":"{\"plan_structure\":[\"search\",\"book\"]}"}]}
}
