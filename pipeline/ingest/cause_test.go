package ingest

import (
	"testing"

	"learnloop.dev/events"
)

func TestOnlyTheProductSaysWhatItsEventsFollowFrom(t *testing.T) {
	g := gate(t, defaults())
	env := events.Envelope{ID: "extracted/a/created", Source: Source, Kind: events.LearningCreated.Kind, Time: now, Received: now,
		Data:       []byte(`{"id":"learn_a","title":"t","context":"c","observation":"o","implication":"i","action":"a"}`),
		Extensions: map[string]string{events.ExtCause: "k3xq7m2n5p4r6s7tk3xq7m2n5p"}}
	for subject, want := range map[string]string{
		events.DerivedSubject: env.Extensions[events.ExtCause], "learn.in.learning.created": "", "learn.in.control.other": "",
	} {
		v, err := g.Admit(subject, env)
		if err != nil || len(v.Messages) != 1 {
			t.Fatalf("%s: %v %+v", subject, err, v)
		}
		rec, err := events.LearningCreated.ReadFact(v.Messages[0].Data)
		if err != nil || rec.Header().Cause != want {
			t.Errorf("on %s the cause is %q, want %q (%v)", subject, rec.Header().Cause, want, err)
		}
	}
	if env.Extensions[events.ExtCause] == "" {
		t.Error("the caller's event was changed")
	}
}

func TestTheProductMayGiveVerdictsAboutLearningsAndNoOrders(t *testing.T) {
	for kind, want := range map[events.Kind]bool{
		events.LearningSuperseded.Kind: true, events.LearningRevised.Kind: true, events.ControlCleared.Kind: false,
	} {
		if got := events.AllowedOn(events.DerivedSubject, kind); got != want {
			t.Errorf("%s on %s: %v", kind, events.DerivedSubject, got)
		}
	}
}
