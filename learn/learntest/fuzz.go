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
				l := &Loop{Models: []learn.Model{m}}
				if l.survives(t, payload{kind, data, prepared}) && !kind.Control() {
					holdsNothing(t, l)
				}
			}
		}
	})
}

// payload is data of any content.
type payload struct {
	kind     events.Kind
	data     []byte
	prepared bool
}

// survives folds a payload, asks for all that is known, and takes it back; false
// when it cannot be read.
func (l *Loop) survives(t *testing.T, p payload) bool {
	t.Helper()
	spec, ok := events.Lookup(p.kind)
	if !ok {
		t.Fatalf("%s hears %s, which is no kind", l.Models[0].Name, p.kind)
	}
	read := spec.NewPayload()
	if json.Unmarshal(p.data, read) != nil {
		return false
	}
	if p.prepared {
		l.Models[0].Prepare(l.lens(), read)
	}
	e := Event{Kind: p.kind, ID: "fuzzed", Time: time.Unix(1_700_000_000, 0), Data: p.data}
	for n, part := range read.Parts() {
		if spec, ok := events.Lookup(part.Kind); ok {
			l.Fold(spec.Fact(e.head(read, part, n), part.Data))
		}
	}
	if _, err := l.Contexts(); err != nil {
		t.Fatal(err)
	}
	l.traceAll()
	l.Withdraw(e.ID)
	l.Refresh()
	return true
}

// traceAll asks for the lines behind every record of every key.
func (l *Loop) traceAll() {
	for _, p := range l.Open() {
		for at := range p.known {
			for _, f := range p.records {
				p.trace(l.Models[0], at.Key, f)
			}
		}
	}
}

func (p *Partition) trace(m learn.Model, key learn.Key, f events.Recorded) {
	if m.Trace != nil {
		m.Trace(p.Table, key, f)
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
