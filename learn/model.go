// Package learn is the shape of a model: what it hears, how it folds facts into
// rows, how a record is taken back, what it knows, and what it tells generators.
package learn

import (
	"fmt"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Spec declares a model; Define turns it into one. I is the insight, what the
// model knows about one key of one partition.
type Spec[I any] struct {
	Name string
	// Version rises when rows written by older code can no longer be read.
	Version int
	Group   events.Group
	// Kinds are the kinds of keys the model knows about: "rule", "category". Rows under
	// keys of other kinds are its own affair, and nothing is published of them; none
	// means that there are no others.
	Kinds []string
	Folds []Fold
	// Prepare runs at ingest, on redacted but not yet masked payloads.
	Prepare []Step
	// Know condenses the rows of a key; false when there is no evidence left. A model
	// without Know and Render tells generators nothing: it only answers.
	Know func(Rows, Key) (I, bool)
	// Spread reports keys whose evidence lies in several partitions; the others
	// have all of it in one.
	Spread func(Key) bool
	// Render turns what the partitions know about a key into its context, a value
	// that marshals to JSON; false when the context should not exist.
	Render func(Key, []I) (any, bool)
	// Bucket is the KV bucket of the contexts; empty means learn_contexts.
	Bucket string
	// Trace names the lines of a key's context that a record stands behind, which the
	// record may not say by itself.
	Trace func(Rows, Key, events.Recorded) []string
	// Answers are questions about one partition's rows and records, by name.
	Answers map[string]Answer
	// Condense sums up the records of the group from before a time, a midnight (UTC),
	// by whose they are and the day on which they were stored: facts of its own kinds,
	// which go into the log ahead of the records' going. Asked again, it says the same
	// of records that are still there. Nil where nothing stays of records that go.
	Condense func(q Question, before time.Time) []Digest
	// Conclude says what follows for other groups from what is known about a key, whenever
	// that is published. Of what was said before the last counts; what is not said again
	// stands. Nil concludes nothing.
	Conclude func(Rows, Key) []Conclusion
}

// Conclusion is a fact that follows from what is known about a key and travels to another
// group.
type Conclusion struct {
	// Record and Partition are its identity and its place. They are made at ingest, which
	// alone holds the key that identities are hashed under, and kept in the rows.
	Record    string
	Partition int
	// Cause is the record that it follows from: it happened then, to the same person.
	Cause events.Head
	Part  events.Part
}

// Digest is what stays of the records of one day.
type Digest struct {
	// Newest is the head of the newest of the records.
	Newest events.Head
	// Data is what they come to; the last of a day takes the records out.
	Data []events.Payload
}

// Answer computes one partition's part of an answer; the asker merges the parts.
type Answer func(q Question) (any, error)

// Question is what an Answer may look at.
type Question struct {
	Rows    Rows
	Records Records
	Args    jsontext.Value
}

// Model is a declared model, its types erased so that the runtime can hold many.
type Model struct {
	Name    string
	Version int
	Group   events.Group
	Kinds   []string
	Bucket  string
	Answers map[string]Answer
	Trace   func(Table, Key, events.Recorded) []string
	Spread  func(Key) bool
	// Condense sums up what goes, as its Spec says; nil where nothing stays.
	Condense func(Question, time.Time) []Digest

	folds   map[events.Kind]Fold
	prepare []Step
	know    func(Rows, Key) (jsontext.Value, bool)
	follow  func(Rows, Key) []Conclusion
	render  func(Key, []jsontext.Value) (any, bool, error)
}

// Define checks a specification and returns its model. It panics on an
// incomplete or contradictory one: the programmer is wrong.
func Define[I any](s Spec[I]) Model {
	m := Model{Name: s.Name, Version: s.Version, Group: s.Group, Kinds: s.Kinds, Bucket: s.Bucket,
		Answers: s.Answers, Spread: s.Spread, Condense: s.Condense,
		folds: make(map[events.Kind]Fold, len(s.Folds)), prepare: s.Prepare, follow: s.Conclude}
	if s.Name == "" || s.Version < 1 || (s.Know == nil) != (s.Render == nil) {
		panic(fmt.Sprintf("learn: model %q lacks a name, version, Know or Render", s.Name))
	}
	for _, f := range s.Folds {
		m.hear(f)
	}
	if m.Bucket == "" {
		m.Bucket = Contexts
	}
	if s.Trace != nil {
		m.Trace = func(t Table, k Key, r events.Recorded) []string { return s.Trace(Rows{t, s.Name}, k, r) }
	}
	if m.Spread == nil {
		m.Spread = func(Key) bool { return false }
	}
	if s.Know != nil {
		m.know = func(r Rows, k Key) (jsontext.Value, bool) { return know(s, r, k) }
		m.render = func(k Key, parts []jsontext.Value) (any, bool, error) { return render(s, k, parts) }
	}
	return m
}

func (m Model) hear(f Fold) {
	if _, twice := m.folds[f.Kind]; twice {
		panic(fmt.Sprintf("learn: model %s folds %s twice", m.Name, f.Kind))
	}
	if f.retract == nil {
		if !f.Kind.Control() {
			panic(fmt.Sprintf("learn: model %s cannot take %s back", m.Name, f.Kind))
		}
		f.retract = func(Rows, events.Recorded) {}
	}
	m.folds[f.Kind] = f
}

// The KV buckets (SPEC section 6).
const (
	Contexts = "learn_contexts"
	Entries  = "learn_learnings"
	Settings = "learn_settings"
	Owners   = "learn_owners"
)

// Tells reports whether what is known about a key is published.
func (m Model) Tells(k Key) bool {
	return m.know != nil && (len(m.Kinds) == 0 || slices.Contains(m.Kinds, k.Kind))
}

// Hears lists the kinds the model folds, ordered by name.
func (m Model) Hears() []events.Kind {
	kinds := make([]events.Kind, 0, len(m.folds))
	for k := range m.folds {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	return kinds
}

// Open returns the model's view of a table.
func (m Model) Open(t Table) Rows { return Rows{t, m.Name} }

// Apply folds a fact into the rows; a fact the model does not hear changes nothing.
func (m Model) Apply(t Table, f events.Recorded) {
	if fold, ok := m.folds[f.Header().Kind()]; ok && m.concerns(f.Header()) {
		fold.apply(m.Open(t), f)
	}
}

// Retract takes a record's contribution back.
func (m Model) Retract(t Table, f events.Recorded) {
	if fold, ok := m.folds[f.Header().Kind()]; ok && m.concerns(f.Header()) {
		fold.retract(m.Open(t), f)
	}
}

func (m Model) concerns(h *events.Head) bool {
	return h.Group == m.Group || h.Group == events.Everywhere
}

// Prepare runs the model's steps for a payload at ingest.
func (m Model) Prepare(lens Lens, p events.Payload) {
	for _, step := range m.prepare {
		step(lens, p)
	}
}

// Know returns what one partition knows about a key, as JSON; false when nothing.
func (m Model) Know(t Table, k Key) (jsontext.Value, bool) {
	if m.know == nil {
		return nil, false
	}
	return m.know(m.Open(t), k)
}

// Conclude returns what follows for other groups from what is known about a key.
func (m Model) Conclude(t Table, k Key) []Conclusion {
	if m.follow == nil {
		return nil
	}
	return m.follow(m.Open(t), k)
}

// Render returns the canonical bytes of a key's context (RFC 8785), nil when it
// should not exist. Parts come from one partition each, in partition order.
func (m Model) Render(k Key, parts []jsontext.Value) ([]byte, error) {
	if m.render == nil {
		return nil, nil
	}
	v, ok, err := m.render(k, parts)
	if err != nil || !ok {
		return nil, err
	}
	return Canonical(v)
}

// Lens is what a Step may know besides the payload.
type Lens struct {
	Mode  privacy.Mode
	Blind func(label string, parts ...string) string
}

// Step prepares a payload at ingest: it sees redacted, unmasked text, and leaves
// behind what may be kept.
type Step func(Lens, events.Payload)

// Before makes a step of a function on one kind's payload.
func Before[P any](_ *events.Type[P], do func(Lens, *P)) Step {
	return func(l Lens, p events.Payload) {
		if typed, ok := any(p).(*P); ok {
			do(l, typed)
		}
	}
}

// Canonical returns v as canonical JSON (RFC 8785): the same meaning, the same bytes.
func Canonical(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	c := jsontext.Value(data)
	if err := c.Canonicalize(); err != nil {
		return nil, fmt.Errorf("canonicalise %T: %w", v, err)
	}
	return c, nil
}

func know[I any](s Spec[I], r Rows, k Key) (jsontext.Value, bool) {
	insight, ok := s.Know(r, k)
	if !ok {
		return nil, false
	}
	data, err := json.Marshal(insight, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("learn: insight of %s cannot be encoded: %v", s.Name, err))
	}
	return data, true
}

func render[I any](s Spec[I], k Key, parts []jsontext.Value) (any, bool, error) {
	insights := make([]I, len(parts))
	for i, p := range parts {
		if err := json.Unmarshal(p, &insights[i]); err != nil {
			return nil, false, fmt.Errorf("decode insight %s of %s: %w", k, s.Name, events.Unquoted(err))
		}
	}
	v, ok := s.Render(k, insights)
	return v, ok, nil
}
