package events

import "github.com/go-json-experiment/json/jsontext"

// TaskStatus is how a task ended.
type TaskStatus string

// The ends of a task.
const (
	Completed TaskStatus = "completed"
	Failed    TaskStatus = "failed"
	Cancelled TaskStatus = "cancelled"
)

// Task is a finished task with what became of each step (004, pattern extraction).
type Task struct {
	TaskID      ID                `json:"task_id" privacy:"id"`
	Goal        string            `json:"goal" privacy:"text"`
	Status      TaskStatus        `json:"status" privacy:"enum"`
	Subtasks    []Subtask         `json:"subtasks"`
	Corrections []TaskInstruction `json:"corrections,omitzero"`
	Template    ID                `json:"template,omitzero" privacy:"id"` // the template the plan was made from
	UserID      ID                `json:"user_id,omitzero" privacy:"person"`
	Moment
}

// Subtask is one step of a task. Its id is its type and may repeat.
type Subtask struct {
	ID               ID       `json:"id" privacy:"id"`
	Description      string   `json:"description,omitzero" privacy:"text"`
	ModelTier        int64    `json:"model_tier,omitzero"`
	VerificationTier int64    `json:"verification_tier,omitzero"`
	DependsOn        []ID     `json:"depends_on,omitzero" privacy:"id"`
	ModelUsed        string   `json:"model_used,omitzero" privacy:"id"`
	Success          *bool    `json:"success"` // nil when it did not run
	RetryCount       int64    `json:"retry_count,omitzero"`
	DurationSeconds  *float64 `json:"duration_seconds,omitzero"`
	TokensUsed       *int64   `json:"tokens_used,omitzero"`
	FailureReasons   []string `json:"failure_reasons,omitzero" privacy:"text"`
	PromptFeatures   []string `json:"prompt_features,omitzero" privacy:"id"`
}

// TaskInstruction is how a person steered a task while it ran.
type TaskInstruction struct {
	Tags        Tags   `json:"tags,omitzero" privacy:"id"`
	Instruction string `json:"instruction" privacy:"text"`
}

// Identity is the task id.
func (t *Task) Identity() []string { return named(t.TaskID) }

// Parts addresses the whole task to the outcomes and its result to the learnings.
func (t *Task) Parts() []Part {
	result := &Task{TaskID: t.TaskID, Status: t.Status, UserID: t.UserID, Moment: t.Moment}
	return []Part{
		{Group: Outcomes, Kind: TaskFinished.Kind, Data: t},
		{Group: Learnings, Kind: TaskFinished.Kind, Data: result},
	}
}

// Person is the user the task was done for.
func (t *Task) Person() string { return string(t.UserID) }

// TaskCorrection is an instruction a person gave about a task (004, user corrections).
type TaskCorrection struct {
	TaskID      ID     `json:"task_id" privacy:"id"`
	Tags        Tags   `json:"tags" privacy:"id"`
	Instruction string `json:"instruction" privacy:"text"`
	UserID      ID     `json:"user_id,omitzero" privacy:"person"`
	Moment
}

// Identity is the envelope's source and id.
func (*TaskCorrection) Identity() []string { return nil }

// Parts addresses the correction to the outcomes.
func (c *TaskCorrection) Parts() []Part { return whole(Outcomes, TaskCorrected.Kind, c) }

// Person is the user who corrected.
func (c *TaskCorrection) Person() string { return string(c.UserID) }

// RouteChoice records which model was chosen for a subtask, and how likely that was.
type RouteChoice struct {
	RequestID  ID          `json:"request_id" privacy:"id"`
	Type       ID          `json:"type" privacy:"id"` // of the subtask
	Model      string      `json:"model" privacy:"id"`
	Tier       int64       `json:"tier,omitzero"`
	Propensity *float64    `json:"propensity,omitzero"` // 0..1
	Candidates []Candidate `json:"candidates,omitzero"`
	Moment
}

// Candidate is a model that could have been chosen.
type Candidate struct {
	Model      string   `json:"model" privacy:"id"`
	Tier       int64    `json:"tier,omitzero"`
	Cost       *float64 `json:"cost,omitzero"`
	Propensity *float64 `json:"propensity,omitzero"` // 0..1
}

// Identity is the request id.
func (r *RouteChoice) Identity() []string { return named(r.RequestID) }

// Parts addresses the choice to the outcomes.
func (r *RouteChoice) Parts() []Part { return whole(Outcomes, RouteChosen.Kind, r) }

// Person is nobody.
func (*RouteChoice) Person() string { return "" }

// Template is a plan that is known to work (004, built-in templates).
type Template struct {
	Name     string         `json:"name" privacy:"id"`
	Keywords Tags           `json:"keywords,omitzero" privacy:"text"`
	Plan     jsontext.Value `json:"plan" privacy:"open"` // an array of steps, each with an id
	Moment
}

// Identity is the envelope's source and id.
func (*Template) Identity() []string { return nil }

// Parts addresses the template to the outcomes.
func (t *Template) Parts() []Part { return whole(Outcomes, TemplateAdded.Kind, t) }

// Person is nobody.
func (*Template) Person() string { return "" }
