// Package cloudevents turns events of the official CloudEvents SDK into the loop's
// own, and back. It is a package of its own so that only programs that have such
// events link the SDK.
package cloudevents

import (
	"errors"
	"maps"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/types"

	"learnloop.dev/events"
)

// dataSchema is an attribute of the specification that the loop only carries.
const dataSchema = "dataschema"

// From reads an event of the SDK. An error names the first attribute that is wrong,
// never its value. The data is not copied.
func From(e event.Event) (events.Envelope, error) {
	if e.Context == nil {
		return events.Envelope{}, errors.New("read event at /specversion: expected 1.0")
	}
	attributes := map[string]string{
		"specversion": e.SpecVersion(), "id": e.ID(), "source": e.Source(), "type": e.Type(),
		"subject": e.Subject(), "datacontenttype": e.DataContentType(), dataSchema: e.DataSchema(),
	}
	if !e.Time().IsZero() {
		attributes["time"] = e.Time().Format(time.RFC3339Nano)
	}
	maps.DeleteFunc(attributes, func(_, text string) bool { return text == "" }) // absent
	for name, value := range e.Extensions() {
		text, err := types.Format(value)
		if err != nil {
			return events.Envelope{}, errors.New("read extension attribute: not a CloudEvents value")
		}
		attributes[name] = text
	}
	return events.FromAttributes(attributes, e.Data())
}

// To returns the event for the SDK. The data is not copied.
func To(e events.Envelope) event.Event {
	out := event.New(event.CloudEventsVersionV1)
	out.SetID(e.ID)
	out.SetSource(e.Source)
	out.SetType(e.Kind.Type())
	out.SetDataContentType(event.ApplicationJSON)
	out.DataEncoded = e.Data
	if e.Subject != "" {
		out.SetSubject(e.Subject)
	}
	if !e.Time.IsZero() {
		out.SetTime(e.Time)
	}
	for name, value := range e.Extensions {
		if name == dataSchema {
			out.SetDataSchema(value)
			continue
		}
		out.SetExtension(name, value)
	}
	return out
}
