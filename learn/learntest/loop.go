// Package learntest runs models in memory, the way the stages do, and holds
// every model to the same laws.
package learntest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Event is an event as a producer sends it.
type Event struct {
	Kind   events.Kind    `json:"kind"`
	ID     string         `json:"id"`
	Source string         `json:"source,omitzero"`
	Time   time.Time      `json:"time,omitzero"`
	Data   jsontext.Value `json:"data"`
	// Received is when it is stored, zero for when it happened, and the time of an event
	// whose producer gives none.
	Received time.Time `json:"received,omitzero"`
}

// Loop is the loop without transport: events go in, contexts come out. Nothing
// is redacted and ids stay as given, but texts are masked by Mode.
type Loop struct {
	Models     []learn.Model
	Mode       privacy.Mode // empty means full
	Partitions int          // 0 means 1

	parts []*Partition
	seq   uint64
}

// Hear takes an event in: it prepares the payload as ingest does and folds every
// part of it into its partition.
func (l *Loop) Hear(e Event) error {
	spec, ok := events.Lookup(e.Kind)
	if !ok {
		return fmt.Errorf("hear %s: no such kind %q", e.ID, e.Kind)
	}
	payload := spec.NewPayload()
	if err := json.Unmarshal(e.Data, payload, json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("hear %s: %w", e.ID, err)
	}
	if late, ok := payload.(events.Settler); ok {
		late.Settle()
	}
	for _, m := range l.Models {
		m.Prepare(l.lens(), payload)
	}
	for n, part := range payload.Parts() {
		spec, ok := events.Lookup(part.Kind)
		if !ok {
			return fmt.Errorf("hear %s: part of unknown kind %q", e.ID, part.Kind)
		}
		l.Fold(spec.Fact(e.head(payload, part, n), part.Data))
	}
	return nil
}

func (l *Loop) lens() learn.Lens {
	mode := l.Mode
	if mode == "" {
		mode = privacy.Full
	}
	return learn.Lens{Mode: mode, Blind: Blind}
}

// Blind stands in for the keyed hash.
func Blind(label string, parts ...string) string {
	sum := sha256.Sum256([]byte(label + "\x00" + strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// head addresses one part of an event, as ingest does.
func (e Event) head(p events.Payload, part events.Part, n int) events.Head {
	identity := p.Identity()
	if len(identity) == 0 {
		identity = []string{e.Source, e.ID}
	}
	stamp := e.Time
	if at := p.When(); !at.IsZero() {
		stamp = at
	}
	at := stamp
	if at.IsZero() {
		at = e.Received
	}
	stored := at
	if !e.Received.IsZero() {
		stored = e.Received
	}
	h := events.Head{
		SpecVersion: "1.0", ID: e.ID, Source: e.Source, Type: part.Kind.Type(),
		Time: at, Recorded: stored, Stamp: stamp,
		Record:  Blind("record", append(identity, string(e.Kind), string(part.Group), part.Key, strconv.Itoa(n))...),
		Content: Blind("content", string(e.Data)),
		Group:   part.Group, Key: part.Key, Part: n,
	}
	if person := p.Person(); person != "" {
		h.Person = Blind("person", person)
	}
	return h
}

// Fold folds one fact into the partition of its group key, or into all of them.
func (l *Loop) Fold(f events.Recorded) {
	l.open()
	l.seq++
	h := f.Header()
	h.Seq = l.seq
	if h.Group == events.Everywhere {
		for _, p := range l.parts {
			p.fold(f)
		}
		return
	}
	l.parts[events.Partition(Blind(string(h.Group), h.Key), len(l.parts))].fold(f)
}

// Refold returns a loop that heard what counts in this one, and nothing else: each fact
// where it stands in the log.
func (l *Loop) Refold() *Loop {
	left := map[uint64]events.Recorded{}
	for _, p := range l.Open() {
		for _, f := range p.records {
			left[f.Header().Seq] = f
		}
	}
	anew := &Loop{Models: l.Models, Mode: l.Mode, Partitions: l.Partitions}
	for _, seq := range slices.Sorted(maps.Keys(left)) {
		anew.seq = seq - 1
		anew.Fold(left[seq])
	}
	anew.Refresh()
	return anew
}

// Withdraw takes back every fact of the event with that id, as clearing,
// forgetting and expiry do.
func (l *Loop) Withdraw(id string) {
	l.open()
	for _, p := range l.parts {
		p.withdraw(id)
	}
}

// WithdrawRecord takes one record back.
func (l *Loop) WithdrawRecord(record string) {
	l.open()
	for _, p := range l.parts {
		if f, ok := p.records[record]; ok {
			p.retract(f)
		}
	}
}

func (l *Loop) open() {
	if l.parts != nil {
		return
	}
	for range max(l.Partitions, 1) {
		l.parts = append(l.parts, newPartition(l.Models))
	}
}

// Refresh ends a batch in every partition: what became dirty is known anew.
func (l *Loop) Refresh() {
	l.open()
	for _, p := range l.parts {
		p.refresh()
	}
}

// Open returns the partitions, for looking into their rows.
func (l *Loop) Open() []*Partition {
	l.open()
	return l.parts
}

// Contexts renders all that is known, by bucket and key: "learn_contexts rule.x".
func (l *Loop) Contexts() (map[string][]byte, error) {
	l.Refresh()
	contexts := map[string][]byte{}
	for _, m := range l.Models {
		for _, key := range l.keys(m) {
			data, err := m.Render(key, l.insights(m, key))
			if err != nil {
				return nil, fmt.Errorf("render %s: %w", key, err)
			}
			if data != nil {
				contexts[m.Bucket+" "+key.String()] = data
			}
		}
	}
	return contexts, nil
}

// keys lists what is known anything about, in order.
func (l *Loop) keys(m learn.Model) []learn.Key {
	var keys []learn.Key
	for _, p := range l.parts {
		for at := range p.known {
			if at.Model == m.Name {
				keys = append(keys, at.Key)
			}
		}
	}
	slices.SortFunc(keys, func(a, b learn.Key) int { return strings.Compare(a.String(), b.String()) })
	return slices.Compact(keys)
}

// insights are the parts of what is known about a key, in partition order.
func (l *Loop) insights(m learn.Model, key learn.Key) []jsontext.Value {
	var parts []jsontext.Value
	for _, p := range l.parts {
		if v, ok := p.known[learn.Place{Model: m.Name, Key: key}]; ok {
			parts = append(parts, v)
		}
	}
	return parts
}

// Ask puts a question to every partition and returns their parts, which have
// travelled as JSON.
func Ask[P any](l *Loop, m learn.Model, question string, args any) ([]P, error) {
	l.Refresh()
	raw, err := json.Marshal(args)
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", question, err)
	}
	var parts []P
	for _, p := range l.parts {
		answer, err := m.Answers[question](learn.Question{Rows: m.Open(p.Table), Records: p, Args: raw})
		if err != nil {
			return nil, fmt.Errorf("ask %s: %w", question, err)
		}
		data, err := learn.WriteAnswer(answer)
		if err != nil {
			return nil, fmt.Errorf("ask %s: %w", question, err)
		}
		var part P
		if err := learn.ReadAnswer(data, &part); err != nil {
			return nil, fmt.Errorf("ask %s: %w", question, err)
		}
		parts = append(parts, part)
	}
	return parts, nil
}
