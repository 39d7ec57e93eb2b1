package app_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	exchangeType = "dev.learnloop.exchange.recorded.v1"
	responseType = "dev.learnloop.feedback.response.v1"
)

func TestFeedbackFindsItsExchangeThroughAnyDoorAndAcrossARestart(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	a.publish(t, structured(event("f1", responseType, `{"exchange_id":"x","feedback_type":"copy"}`)))
	a.post(t, structured(event("f2", responseType, `{"exchange_id":"x","feedback_type":"thumbs_up"}`)))
	a.drained(t)
	if n := a.facts(t, "feedback.response"); n != 0 {
		t.Fatalf("%d in the log, though nobody knows whose they are", n)
	}
	a.stop()
	b := meet(t, dir)
	b.post(t, structured(event("e", exchangeType, `{"exchange_id":"x","session_id":"s","user_id":"jane","user_text":"","agent_text":""}`)))
	if n := b.facts(t, "feedback.response"); n != 2 {
		t.Errorf("%d in the log, want both", n)
	}
	b.post(t, structured(event("f3", responseType, `{"exchange_id":"x","feedback_type":"regenerate"}`)))
	if n := b.facts(t, "feedback.response"); n != 3 {
		t.Errorf("%d in the log, want the third too", n)
	}
	owners, err := b.living.js.KeyValue(t.Context(), "learn_owners")
	if err != nil {
		t.Fatal(err)
	}
	if owner, err := owners.Get(t.Context(), "x"); err != nil || strings.Contains(string(owner.Value()), "jane") {
		t.Errorf("%v: %s", err, owner.Value())
	}
	if keys, err := owners.Keys(t.Context()); err != nil || len(keys) != 1 {
		t.Errorf("%v: the bucket holds %v, want the owner alone", err, keys)
	}
}

func TestAChangedContextIsToldWithTheRevisionItHas(t *testing.T) {
	a := meet(t, t.TempDir())
	heard, err := a.living.nc.SubscribeSync("learn.out.context.changed")
	if err != nil {
		t.Fatal(err)
	}
	if err := a.living.nc.Flush(); err != nil {
		t.Fatal(err)
	}
	a.publish(t, structured(event("1", fixType, fix("r"))))
	contexts, err := a.living.js.KeyValue(t.Context(), "learn_contexts")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"rule.r": true, "category.style": true, "summary": true}
	for len(want) > 0 {
		m, err := heard.NextMsg(patience)
		if err != nil {
			t.Fatalf("nothing was said about %v: %v", want, err)
		}
		var changed struct {
			Key      string
			Revision uint64
		}
		decode(t, m.Data, &changed)
		e, err := contexts.GetRevision(t.Context(), changed.Key, changed.Revision)
		if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) { // it may have changed again
			t.Fatal(err)
		}
		if err == nil && !jsontext.Value(e.Value()).IsValid() {
			t.Errorf("%s at %d: %s", changed.Key, changed.Revision, e.Value())
		}
		if m.Header.Get("ce-type") != "dev.learnloop.context.changed.v1" {
			t.Errorf("headers %v", m.Header)
		}
		delete(want, changed.Key)
	}
}
