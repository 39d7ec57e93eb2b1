package events

import (
	"errors"

	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// strict is how producers' data is read: unknown names are errors, and names
// are compared as they are written.
var strict = json.RejectUnknownMembers(true)

// guarded also takes names for unknown that only the product may set.
var guarded = json.JoinOptions(strict, json.WithUnmarshalers(json.JoinUnmarshalers(
	json.UnmarshalFromFunc(unknown[FixDerived]),
	json.UnmarshalFromFunc(unknown[OutputDerived]),
	json.UnmarshalFromFunc(unknown[Assigned]),
	json.UnmarshalFromFunc(unknown[Withheld]),
	json.UnmarshalFromFunc(unknown[ExchangeFeatures]),
)))

// read reads producers' data into an empty payload.
func read(data []byte, p Payload) error {
	switch p.(type) {
	case *FixFeedback, *AgentOutput, *Exchange, *Exposure, *Measurement, *ResponseFeedback, *Engagement:
		return json.Unmarshal(data, p, guarded)
	}
	return json.Unmarshal(data, p, strict)
}

func unknown[P any](*jsontext.Decoder, **P) error { return json.ErrUnknownName }

// Decode reads the data of one event of a kind. What the typed reading and the
// kind's own check accept is accepted; the schema decides about the rest, and
// explains.
func Decode(s Spec, data []byte) (Payload, Refusal) {
	if r := limits(data); r.Refused() {
		return nil, r
	}
	p := s.NewPayload()
	err := read(data, p)
	if hot, ok := p.(checked); !ok || err != nil || !hot.check(sent(data)) {
		if r := explain(s, data); r.Refused() {
			return nil, r
		}
	}
	if err != nil {
		p, err = readPlain(s, data)
	}
	if err != nil {
		return nil, refuse(ReasonSchema, "", "what the schema describes")
	}
	if late, ok := p.(Settler); ok {
		late.Settle()
	}
	return p, Refusal{}
}

// readPlain reads data whose whole numbers may be written with a point.
func readPlain(s Spec, data []byte) (Payload, error) {
	p := s.NewPayload()
	return p, read(plainIntegers(data), p)
}

// Read reads what a producer is about to send into its payload, to rewrite it
// before it is sent: without checking it by the schema and without completing it.
func Read(s Spec, data []byte) (Payload, error) {
	p := s.NewPayload()
	if read(data, p) == nil {
		return p, nil
	}
	p, err := readPlain(s, data)
	if err != nil {
		return nil, errUnreadable
	}
	return p, nil
}

// errUnreadable says no more: the decoder's own error may quote the data.
var errUnreadable = errors.New("read data of an event: not what its kind describes")

// Settler is a payload that completes itself from what the producer sent, when
// it has been decoded and before anything is redacted.
type Settler interface{ Settle() }

// Validate lists what is wrong with the data of a kind, by its schema alone;
// nothing when it is right.
func Validate(s Spec, data []byte) []Violation {
	if r := limits(data); r.Refused() {
		return r.Violations
	}
	return explain(s, data).Violations
}

func explain(s Spec, data []byte) Refusal {
	found, readable := schemas.Check(string(s.Name()), data)
	switch {
	case !readable:
		return Refusal{ReasonMalformed, found}
	case len(found) > 0:
		return Refusal{ReasonSchema, found}
	}
	return Refusal{}
}
