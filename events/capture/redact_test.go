package capture

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"learnloop.dev/events"
	"learnloop.dev/privacy"
	"learnloop.dev/schemas"
)

func TestWhatLeavesTheProcessIsRedacted(t *testing.T) {
	e := fix(1)
	e.Subject = "about bob@example.com"
	e.Extensions = map[string]string{"note": "call bob@example.com", events.ExtReplay: "r-7"}
	e.Data = []byte(`{"rule_id":"r","user_id":"bob@example.com","original_text":"Ask bob@example.com at 203.0.113.7",
		"suggested_text":"Ask bob@example.com","user_comment":"password=hunter2"}`)
	got := sent(t, Options{Redact: true}, e)[0]
	for text, want := range map[string]int{"bob@example.com": 1, "[EMAIL_1]": 2, "hunter2": 0, "[IP_1]": 1, "[SECRET_1]": 1, `"user_id":"bob@`: 1} {
		if n := strings.Count(string(got.Data()), text); n != want {
			t.Errorf("%d times %s left in %s, want %d", n, text, got.Data(), want)
		}
	}
	if got.Subject() != "" || len(got.Extensions()) != 1 || got.Extensions()[events.ExtReplay] != "r-7" {
		t.Errorf("left: subject %q, extensions %v", got.Subject(), got.Extensions())
	}
}

// broken is a guard that fails.
type broken struct{ panics bool }

func (b broken) Protect(any) (privacy.Report, error) {
	if b.panics {
		panic("bob@example.com")
	}
	return privacy.Report{}, errors.New("no")
}

func TestARedactionThatFailsKeepsTheEventIn(t *testing.T) {
	whole := events.Envelope{Kind: events.FeedbackFix.Kind, Data: []byte(`{"rule_id":"r"}`)}
	foreign := whole
	foreign.Data = []byte(`{"rule_id":"r","unknown":"bob@example.com"}`)
	for name, c := range map[string]struct {
		guard protector
		event events.Envelope
	}{
		"error":   {broken{}, whole},
		"panic":   {broken{panics: true}, whole},
		"foreign": {privacy.NewTextGuard(), foreign},
	} {
		r := redactor{c.guard}
		if e, err := r.redact(c.event); err == nil || strings.Contains(err.Error(), "bob") || len(e.Data) > 0 && name == "foreign" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnEventThatCannotBeExaminedIsDroppedAndCounted(t *testing.T) {
	var lost told
	wire := &faults{}
	p := start(wire, Options{Redact: true, OnDrop: lost.note})
	mustCapture(t, p, 0, 3)
	bad := fix(3)
	bad.Data = []byte(`{"rule_id":"3","unknown":"bob@example.com"}`)
	if err := p.Capture(bad); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := p.Stats(); s.Sent != 3 || s.Dropped != 1 || lost.lost[ErrInvalid] != 1 {
		t.Errorf("%+v, told of %v", s, lost.lost)
	}
}

// TestWhatWasRedactedBeforeIsStoredTheSame plants an address into each string of every kind: the loop
// makes the same of an event whether it was redacted before it was sent or not.
func TestWhatWasRedactedBeforeIsStoredTheSame(t *testing.T) {
	keys, err := privacy.NewKeys([]byte(strings.Repeat("k", 32)))
	if err != nil {
		t.Fatal(err)
	}
	guard, err := privacy.NewGuard(keys, privacy.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	planted := 0
	for spec := range events.All() {
		for _, data := range examples(t, spec) {
			for _, variant := range append(plant(data, " bob@example.com"), data) {
				if len(events.Validate(spec, variant)) > 0 {
					continue
				}
				planted++
				r := newRedactor(Options{Redact: true})
				safe, err := r.redact(events.Envelope{Kind: spec.Name(), Data: variant})
				if err != nil {
					t.Fatalf("%s: %v", variant, err)
				}
				direct, before := storedData(t, guard, spec, variant), storedData(t, guard, spec, safe.Data)
				if strings.Contains(direct, "[EMAIL_1]") && strings.Contains(string(safe.Data), "bob@example.com") {
					t.Errorf("%s left", safe.Data)
				}
				if direct != before {
					t.Errorf("%s:\n  sent as it is %s\nredacted before %s", spec.Name(), direct, before)
				}
			}
		}
	}
	if planted < 100 {
		t.Errorf("only %d events were tried", planted)
	}
}

// examples are those of a kind's schema.
func examples(tb testing.TB, s events.Spec) []jsontext.Value {
	tb.Helper()
	data, _ := schemas.Kind(string(s.Name()))
	var schema struct {
		Examples []jsontext.Value `json:"examples"`
	}
	if err := json.Unmarshal(data, &schema); err != nil {
		tb.Fatal(err)
	}
	return schema.Examples
}

// plant returns the document once for each of its string values, with words behind it.
func plant(document jsontext.Value, words string) (variants []jsontext.Value) {
	text := string(document)
	for i := 0; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		end := i + 1
		for text[end] != '"' || text[end-1] == '\\' {
			end++
		}
		if rest := strings.TrimLeft(text[end+1:], " \n"); rest == "" || rest[0] != ':' {
			variants = append(variants, jsontext.Value(text[:end]+words+text[end:]))
		}
		i = end
	}
	return variants
}

// storedData is what ingest keeps of an event's payload, but for what it computes from the raw texts.
func storedData(tb testing.TB, guard *privacy.Guard, s events.Spec, data []byte) string {
	tb.Helper()
	p, refusal := events.Decode(s, data)
	if refusal.Refused() {
		tb.Fatalf("%s is refused: %v", data, refusal)
	}
	switch p := p.(type) {
	case *events.FixFeedback:
		p.Derived = nil
	case *events.AgentOutput:
		p.Derived = nil
	}
	if _, err := guard.Protect(p); err != nil {
		tb.Fatal(err)
	}
	out, err := json.Marshal(p, json.Deterministic(true))
	if err != nil {
		tb.Fatal(err)
	}
	return string(out)
}

// BenchmarkRedact measures what a sender pays for an event of about 1 KB.
func BenchmarkRedact(b *testing.B) {
	data := realistic().Data
	r := newRedactor(Options{Redact: true})
	for b.Loop() {
		if _, err := r.redact(events.Envelope{Kind: events.FeedbackFix.Kind, Data: data}); err != nil {
			b.Fatal(err)
		}
	}
}
