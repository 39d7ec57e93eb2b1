package ingest

import (
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/privacy"
)

// cause is that of the letter about an event.
func cause(t *testing.T, g *Gate, item events.Item, from origin) string {
	t.Helper()
	from.kind = item.Type
	return g.letter(from, item.Envelope, events.Refusal{Reason: events.ReasonSchema}).Cause()
}

func TestTheSameBadEventHasOneCauseWhereverItComes(t *testing.T) {
	keys, err := privacy.NewKeys(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGate(House{Keys: keys, Policy: func() *Policy { return &Policy{Privacy: privacy.Defaults()} }})
	if err != nil {
		t.Fatal(err)
	}
	message := func(text string) *payload { return &payload{data: []byte(text)} }
	bad := events.Item{Type: "dev.learnloop.feedback.fix.v1", Envelope: events.Envelope{
		ID: "1", Source: "/a", Data: []byte(`{}`), Extensions: map[string]string{events.ExtReplay: "r1"},
	}}
	first := cause(t, g, bad, origin{stage: stageName, sequence: 1, payload: message("one")})
	bad.Extensions = map[string]string{events.ExtReplay: "r2"}
	if again := cause(t, g, bad, origin{stage: stageName, sequence: 9, index: 4, payload: message("two")}); again != first {
		t.Error("the same event in another replay has another cause")
	}
	for what, change := range map[string]func(*events.Item){
		"id":        func(i *events.Item) { i.ID = "2" },
		"source":    func(i *events.Item) { i.Source = "/b" },
		"type":      func(i *events.Item) { i.Type = "x" },
		"data":      func(i *events.Item) { i.Data = []byte(`{"a":1}`) },
		"attribute": func(i *events.Item) { i.Extensions = map[string]string{"traceparent": "x"} },
	} {
		other := bad
		if change(&other); cause(t, g, other, origin{stage: stageName, sequence: 9, payload: message("two")}) == first {
			t.Errorf("another %s has the same cause", what)
		}
	}
	nothing := func(text string, index int) string {
		return cause(t, g, events.Item{}, origin{stage: stageName, sequence: uint64(len(text)), index: index, payload: message(text)})
	}
	if nothing("[5,5]", 0) == nothing("[5,5]", 1) || nothing("5", 0) == nothing("[5,5]", 0) || nothing("5", 0) != nothing("5", 0) {
		t.Error("what cannot be read is not told apart by its place")
	}
}
