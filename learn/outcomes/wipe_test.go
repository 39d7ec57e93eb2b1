package outcomes_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/outcomes"
)

// story is a loop that heard events, each on the day of its place.
type story struct {
	*testing.T
	*learntest.Loop
	n int
}

func tell(t *testing.T) *story {
	t.Helper()
	return &story{t, &learntest.Loop{Models: []learn.Model{outcomes.Model()}}, 0}
}

// hears takes an event in, under the number of its place.
func (s *story) hears(kind events.Kind, data any) *story {
	s.Helper()
	s.n++
	if err := s.Hear(event(kind, fmt.Sprint(s.n), s.n, data)); err != nil {
		s.Fatal(err)
	}
	return s
}

// ran is a task of which each step ran once.
func (s *story) ran(goal string, status events.TaskStatus, steps ...events.Subtask) *story {
	s.Helper()
	return s.hears(events.TaskFinished.Kind, events.Task{TaskID: events.ID(fmt.Sprint(s.n)), Goal: goal, Status: status, Subtasks: steps})
}

func (s *story) deleted(kind events.LearnedPattern, key string) *story {
	s.Helper()
	return s.hears(events.ControlPatternDeleted.Kind, events.PatternDeleted{PatternType: kind, PatternKey: events.ID(key)})
}

func (s *story) patterns(kind events.LearnedPattern) []outcomes.Pattern {
	s.Helper()
	parts, err := learntest.Ask[outcomes.Patterns](s.Loop, outcomes.Model(), outcomes.AskPatterns, outcomes.PatternArgs{Type: kind})
	if err != nil {
		s.Fatal(err)
	}
	return outcomes.MergePatterns(parts...).Patterns
}

func (s *story) summary(w outcomes.Window) outcomes.Summary {
	s.Helper()
	parts, err := learntest.Ask[outcomes.Summary](s.Loop, outcomes.Model(), outcomes.AskSummary, w)
	if err != nil {
		s.Fatal(err)
	}
	return outcomes.MergeSummaries(parts...)
}

// known lists the keys of the contexts.
func (s *story) known() string {
	s.Helper()
	contexts, err := s.Contexts()
	if err != nil {
		s.Fatal(err)
	}
	var keys []string
	for key := range contexts {
		keys = append(keys, strings.TrimPrefix(key, learn.Contexts+" "))
	}
	return strings.Join(sorted(keys), " ")
}

func (s *story) rows() string { return s.Open()[0].Dump() }

func good(id string) events.Subtask {
	return events.Subtask{ID: events.ID(id), Success: new(true), ModelUsed: "small"}
}

func bad(id string, retries int64) events.Subtask {
	return events.Subtask{ID: events.ID(id), Success: new(false), ModelUsed: "small", RetryCount: retries, FailureReasons: []string{"timeout"}}
}

func TestAResetLeavesNothingButWhereItWas(t *testing.T) {
	s := tell(t).
		hears(events.RouteChosen.Kind, events.RouteChoice{RequestID: "r", Type: "never-ran", Model: "small"}).
		ran("fix it", events.Failed, bad("lint", 2)).
		deleted(events.ModelFailure, "lint/small").
		hears(events.TaskCorrected.Kind, events.TaskCorrection{TaskID: "1", Tags: events.Tags{"config"}, Instruction: "Use YAML"}).
		hears(events.TemplateAdded.Kind, events.Template{Name: "release", Plan: []byte(`[{"id":"a"}]`)}).
		hears(events.ControlReset.Kind, events.DataReset{Model: outcomes.Name})
	s.Refresh()
	if left := strings.TrimSpace(s.rows()); strings.Contains(left, "\n") || !strings.Contains(left, `"cut/`) {
		t.Errorf("left:\n%s", left)
	}
	for n := range s.n {
		s.Withdraw(fmt.Sprint(n + 1))
	}
	s.Refresh()
	if left := strings.TrimSpace(s.rows()); strings.Contains(left, "\n") {
		t.Errorf("taken back after the reset:\n%s", left)
	}
}

func TestAPatternAndATemplateOfTheSameNameGoAlone(t *testing.T) {
	all := func() *story {
		return tell(t).ran("release", events.Completed, good("tag")).
			hears(events.TemplateAdded.Kind, events.Template{Name: "release", Plan: []byte(`[{"id":"a"}]`)})
	}
	if got := all().deleted(events.TaskTemplate, "release").known(); got != "task.tag template.release" {
		t.Errorf("without the pattern: %s", got)
	}
	if got := all().deleted(events.OneTemplate, "release").known(); !strings.HasPrefix(got, "goal.release task.tag template.plan-") {
		t.Errorf("without the template: %s", got)
	}
}

func TestAPlanThatWasLearnedGoesAloneAndComesBackWithItsNextTask(t *testing.T) {
	s := tell(t).ran("ship it", events.Completed, good("tag")).ran("send it", events.Failed, good("tag"))
	keys := strings.Fields(s.known())
	plan := strings.TrimPrefix(keys[len(keys)-1], "template.")
	s.deleted(events.OneTemplate, plan)
	if got := s.known(); got != "goal.it-send goal.it-ship task.tag" {
		t.Fatalf("%s is left", got)
	}
	contexts, err := s.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	if c := read[outcomes.GoalContext](t, string(contexts[learn.Contexts+" goal.it-send"])); len(c.Plans) != 0 || c.Failed != 1 {
		t.Errorf("of the goal: %+v", c)
	}
	s.ran("ship it", events.Completed, good("tag"))
	s.deleted(events.TaskTemplate, "it-ship") // takes back what the plan has of it, and no more
	s.Withdraw("1")
	s.Withdraw("2")
	s.Withdraw("4")
	s.Refresh()
	for line := range strings.Lines(s.rows()) {
		if !strings.Contains(line, `"cut/`) {
			t.Errorf("left: %s", line)
		}
	}
}

func TestStatisticsOfAPeriodLeaveOutWhatWasDeleted(t *testing.T) {
	tagged := func(tag string) events.TaskCorrection {
		return events.TaskCorrection{TaskID: "t", Tags: events.Tags{tag}, Instruction: "Use YAML"}
	}
	s := tell(t).
		ran("a", events.Completed, good("gone"), good("stays"), bad("retried", 3)).
		hears(events.TaskCorrected.Kind, tagged("config")).
		hears(events.TaskCorrected.Kind, tagged("style")).
		deleted(events.SubtaskSuccess, "gone").
		deleted(events.ModelFailure, "stays/small").
		deleted(events.RetryPattern, "retried").
		deleted(events.UserCorrection, "config").
		ran("b", events.Completed, good("stays"))
	all, period := s.summary(outcomes.Window{}), s.summary(outcomes.Window{From: dayOne.AddDate(-1, 0, 0), To: dayOne.AddDate(1, 0, 0)})
	for name, sum := range map[string]outcomes.Summary{"of all time": all, "of a period": period} {
		if got := fmt.Sprint(sorted(keysOf(sum.Tasks.ByType))); got != "[retried stays]" || sum.Tasks.ByType["stays"].All.N != 1 {
			t.Errorf("%s: types %s, %+v", name, got, sum.Tasks.ByType["stays"])
		}
		if len(sum.Tasks.Retries) != 0 || sum.Corrections.N != 1 || sum.Corrections.ByTag["config"] != 0 || sum.Tasks.Tasks != 2 {
			t.Errorf("%s: %+v", name, sum)
		}
	}
	if early := s.summary(outcomes.Window{To: dayOne.AddDate(0, 0, 5)}); early.Tasks.ByType["stays"].All.N != 0 {
		t.Errorf("before the deletions: %+v", early.Tasks.ByType)
	}
	s.hears(events.ControlTick.Kind, events.Tick{Date: dayOne.AddDate(1, 0, 0).Format(time.DateOnly)})
	if got := s.summary(outcomes.Window{To: dayOne.AddDate(1, 0, 0)}).Tasks.ByType; len(got) != 0 {
		t.Errorf("when all was seen once and too long ago: %v", got)
	}
}

func TestAPatternIsAsOldAsTheRunsThatShowIt(t *testing.T) {
	s := tell(t).ran("g", events.Completed, good("lint"))
	for range 12 {
		s.ran("g", events.Failed, bad("lint", 1), good("lint"))
	}
	s.ran("g", events.Failed, bad("lint", 0)).ran("g", events.Completed, good("lint"))
	day := func(n int) string { return dayOne.AddDate(0, 0, n).Format(time.DateOnly) }
	expect := func(kind events.LearnedPattern, frequency int64, first, last int) {
		t.Helper()
		found := s.patterns(kind)
		if len(found) != 1 || found[0].Frequency != frequency || found[0].CreatedAt != day(first) || found[0].LastSeen != day(last) {
			t.Errorf("%+v, want %d from %s to %s", found, frequency, day(first), day(last))
		}
	}
	expect(events.SubtaskSuccess, 27, 1, 15)
	expect(events.RetryPattern, 12, 2, 13)
	expect(events.ModelFailure, 13, 2, 14)
	s.Withdraw("2")
	s.Withdraw("14")
	expect(events.RetryPattern, 11, 3, 13)
	expect(events.ModelFailure, 11, 3, 13)
}

func TestWhatAModelLeftGoesWithIt(t *testing.T) {
	of := func(model string) events.Subtask {
		return events.Subtask{ID: "a/b", Success: new(false), ModelUsed: model, FailureReasons: []string{model + " gave up"}, PromptFeatures: []string{"short"}}
	}
	s := tell(t).ran("g", events.Failed, of("m/1"), of("n"), of("n")).deleted(events.ModelFailure, "a/b/m/1")
	contexts, err := s.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	c := read[outcomes.TypeContext](t, string(contexts[learn.Contexts+" task.a/b"]))
	if c.SampleCount != 2 || len(c.FailureReasons) != 1 || c.FailureReasons[0] != (outcomes.Reason{Reason: "n gave up", Count: 2}) ||
		c.PromptFeatures[0].With != 2 || c.PromptFeatures[0].Without != 0 {
		t.Errorf("%+v", c)
	}
}

func TestRunsOfADeletedFeatureAreNotTakenForRunsWithoutIt(t *testing.T) {
	run := func(success bool, features ...string) events.Subtask {
		return events.Subtask{ID: "x", Success: new(success), PromptFeatures: features}
	}
	s := tell(t).ran("g", events.Failed, run(false, "f"), run(false, "f"), run(true), run(true)).
		deleted(events.PromptEffective, "x/f").
		ran("g", events.Completed, run(true, "f"))
	contexts, err := s.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	c := read[outcomes.TypeContext](t, string(contexts[learn.Contexts+" task.x"]))
	if e := c.PromptFeatures[0]; e.With != 1 || *e.SuccessWith != 1 || e.Without != 2 || *e.SuccessElse != 1 {
		t.Errorf("%+v", e)
	}
}

func TestADeletionMeansEveryReadingOfItsKey(t *testing.T) {
	s := tell(t).ran("g", events.Failed,
		events.Subtask{ID: "a", Success: new(true), ModelUsed: "b/c"}, events.Subtask{ID: "a/b", Success: new(true), ModelUsed: "c"},
		events.Subtask{ID: "a/b/c", Success: new(true)})
	got := s.deleted(events.ModelFailure, "a/b/c").known()
	if !strings.Contains(got, "task.a/b/c") || strings.Contains(got, "task.a ") || strings.Contains(got, "task.a/b ") {
		t.Errorf("%s is left", got)
	}
}

func sorted(texts []string) []string { slices.Sort(texts); return texts }

func keysOf[V any](m map[string]V) []string { return slices.Collect(maps.Keys(m)) }
