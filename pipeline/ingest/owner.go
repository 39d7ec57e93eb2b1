package ingest

import (
	"fmt"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Owner says whom an exchange belongs to, and nothing that is not in the log
// too. It is what the bucket of owners holds under the exchange.
type Owner struct {
	Key    string `json:"key"`             // the group's key for display
	Group  string `json:"group"`           // keyed hash of the group's key: decides partition and identity
	Person string `json:"person,omitzero"` // keyed hash of the person; none of a session's
}

// claim is what an exchange's own event says about its owner.
type claim struct {
	exchange string
	owner    Owner
	keep     time.Duration // how long it is remembered
}

// claimedFor is how long the owner of an exchange is: no longer than the exchange.
func claimedFor(s privacy.Settings) time.Duration {
	return max(shorter(details(s, limits(s)), ownedFor), time.Second)
}

// waiting is feedback that names only its exchange, of which nobody knows yet
// whose it is: protected, but without key, person and record.
type waiting struct {
	Exchange string         `json:"exchange"`
	Kind     events.Kind    `json:"kind"`
	Name     string         `json:"name"`    // keyed hash of what names the event
	Content  string         `json:"content"` // keyed hash of what the producer sent
	Since    time.Time      `json:"since"`
	Replay   string         `json:"replayid,omitzero"`
	Fact     jsontext.Value `json:"fact"`
}

// Keys of the bucket of owners: an exchange's, and those of what waits for it.
func ownerKey(exchange string) string { return events.Token(exchange) }

func (w waiting) key() string { return waitKey(w.Exchange) + "." + w.Name + w.Content }

func waitKey(exchange string) string { return "wait." + events.Token(exchange) }

const anyWaiting = "wait.>"

// localUser is the user of a deployment that knows only one, and names nobody
// (003): what nobody claims is theirs.
const localUser = "local"

// local is the owner of what nobody claims.
func (h House) local() Owner {
	o := Owner{
		Key: localUser, Person: PersonIndex(h.Keys, localUser),
		Group: h.Keys.Blind("group", joined(events.ByPerson, "user", localUser)),
	}
	if h.Policy().Privacy.AnonymizeUsers {
		o.Key = h.Keys.Pseudonym(privacy.Users, localUser)
	}
	return o
}

// keeps reports whether feedback is taken in now that it is known whose it is.
func (h House) keeps(w waiting, owner Owner) bool {
	p := h.Policy()
	return p.wants(w.Kind) && p.captures(owner.Person)
}

// deliver addresses feedback that waited to whom its exchange belongs to. It
// becomes the fact it would have been, had that been known at once.
func (h House) deliver(w waiting, to Owner) (bus.Message, error) {
	spec, ok := events.Lookup(w.Kind)
	if !ok {
		return bus.Message{}, fmt.Errorf("deliver %s: not in the vocabulary", events.Token(string(w.Kind)))
	}
	fact, err := spec.ReadFact(w.Fact)
	if err != nil {
		return bus.Message{}, err
	}
	head := fact.Header()
	head.Key, head.Person = to.Key, to.Person
	head.Record = h.theirRecord(w.Kind, to.Group, head.Part, w.Name)
	data, err := events.Encode(fact)
	if err != nil {
		return bus.Message{}, err
	}
	partition := events.Partition(to.Group, h.Partitions)
	return bus.Message{Subject: pipeline.LogSubject(partition, w.Kind), Data: data}, nil
}

// cell is what the bucket holds of feedback that waits from a time on.
func (w waiting) cell(since time.Time) (bus.Cell, error) {
	w.Since = since.UTC()
	data, err := json.Marshal(w)
	if err != nil {
		return bus.Cell{}, fmt.Errorf("encode %s that waits: %w", w.Kind, err)
	}
	return bus.Cell{Key: w.key(), Value: data}, nil
}

// cell is what the bucket holds of a claim.
func (c claim) cell() (bus.Cell, error) {
	data, err := json.Marshal(c.owner)
	if err != nil {
		return bus.Cell{}, fmt.Errorf("encode owner: %w", err)
	}
	return bus.Cell{Key: ownerKey(c.exchange), Value: data, Keep: c.keep.Truncate(time.Second)}, nil
}
