package outcomes_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
	"learnloop.dev/learn/learntest"
	"learnloop.dev/learn/outcomes"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

func TestOutcomesKeepTheLawsOfModels(t *testing.T) {
	learntest.Laws{
		Model:         outcomes.Model(),
		Events:        rapid.Custom(drawEvent),
		RowsPerRecord: 60,
		LongestRow:    8 << 10,
		Apart:         apart,
		Controls:      rapid.Custom(drawControl),
	}.Check(t)
}

var (
	tasks  = rapid.SampledFrom([]events.ID{"t", "t/1", "t/1/x", "t2", "t3", "t4"})
	types  = rapid.SampledFrom([]events.ID{"run-tests", "a/b", "é x"})
	models = rapid.SampledFrom([]string{"", "small", "small/1", "large"})
	goals  = rapid.SampledFrom([]string{"", "Fix the login bug", "bug the Fix login", "a b c d e f g"})
	said   = rapid.SampledFrom([]string{"", "Use YAML", "use yaml", "Never use YAML", "Use JSON"})
	tags   = rapid.SampledFrom([]events.Tags{nil, {"config"}, {"config", "style"}, {""}})
)

// drawEvent draws from few values, so that types, tasks and identities repeat.
func drawEvent(t *rapid.T) learntest.Event {
	kind, data := drawPayload(t)
	return event(kind, fmt.Sprint(rapid.IntRange(1, 40).Draw(t, "id")), rapid.IntRange(0, 400).Draw(t, "day"), data)
}

func drawPayload(t *rapid.T) (events.Kind, any) {
	task := tasks.Draw(t, "task")
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return events.TaskCorrected.Kind, events.TaskCorrection{TaskID: task, Tags: tags.Draw(t, "tags"), Instruction: said.Draw(t, "said")}
	case 1:
		return events.RouteChosen.Kind, events.RouteChoice{RequestID: task, Type: types.Draw(t, "type"), Model: models.Draw(t, "model")}
	case 2:
		plan := rapid.SampledFrom([]string{`[{"id":"x"}]`, `[{"id":"x","depends_on":["x"]}]`, `[{"id":"x","model_tier":"y"}]`}).Draw(t, "plan")
		return events.TemplateAdded.Kind, events.Template{Name: "known", Plan: []byte(plan)}
	}
	f := events.Task{
		TaskID: task, Goal: goals.Draw(t, "goal"), Template: rapid.SampledFrom([]events.ID{"", "known"}).Draw(t, "template"),
		Status:   rapid.SampledFrom([]events.TaskStatus{events.Completed, events.Failed, events.Cancelled}).Draw(t, "status"),
		Subtasks: rapid.SliceOfN(rapid.Custom(drawSubtask), 0, 4).Draw(t, "subtasks"),
	}
	if rapid.Bool().Draw(t, "steered") {
		f.Corrections = []events.TaskInstruction{{Tags: tags.Draw(t, "tags"), Instruction: said.Draw(t, "said")}}
	}
	return events.TaskFinished.Kind, f
}

// drawControl draws ticks, resets and deletions of what there may be.
func drawControl(t *rapid.T) learntest.Event {
	day := rapid.IntRange(0, 400).Draw(t, "day")
	switch rapid.IntRange(0, 5).Draw(t, "control") {
	case 0, 1:
		return event(events.ControlTick.Kind, "", day, events.Tick{Date: dayOne.AddDate(0, 0, day).Format(time.DateOnly)})
	case 2:
		model := rapid.SampledFrom([]string{outcomes.Name, "rules"}).Draw(t, "model")
		return event(events.ControlReset.Kind, "", day, events.DataReset{Model: model})
	}
	id, model := string(types.Draw(t, "type")), models.Draw(t, "model")
	d := rapid.SampledFrom([]events.PatternDeleted{
		{PatternType: events.SubtaskSuccess, PatternKey: events.ID(id)},
		{PatternType: events.RetryPattern, PatternKey: events.ID(id)},
		{PatternType: events.ModelFailure, PatternKey: events.ID(id + "/" + model)},
		{PatternType: events.PromptEffective, PatternKey: events.ID(id + "/read-first")},
		{PatternType: events.UserCorrection, PatternKey: events.ID(rapid.SampledFrom([]string{"config", "style", outcomes.Untagged}).Draw(t, "tag"))},
		{PatternType: events.TaskTemplate, PatternKey: events.ID(outcomes.GoalKey(goals.Draw(t, "goal")))},
		{PatternType: events.OneTemplate, PatternKey: "known"},
		{PatternType: events.OneTemplate, PatternKey: events.ID(rapid.SampledFrom(plans).Draw(t, "plan"))},
	}).Draw(t, "deleted")
	return event(events.ControlPatternDeleted.Kind, "", day, d)
}

// plans are ids of templates of plans that are drawn often, of one step.
var plans = oneStepPlans()

func oneStepPlans() (ids []string) {
	for _, id := range []events.ID{"run-tests", "a/b"} {
		l := &learntest.Loop{Models: []learn.Model{outcomes.Model()}}
		task := events.Task{TaskID: "t", Status: events.Completed, Subtasks: []events.Subtask{{ID: id, Success: new(true)}}}
		if err := l.Hear(event(events.TaskFinished.Kind, "1", 1, task)); err != nil {
			panic(err)
		}
		contexts, err := l.Contexts()
		if err != nil {
			panic(err)
		}
		for key := range contexts {
			if id, is := strings.CutPrefix(key, learn.Contexts+" template."); is {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func drawSubtask(t *rapid.T) events.Subtask {
	s := events.Subtask{
		ID: types.Draw(t, "type"), ModelUsed: models.Draw(t, "model"), ModelTier: rapid.Int64Range(0, 2).Draw(t, "tier"),
		RetryCount: rapid.Int64Range(0, 3).Draw(t, "retries"),
	}
	if rapid.IntRange(0, 5).Draw(t, "ran") > 0 {
		s.Success = new(rapid.Bool().Draw(t, "success"))
	}
	if rapid.Bool().Draw(t, "measured") {
		s.DurationSeconds, s.TokensUsed = new(rapid.Float64Range(0, 1e6).Draw(t, "seconds")), new(rapid.Int64Range(0, 1e6).Draw(t, "tokens"))
		s.FailureReasons, s.PromptFeatures = []string{"timeout"}, []string{"read-first", "read-first"}
		s.DependsOn = []events.ID{types.Draw(t, "on")}
	}
	return s
}

var dayOne = time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)

func event(kind events.Kind, id string, day int, data any) learntest.Event {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	at := dayOne.AddDate(0, 0, day)
	return learntest.Event{Kind: kind, ID: id, Source: "test", Time: at, Data: raw}
}

// apart gives an event that its data identifies an identity of its own.
func apart(e learntest.Event, n int) learntest.Event {
	switch e.Kind {
	case events.TaskFinished.Kind:
		return renamed[events.Task](e, func(t *events.Task) { t.TaskID = events.ID(fmt.Sprint("apart", n)) })
	case events.RouteChosen.Kind:
		return renamed[events.RouteChoice](e, func(r *events.RouteChoice) { r.RequestID = events.ID(fmt.Sprint("apart", n)) })
	}
	return e
}

func renamed[P any](e learntest.Event, rename func(*P)) learntest.Event {
	var p P
	if err := json.Unmarshal(e.Data, &p); err != nil {
		panic(err)
	}
	rename(&p)
	raw, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	e.Data = raw
	return e
}

func FuzzAnyTaskSurvives(f *testing.F) {
	learntest.Fuzz(f, outcomes.Model(),
		`{"task_id":"t","goal":"g","status":"completed","subtasks":[{"id":"a","success":true,"depends_on":["b"]},`+
			`{"id":"b","success":false,"failure_reasons":["x"]}]}`,
		`{"name":"n","plan":[{"id":"a"}]}`, `{"task_id":"t","tags":"x","instruction":"y"}`, `{"request_id":1,"type":"a","model":"m"}`,
		`{"pattern_type":"task_template","pattern_key":"a"}`, `{"model":"outcomes"}`, `{"date":"2026-01-01"}`)
}

func TestScripts(t *testing.T) { learntest.Scripts(t, "testdata/scripts", outcomes.Model()) }
