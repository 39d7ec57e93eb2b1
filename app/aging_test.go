package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/pipeline"

	"github.com/nats-io/nats.go/jetstream"
)

func TestConversationsAreSummedUpAndWhatIsKnownStays(t *testing.T) {
	const talks = 20
	a := meet(t, t.TempDir(), "clock.ticks=false")
	a.talk(t, talks)
	a.grow(t, 40*24*time.Hour)
	a.stop()
	fresh(t, a.data)
	young := meet(t, a.data, "clock.ticks=false", "privacy.aggregate_after_days=60")
	young.reflected(t, 2*talks)
	young.talk(t, talks)
	known := young.preferences(t)
	if known.Evidence.Exchanges != 2*talks || len(known.Topics) == 0 {
		t.Fatalf("known %+v", known)
	}
	young.stop()

	b := meet(t, a.data, "clock.ticks=false", "privacy.aggregate_after_days=30")
	b.log.await(t, func() bool { return strings.Contains(b.log.read(), "summed up conversations") })
	b.reflected(t, 0)
	b.only(t, talks)
	left := b.preferences(t)
	if left.Prompt != known.Prompt || left.Evidence.Exchanges != 2*talks || left.SampleSize != known.SampleSize ||
		left.Topics[0].Topic != known.Topics[0].Topic || left.Topics[0].Samples != known.Topics[0].Samples {
		t.Errorf("known were %+v, and then %+v", known, left)
	}
	contexts := b.contexts(t)
	b.stop()
	fresh(t, a.data)
	c := meet(t, a.data, "clock.ticks=false")
	c.reflected(t, 0)
	differ(t, "after a fresh fold", c.contexts(t), contexts)
}

func TestAnExperimentThatHasLongBeenOverGoes(t *testing.T) {
	const outcomes = 30
	a := meet(t, t.TempDir(), "clock.ticks=false")
	for _, outcome := range compared(0, outcomes) {
		a.post(t, structured(string(outcome)))
	}
	a.reflected(t, outcomes)
	a.grow(t, 200*24*time.Hour)
	a.stop()
	fresh(t, a.data)
	b := meet(t, a.data, "clock.ticks=false", "privacy.retention_days.ab_tests=365")
	b.reflected(t, outcomes)
	if known := b.contexts(t); len(known) == 0 {
		t.Fatal("nothing is known of the experiment")
	}
	b.stop()
	c := meet(t, a.data, "clock.ticks=false", "privacy.retention_days.ab_tests=180")
	c.log.await(t, func() bool { return strings.Contains(c.log.read(), "deleted records of an experiment that is over") })
	c.reflected(t, 0)
	if left := c.contexts(t); len(left) > 0 {
		t.Errorf("contexts are left: %v", left)
	}
	c.stop()
	fresh(t, a.data)
	d := meet(t, a.data, "clock.ticks=false")
	d.reflected(t, 0)
	differ(t, "after a fresh fold", d.contexts(t), nil)
}

// fresh has the log folded again.
func fresh(t *testing.T, dir string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, "state")); err != nil {
		t.Fatal(err)
	}
}

// talk says as much, and likes every answer.
func (a *agent) talk(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		id := fmt.Sprint("x", i)
		a.post(t, structured(string(exchange(id, i, "How do I cache a list in Go?", strings.Repeat("Keep it short. ", 1+i%5)))))
		a.post(t, structured(event("f"+id, responseType, `{"exchange_id":"`+id+`","user_id":"ada","feedback_type":"copy"}`)))
	}
	a.reflected(t, 2*n)
}

// grow makes what was said be older, as if it had been stored so much earlier.
func (a *agent) grow(t *testing.T, older time.Duration) {
	t.Helper()
	stream, err := a.living.js.Stream(t.Context(), "LEARN_EVENTS")
	if err != nil {
		t.Fatal(err)
	}
	var msgs []*jetstream.RawStreamMsg
	for seq := uint64(1); seq <= stream.CachedInfo().State.LastSeq; seq++ {
		m, err := stream.GetMsg(t.Context(), seq)
		if err != nil {
			continue // it was deleted
		}
		if _, kind, _ := pipeline.ParseLog(m.Subject); !kind.Control() {
			msgs = append(msgs, m)
		}
	}
	for _, m := range msgs {
		_, kind, _ := pipeline.ParseLog(m.Subject)
		spec, _ := events.Lookup(kind)
		rec, err := spec.ReadFact(m.Data)
		if err != nil {
			t.Fatal(err)
		}
		h := rec.Header()
		h.Record, h.Recorded, h.Time = "old"+h.Record, h.Recorded.Add(-older), h.Time.Add(-older)
		switch p := rec.Payload().(type) {
		case *events.Exchange:
			p.ExchangeID, p.SessionID = "old"+p.ExchangeID, "old"+p.SessionID
		case *events.ResponseFeedback:
			p.ExchangeID = "old" + p.ExchangeID
		}
		data, err := events.Encode(rec)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.living.js.Publish(t.Context(), m.Subject, data); err != nil {
			t.Fatal(err)
		}
		if err := stream.DeleteMsg(t.Context(), m.Sequence); err != nil {
			t.Fatal(err)
		}
	}
}

// only expects so many exchanges in the log, and waits for the others to be deleted.
func (a *agent) only(t *testing.T, want uint64) {
	t.Helper()
	ticks := time.NewTicker(time.Second / 20)
	defer ticks.Stop()
	for late := time.After(patience); a.facts(t, "exchange.recorded") != want; {
		select {
		case <-ticks.C:
		case <-late:
			t.Fatalf("%d exchanges are in the log, want %d", a.facts(t, "exchange.recorded"), want)
		}
	}
}
