package capture

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/types"
	"github.com/google/go-cmp/cmp"

	"learnloop.dev/events"
)

// sent captures events and returns them as the official SDK reads them.
func sent(t *testing.T, opts Options, list ...event.Event) []event.Event {
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
	e.SetSubject(`quo"ted ü`)
	e.SetTime(time.Date(2026, 3, 4, 5, 6, 7, 890, time.FixedZone("CET", 3600)))
	e.SetExtension("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	e.SetExtension("sampled", true)
	e.SetExtension("attempt", 3)
	e.DataEncoded = []byte(`{"rule_id":"ü \\ A","n":1.50,"big":12345678901234567890}`)
	got := sent(t, Options{}, e)[0]
	if string(got.Data()) != string(e.Data()) {
		t.Errorf("data %s", got.Data())
	}
	extensions := map[string]any{
		"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "sampled": "true", "attempt": "3",
	}
	if diff := cmp.Diff(extensions, got.Extensions()); diff != "" {
		t.Error(diff)
	}
	if got.ID() != "1" || got.Source() != e.Source() || got.Type() != e.Type() || got.Subject() != e.Subject() || !got.Time().Equal(e.Time()) {
		t.Errorf("got %v", got)
	}
}

func TestWhatAnEventLacksIsFilledIn(t *testing.T) {
	bare := event.New()
	bare.SetType(events.FeedbackFix.Kind.Type())
	bare.DataEncoded = []byte(`{}`)
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
	e.SetExtension("mark", "0")
	for n := range 100 {
		e.SetID(strconv.Itoa(n))
		e.SetExtension("mark", strconv.Itoa(n))
		copy(e.DataEncoded, `{"rule_id":"0"}`)
		if err := p.Capture(e); err != nil {
			t.Fatal(err)
		}
		copy(e.DataEncoded, `not valid at al`)
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
	cases := map[string]func(*event.Event){
		"not a CloudEvent 1.0":     func(e *event.Event) { e.SetSpecVersion("0.3") },
		"no source":                func(e *event.Event) { e.Context.(*event.EventContextV1).Source.URL = url.URL{} },
		"not a type of the loop":   func(e *event.Event) { e.SetType("com.example.other") },
		"not valid":                func(e *event.Event) { e.SetSource("%zz") },
		"no data":                  func(e *event.Event) { e.DataEncoded = nil },
		"too large":                func(e *event.Event) { e.DataEncoded = make([]byte, events.MaxData+1) },
		"not JSON":                 func(e *event.Event) { e.SetDataContentType("text/plain; x=json") },
		"of the loop":              func(e *event.Event) { e.SetType("") },
		"type of the loop":         func(e *event.Event) { e.SetType("dev.learnloop.feedback.fix.v2") },
		"it is not a CloudEvent 1": func(e *event.Event) { e.Context = nil },
	}
	for want, spoil := range cases {
		e := fix(1)
		e.DataEncoded = []byte(`{"rule_id":"secret"}`)
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
	for name, spoil := range map[string]func(*event.Event){
		"broken data":    func(e *event.Event) { e.DataEncoded = []byte(`{"a":1}]`) },
		"repeated names": func(e *event.Event) { e.DataEncoded = []byte(`{"a":1,"a":2}`) },
		"not UTF-8":      func(e *event.Event) { e.SetID("\xff") },
		"no value": func(e *event.Event) {
			e.Context.(*event.EventContextV1).Extensions = map[string]any{"odd": struct{}{}}
		},
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

func TestJSONHasMoreThanOneContentType(t *testing.T) {
	for media, want := range map[string]bool{
		"application/json": true, "Application/JSON; charset=UTF-8": true, "text/json": true,
		"application/vnd.fix+json": true, "application/xml": false, "": false,
	} {
		if isJSON(&media) != want {
			t.Errorf("%q: %t", media, !want)
		}
	}
}

func TestAnyExtensionValueCanBeSent(t *testing.T) {
	e := fix(1)
	e.SetExtension("link", types.ParseURI("https://example.com/x"))
	e.SetExtension("moment", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	e.SetExtension("bytes", []byte("abc"))
	got := sent(t, Options{}, e)[0].Extensions()
	want := map[string]any{"link": "https://example.com/x", "moment": "2026-01-02T03:04:05Z", "bytes": "YWJj"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}
