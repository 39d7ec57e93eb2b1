package capture

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/google/go-cmp/cmp"

	"learnloop.dev/events"
)

// sent captures events and returns them as the official SDK reads them.
func sent(t *testing.T, opts Options, list ...events.Envelope) []event.Event {
	t.Helper()
	wire := &faults{}
	p := start(wire, opts)
	for _, e := range list {
		if err := p.Capture(e); err != nil {
			t.Fatal(err)
		}
		if err := p.Flush(t.Context()); err != nil { // in order
			t.Fatal(err)
		}
	}
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []event.Event
	for _, m := range wire.stored {
		got = append(got, parse(t, m.Header.Get("Content-Type"), m.Data)...)
	}
	return got
}

func TestAnEventArrivesAsItWasCaptured(t *testing.T) {
	e := fix(1)
	e.Subject = `quo"ted ü`
	e.Time = time.Date(2026, 3, 4, 5, 6, 7, 890, time.FixedZone("CET", 3600))
	e.Extensions = map[string]string{
		"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "sampled": "true",
	}
	e.Data = []byte(`{"rule_id":"ü \\ A","n":1.50,"big":12345678901234567890}`)
	got := sent(t, Options{}, e)[0]
	if string(got.Data()) != string(e.Data) {
		t.Errorf("data %s", got.Data())
	}
	extensions := map[string]any{
		"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "sampled": "true",
	}
	if diff := cmp.Diff(extensions, got.Extensions()); diff != "" {
		t.Error(diff)
	}
	if got.ID() != "1" || got.Source() != e.Source || got.Type() != e.Kind.Type() || got.Subject() != e.Subject || !got.Time().Equal(e.Time) {
		t.Errorf("got %v", got)
	}
}

func TestWhatAnEventLacksIsFilledIn(t *testing.T) {
	bare := events.Envelope{Kind: events.FeedbackFix.Kind, Data: []byte(`{}`)}
	before := time.Now()
	got := sent(t, Options{Source: "/agents/editor"}, bare, bare)
	for _, e := range got {
		if e.ID() == "" || e.Source() != "/agents/editor" || e.Time().Before(before.Add(-time.Microsecond)) || e.Time().After(time.Now()) {
			t.Errorf("got %v", e)
		}
		if err := e.Validate(); err != nil {
			t.Error(err)
		}
	}
	if got[0].ID() == got[1].ID() {
		t.Error("two events have one id")
	}
}

func TestAnEventMayBeChangedAfterItsCapture(t *testing.T) {
	wire := &faults{}
	p := start(wire, Options{})
	e := fix(0)
	e.Extensions = map[string]string{}
	for n := range 100 {
		e.ID = strconv.Itoa(n)
		e.Extensions["mark"] = strconv.Itoa(n)
		copy(e.Data, `{"rule_id":"0"}`)
		if err := p.Capture(e); err != nil {
			t.Fatal(err)
		}
		copy(e.Data, `not valid at al`)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := p.Stats(); s.Sent != 100 {
		t.Fatalf("%+v", s)
	}
	for _, m := range wire.stored {
		for _, e := range parse(t, m.Header.Get("Content-Type"), m.Data) {
			if e.Extensions()["mark"] != e.ID() {
				t.Fatalf("event %s is marked %v", e.ID(), e.Extensions()["mark"])
			}
		}
	}
}

func TestWhatIsNoEventOfTheLoopIsRefusedAtOnce(t *testing.T) {
	p := start(&faults{}, Options{})
	cases := map[string]func(*events.Envelope){
		"no source":              func(e *events.Envelope) { e.Source = "" },
		"not a kind of the loop": func(e *events.Envelope) { e.Kind = "com.example.other" },
		"kind of the loop":       func(e *events.Envelope) { e.Kind = "" },
		"no data":                func(e *events.Envelope) { e.Data = nil },
		"too large":              func(e *events.Envelope) { e.Data = make([]byte, events.MaxData+1) },
	}
	for want, spoil := range cases {
		e := fix(1)
		e.Data = []byte(`{"rule_id":"secret"}`)
		spoil(&e)
		err := p.Capture(e)
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := p.Stats(); s != (Stats{}) {
		t.Fatalf("%+v", s)
	}
}

func TestOneBadEventDoesNotSpoilItsBatch(t *testing.T) {
	for name, spoil := range map[string]func(*events.Envelope){
		"broken data":    func(e *events.Envelope) { e.Data = []byte(`{"a":1}]`) },
		"repeated names": func(e *events.Envelope) { e.Data = []byte(`{"a":1,"a":2}`) },
		"not UTF-8":      func(e *events.Envelope) { e.ID = "\xff" },
	} {
		var lost told
		wire := &faults{}
		p := start(wire, Options{OnDrop: lost.note})
		mustCapture(t, p, 0, 5)
		bad := fix(5)
		spoil(&bad)
		if err := p.Capture(bad); err != nil {
			t.Fatal(err)
		}
		mustCapture(t, p, 6, 10)
		if err := p.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := p.Stats(); s.Sent != 9 || s.Dropped != 1 || lost.lost[ErrInvalid] != 1 {
			t.Errorf("%s: %+v, told of %v", name, s, lost.lost)
		}
		if n := len(ids(t, wire.stored)); n != 9 {
			t.Errorf("%s: %d events", name, n)
		}
	}
}
