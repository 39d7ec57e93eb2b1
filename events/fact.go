package events

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
)

// Head is everything the log knows about a fact besides its payload. In JSON it
// is the envelope of a structured CloudEvent; names beyond the specification's
// are extension attributes.
type Head struct {
	SpecVersion string `json:"specversion"`
	ID          string `json:"id"`     // protected; "<id>/<n>" for part n > 0
	Source      string `json:"source"` // protected
	Type        string `json:"type"`
	// Time is event time. Folds know no other.
	Time time.Time `json:"time"`
	// Recorded is when ingest stored the event; retention counts from here.
	Recorded time.Time `json:"recordedtime"`
	// Record is the keyed hash of the event's identity within its kind, group and key.
	Record string `json:"record"`
	// Content is the keyed hash of what the producer sent, before anything was masked.
	Content string `json:"content"`
	// Stamp is the producer's own time, zero when it gave none: of two contents of
	// one record the later stamp wins, then the greater content hash.
	Stamp time.Time `json:"stamp,omitzero"`
	Group Group     `json:"group"`
	// Key is the group's key for display: a rule id, a pseudonym, an experiment.
	Key string `json:"key,omitzero"`
	// Person is the blind index of the person the event is about, or of the unit of
	// an experiment: who is both has two, that nobody can join.
	Person string `json:"person,omitzero"`
	// Part numbers the facts that one event was split into, from 0.
	Part int `json:"part,omitzero"`
	// Cause is the record a derived fact follows from.
	Cause string `json:"cause,omitzero"`
	// Withdrawn takes the record back instead of recording it: a derived fact whose
	// cause is gone.
	Withdrawn bool `json:"withdrawn,omitzero"`
	// Replay is the replay that sent the event, for counting only.
	Replay string `json:"replayid,omitzero"`
	Trace  string `json:"traceparent,omitzero"`

	// Seq is the fact's position in the log; it is not part of the stored bytes.
	Seq uint64 `json:"-"`
}

// Fact is one event as the log keeps it: validated, protected, and addressed to
// one join group.
type Fact[P any] struct {
	Head
	Data P `json:"data"`
}

// Recorded is a fact whose payload type is not known to the caller.
type Recorded interface {
	// Header returns the fact's head for reading and for setting Seq.
	Header() *Head
	// Payload returns a pointer to the fact's data.
	Payload() Payload
}

// Header returns the head.
func (f *Fact[P]) Header() *Head { return &f.Head }

// Payload returns the data as a Payload.
func (f *Fact[P]) Payload() Payload { return any(&f.Data).(Payload) }

// Kind returns the kind the head's type names.
func (h *Head) Kind() Kind {
	return Kind(h.Type[len(TypePrefix) : len(h.Type)-len(TypeSuffix)])
}

// Supersedes reports whether h replaces old, another content of the same record:
// the later producer-set time wins, ties go by content hash; without a
// producer's time the first stays (SPEC section 1, guarantee 1). Of derived
// facts the later in the log wins.
func (h *Head) Supersedes(old *Head) bool {
	if h.Cause != "" {
		return h.Withdrawn || h.Content != old.Content
	}
	switch c := h.Stamp.Compare(old.Stamp); {
	case c != 0:
		return c > 0
	case h.Stamp.IsZero():
		return false
	default:
		return h.Content > old.Content
	}
}

// Encode returns the fact as the log stores it.
func Encode(f Recorded) ([]byte, error) {
	data, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode fact %s: %w", f.Header().Record, err)
	}
	return data, nil
}

// Name returns the kind.
func (t *Type[P]) Name() Kind { return t.Kind }

// Origin returns the source document.
func (t *Type[P]) Origin() string { return t.origin }

// NewPayload returns a pointer to an empty payload.
func (t *Type[P]) NewPayload() Payload { return any(new(P)).(Payload) }

// ReadFact decodes a fact of this kind.
func (t *Type[P]) ReadFact(data []byte) (Recorded, error) {
	f := new(Fact[P])
	if p, ok := any(&f.Data).(known); ok {
		if reread(data, &f.Head, p) {
			return f, nil
		}
		*f = Fact[P]{}
	}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("decode fact of kind %s: %w", t.Kind, Unquoted(err))
	}
	return f, nil
}

// Fact joins a head and a payload, which must be a *P.
func (t *Type[P]) Fact(head Head, payload Payload) Recorded {
	return &Fact[P]{Head: head, Data: *any(payload).(*P)}
}
