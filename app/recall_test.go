package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnloop.dev/api"
)

// always has every task treated, and nothing left to chance.
var always = []string{"injection.holdout=0", "injection.placebo=0", "injection.left_out=0", "injection.explored=0"}

// learned is an event of a learning about webhooks.
func learned(id, outcome string) string {
	return event(id, "dev.learnloop.learning.created.v1", fmt.Sprintf(`{"id":%q,"title":"Sign the body of webhooks (%s)",`+
		`"context":"Testing","observation":"Unsigned calls are dropped","implication":"Silence proves nothing",`+
		`"action":"Sign it in the helper","source_outcome_id":%q,"confidence":0.7}`, id, id, outcome))
}

// request is one call of an operation.
type request struct {
	name string
	in   any
}

// eventually asks until an answer is as it should be.
func eventually[Out any](t *testing.T, a *agent, r request, right func(Out) bool) (out Out) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(patience); ; {
		out = call[Out](t, a, r.name, r.in)
		if right(out) {
			return out
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%s %v stays %+v", r.name, r.in, out)
		}
	}
}

func call[Out any](t *testing.T, a *agent, name string, in any) (out Out) {
	t.Helper()
	if err := a.client.Call(t.Context(), name, in, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func foundIn(r api.SearchResults) (ids []string) {
	for _, f := range r.Results {
		ids = append(ids, f.Learning.ID)
	}
	return ids
}

func given(in api.Injection) (ids []string) {
	for _, l := range in.Learnings {
		ids = append(ids, l.ID)
	}
	return ids
}

var webhooks = map[string]any{"q": "how do webhooks sign a body?"}

// asking is what a task of an outcome asks.
func asking(task, outcome string) map[string]any {
	return map[string]any{"task_id": task, "title": "Send signed webhooks", "outcome_id": outcome}
}

func TestALearningReachesTheNextTaskAndIsJudgedThere(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir, always...)
	a.publish(t, structured(learned("learn_a", "refunds")))
	a.publish(t, structured(learned("learn_b", "payouts")))
	eventually(t, a, request{"learnings.search", webhooks}, func(r api.SearchResults) bool { return len(r.Results) == 2 })

	first := call[api.Injection](t, a, "inject", asking("task-1", "refunds"))
	if got := given(first); fmt.Sprint(got) != "[learn_b]" || first.Arm != "treatment" {
		t.Fatalf("a task of refunds is given %v in %s", got, first.Arm)
	}
	if again := call[api.Injection](t, a, "inject", asking("task-1", "refunds")); again.Markdown == "" || again.Tokens > 2000 {
		t.Errorf("asking again: %q", again.Markdown)
	}
	used := eventually(t, a, request{"learnings.get", map[string]any{"id": "learn_b"}}, func(l api.Learning) bool { return l.TimesInjected > 0 })
	if used.TimesInjected != 1 {
		t.Errorf("one task used it %d times", used.TimesInjected)
	}

	vote := api.Ballot{TaskID: "task-1", Helpful: false}
	call[api.Vote](t, a, "learnings.feedback", map[string]any{"id": "learn_b", "task_id": vote.TaskID, "helpful": vote.Helpful})
	eventually(t, a, request{"learnings.search", webhooks}, func(r api.SearchResults) bool {
		return fmt.Sprint(foundIn(r)) == "[learn_a learn_b]" && r.Results[1].Learning.Confidence == 0.6
	})
	a.restarts(t, dir)
}

// restarts holds what is found and given to what it was before a restart, and before
// everything was folded again.
func (a *agent) restarts(t *testing.T, dir string) {
	t.Helper()
	call[api.Learning](t, a, "learnings.archive", map[string]any{"id": "learn_a"})
	eventually(t, a, request{"learnings.search", webhooks}, func(r api.SearchResults) bool { return fmt.Sprint(foundIn(r)) == "[learn_b]" })
	results, prompt := call[api.SearchResults](t, a, "learnings.search", webhooks), call[api.Injection](t, a, "inject", asking("task-2", "x"))
	if got := given(prompt); fmt.Sprint(got) != "[learn_b]" {
		t.Errorf("after one was archived %v are given", got)
	}
	eventually(t, a, request{"learnings.get", map[string]any{"id": "learn_b"}}, func(l api.Learning) bool { return l.TimesInjected == 2 })
	for _, folded := range []string{"", filepath.Join(dir, "state")} {
		a.stop()
		if folded != "" {
			if err := os.RemoveAll(folded); err != nil {
				t.Fatal(err)
			}
		}
		a = meet(t, dir, always...)
		again := eventually(t, a, request{"learnings.search", webhooks}, func(r api.SearchResults) bool {
			return len(r.Results) == 1 && r.Results[0].Learning.TimesInjected == 2
		})
		if again.Results[0].Score != results.Results[0].Score {
			t.Errorf("scores %g, was %g", again.Results[0].Score, results.Results[0].Score)
		}
		if p := call[api.Injection](t, a, "inject", asking("task-2", "x")); p.Markdown != prompt.Markdown {
			t.Errorf("the block became %q, was %q", p.Markdown, prompt.Markdown)
		}
	}
}

func TestSearchesThatAskForNothingAreAnswered(t *testing.T) {
	a := meet(t, t.TempDir(), always...)
	empty := call[api.SearchResults](t, a, "learnings.search", webhooks)
	if len(empty.Results) != 0 || empty.Note == "" {
		t.Errorf("of nothing was found %+v", empty)
	}
	if in := call[api.Injection](t, a, "inject", map[string]any{"task_id": "t"}); in.Markdown != "" || in.Arm != "treatment" {
		t.Errorf("nothing is known, and given is %+v", in)
	}
	a.publish(t, structured(learned("learn_a", "refunds")))
	eventually(t, a, request{"learnings.search", webhooks}, func(r api.SearchResults) bool { return len(r.Results) == 1 })
	for q, hits := range map[string]int{
		"": 0, "the of and": 0, strings.Repeat("webhook ", 1250): 1, `"webhooks" AND (NOT title:body*) OR '--`: 1, "webh*": 1,
		"\x00 …": 0,
	} {
		r := call[api.SearchResults](t, a, "learnings.search", map[string]any{"q": q})
		if len(r.Results) != hits || hits == 0 && r.Note == "" {
			t.Errorf("%.40q: %d results, note %q", q, len(r.Results), r.Note)
		}
	}
}
