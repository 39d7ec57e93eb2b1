package events

import (
	"time"
)

// Group names a join group: what must be folded together lives in one partition.
type Group string

// The join groups (SPEC section 2). The group's key alone decides the partition.
const (
	ByRule       Group = "rule"       // rule feedback, keyed by rule
	ByPerson     Group = "person"     // conversations, keyed by person, else session
	ByExperiment Group = "experiment" // experiments, keyed by experiment
	ByFamily     Group = "family"     // samples, keyed by family
	Learnings    Group = "learnings"  // learnings, injections, votes, task arms: one group
	Outcomes     Group = "outcomes"   // outcomes and templates: one group
	Everywhere   Group = "control"    // control facts reach every partition
)

// Undivided reports whether the group has no keys: whatever its facts are about,
// they all lie in one partition.
func (g Group) Undivided() bool { return g == Learnings || g == Outcomes }

// Part is what one join group hears of an event.
type Part struct {
	Group Group
	// Key is the group's key as the payload holds it; raw before protection, display after.
	Key string
	// Exchange stands in for an unknown Key of ByPerson: its owner has to be looked up.
	Exchange string
	// Kind and Data are what the group hears; mostly the event itself.
	Kind Kind
	Data Payload
}

// Payload is the data of one event.
type Payload interface {
	// Identity names what makes two reports the same one; empty means the
	// envelope's source and id.
	Identity() []string
	// Parts lists the join groups that hear the payload. Their number and order
	// do not depend on protection.
	Parts() []Part
	// Person is the user id the event is about, "" when it names none.
	Person() string
	// When is the producer's timestamp inside the data, zero when it has none.
	When() time.Time
}

// Envelope is a CloudEvent as it arrived: checked for form, not yet for content.
type Envelope struct {
	ID, Source, Subject string
	Kind                Kind
	Time                time.Time         // the producer's; zero when unset
	Received            time.Time         // when the inbox or the HTTP door stored it
	Data                []byte            // JSON
	Extensions          map[string]string // other attributes, names in lower case
}

// Names of the extension attributes that mean something to the loop.
const (
	ExtReplay = "replayid"    // counts a replay; not part of identity or content
	ExtTrace  = "traceparent" // W3C trace context
	ExtCause  = "causerecord" // the record that the event follows from; see DerivedSubject
)

// Moment is the producer's own time inside the data; it counts as event time.
type Moment struct {
	Timestamp time.Time `json:"timestamp,omitzero"`
}

// When is the timestamp, zero when there is none.
func (m *Moment) When() time.Time { return m.Timestamp }

// whole addresses a payload as it is to a group that is one partition.
func whole(g Group, k Kind, p Payload) []Part { return []Part{{Group: g, Kind: k, Data: p}} }
