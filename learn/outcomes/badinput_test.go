package outcomes_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/schemas"

	"github.com/go-json-experiment/json"
)

// hear folds tasks and returns the contexts.
func hear(t *testing.T, tasks ...events.Task) map[string]string {
	t.Helper()
	l := &learntest.Loop{Models: []learn.Model{outcomes.Model()}}
	for i, task := range tasks {
		if err := l.Hear(event(events.TaskFinished.Kind, fmt.Sprint(i), i, task)); err != nil {
			t.Fatal(err)
		}
	}
	contexts, err := l.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for key, data := range contexts {
		texts[strings.TrimPrefix(key, learn.Contexts+" ")] = string(data)
	}
	return texts
}

func read[T any](t *testing.T, data string) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(data), &v); err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	return v
}

func TestLongModelNamesAreCutAndStayDistinct(t *testing.T) {
	long := strings.Repeat("m", 1<<10)
	task := events.Task{TaskID: "t", Goal: "g", Status: events.Completed}
	for _, name := range []string{long + "1", long + "2"} {
		task.Subtasks = append(task.Subtasks, events.Subtask{ID: "x", Success: new(true), ModelUsed: name})
	}
	c := read[outcomes.TypeContext](t, hear(t, task)["task.x"])
	if len(c.Models) != 2 || c.Models[0].Model == c.Models[1].Model || len(c.Models[0].Model) > 200 {
		t.Errorf("%+v", c.Models)
	}
}

func TestTenThousandStepsAreCountedAndAreNoTemplate(t *testing.T) {
	task := events.Task{TaskID: "t", Goal: "g", Status: events.Completed}
	for n := range 10_000 {
		task.Subtasks = append(task.Subtasks, events.Subtask{ID: events.ID(fmt.Sprint("x", n%3)), Success: new(true)})
	}
	all := hear(t, task)
	if c := read[outcomes.TypeContext](t, all["task.x0"]); c.SampleCount != 3334 {
		t.Errorf("counted %d", c.SampleCount)
	}
	for key := range all {
		if strings.HasPrefix(key, "template.") {
			t.Errorf("%s is a template", key)
		}
	}
}

func TestNegativeDurationsAreRefusedByTheSchema(t *testing.T) {
	doc := `{"task_id":"t","goal":"g","status":"completed","subtasks":[{"id":"x","success":true,"duration_seconds":-1}]}`
	if broken, _ := schemas.Check(string(events.TaskFinished.Kind), []byte(doc)); len(broken) != 1 ||
		broken[0].Pointer != "/subtasks/0/duration_seconds" {
		t.Errorf("%+v", broken)
	}
}

// A result stands within its step: one of a step that no plan has cannot be told apart
// from a step that was added on the way, and counts as a run of its type.
func TestResultsOfUnknownStepsAreRefusedBesideThePlanAndCountWithinIt(t *testing.T) {
	doc := `{"task_id":"t","goal":"g","status":"completed","subtasks":[{"id":"x","success":true}],"results":[{"id":"y","success":true}]}`
	if broken, _ := schemas.Check(string(events.TaskFinished.Kind), []byte(doc)); len(broken) != 1 || broken[0].Pointer != "/*" {
		t.Errorf("%+v", broken)
	}
	all := hear(t, events.Task{TaskID: "t", Goal: "g", Status: events.Completed, Subtasks: []events.Subtask{
		{ID: "x", Description: "Do x", ModelTier: 1, Success: new(true)}, {ID: "y", Success: new(false), FailureReasons: []string{"unplanned"}},
	}})
	if c := read[outcomes.TypeContext](t, all["task.y"]); c.SampleCount != 1 || *c.SuccessRate != 0 || c.FailureReasons[0].Reason != "unplanned" {
		t.Errorf("%+v", c)
	}
}

func TestPlansSayWhatIsWrongWithThem(t *testing.T) {
	step := func(id string, on ...string) outcomes.Step { return outcomes.Step{ID: id, DependsOn: on} }
	for want, plan := range map[string][]outcomes.Step{
		"a plan needs a step":                               {},
		"step 2 has no id":                                  {step("a"), step("")},
		"steps 1 and 3 have the same id":                    {step("a"), step("b"), step("a")},
		"step 1 depends on a step that is not in the plan":  {step("a", "b")},
		"the steps wait for each other in a circle":         {step("a"), step("b", "c"), step("c", "b")},
		"a plan of more than 64 steps is not offered again": make([]outcomes.Step, 65),
	} {
		if err := outcomes.CheckPlan(plan); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := outcomes.CheckPlan([]outcomes.Step{step("c", "a", "b"), step("a"), step("b", "a")}); err != nil {
		t.Error(err)
	}
}

func TestATemplateThatCannotBeDoneIsKeptWithItsProblem(t *testing.T) {
	l := &learntest.Loop{Models: []learn.Model{outcomes.Model()}}
	plan := events.Template{Name: "n", Plan: []byte(`[{"id":"a","depends_on":["a"]}]`)}
	if err := l.Hear(event(events.TemplateAdded.Kind, "1", 1, plan)); err != nil {
		t.Fatal(err)
	}
	contexts, err := l.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	c := read[outcomes.Template](t, string(contexts[learn.Contexts+" template.n"]))
	if c.Problem == "" || len(c.Plan) != 0 {
		t.Errorf("%+v", c)
	}
}

func TestATemplateThatSomebodyAddedStaysWithoutUse(t *testing.T) {
	l := &learntest.Loop{Models: []learn.Model{outcomes.Model()}}
	once := events.Task{TaskID: "t", Goal: "g", Status: events.Completed, Subtasks: []events.Subtask{{ID: "a", Success: new(true)}}}
	for _, e := range []learntest.Event{
		event(events.TemplateAdded.Kind, "1", 1, events.Template{Name: "n", Plan: []byte(`[{"id":"a"}]`)}),
		event(events.TaskFinished.Kind, "2", 1, once),
		event(events.ControlTick.Kind, "3", 300, events.Tick{Date: "2025-12-01"}),
	} {
		if err := l.Hear(e); err != nil {
			t.Fatal(err)
		}
	}
	l.Refresh()
	contexts, err := l.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	if contexts[learn.Contexts+" template.n"] == nil || len(contexts) != 1 {
		t.Errorf("after 300 days %d contexts are left: %v", len(contexts), slices.Sorted(maps.Keys(contexts)))
	}
}

func TestQuestionsThatCannotBeReadAreNotQuoted(t *testing.T) {
	for ask, args := range map[string]string{
		outcomes.AskSummary:  `{"from":"Ada Lovelace"}`,
		outcomes.AskPatterns: `{"Ada Lovelace":1}`,
	} {
		_, err := outcomes.Model().Answers[ask](learn.Question{Args: []byte(args)})
		if err == nil || strings.Contains(err.Error(), "Ada") {
			t.Errorf("%s: %v", ask, err)
		}
	}
}

func TestReusedTemplatesLearnHowTheyDid(t *testing.T) {
	steps := []events.Subtask{{ID: "a", Success: new(true)}, {ID: "b", Success: new(true), DependsOn: []events.ID{"a"}}}
	var tasks []events.Task
	for n, status := range []events.TaskStatus{events.Completed, events.Failed, events.Cancelled, events.Completed} {
		tasks = append(tasks, events.Task{TaskID: events.ID(fmt.Sprint(n)), Goal: fmt.Sprint("do thing ", n), Status: status, Template: "mine", Subtasks: steps})
	}
	all := hear(t, tasks...)
	for key, data := range all {
		if !strings.HasPrefix(key, "template.") {
			continue
		}
		c := read[outcomes.Template](t, data)
		if c.Completed != 2 || c.Failed != 1 {
			t.Errorf("%s: %d completed, %d failed", key, c.Completed, c.Failed)
		}
		if learned := strings.HasPrefix(key, "template.plan-"); learned != (len(c.Plan) == 2) || learned != (len(c.Goals) == 2) {
			t.Errorf("%s: %+v", key, c)
		}
	}
	if all["template.mine"] == "" || len(all) < 7 {
		t.Errorf("%d contexts", len(all))
	}
}

func TestDefaultsRelaxWithEvidence(t *testing.T) {
	for n, want := range map[int]float64{1: 0.9, 25: 0.8, 200: 0.7} {
		task := events.Task{TaskID: "t", Goal: "g", Status: events.Completed}
		for range n {
			task.Subtasks = append(task.Subtasks, events.Subtask{ID: "x", Success: new(true)})
		}
		c := read[outcomes.TypeContext](t, hear(t, task)["task.x"])
		if c.Defaults.AutoApproveConfidence != want || c.Defaults.ColdStart != (n < 20) {
			t.Errorf("after %d good runs: %+v", n, c.Defaults)
		}
	}
}

func TestQuantilesAreCloseToTheTruth(t *testing.T) {
	task := events.Task{TaskID: "t", Goal: "g", Status: events.Completed}
	for n := range 1000 {
		task.Subtasks = append(task.Subtasks, events.Subtask{ID: "x", Success: new(true), ModelUsed: "m",
			DurationSeconds: new(float64(n+1) / 10), TokensUsed: new(int64(n % 8))})
	}
	m := read[outcomes.TypeContext](t, hear(t, task)["task.x"]).Models[0]
	if half, long := *m.HalfDurationSeconds, *m.LongDurationSeconds; half < 48.4 || half > 51.6 || long < 92 || long > 98 {
		t.Errorf("half take at most %v, nineteen of twenty %v", half, long)
	}
	if *m.HalfTokens != 3 || *m.LongTokens != 7 {
		t.Errorf("tokens %d and %d", *m.HalfTokens, *m.LongTokens)
	}
}
