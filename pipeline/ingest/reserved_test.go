package ingest

import (
	"testing"

	"learnloop.dev/bus"
	"learnloop.dev/events"
)

func TestWhatStagesHandInIsNobodysPublication(t *testing.T) {
	verdict, order, learning := events.LearningArchived.Kind, events.ControlCleared.Kind, events.LearningCreated.Kind
	for _, c := range []struct {
		subject   string
		kind      events.Kind
		apart     bool
		published bool
	}{
		{verdict.Subject(), verdict, true, true},
		{order.Subject(), order, true, true},
		{learning.Subject(), learning, true, false},
		{events.AskedSubject, verdict, true, false},
		{events.AskedSubject, order, true, false},
		{events.DerivedSubject, verdict, true, false},
		{events.AskedSubject, verdict, false, true}, // no stage hands in: it was an operator
		{events.DerivedSubject, verdict, false, true},
	} {
		if got := (Stage{Apart: c.apart}).byOperator(bus.Delivery{Subject: c.subject}, c.kind); got != c.published {
			t.Errorf("%s on %s, apart %t: %t", c.kind, c.subject, c.apart, got)
		}
		if c.subject == events.AskedSubject && !events.AllowedOn(c.subject, c.kind) {
			t.Errorf("%s is not allowed on %s", c.kind, c.subject)
		}
	}
}

func TestAPublicationIsToldOncePerMessageAndKind(t *testing.T) {
	var out outcome
	for _, seq := range []uint64{7, 7, 8} {
		out.publish(bus.Delivery{Seq: seq, Stored: now}, events.ControlCleared.Kind)
	}
	out.publish(bus.Delivery{Seq: 8, Stored: now}, events.LearningArchived.Kind)
	if len(out.reserved) != 3 {
		t.Errorf("%v", out.reserved)
	}
}
