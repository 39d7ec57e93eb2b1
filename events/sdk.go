package events

import (
	"errors"
	"fmt"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/types"
)

// FromSDK reads an event of the CloudEvents SDK. An error names the first
// attribute that is wrong, never its value. The data is not copied.
func FromSDK(e event.Event) (Envelope, error) {
	i := Item{Envelope: Envelope{Data: e.Data()}}
	text := map[string]string{
		"specversion": e.SpecVersion(), "id": e.ID(), "source": e.Source(), "type": e.Type(),
		"subject": e.Subject(), "datacontenttype": e.DataContentType(), dataSchema: e.DataSchema(),
	}
	for name, value := range text {
		if value != "" {
			i.set(name, value)
		}
	}
	i.Time = e.Time()
	for name, value := range e.Extensions() {
		s, err := types.Format(value)
		if err != nil {
			return Envelope{}, errors.New("read extension attribute: not a CloudEvents value")
		}
		i.set(name, s)
	}
	if i.finish(); i.Refused() {
		v := i.Violations[0]
		return Envelope{}, fmt.Errorf("read event at %s: expected %s", v.Pointer, v.Expected)
	}
	return i.Envelope, nil
}

// ToSDK returns the event for the CloudEvents SDK. The data is not copied.
func ToSDK(e Envelope) event.Event {
	out := event.New(event.CloudEventsVersionV1)
	out.SetID(e.ID)
	out.SetSource(e.Source)
	out.SetType(e.Kind.Type())
	out.SetDataContentType(contentJSON)
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

// dataSchema is an attribute of the specification that the loop only carries.
const dataSchema = "dataschema"
