package learntest

import (
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// Fuzz feeds payloads of any content to a model's folds, prepared as ingest
// does and as they are. Nothing panics, and what is taken back leaves nothing.
// The seeds are payloads, as JSON.
func Fuzz(f *testing.F, m learn.Model, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range m.Hears() {
			for _, prepared := range []bool{true, false} {
				if l, ok := fuzzed(t, m, kind, data, prepared); ok && !kind.Control() {
					holdsNothing(t, l)
				}
			}
		}
	})
}

// fuzzed folds a payload, asks for all that is known, and takes it back.
func fuzzed(t *testing.T, m learn.Model, kind events.Kind, data []byte, prepared bool) (*Loop, bool) {
	t.Helper()
	spec, ok := events.Lookup(kind)
	if !ok {
		t.Fatalf("%s hears %s, which is no kind", m.Name, kind)
	}
	payload := spec.NewPayload()
	if json.Unmarshal(data, payload) != nil {
		return nil, false
	}
	l := &Loop{Models: []learn.Model{m}}
	if prepared {
		m.Prepare(l.lens(), payload)
	}
	e := Event{Kind: kind, ID: "fuzzed", Time: time.Unix(1_700_000_000, 0), Data: data}
	for n, part := range payload.Parts() {
		if spec, ok := events.Lookup(part.Kind); ok {
			l.Fold(spec.Fact(e.head(payload, part, n), part.Data))
		}
	}
	if _, err := l.Contexts(); err != nil {
		t.Fatal(err)
	}
	for key := range l.Open()[0].known {
		for _, f := range l.Open()[0].records {
			trace(m, key.Key, f)
		}
	}
	l.Withdraw(e.ID)
	l.Refresh()
	return l, true
}

func trace(m learn.Model, key learn.Key, f events.Recorded) {
	if m.Trace != nil {
		m.Trace(key, f)
	}
}

func holdsNothing(t *testing.T, l *Loop) {
	t.Helper()
	for _, p := range l.Open() {
		if left := p.Dump(); left != "" {
			t.Fatalf("taken back, and still there:\n%s", left)
		}
	}
}
