package app_test

import (
	"path/filepath"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"

	"github.com/nats-io/nats.go/jetstream"
)

func TestAMessageThatEndedEveryProcessIsADeadLetterAndItsNeighbourIsNot(t *testing.T) {
	creds, url := elsewhere(t)
	nc, err := bus.Connect(url, creds, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	l := &living{nc: nc, client: api.NewClient(nc)}
	if l.js, err = jetstream.New(nc, jetstream.WithDefaultTimeout(patience)); err != nil {
		t.Fatal(err)
	}
	l.crash(t, event("suspect", fixType, fix("r")), event("neighbour", fixType, fix("r")))
	data := t.TempDir()
	for _, role := range []app.Role{app.Analyzer, app.Injector, app.Ingest} {
		runRole(t, role, []string{"data=" + filepath.Join(data, string(role)), "server=" + url, "creds=" + creds,
			"http=127.0.0.1:0", "clock.ticks=false"})
	}
	l.drained(t)
	l.reflected(t, 1)
	if got := l.statistics(t)["total_feedback"]; got != 1.0 {
		t.Errorf("%v events count", got)
	}
	var list api.Letters
	if err := l.client.Call(t.Context(), "dlq.list", nil, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Letters) != 1 || list.Letters[0].Reason != "crashed" || list.Letters[0].Sequence != 1 {
		t.Errorf("%+v", list)
	}
	settings, err := l.js.Stream(t.Context(), "KV_learn_settings")
	if err != nil {
		t.Fatal(err)
	}
	left, err := settings.Info(t.Context(), jetstream.WithSubjectFilter("$KV.learn_settings.trying.>"))
	if err != nil || len(left.State.Subjects) > 0 {
		t.Errorf("what was tried leaves a trace: %v %v", left.State.Subjects, err)
	}
}

// crash leaves the inbox as processes do that ended whenever they tried the
// first of two messages: both were delivered often, one was tried alone.
func (l *living) crash(t *testing.T, first, second string) {
	t.Helper()
	if _, err := bus.Ensure(t.Context(), l.js, bus.Layout{}); err != nil {
		t.Fatal(err)
	}
	for _, e := range []string{first, second} {
		if _, err := l.js.Publish(t.Context(), "learn.in.feedback.fix", []byte(e)); err != nil {
			t.Fatal(err)
		}
	}
	ingest, err := l.js.CreateConsumer(t.Context(), "LEARN_INBOX", jetstream.ConsumerConfig{
		Durable: "ingest", AckPolicy: jetstream.AckExplicitPolicy,
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		both, err := ingest.Fetch(2, jetstream.FetchMaxWait(patience))
		if err != nil {
			t.Fatal(err)
		}
		for m := range both.Messages() {
			if err := m.Nak(); err != nil {
				t.Fatal(err)
			}
		}
	}
	bucket, err := l.js.KeyValue(t.Context(), "learn_settings")
	if err == nil {
		_, err = bucket.PutString(t.Context(), "trying.1", `{"fatal":2,"owner":"gone","until":"2026-01-01T00:00:00Z"}`)
	}
	if err != nil {
		t.Fatal(err)
	}
}
