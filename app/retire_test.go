package app_test

import (
	"fmt"
	"strings"
	"testing"

	"learnloop.dev/api"
	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
)

// tried is a task for which a learning was selected by chance, and how it ended.
func tried(n int, leftOut bool, status string) []string {
	task := fmt.Sprint("task-", n)
	return []string{
		event("i"+task, "dev.learnloop.injection.recorded.v1", fmt.Sprintf(`{"task_id":%q,"outcome_id":"o","shares":{"holdout":0.05,"placebo":0.05},`+
			`"items":[{"learning_id":"learn_a","left_out":%v,"propensity":0.8,"chance":1}]}`, task, leftOut)),
		event("e"+task, "dev.learnloop.task.finished.v1", fmt.Sprintf(`{"task_id":%q,"goal":"g","status":%q,"subtasks":[]}`, task, status)),
	}
}

// endsBehind is how many of the events that stand for a line are ends of tasks.
func endsBehind(e api.Explanation, line string) (n int) {
	for _, l := range e.Lines {
		for _, w := range l.Events {
			if l.Line == line && w.Kind == events.TaskFinished.Kind {
				n++
			}
		}
	}
	return n
}

func TestALearningThatIsShownToHarmRetiresOnceAndSaysWhy(t *testing.T) {
	dir := t.TempDir()
	a := meet(t, dir, always...)
	var said []string
	for n := range 120 {
		said = append(said, tried(n, n%3 == 0, map[bool]string{true: "completed", false: "failed"}[n%3 == 0])...)
	}
	if got := a.post(t, batch(append(said, learned("learn_a", "refunds"))...)); got.Accepted != len(said)+1 {
		t.Fatalf("of %d events %d were accepted", len(said)+1, got.Accepted)
	}
	get := request{"learnings.get", map[string]any{"id": "learn_a"}}
	archived := request{"learnings.list", map[string]any{"status": "archived"}}
	gone := eventually(t, a, archived, func(l api.LearningList) bool { return l.Total == 1 }).Learnings[0]
	if !strings.Contains(gone.StatusReason, "0 of 80 tasks succeeded with it, 40 of 40 without") {
		t.Errorf("because %s", gone.StatusReason)
	}
	lines := call[api.Explanation](t, a, "explain", map[string]any{"key": "learn_a"})
	if data := fmt.Sprintf("%+v", lines); !strings.Contains(data, "retire/learn_a") {
		t.Errorf("explained by %s", data)
	}
	if n := endsBehind(lines, "evidence/tasks"); n == 0 {
		t.Errorf("what tasks tell is not traced to the ends of tasks: %+v", lines.Lines)
	}
	var s struct {
		Learned api.Learned `json:"coia"`
	}
	if err := a.client.Call(t.Context(), "statistics.get", nil, &s); err != nil {
		t.Fatal(err)
	}
	want := learnings.Finished{N: 80}
	if own := s.Learned.Learnings["learn_a"].Lift; own == nil || own.With != want || own.Without.Success != 40 || own.Upper >= 0 ||
		s.Learned.Lift == nil || s.Learned.Lift.Both.Treatment.N != 120 {
		t.Errorf("statistics tell of it %+v, and of all %+v", own, s.Learned.Lift)
	}
	if p := call[api.Injection](t, a, "inject", asking("next", "x")); len(p.Learnings) > 0 {
		t.Errorf("given all the same: %v", given(p))
	}

	call[api.Learning](t, a, "learnings.revise", map[string]any{"id": "learn_a", "status": "active"})
	a.stop()
	a = meet(t, dir, always...)
	a.post(t, batch(tried(121, false, "failed")...))
	back := eventually(t, a, get, func(l api.Learning) bool { return l.Evidence.Tasks.In.N == 81 })
	if back.Status != learnings.Active {
		t.Errorf("somebody took it up again, and it is %s: %s", back.Status, back.StatusReason)
	}
}
