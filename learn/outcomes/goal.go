package outcomes

import (
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Rows of a kind of goal.
const (
	spellRows = "spell/" // spell, by fortnight
	planRows  = "plan/"  // tried, by plan
)

// spell is how tasks with one kind of goal ended within a fortnight.
type spell struct {
	Period int64    `json:"period"`
	Days   calendar `json:"days"` // tasks
	Done   calendar `json:"done"` // those that completed
	Ends   ends     `json:"ends"`
}

// ends are how tasks ended, and how long those took that completed.
type ends struct {
	Completed int64 `json:"completed,omitzero"`
	Failed    int64 `json:"failed,omitzero"`
	Cancelled int64 `json:"cancelled,omitzero"`
	Timed     int64 `json:"timed,omitzero"`
	Micros    int64 `json:"micros,omitzero"` // of all steps together
}

func (e ends) plus(o ends, by int64) ends {
	return ends{
		e.Completed + by*o.Completed, e.Failed + by*o.Failed, e.Cancelled + by*o.Cancelled,
		e.Timed + by*o.Timed, e.Micros + by*o.Micros,
	}
}

// ended is how one task ended.
func ended(t *events.Task) (e ends) {
	switch t.Status {
	case events.Completed:
		e.Completed = 1
	case events.Failed:
		e.Failed = 1
	default:
		e.Cancelled = 1
	}
	if t.Status != events.Completed {
		return e
	}
	for i := range t.Subtasks {
		if took, ok := micros(&t.Subtasks[i]); ok {
			e.Timed, e.Micros = 1, e.Micros+took
		}
	}
	return e
}

// tried is a plan that tasks with one kind of goal had, and how they ended.
type tried struct {
	Plan  string `json:"plan"`  // its id
	Steps string `json:"steps"` // their ids, as JSON
	Ends  ends   `json:"ends"`
	N     int64  `json:"n"`
	Days  int64  `json:"days"` // their sum
}

// aim counts the task for its goal, and its plan.
func (r report) aim() {
	key := goalKey(r.goal)
	if r.by < 0 && wiped(r.rows, key, "", r.Seq) {
		return
	}
	sighting(r.rows, key, r.day, r.by)
	how, period := ended(&r.Data), floor(r.day, fortnight)
	row := learn.At[spell](r.rows, key, spellRows+ordered(period))
	row.Period, row.Ends = period, row.Ends.plus(how, r.by)
	row.Days.add(r.day, r.by)
	row.Done.add(r.day, r.by*how.Completed)
	if row.Days.sum() == 0 {
		*row = spell{}
	}
	plan, ok := planOf(r.Data.Subtasks)
	if !ok {
		return
	}
	t := learn.At[tried](r.rows, key, planRows+plan.id)
	t.Plan, t.Steps, t.Ends = plan.id, plan.ids, t.Ends.plus(how, r.by)
	t.N, t.Days = t.N+r.by, t.Days+r.by*r.day
	if t.N == 0 {
		*t = tried{}
	}
	if used := templateKey(plan.id); r.by > 0 || !wiped(r.rows, used, "", r.Seq) {
		r.prove(used, how)
		r.word(used, plan)
	}
}

// reuse counts the task for the template that it names. Plans that were learned are
// told by their steps, whatever they are called.
func (r report) reuse() {
	key := templateKey(string(r.Data.Template))
	if key.ID == "" || strings.HasPrefix(key.ID, learnedPlan) || r.by < 0 && wiped(r.rows, key, "", r.Seq) {
		return
	}
	r.prove(key, ended(&r.Data))
}
