package api

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"learnloop.dev/events"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/pipeline/recall"
	"learnloop.dev/stats"

	"github.com/danielgtaylor/huma/v2"
)

// registerInjection lists the operation that gives learnings to tasks.
func (a *API) registerInjection(r *Registry) {
	Add(r, Operation[InjectArgs, Injection]{
		Name: "inject", Method: http.MethodPost, Path: "/api/inject", Tag: "learnings", Access: Capture, Unlisted: true,
		Summary: "What a task should know from earlier ones",
		Description: "Selects learnings, writes them down for a prompt, and records what was given: once for each task, however often " +
			"it asks. Some tasks get nothing, or a block that says nothing, so that it can be seen what learnings do.",
		Aliases: map[string]string{
			"id": "task_id", "task_title": "title", "task_description": "description", "max_learnings": "limit", "user": "user_id",
		},
		Do: a.inject,
	})
}

// mostInjected is how many learnings a task gets at most (001).
const mostInjected = 5

// Undertaking is a task that is about to be done.
type Undertaking struct {
	TaskID        string  `json:"task_id" minLength:"1" doc:"Names the task; what chance decides hangs on it alone."`
	Title         string  `json:"title,omitzero" maxLength:"10000" doc:"What is to be done, in a line."`
	Description   string  `json:"description,omitzero" maxLength:"65536" doc:"And at length."`
	OutcomeID     string  `json:"outcome_id,omitzero" doc:"What the task is part of: nothing learned in it is given. The task itself when there is none."`
	Limit         int     `json:"limit,omitzero" minimum:"1" maximum:"5" doc:"How many learnings at most; 5 when not given."`
	MaxTokens     int     `json:"max_tokens,omitzero" minimum:"1" maximum:"100000" doc:"Of the block, by estimate; injection.max_tokens when not given."`
	MinConfidence float64 `json:"min_confidence,omitzero" minimum:"0" maximum:"1" doc:"Only those of at least this confidence; selection threshold has 0.6."`
	Generator     string  `json:"generator,omitzero" maxLength:"1000" doc:"Who asks."`
	UserID        string  `json:"user_id,omitzero" doc:"Who the task is done for; stored as a pseudonym."`
}

// InjectArgs bring a task.
type InjectArgs struct {
	Caller `json:"-"`
	Body   Undertaking `json:",embed"`
}

// Schema describes the arguments to NATS clients: those of the body over HTTP.
func (*InjectArgs) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[Undertaking](), false, "")
}

// task is what is asked for, and outcome what it is part of.
func (in *InjectArgs) task() recall.Task {
	u := in.Body
	t := recall.Task{ID: u.TaskID, Title: u.Title, Description: u.Description, Outcome: u.OutcomeID, MinConfidence: u.MinConfidence}
	if t.Outcome == "" {
		t.Outcome = u.TaskID
	}
	return t
}

// within are the terms of the loop, as far as the caller wants less.
func (in *InjectArgs) within(terms recall.Terms) recall.Terms {
	if in.Body.Limit > 0 {
		terms.Trial.Most = in.Body.Limit
	}
	if in.Body.MaxTokens > 0 {
		terms.Tokens = in.Body.MaxTokens
	}
	return terms
}

// Injection is what a task is given.
type Injection struct {
	InjectionID string            `json:"injection_id"`
	TaskID      string            `json:"task_id"`
	OutcomeID   string            `json:"outcome_id"`
	Arm         string            `json:"arm" doc:"treatment, holdout (nothing) or placebo (a block that says nothing)."`
	Propensity  float64           `json:"propensity" doc:"Of the arm."`
	Learnings   []Learning        `json:"learnings" nullable:"false" doc:"In the order of the block."`
	Markdown    string            `json:"markdown" doc:"Ready for a prompt; empty when nothing is given."`
	Note        string            `json:"note,omitzero" doc:"Why nothing is given, where it is so."`
	Recorded    bool              `json:"recorded" doc:"False where the settings of privacy stop capture, and by the documented rule when nothing is given."`
	Tokens      int               `json:"tokens" doc:"Of the markdown, by estimate."`
	Records     []InjectionRecord `json:"records" nullable:"false" doc:"What was recorded, in the order of selection."`
}

// InjectionRecord is what was recorded about one learning.
type InjectionRecord struct {
	LearningID string  `json:"learning_id"`
	TaskID     string  `json:"task_id"`
	OutcomeID  string  `json:"outcome_id"`
	Revision   uint64  `json:"revision" doc:"Of the entry."`
	LeftOut    bool    `json:"left_out" doc:"Selected, but not given, to see what the task does without."`
	Explored   bool    `json:"explored" doc:"It has the slot for a learning that would not have been selected."`
	Propensity float64 `json:"propensity" doc:"Of being given, once selected."`
	Chance     float64 `json:"chance" doc:"Of being selected."`
	Score      float64 `json:"score"`
}

// digits is how many decimals of a probability are shown.
const digits = 6

func (a *API) inject(ctx context.Context, in *InjectArgs) (*Injection, error) {
	task, terms := in.task(), in.within(a.deps.Terms)
	given := a.deps.Recall.Inject(task, terms)
	out := &Injection{
		InjectionID: injectionID(task.ID), TaskID: task.ID, OutcomeID: task.Outcome, Arm: string(given.Arm),
		Propensity: stats.Round(given.Propensity, digits), Learnings: []Learning{}, Markdown: given.Markdown,
		Note: string(given.Note), Tokens: recall.Tokens(given.Markdown), Records: []InjectionRecord{},
	}
	for _, l := range given.Given() {
		out.Learnings = append(out.Learnings, Learning{l})
	}
	for _, s := range given.Selected {
		out.Records = append(out.Records, InjectionRecord{
			s.ID, task.ID, task.Outcome, s.Revision, s.LeftOut, s.Explored, s.Propensity, s.Chance, s.Score,
		})
	}
	if len(given.Selected) == 0 && terms.Trial.Selection == learnings.ByThreshold {
		return out, nil // the documented rule records uses alone
	}
	recorded, err := a.note(ctx, events.InjectionRecorded.Kind, record(in, given, terms.Trial))
	out.Recorded = recorded
	return out, err
}

// injectionID names what a task was given: a task that asks again replaces its record.
func injectionID(task string) string { return "task/" + task }

// record is the event of an injection.
func record(in *InjectArgs, given recall.Injection, trial learnings.Trial) *events.Injection {
	task := in.task()
	e := &events.Injection{
		InjectionID: events.ID(injectionID(task.ID)), TaskID: events.ID(task.ID), OutcomeID: events.ID(task.Outcome),
		Items: []events.InjectedItem{}, Arm: given.Arm, Generator: in.Body.Generator, UserID: events.ID(in.Body.UserID),
	}
	chance := trial.Selection != learnings.ByThreshold
	if chance {
		shares := events.ArmShares(trial.Shares())
		e.Shares = &shares
	}
	for _, s := range given.Selected {
		item := events.InjectedItem{LearningID: events.ID(s.ID), Revision: events.ID(strconv.FormatUint(s.Revision, 10))}
		if chance {
			item.LeftOut, item.Propensity, item.Chance, item.Beside = s.LeftOut, &s.Propensity, &s.Chance, s.Beside
		}
		e.Items = append(e.Items, item)
	}
	return e
}
