package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/pipeline/ingest"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// reporter is the source of events that operations make of their arguments.
const reporter = ingest.Source + "/api"

// tell takes in an event that an operation made of its arguments, as one of anyone's.
func (a *API) tell(ctx context.Context, kind events.Kind, payload events.Payload) error {
	_, err := a.say(ctx, ingest.Anyone, kind, payload)
	return err
}

// say is tell in somebody's name, and returns the id of the event.
func (a *API) say(ctx context.Context, by ingest.Authority, kind events.Kind, payload events.Payload) (id string, err error) {
	item, err := draft(kind, payload)
	if err != nil {
		return "", err
	}
	item.ID = eventID()
	return item.ID, a.utter(ctx, by, item)
}

// utter takes in an event of ours that has its id, as one of now.
func (a *API) utter(ctx context.Context, by ingest.Authority, item events.Item) error {
	item.Time, item.Received = a.now(), a.deps.Now()
	return a.send(ctx, by, item)
}

// eventID is new each time. In small letters, since in some texts of capitals the
// protection sees a secret, and who tells something waits for it by this id.
func eventID() string { return strings.ToLower(rand.Text()) }

// draft is an event without id and times.
func draft(kind events.Kind, payload events.Payload) (events.Item, error) {
	data, err := json.Marshal(payload, json.Deterministic(true))
	if err != nil {
		return events.Item{}, fmt.Errorf("encode %s: %w", kind, err)
	}
	return events.Item{Envelope: events.Envelope{Source: reporter, Kind: kind, Data: data}}, nil
}

// send takes in an event of ours.
func (a *API) send(ctx context.Context, by ingest.Authority, item events.Item) error {
	if err := fitting(item); err != nil {
		return err
	}
	if a.deps.Door == nil {
		return post(ctx, a.js, item)
	}
	results, err := a.deps.Door.Take(ctx, by, []events.Item{item})
	if err != nil {
		return refusedWhole(err)
	}
	switch r := results[0]; {
	case r.Refused():
		return unfitting(item, r.Refusal)
	case r.Declined != "":
		return declined(r.Declined)
	}
	return nil
}

// sound refuses what would be refused in the log.
func sound(kind events.Kind, payload events.Payload) error {
	item, err := draft(kind, payload)
	if err != nil {
		return err
	}
	return fitting(item)
}

// fitting refuses what the inbox would refuse, before it.
func fitting(item events.Item) error {
	spec, _ := events.Lookup(item.Kind)
	if _, refusal := events.Decode(spec, item.Data); refusal.Refused() {
		return unfitting(item, refusal)
	}
	return nil
}

// declined is what a caller is told whose event is not wanted.
func declined(why string) *Problem {
	return problem(NotAllowed, "nothing of this is taken in: "+why).
		hint("learnloop privacy get shows the settings").because(errDeclined)
}

// errDeclined is about what the settings of privacy keep from being taken in.
var errDeclined = errors.New("declined")

// note records what an answer was, and reports whether it is recorded: who is answered
// need not agree to be remembered.
func (a *API) note(ctx context.Context, kind events.Kind, payload events.Payload) (recorded bool, err error) {
	if err = a.tell(ctx, kind, payload); errors.Is(err, errDeclined) {
		return false, nil
	}
	return err == nil, err
}

// unfitting tells the caller what is wrong with an event made of the arguments.
func unfitting(item events.Item, refusal events.Refusal) error {
	r := refused(0, item, refusal)
	return problem(r.Reason, "").faulty(r.Errors)
}

// post publishes an event where another process takes events in. One that is reserved to operators goes where
// that process knows that it was asked for here: who asked stands in the audit log already.
func post(ctx context.Context, js jetstream.JetStream, item events.Item) error {
	subject := item.Kind.Subject()
	if item.Kind.Reserved() {
		subject = events.AskedSubject
	}
	m := nats.NewMsg(subject)
	m.Data = item.Data
	for name, value := range map[string]string{
		"ce-specversion": "1.0", "ce-id": item.ID, "ce-source": item.Source, "ce-type": item.Kind.Type(),
		"content-type": mediaJSON,
	} {
		m.Header[name] = []string{value}
	}
	if !item.Time.IsZero() {
		m.Header["ce-time"] = []string{item.Time.Format(time.RFC3339Nano)}
	}
	if _, err := js.PublishMsg(ctx, m); err != nil {
		return unreachable(fmt.Errorf("publish %s: %w", item.Kind, err))
	}
	return nil
}

// now is the time as learnings keep it.
func (a *API) now() time.Time { return a.deps.Now().UTC().Truncate(time.Microsecond) }
