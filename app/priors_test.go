package app_test

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

func TestThePriorIsToldOnceADayAndOnlyWhenItMoved(t *testing.T) {
	events, dir := lines(t, testdata(t, "golint_cli.jsonl")), t.TempDir()
	l, stop := start(t, dir)
	l.publish(t, events)
	l.reflected(t, len(events))
	before := l.statistics(t)
	stop()
	for life := range 2 { // the second finds that nothing moved
		l, stop = start(t, dir)
		l.logged(t, "learn.ev.*.control.prior", 32)
		l.reflected(t, len(events))
		if life == 1 && l.count(t, "learn.ev.*.control.prior") != 32 {
			t.Error("the prior was told again although it had not moved")
		}
		stop()
	}
	l, _ = start(t, dir)
	if got := l.statistics(t)["total_feedback"]; got != before["total_feedback"] {
		t.Errorf("total_feedback is %v after the prior, want %v", got, before["total_feedback"])
	}
}

// count is how many entries the log has on matching subjects.
func (l *living) count(t *testing.T, filter string) (n int) {
	t.Helper()
	stream, err := l.js.Stream(t.Context(), "LEARN_EVENTS")
	if err != nil {
		t.Fatal(err)
	}
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(filter))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range info.State.Subjects {
		n += int(c)
	}
	return n
}

// logged waits until the log has so many entries on matching subjects.
func (l *living) logged(t *testing.T, filter string, n int) {
	t.Helper()
	consumer, err := l.js.OrderedConsumer(t.Context(), "LEARN_EVENTS", jetstream.OrderedConsumerConfig{FilterSubjects: []string{filter}})
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		if _, err := consumer.Next(); err != nil {
			t.Fatalf("the log does not have %d entries on %s: %v", n, filter, err)
		}
	}
}
