package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"learnloop.dev/learn/experiments"
)

// trialled is what an experiment says now.
func (l *living) trialled(t *testing.T) experiments.Context {
	t.Helper()
	var e struct {
		Result experiments.Context `json:"result"`
	}
	if err := l.client.Call(t.Context(), "experiments.get", map[string]any{"name": "length"}, &e); err != nil {
		t.Fatal(err)
	}
	return e.Result
}

const outcomes = "learn.ev.*.experiment.outcome"

func TestScoresOfAnswersAreOutcomesOfAnExperiment(t *testing.T) {
	dir := t.TempDir()
	l, stop := start(t, dir, "clock.ticks=false")
	l.call(t, "experiments.create", map[string]any{"name": "length", "is_active": true, "treatment_percentage": 50})
	const sessions, each = 20, 3
	var log [][]byte
	for i := range sessions * each {
		log = append(log, []byte(event(fmt.Sprint("x", i), exchangeType, fmt.Sprintf(
			`{"exchange_id":"x%d","session_id":"s%d","user_id":"ada","user_text":"How do maps grow?","agent_text":"Maps grow by doubling."}`, i, i/each))))
	}
	l.publish(t, log)
	l.reflected(t, len(log))
	first := l.trialled(t)
	if n := first.ControlN + first.TreatmentN; n != sessions || first.ControlN == 0 || first.TreatmentN == 0 {
		t.Fatalf("%d units have outcomes, want %d: %+v", n, sessions, first)
	}
	var votes [][]byte
	for i := range sessions * each {
		votes = append(votes, []byte(event(fmt.Sprint("f", i), responseType, fmt.Sprintf(`{"exchange_id":"x%d","user_id":"ada","feedback_type":"thumbs_up"}`, i))))
	}
	l.publish(t, votes)
	l.reflected(t, len(log)+len(votes))
	then := l.trialled(t)
	if then.ControlN+then.TreatmentN != sessions || *then.ControlMean <= *first.ControlMean {
		t.Errorf("people liked the answers: %+v", then)
	}
	written := l.count(t, outcomes)
	stop()
	if err := os.RemoveAll(filepath.Join(dir, "state")); err != nil {
		t.Fatal(err)
	}
	again, _ := start(t, dir, "clock.ticks=false")
	again.reflected(t, 0)
	if now := again.trialled(t); *now.ControlMean != *then.ControlMean || again.count(t, outcomes) != written {
		t.Errorf("folded again: %d outcomes in the log, want %d; %+v", again.count(t, outcomes), written, now)
	}
	again.forgotten(t, "ada")
	if left := again.count(t, outcomes); left > 0 {
		t.Errorf("%d outcomes are left of a person who is forgotten", left)
	}
}
