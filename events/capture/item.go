package capture

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/cloudevents/sdk-go/v2/event"
	"github.com/cloudevents/sdk-go/v2/types"

	"learnloop.dev/events"
)

// item is a captured event: its own copy, not yet encoded.
type item struct {
	attributes event.EventContextV1
	extensions []extension // in place of those of attributes
	kind       events.Kind
	at         time.Time // when it was captured
	data       []byte
}

// extension is one extension attribute.
type extension struct {
	name  string
	value any
}

// setExtensions copies extension attributes, whose map is still the agent's.
func (it *item) setExtensions(values map[string]any) {
	it.attributes.Extensions = nil
	if len(values) == 0 {
		return
	}
	it.extensions = make([]extension, 0, len(values))
	for name, value := range values {
		it.extensions = append(it.extensions, extension{name, value})
	}
}

// size is what an item weighs in the buffer and, roughly, on the wire.
func (it *item) size() int {
	const attributes = 400
	return len(it.data) + attributes
}

// own is the subject that the event has to travel on by itself, because
// permissions are granted by subject; "" when it may travel in a batch.
func (it *item) own() string {
	if it.kind.Control() || it.kind.Reviewed() {
		return inbox + string(it.kind)
	}
	return ""
}

// check says what is wrong with an event, and notes its kind.
func (p *Publisher) check(it *item, e event.Event) string {
	var known bool
	it.kind, known = events.KindOf(it.attributes.Type)
	switch {
	case !known:
		return "not a type of the loop"
	case p.opts.Source == "" && it.attributes.Source.URL == url.URL{}:
		return "it has no source"
	case len(e.FieldErrors) > 0:
		return "one of its attributes is not valid"
	case len(e.DataEncoded) == 0:
		return "it has no data"
	case len(e.DataEncoded) > events.MaxData:
		return "its data is too large"
	case !isJSON(it.attributes.DataContentType):
		return "its data is not JSON"
	}
	return ""
}

// isJSON reports whether a content type is that of JSON, as an absent one is.
func isJSON(contentType *string) bool {
	if contentType == nil {
		return true
	}
	media, _, _ := strings.Cut(*contentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json")
}

// encode returns the event as a structured CloudEvent. Data that is not valid
// JSON must not get into a batch: it would spoil the others.
func (p *Publisher) encode(it *item, r *redactor) ([]byte, error) {
	envelope, err := p.envelope(it)
	if err != nil {
		return nil, ErrInvalid
	}
	if r != nil {
		if envelope, err = r.redact(envelope); err != nil {
			return nil, ErrInvalid
		}
	}
	encoded, err := events.EncodeStructured(envelope)
	if err != nil {
		return nil, ErrInvalid
	}
	return encoded, nil
}

// envelope fills in what the event lacks.
func (p *Publisher) envelope(it *item) (events.Envelope, error) {
	a := &it.attributes
	e := events.Envelope{ID: a.ID, Source: a.Source.String(), Kind: it.kind, Time: it.at, Data: it.data}
	if e.ID == "" {
		e.ID = rand.Text()
	}
	if e.Source == "" {
		e.Source = p.opts.Source
	}
	if a.Time != nil && !a.Time.IsZero() {
		e.Time = a.Time.Time
	}
	if a.Subject != nil {
		e.Subject = *a.Subject
	}
	var err error
	e.Extensions, err = texts(it.extensions)
	return e, err
}

// texts returns extension attributes in their text form.
func texts(list []extension) (map[string]string, error) {
	out := make(map[string]string, len(list))
	for _, x := range list {
		text, err := types.Format(x.value)
		if err != nil {
			return nil, fmt.Errorf("extension %s: %w", x.name, err)
		}
		out[x.name] = text
	}
	return out, nil
}
