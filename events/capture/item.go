package capture

import (
	"crypto/rand"
	"time"

	"learnloop.dev/events"
)

// item is a captured event: its own copy, not yet encoded.
type item struct {
	events.Envelope             // without its extensions, whose map is still the agent's
	extensions      []extension // in their place
	at              time.Time   // when it was captured
}

// extension is one extension attribute.
type extension struct{ name, value string }

// newItem copies an event that the agent may go on changing.
func newItem(e events.Envelope) item {
	it := item{Envelope: e, at: time.Now()}
	it.Data = append([]byte(nil), e.Data...)
	it.Extensions = nil
	if len(e.Extensions) > 0 {
		it.extensions = make([]extension, 0, len(e.Extensions))
		for name, value := range e.Extensions {
			it.extensions = append(it.extensions, extension{name, value})
		}
	}
	return it
}

// size is what an item weighs in the buffer and, roughly, on the wire.
func (it *item) size() int {
	const attributes = 400
	return len(it.Data) + attributes
}

// own is the subject that the event has to travel on by itself, because
// permissions are granted by subject; "" when it may travel in a batch.
func (it *item) own() string {
	if it.Kind.Control() || it.Kind.Reviewed() {
		return inbox + string(it.Kind)
	}
	return ""
}

// check says what is wrong with an event; "" is nothing that can be seen at once.
func (p *Publisher) check(e events.Envelope) string {
	_, known := events.Lookup(e.Kind)
	switch {
	case !known:
		return "not a kind of the loop"
	case p.opts.Source == "" && e.Source == "":
		return "it has no source"
	case len(e.Data) == 0:
		return "it has no data"
	case len(e.Data) > events.MaxData:
		return "its data is too large"
	}
	return ""
}

// encode returns the event as a structured CloudEvent. Data that is not valid
// JSON must not get into a batch: it would spoil the others.
func (p *Publisher) encode(it *item, r *redactor) ([]byte, error) {
	envelope := p.envelope(it)
	var err error
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
func (p *Publisher) envelope(it *item) events.Envelope {
	e := it.Envelope
	if e.ID == "" {
		e.ID = rand.Text()
	}
	if e.Source == "" {
		e.Source = p.opts.Source
	}
	if e.Time.IsZero() {
		e.Time = it.at
	}
	e.Extensions = make(map[string]string, len(it.extensions))
	for _, x := range it.extensions {
		e.Extensions[x.name] = x.value
	}
	return e
}
