package app_test

import "testing"

const sentAgain = `{"title":"Sign the body","context":"c","observation":"o","implication":"i","action":"a"}`

func TestALearningThatIsSentAgainUnderItsKeyIsOneAlsoAfterARestart(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir)
	m := message{header: map[string]string{"Content-Type": "application/json", "Idempotency-Key": "key-0815"}, body: sentAgain}
	status, first := a.ask(t, "POST /api/learnings", m)
	if status != 201 {
		t.Fatalf("%d %s", status, first)
	}
	a.stop()
	b := meet(t, dir)
	if status, again := b.ask(t, "POST /api/learnings", m); status != 201 || string(again) != string(first) {
		t.Errorf("%s, then %d %s", first, status, again)
	}
	if n := b.facts(t, "learning.created"); n != 1 {
		t.Errorf("%d learnings are in the log", n)
	}
}
