package capture

import (
	"testing"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/go-json-experiment/json"

	"learnloop.dev/events"
)

// parse reads a message's events with the official SDK.
func parse(tb testing.TB, contentType string, body []byte) []event.Event {
	tb.Helper()
	var list []event.Event
	var err error
	switch contentType {
	case events.ContentBatch:
		err = json.Unmarshal(body, &list)
	case events.ContentStructured:
		list = make([]event.Event, 1)
		err = json.Unmarshal(body, &list[0])
	default:
		tb.Fatalf("content type %q", contentType)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return list
}
