package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"learnloop.dev/kv"

	"github.com/nats-io/nats.go"
)

func TestTheSameEventAThousandTimesCountsOnce(t *testing.T) {
	const each = 250
	dir := t.TempDir()
	same := event("same", fixType, fix("r"))
	alike := strings.Repeat(same+",", each-1) + same
	a := meet(t, dir)
	a.living.publish(t, repeated(same, each))
	for n := range each { // what the server's own window recognises by these is another matter
		m := nats.NewMsg("learn.in.feedback.fix")
		m.Header.Set(nats.MsgIdHdr, fmt.Sprint(n))
		m.Data = []byte(same)
		if _, err := a.js.PublishMsgAsync(m); err != nil {
			t.Fatal(err)
		}
	}
	<-a.js.PublishAsyncComplete()
	if got := a.post(t, batch(alike)); got.Accepted != each {
		t.Errorf("%+v", got)
	}
	a.drained(t)
	a.reflected(t, 3*each)
	once := a.contexts(t)
	a.stop()

	b := meet(t, dir)
	b.living.publish(t, repeated(same, each))
	b.drained(t)
	b.reflected(t, 4*each)
	if got := b.total(t); got != 1 {
		t.Errorf("it counts %d times", got)
	}
	differ(t, "after the same again", b.contexts(t), once)
}

func repeated(text string, n int) [][]byte {
	list := make([][]byte, n)
	for i := range list {
		list[i] = []byte(text)
	}
	return list
}

// versions are two contents of one decision, in the order of their arrival, and
// which decision counts in the end.
var versions = map[string]struct{ first, second, counts string }{
	"in order":                       {version("accepted", "01:00:00Z"), version("rejected", "02:00:00Z"), "rejected"},
	"out of order":                   {version("rejected", "02:00:00Z"), version("accepted", "01:00:00Z"), "rejected"},
	"in order across zones":          {version("accepted", "01:00:00+01:00"), version("rejected", "00:30:00Z"), "rejected"},
	"without a time the first":       {version("accepted", ""), version("rejected", ""), "accepted"},
	"a time beats none":              {version("accepted", ""), version("rejected", "01:00:00Z"), "rejected"},
	"none does not beat a time":      {version("rejected", "01:00:00Z"), version("accepted", ""), "rejected"},
	"the same time and content":      {version("skipped", "01:00:00Z"), version("skipped", "01:00:00Z"), "skipped"},
	"another decision, another text": {version("modified", "01:00:00Z") + `,"final_text":"made"`, version("accepted", "03:00:00Z"), "accepted"},
}

func version(decision, at string) string {
	data := `"decision":"` + decision + `"`
	if at != "" {
		data += `,"timestamp":"2026-01-01T` + at + `"`
	}
	return data
}

func TestTheLaterProducersTimeWinsInAnyOrderOfArrival(t *testing.T) {
	a := meet(t, t.TempDir())
	for round := range 3 { // in the third the second arrives again
		for name, v := range versions {
			content := []string{v.first, v.second, v.second}[round]
			a.publish(t, structured(event("same", fixType, fix(name, `"decision":"accepted"`, content))))
		}
		a.drained(t)
		a.reflected(t, (round+1)*len(versions))
	}
	byRule, _ := a.statistics(t)["by_rule"].(map[string]any)
	for name, v := range versions {
		got, _ := byRule[name].(map[string]any)
		for _, decision := range []string{"accepted", "rejected", "modified", "skipped"} {
			if want := map[bool]float64{true: 1}[decision == v.counts]; got[decision] != want {
				t.Errorf("%s: %s is %v, want %v", name, decision, got[decision], want)
			}
		}
	}
}

func TestOfTwoContentsOfOneTimeTheSameWinsInAnyOrder(t *testing.T) {
	a := meet(t, t.TempDir())
	x := event("same", fixType, fix("r", `"decision":"accepted"`, version("accepted", "01:00:00Z")))
	y := event("same", fixType, fix("r", `"decision":"accepted"`, version("rejected", "01:00:00Z")))
	var first map[string]string
	for n, e := range []string{x, y, x, y, y, x} {
		a.publish(t, structured(e))
		a.drained(t)
		a.reflected(t, n+1)
		switch {
		case n == 1:
			first = a.contexts(t)
		case n > 1:
			differ(t, fmt.Sprint("after arrival ", n), a.contexts(t), first)
		}
	}
	if got := a.total(t); got != 1 {
		t.Errorf("it counts %d times", got)
	}
}

func TestAChangeOfFeedbackChangesTheNextPrompt(t *testing.T) {
	a := meet(t, t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	reader, err := kv.NewReader(ctx, a.nc, kv.ReaderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	changes := reader.Changes(ctx, kv.Key("rule", "wordy"))
	says := func(want string) (prompt string) {
		for range changes {
			if prompt = reader.Prompt("rule", "wordy"); strings.Contains(prompt, want) {
				return prompt
			}
		}
		t.Fatalf("the prompt does not say %q but %q", want, prompt)
		return ""
	}
	if got := reader.Prompt("rule", "wordy"); got != "" {
		t.Errorf("before any feedback the prompt is %q", got)
	}
	a.decide(t, "accepted", 12)
	before := says("Fixes that people keep; prefer them:\n- \"utilize\" to \"use\"")
	changes = reader.Changes(ctx, kv.Key("rule", "wordy"))
	a.decide(t, "rejected", 60)
	after := says("Fixes that people turn down; avoid them:\n- \"utilize\" to \"use\"")
	if strings.Contains(before, "avoid") || strings.Contains(after, "prefer") {
		t.Errorf("before: %s\nafter: %s", before, after)
	}
}

// decide publishes so many decisions about one fix in one batch.
func (a *agent) decide(t *testing.T, decision string, n int) {
	t.Helper()
	events := make([]string, n)
	for i := range events {
		events[i] = event(fmt.Sprint(decision, i), fixType,
			fix("wordy", "accepted", decision, "was done", "utilize", `"did"`, `"use"`))
	}
	a.publish(t, batch(events...))
}
