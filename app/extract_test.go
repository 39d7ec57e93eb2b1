package app_test

import (
	"context"
	"testing"

	"learnloop.dev/bus"
	"learnloop.dev/events"

	"github.com/nats-io/nats.go"
)

const discovery = `{"discovery_id":"d-1","type":"blocker","content":"The payment sandbox drops webhooks without a signature. Sign the body in the test helper.","source_task_id":"t-1","task_title":"Wire the webhooks","source_outcome_id":"o-1"}`

// report publishes one event as any agent does.
func (l *living) report(t *testing.T, kind, id, data string) {
	t.Helper()
	m := nats.NewMsg("learn.in." + kind)
	m.Header.Set("Content-Type", "application/cloudevents+json")
	m.Data = []byte(`{"specversion":"1.0","source":"/agent","id":"` + id + `","type":"dev.learnloop.` + kind + `.v1","data":` + data + `}`)
	if _, err := l.js.PublishMsg(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

// facts are the first of a kind in the log, as soon as there are so many.
func facts[P any](t *testing.T, l *living, kind *events.Type[P], n int) (list []*events.Fact[P]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	log := bus.ReadLog(l.js, bus.EventsStream, 1, "learn.ev.*."+string(kind.Kind))
	defer log.Close()
	for len(list) < n {
		batch, err := log.Next(ctx)
		if err != nil {
			t.Fatalf("%d facts of %s, want %d: %v", len(list), kind.Kind, n, err)
		}
		for _, e := range batch {
			rec, err := kind.ReadFact(e.Data)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, rec.(*events.Fact[P]))
		}
	}
	return list
}

func TestADiscoveryBecomesALearningInTheLog(t *testing.T) {
	dir := t.TempDir()
	l, stop := start(t, dir)
	l.report(t, "discovery.observed", "1", discovery)
	made := facts(t, l, events.LearningCreated, 1)[0]
	found := facts(t, l, events.DiscoveryObserved, 1)[0]
	if made.Cause != found.Record || made.Data.ExtractedBy != "rules/1" || made.Data.SourceDiscoveryID != "d-1" ||
		*made.Data.Confidence != 0.7 || made.Data.PatternType != events.Gotcha {
		t.Errorf("made %+v of %s", made, found.Record)
	}
	stop()
	l, _ = start(t, dir)
	l.report(t, "discovery.observed", "2", `{"discovery_id":"d-2","type":"constraint","content":"Tests must run without a network.","source_task_id":"t-2","source_outcome_id":"o-1"}`)
	if all := facts(t, l, events.LearningCreated, 2); len(all) != 2 {
		t.Errorf("%d learnings of two discoveries", len(all))
	}
}
