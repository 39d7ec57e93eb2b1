package ingest

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn/all"
	"learnloop.dev/pipeline"
	"learnloop.dev/privacy"
	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// house is an installation with fixed keys under the given policy.
func house(t *testing.T, p Policy) House {
	t.Helper()
	keys, err := privacy.NewKeys(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	return House{Keys: keys, Models: all.Models(), Partitions: 32, Policy: func() *Policy { return &p }}
}

func defaults() Policy { return Policy{Privacy: privacy.Defaults(), Entitled: true} }

func gate(t *testing.T, p Policy) *Gate {
	t.Helper()
	h := house(t, p)
	policy := h.Policy()
	h.Policy = func() *Policy { return policy }
	g, err := NewGate(h)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const fixData = `{"suggestion_id":"s1","deviation_id":"d1","rule_id":"passive","category":"style",
	"decision":"accepted","original_text":"mail jane.roe@example.com about it","suggested_text":"write jane.roe@example.com about it","user_id":"u-1"}`

func envelope(id, data string) events.Envelope {
	return events.Envelope{ID: id, Source: "/test", Kind: events.FeedbackFix.Kind, Time: now, Received: now, Data: []byte(data)}
}

// admit expects the event to be let in as one fact, and returns it.
func admit(t *testing.T, g *Gate, env events.Envelope) (bus.Message, *events.Head) {
	t.Helper()
	v, err := g.Admit("learn.in.feedback.fix", env)
	if err != nil || v.Refusal.Refused() || v.Declined != "" || len(v.Messages) != 1 {
		t.Fatalf("admit: %v %+v, want one fact", err, v)
	}
	rec, err := events.FeedbackFix.ReadFact(v.Messages[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	return v.Messages[0], rec.Header()
}

func TestNothingPersonalPassesTheGate(t *testing.T) {
	g := gate(t, defaults())
	data := strings.Replace(fixData, `"user_id"`, `"user_comment":"call +49 151 23456789, card 4111 1111 1111 1111, password=hunter2secret","user_id"`, 1)
	m, h := admit(t, g, envelope("jane.roe@example.com", data))
	for _, planted := range []string{"jane.roe", "u-1\"", "4111", "hunter2", "23456789"} {
		if strings.Contains(string(m.Data), planted) {
			t.Errorf("%q is in the stored fact", planted)
		}
	}
	if !strings.HasPrefix(h.ID, "x") || h.Person == "" || h.Key != "passive" {
		t.Errorf("id %q, person %q, key %q: want a shielded id, a blind person, the rule", h.ID, h.Person, h.Key)
	}
}

func TestIdentityDoesNotDependOnTheTextMode(t *testing.T) {
	full := defaults()
	full.Privacy.TextMode = privacy.Full
	_, a := admit(t, gate(t, defaults()), envelope("e1", fixData))
	_, b := admit(t, gate(t, full), envelope("e1", fixData))
	if a.Record != b.Record || a.Content != b.Content {
		t.Error("the same event has another identity under another text mode")
	}
}

func TestIdentityIsTheFeedbackIdWithinItsRule(t *testing.T) {
	g := gate(t, defaults())
	named := strings.Replace(fixData, "{", `{"feedback_id":"f1",`, 1)
	_, a := admit(t, g, envelope("e1", named))
	_, b := admit(t, g, envelope("e2", strings.Replace(named, "accepted", "rejected", 1)))
	_, c := admit(t, g, envelope("e1", strings.Replace(named, "passive", "other", 1)))
	_, d := admit(t, g, envelope("f1", fixData))
	switch {
	case a.Record != b.Record:
		t.Error("two events with one feedback id are two records")
	case a.Content == b.Content:
		t.Error("two contents have one hash")
	case a.Record == c.Record:
		t.Error("one feedback id under two rules is one record")
	case a.Record != d.Record:
		t.Error("a feedback id does not default to the event id")
	}
}

func TestWhiteSpaceIsNoOtherContent(t *testing.T) {
	g := gate(t, defaults())
	_, a := admit(t, g, envelope("e1", fixData))
	_, b := admit(t, g, envelope("e1", strings.ReplaceAll(fixData, ",\n\t", ", ")))
	if a.Content != b.Content {
		t.Error("white space between members makes another content")
	}
}

func TestTheTimestampInTheDataIsEventTime(t *testing.T) {
	g := gate(t, defaults())
	_, h := admit(t, g, envelope("e1", strings.Replace(fixData, "{", `{"timestamp":"2020-01-02T03:04:05Z",`, 1)))
	if want := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC); !h.Time.Equal(want) || !h.Stamp.Equal(want) || !h.Recorded.Equal(now) {
		t.Errorf("time %v, stamp %v, recorded %v", h.Time, h.Stamp, h.Recorded)
	}
	silent := envelope("e2", fixData)
	silent.Time = time.Time{}
	if _, h := admit(t, g, silent); !h.Time.Equal(now) || !h.Stamp.IsZero() {
		t.Errorf("without a producer's time: time %v, stamp %v; want the inbox's and none", h.Time, h.Stamp)
	}
}

func TestRefusals(t *testing.T) {
	off, poor := defaults(), defaults()
	off.Privacy.Enabled = false
	poor.Entitled = false
	soon, late := envelope("e", fixData), envelope("e", strings.Replace(fixData, "{", `{"timestamp":"2026-03-04T05:16:08Z",`, 1))
	soon.Time = now.Add(early + time.Second)
	ancient := envelope("e", fixData)
	ancient.Time = time.Date(1, 1, 1, 0, 0, 0, 0, time.FixedZone("east", 10*60*60)) // no year of UTC
	old := envelope("e", strings.Replace(fixData, "{", `{"timestamp":"0000-01-01T00:00:00+10:00",`, 1))
	tick := envelope("e", `{"date":"2026-03-04"}`)
	tick.Kind = events.ControlTick.Kind
	tomorrow := envelope("e", `{"date":"2026-03-05"}`)
	tomorrow.Kind = events.ControlTick.Kind
	never := envelope("e", `{"before":"9999-12-31T23:59:59Z","kind":"feedback.fix"}`)
	never.Kind = events.ControlExpired.Kind
	soonOver := envelope("e", `{"experiment":"greeting","before":"9999-12-31T23:59:59Z"}`)
	soonOver.Kind = events.ControlExperimentExpired.Kind
	forgotten := envelope("e", `{"subject":"someone","before":"2026-03-05T05:06:07Z"}`)
	forgotten.Kind = events.ControlForgotten.Kind
	for _, c := range []struct {
		name    string
		policy  Policy
		subject string
		env     events.Envelope
		reason  events.Reason
		pointer string
	}{
		{"an unknown decision", defaults(), "learn.in.x", envelope("e", strings.Replace(fixData, "accepted", "perhaps", 1)), events.ReasonSchema, "/decision"},
		{"a missing rule", defaults(), "learn.in.x", envelope("e", strings.Replace(fixData, `"rule_id":"passive",`, "", 1)), events.ReasonSchema, "/rule_id"},
		{"broken JSON", defaults(), "learn.in.x", envelope("e", `{"a":`), events.ReasonMalformed, ""},
		{"a time in the future", defaults(), "learn.in.x", soon, events.ReasonFuture, "/time"},
		{"a timestamp in the future", defaults(), "learn.in.x", late, events.ReasonFuture, "/timestamp"},
		{"a time before all years", defaults(), "learn.in.x", ancient, events.ReasonSchema, "/time"},
		{"a timestamp before all years", defaults(), "learn.in.x", old, events.ReasonSchema, "/timestamp"},
		{"a day that has not begun", defaults(), "learn.in.control.clock.tick", tomorrow, events.ReasonFuture, "/date"},
		{"a boundary in the future", defaults(), "learn.in.control.data.expired", never, events.ReasonFuture, "/before"},
		{"an experiment that is yet to go", defaults(), "learn.in.control.experiment.expired", soonOver, events.ReasonFuture, "/before"},
		{"somebody who is yet to be forgotten", defaults(), "learn.in.control.subject.forgotten", forgotten, events.ReasonFuture, "/before"},
		{"a control fact among the rest", defaults(), "learn.in.feedback.fix", tick, events.ReasonNotAllowed, "/type"},
		{"rule feedback without entitlement", poor, "learn.in.x", envelope("e", fixData), events.ReasonLicense, "/type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := gate(t, c.policy).Admit(c.subject, c.env)
			if err != nil || v.Reason() != c.reason || len(v.Messages) > 0 {
				t.Fatalf("admit: %v %+v, want %s", err, v, c.reason)
			}
			if c.pointer != "" && v.Refusal.Violations[0].Pointer != c.pointer {
				t.Errorf("violations %+v, want one at %s", v.Refusal.Violations, c.pointer)
			}
		})
	}
	v, err := gate(t, off).Admit("learn.in.feedback.fix", envelope("e", fixData))
	if err != nil || v.Declined != "opt_out" || len(v.Messages) > 0 {
		t.Errorf("with capture off: %v %+v, want declined as opt_out", err, v)
	}
}

// Reason is the verdict's refusal.
func (v Verdict) Reason() events.Reason { return v.Refusal.Reason }

func TestControlFactsReachEveryPartition(t *testing.T) {
	g := gate(t, defaults())
	env := events.Envelope{ID: "clock/2026-03-04", Source: Source, Kind: events.ControlTick.Kind, Time: now, Received: now, Data: []byte(`{"date":"2026-03-04"}`)}
	v, err := g.Admit("learn.in.control.clock.tick", env)
	if err != nil || len(v.Messages) != 32 {
		t.Fatalf("admit: %v, %d messages, want 32", err, len(v.Messages))
	}
	seen := map[int]bool{}
	for _, m := range v.Messages {
		p, kind, ok := pipeline.ParseLog(m.Subject)
		if !ok || kind != events.ControlTick.Kind {
			t.Fatalf("subject %s", m.Subject)
		}
		seen[p] = true
	}
	if len(seen) != 32 {
		t.Errorf("%d partitions, want 32", len(seen))
	}
}

func TestTextsThatAreNeverKeptAreDropped(t *testing.T) {
	keep := defaults()
	keep.Privacy.StoreRawFeedbackText = true
	for _, c := range []struct {
		kind   events.Kind
		data   string
		policy Policy
		stays  bool
	}{
		{events.ExchangeRecorded.Kind, `{"exchange_id":1,"session_id":"s","user_text":"planted text","agent_text":"planted text"}`, defaults(), false},
		{events.TaskOutput.Kind, `{"task_id":"t","output":"planted text"}`, defaults(), false},
		{events.FeedbackResponse.Kind, `{"exchange_id":1,"session_id":"s","feedback_type":"copy","feedback_text":"planted text"}`, defaults(), false},
		{events.FeedbackResponse.Kind, `{"exchange_id":1,"session_id":"s","feedback_type":"copy","feedback_text":"planted text"}`, keep, true},
	} {
		env := envelope("e", c.data)
		env.Kind = c.kind
		v, err := gate(t, c.policy).Admit("learn.in.x", env)
		if err != nil || len(v.Messages) != 1 {
			t.Fatalf("%s: %v %+v", c.kind, err, v)
		}
		if got := strings.Contains(string(v.Messages[0].Data), "planted"); got != c.stays {
			t.Errorf("%s: the text is stored: %v, want %v", c.kind, got, c.stays)
		}
	}
}

func TestALearningWithoutAnIDGetsOneFromItsEvent(t *testing.T) {
	g := gate(t, defaults())
	env := envelope("e", `{"title":"t","context":"c","observation":"o","implication":"i","action":"a"}`)
	env.Kind = events.LearningCreated.Kind
	v, err := g.Admit("learn.in.learning.created", env)
	if err != nil || len(v.Messages) != 1 {
		t.Fatalf("admit: %v %+v", err, v)
	}
	rec, err := events.LearningCreated.ReadFact(v.Messages[0].Data)
	if err != nil {
		t.Fatal(err)
	}
	if id := string(rec.Payload().(*events.Learning).ID); !strings.HasPrefix(id, "learn_") || len(id) < len("learn_")+12 {
		t.Errorf("id %q, want learn_ and at least 12 characters", id)
	}
}

func TestAUserAndASessionOfOneNameAreTwo(t *testing.T) {
	g := gate(t, defaults())
	record := func(data string) string {
		env := envelope("e", data)
		env.Kind = events.ExchangeRecorded.Kind
		v, err := g.Admit("learn.in.x", env)
		if err != nil || len(v.Messages) != 1 {
			t.Fatalf("admit: %v %+v", err, v)
		}
		rec, err := events.ExchangeRecorded.ReadFact(v.Messages[0].Data)
		if err != nil {
			t.Fatal(err)
		}
		return rec.Header().Record
	}
	session := record(`{"exchange_id":1,"session_id":"7","user_text":"","agent_text":""}`)
	user := record(`{"exchange_id":1,"session_id":"x","user_id":"7","user_text":"","agent_text":""}`)
	if session == user {
		t.Error("user 7 and session 7 share a record")
	}
}

func TestEveryExampleOfTheVocabularyIsAdmitted(t *testing.T) {
	g := gate(t, defaults())
	for spec := range events.All() {
		for _, example := range examples(t, spec.Name()) {
			env := envelope("e", string(example))
			env.Kind = spec.Name()
			v, err := g.Admit(pipeline.In+string(spec.Name()), env)
			if err != nil || v.Refusal.Refused() || len(v.Messages) == 0 && v.homeless == nil {
				t.Errorf("%s: %v %+v", spec.Name(), err, v.Refusal)
			}
		}
	}
}

// examples are those of the kind's schema.
func examples(t *testing.T, kind events.Kind) []jsontext.Value {
	t.Helper()
	data, ok := schemas.Kind(string(kind))
	if !ok {
		t.Fatalf("no schema for %s", kind)
	}
	var schema struct {
		Examples []jsontext.Value `json:"examples"`
	}
	if err := json.Unmarshal(data, &schema); err != nil || len(schema.Examples) == 0 {
		t.Fatalf("schema of %s: %v, %d examples", kind, err, len(schema.Examples))
	}
	return schema.Examples
}

// What the analyzer of the same process is handed has to be what another one reads.
func TestTheFactThatIsHandedOverIsTheOneThatIsStored(t *testing.T) {
	whole := cmp.Exporter(func(reflect.Type) bool { return true })
	for _, mode := range []privacy.Mode{privacy.Strict, privacy.Pattern, privacy.Full} {
		p := defaults()
		p.Privacy.TextMode = mode
		for _, change := range []string{
			`"decision":"accepted"`, `"decision":"rejected"`, `"decision":"skipped"`,
			`"decision":"modified","final_text":"wrote\t\u00e9 <&> \u2028 \ud83d\ude00","user_modification":"none"`,
			`"decision":"rejected","user_comment":"no, ask jane.roe@example.com \u0000","original_confidence":0.1234567890123456789`,
			`"decision":"accepted","original_confidence":null,"is_bulk_operation":true,"language":"en","model":"m"`,
			`"decision":"accepted","timestamp":"2024-02-29T23:59:59.123456789+14:00","feedback_id":12345678901234567890`,
		} {
			data := strings.Replace(fixData, `"decision":"accepted"`, change, 1)
			env := envelope("1", data)
			env.Received = time.Now()
			env.Extensions = map[string]string{events.ExtTrace: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
			m, _ := admit(t, gate(t, p), env)
			stored, err := events.FeedbackFix.ReadFact(m.Data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(m.Value, stored, whole); diff != "" {
				t.Errorf("%s, %s: handed over (-) and stored (+) differ:\n%s", mode, change, diff)
			}
		}
	}
}
