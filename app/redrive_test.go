package app_test

import (
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

func TestWhatIsDrivenAgainIsRefusedAgainOrCountsOnce(t *testing.T) {
	l, _ := start(t, t.TempDir(), "clock.ticks=false")
	if _, err := l.js.Publish(t.Context(), pipeline.LogSubject(0, events.FeedbackFix.Kind), []byte("not a fact")); err != nil {
		t.Fatal(err)
	}
	l.publish(t, [][]byte{[]byte(event("1", fixType, fix("r")))})
	l.drained(t)
	l.reflected(t, 2)
	entry, err := bus.LastMsg(t.Context(), l.js, bus.EventsStream, pipeline.Log+"*."+string(events.FeedbackFix.Kind))
	if err != nil {
		t.Fatal(err)
	}
	broken := l.letters(t)
	if len(broken) != 1 || broken[0].Stage != pipeline.AnalyzeStage || broken[0].Reason != events.ReasonMalformed {
		t.Fatalf("%+v", broken)
	}
	if r := l.redriven(t, broken[0].Number); r.Folded || r.Refused == 0 || r.Refused == broken[0].Number {
		t.Errorf("%+v", r)
	}
	letter := pipeline.Letter{Stage: pipeline.AnalyzeStage, Reason: events.ReasonCrashed, Sequence: entry.Seq}
	data, err := letter.Encode()
	if err != nil {
		t.Fatal(err)
	}
	seqs, err := bus.NewDeadLetters(l.js).Put(t.Context(), []bus.Letter{{Stage: letter.Stage, Reason: string(letter.Reason), Cause: letter.Cause(), Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	if r := l.redriven(t, seqs[0]); !r.Folded || r.Sequence <= entry.Seq {
		t.Errorf("%+v", r)
	}
	if n := l.statistics(t)["total_feedback"]; n != 1.0 {
		t.Errorf("%v events count, want one", n)
	}
}

func (l *living) letters(t *testing.T) []api.Letter {
	t.Helper()
	var list api.Letters
	if err := l.client.Call(t.Context(), "dlq.list", nil, &list); err != nil {
		t.Fatal(err)
	}
	return list.Letters
}

func (l *living) redriven(t *testing.T, number uint64) (r api.Redriven) {
	t.Helper()
	if err := l.client.Call(t.Context(), "dlq.redrive", api.LetterArgs{Number: number}, &r); err != nil {
		t.Fatal(err)
	}
	return r
}
