package api

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"slices"
	"strings"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline/ingest"

	"github.com/danielgtaylor/huma/v2"
)

// Door takes events in, protected, and answers when they are on disk.
type Door interface {
	Take(ctx context.Context, by ingest.Authority, items []events.Item) ([]ingest.Result, error)
}

// publishing is the operation that takes events.
const publishing = "events.publish"

// Publication is a message of CloudEvents: one in binary or structured mode, or
// a batch.
type Publication struct {
	Caller
	data   []byte
	header map[string][]string
}

// receive takes over a message as it is.
func (p *Publication) receive(header map[string][]string, data []byte) {
	p.header, p.data = header, data
}

// check refuses what is no message of CloudEvents in JSON.
func (p *Publication) check() error {
	content := ""
	for name, values := range p.header {
		if len(values) > 0 && strings.EqualFold(name, "content-type") {
			content = values[0]
		}
	}
	media, _, err := mime.ParseMediaType(content)
	switch {
	case content == "", err == nil && (strings.HasSuffix(media, "/json") || strings.HasSuffix(media, "+json")),
		media == "application/cloudevents", media == "application/cloudevents-batch":
		return nil
	}
	return problem(UnsupportedMedia, "").
		hint("send " + events.ContentStructured + ", " + events.ContentBatch + ", or JSON data with ce- headers")
}

// describe documents the three ways to send events.
func (*Publication) describe(b *huma.RequestBody) {
	event := anyObject("A CloudEvent 1.0 in JSON; the data is that of its kind, see /schemas.")
	event.Properties = map[string]*huma.Schema{
		"specversion": {Type: huma.TypeString, Enum: []any{"1.0"}},
		"id":          {Type: huma.TypeString},
		"source":      {Type: huma.TypeString},
		"type":        {Type: huma.TypeString, Description: events.TypePrefix + "<kind>" + events.TypeSuffix},
		"time":        {Type: huma.TypeString, Format: "date-time"},
		"data":        {Type: huma.TypeObject, AdditionalProperties: true},
	}
	event.Required = []string{"specversion", "id", "source", "type", "data"}
	data := anyObject("Binary mode: the event's data; its attributes are headers that begin with ce-.")
	b.Description = "CloudEvents: one in structured or binary mode, or a batch."
	b.Content = map[string]*huma.MediaType{
		events.ContentStructured: {Schema: event},
		events.ContentBatch:      {Schema: &huma.Schema{Type: huma.TypeArray, Items: event}},
		mediaJSON:                {Schema: data},
	}
}

// Schema describes the message to NATS clients.
func (*Publication) Schema(huma.Registry) *huma.Schema {
	return anyObject("A CloudEvent in structured mode; with its headers set, in binary mode or a batch.")
}

// batch reports whether the message may hold any number of events.
func (p *Publication) batch() bool {
	for name, values := range p.header {
		if strings.EqualFold(name, "content-type") && len(values) > 0 {
			return strings.HasPrefix(strings.ToLower(strings.TrimSpace(values[0])), "application/cloudevents-batch")
		}
	}
	return false
}

// Taken says what became of the events of a message; what is accepted is on disk.
type Taken struct {
	Accepted int            `json:"accepted" doc:"Events that are durable now, or declined."`
	Declined map[string]int `json:"declined,omitzero" doc:"Of the accepted: those not kept though nothing is wrong, by why."`
	Refused  []Refused      `json:"refused" nullable:"false" doc:"Events that were not accepted; each left a dead letter."`

	batch bool
}

// Refused is one event that was not accepted.
type Refused struct {
	Index  int     `json:"index" doc:"In the batch, from 0."`
	ID     string  `json:"id,omitzero" doc:"The event's own id, where it could be read."`
	Reason Code    `json:"reason"`
	Errors []Fault `json:"errors" nullable:"false"`
}

func (t *Taken) status() int {
	if t.batch {
		return 200
	}
	return 202
}

// publish takes a message of events in.
func (a *API) publish(ctx context.Context, p *Publication) (*Taken, error) {
	items := events.Unpack(p.header, p.data)
	for i := range items {
		items[i].Received = a.deps.Now()
		if items[i].Data == nil { // unreadable: its dead letter is about the whole message
			items[i].Data = p.data
		}
	}
	by := ingest.Anyone
	if a.operator(p.Caller) {
		by = ingest.Operator
	}
	results, err := a.deps.Door.Take(ctx, by, items)
	if err != nil {
		return nil, refusedWhole(err)
	}
	a.noteReserved(ctx, items, results)
	taken := &Taken{Refused: []Refused{}, batch: p.batch()}
	for i, r := range results {
		switch {
		case r.Refused():
			taken.Refused = append(taken.Refused, refused(i, items[i], r.Refusal))
			continue
		case r.Declined != "" && taken.Declined == nil:
			taken.Declined = map[string]int{}
		}
		if taken.Accepted++; r.Declined != "" {
			taken.Declined[r.Declined]++
		}
	}
	if taken.Accepted == 0 && len(taken.Refused) > 0 {
		return nil, taken.problem()
	}
	return taken, nil
}

// noteReserved writes into the audit log which kinds were taken that only operators publish.
func (a *API) noteReserved(ctx context.Context, items []events.Item, results []ingest.Result) {
	var noted []events.Kind
	for i, r := range results {
		kind, _ := events.KindOf(items[i].Type)
		if kind.Reserved() && !r.Refused() && !slices.Contains(noted, kind) {
			noted = append(noted, kind)
			a.registry.write(ctx, Deed{Operation: publishing, Key: string(kind), Outcome: done})
		}
	}
}

// refusedWhole says why nothing could be taken.
func refusedWhole(err error) error {
	again := "send the same again, with the same ids: nothing counts twice"
	switch {
	case errors.Is(err, bus.ErrFull):
		return problem(Full, "").hint("free disk space, then "+again).with("Retry-After", "10").because(err)
	case errors.Is(err, bus.ErrUnavailable), errors.Is(err, bus.ErrUnknown):
		return problem(Unavailable, "the log did not confirm").hint(again).with("Retry-After", "1").because(err)
	case errors.Is(err, bus.ErrTooLarge):
		return problem(TooLarge, "").hint("send fewer events at once").because(err)
	}
	return err
}

// refused tells the caller about one event, with the caller's own values.
func refused(index int, item events.Item, r events.Refusal) Refused {
	out := Refused{Index: index, ID: item.ID, Reason: Code(r.Reason), Errors: make([]Fault, len(r.Violations))}
	for i, v := range r.Violations {
		f := Fault{Pointer: v.Pointer, Expected: v.Expected}
		if v.Sent != "" {
			f.Pointer = string(v.Sent)
			f.Value = short(item.Data, v.Sent)
		}
		if r.Reason == events.ReasonUnknownType {
			f.Value = brief(item.Type)
		}
		out.Errors[i] = f
	}
	return out
}

// problem is the answer when nothing was accepted. Reasons that concern the
// caller and not the events keep their own status.
func (t *Taken) problem() *Problem {
	first := t.Refused[0]
	same := !slices.ContainsFunc(t.Refused, func(r Refused) bool { return r.Reason != first.Reason })
	code := Refusal
	if !t.batch || same && (first.Reason == LicenseRequired || first.Reason == NotAllowed) {
		code = first.Reason
	}
	p := problem(code, "").hint(map[Code]string{
		LicenseRequired: licenseHint,
		NotAllowed:      "only operators publish this kind: send the admin token",
	}[code])
	if t.batch {
		p.Detail, p.Refused = fmt.Sprintf("%d events were refused", len(t.Refused)), t.Refused
		return p
	}
	return p.faulty(first.Errors)
}
