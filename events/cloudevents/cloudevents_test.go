package cloudevents_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/cloudevents/sdk-go/v2/binding"
	"github.com/cloudevents/sdk-go/v2/event"
	cehttp "github.com/cloudevents/sdk-go/v2/protocol/http"
	"github.com/cloudevents/sdk-go/v2/types"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"learnloop.dev/events"
	"learnloop.dev/events/cloudevents"
)

func vote() events.Envelope {
	return events.Envelope{
		ID: "1", Source: "/agents/7", Kind: events.FeedbackLearning.Kind, Time: time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC),
		Data: []byte(`{"learning_id":"learn_1","task_id":"t1","helpful":true}`),
	}
}

// odd has everything that is hard to carry.
func odd() events.Envelope {
	e := vote()
	e.ID, e.Source, e.Subject = `100% "*.>" a b`, "/ä/%41", "Euro € 😀"
	e.Time = time.Date(2026, 3, 2, 9, 15, 0, 123456789, time.FixedZone("", 3600))
	e.Extensions = map[string]string{events.ExtReplay: "r-1", "dataschema": "https://example.com/a?b=c"}
	return e
}

func same(t *testing.T, got, want events.Envelope) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// one reads a message of one event.
func one(t *testing.T, header map[string][]string, body string) events.Envelope {
	t.Helper()
	items := events.Unpack(header, []byte(body))
	if len(items) != 1 || items[0].Refused() {
		t.Fatalf("unpacked %+v", items)
	}
	return items[0].Envelope
}

func contentType(value string) map[string][]string {
	return map[string][]string{"Content-Type": {value}}
}

func TestTheSDKsEventsTurnIntoOursAndBack(t *testing.T) {
	for _, want := range []events.Envelope{vote(), odd()} {
		if want.Time.Nanosecond() > 0 {
			want.Source, want.Time = "/odd", want.Time.UTC() // the SDK rewrites what is no URI, and keeps no offset
		}
		sdk := cloudevents.To(want)
		if err := sdk.Validate(); err != nil {
			t.Fatal(err)
		}
		got, err := cloudevents.From(sdk)
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
	}
}

func TestTheSDKsTypedExtensionsAreKeptAsText(t *testing.T) {
	sdk := cloudevents.To(vote())
	sdk.SetExtension("count", 5)
	sdk.SetExtension("flag", true)
	sdk.SetExtension("bytes", []byte("hi"))
	got, err := cloudevents.From(sdk)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"count": "5", "flag": "true", "bytes": "aGk="}, got.Extensions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheSDKsBrokenEventsAreNamedByAttribute(t *testing.T) {
	for want, breakIt := range map[string]func(*event.Event){
		"/id":              func(e *event.Event) { e.SetID("sec\r\nret") },
		"/specversion":     func(e *event.Event) { e.SetSpecVersion("0.3") },
		"/type":            func(e *event.Event) { e.SetType("com.secret") },
		"/data":            func(e *event.Event) { e.DataEncoded = nil },
		"/datacontenttype": func(e *event.Event) { e.SetDataContentType("text/secret") },
		"/source":          func(e *event.Event) { e.Context = &event.EventContextV1{ID: "1", Type: e.Type()} },
		"at /specversion":  func(e *event.Event) { e.Context = nil },
	} {
		e := cloudevents.To(vote())
		breakIt(&e)
		_, err := cloudevents.From(e)
		if err == nil || strings.Contains(err.Error(), "ret") {
			t.Errorf("%s: %v", want, err)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestWhatTheSDKSendsIsRead(t *testing.T) {
	want := odd()
	want.ID, want.Source, want.Time = "a b", "/odd", want.Time.UTC() // it sends percent signs as they are
	sdk := cloudevents.To(want)
	body, err := json.Marshal(sdk)
	if err != nil {
		t.Fatal(err)
	}
	same(t, one(t, contentType(event.ApplicationCloudEventsJSON), string(body)), want)

	batch, err := json.Marshal([]event.Event{sdk, sdk})
	if err != nil {
		t.Fatal(err)
	}
	if items := events.Unpack(contentType(event.ApplicationCloudEventsBatchJSON), batch); len(items) != 2 || items[1].Refused() {
		t.Errorf("unpacked %+v", items)
	}

	for _, mode := range []func(context.Context) context.Context{binding.WithForceBinary, binding.WithForceStructured} {
		req := httptest.NewRequest(http.MethodPost, "/v1/events", nil)
		if err := cehttp.WriteRequest(mode(t.Context()), (*binding.EventMessage)(&sdk), req); err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		if _, err := body.ReadFrom(req.Body); err != nil {
			t.Fatal(err)
		}
		same(t, one(t, req.Header, body.String()), want)
	}
}

func TestEveryKindOfExtensionValueIsText(t *testing.T) {
	e := cloudevents.To(vote())
	e.SetExtension("link", types.ParseURI("https://example.com/x"))
	e.SetExtension("moment", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	got, err := cloudevents.From(e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"link": "https://example.com/x", "moment": "2026-01-02T03:04:05Z"}, got.Extensions); diff != "" {
		t.Error(diff)
	}
	e.Context.(*event.EventContextV1).Extensions = map[string]any{"odd": struct{}{}}
	if _, err := cloudevents.From(e); err == nil {
		t.Error("took in what is no value")
	}
}

// A program that has events of the SDK hands them to the loop.
func Example() {
	e := event.New()
	e.SetID("1")
	e.SetSource("/agents/7")
	e.SetType("dev.learnloop.feedback.learning.v1")
	e.DataEncoded = []byte(`{"learning_id":"learn_1","task_id":"t1","helpful":true}`)
	ours, err := cloudevents.From(e)
	fmt.Println(ours.Kind, ours.Source, err) // a capture.Publisher takes it from here
	// Output: feedback.learning /agents/7 <nil>
}
