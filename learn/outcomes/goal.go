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

// aim counts the task for its goal, and for the plan that it had.
func (r report) aim() {
	key, how := goalKey(r.goal), ended(&r.Data)
	if r.goal != "" { // no words, no kind of goal
		if r.gone(events.TaskTemplate, r.goal) {
			return
		}
		r.spell(key, how)
	}
	plan, ok := planOf(r.Data.Subtasks)
	if !ok || r.gone(events.OneTemplate, plan.id) {
		return
	}
	if r.goal != "" {
		r.attempt(key, plan, how)
	}
	r.prove(templateKey(plan.id), how)
	r.word(templateKey(plan.id), plan)
}

func (r report) spell(key learn.Key, how ends) {
	sighting(r.rows, key, r.day, r.by)
	period := floor(r.day, fortnight)
	row := learn.At[spell](r.rows, key, spellRows+ordered(period))
	row.Period, row.Ends = period, row.Ends.plus(how, r.by)
	row.Days.add(r.day, r.by)
	row.Done.add(r.day, r.by*how.Completed)
	if row.Days.sum() == 0 {
		*row = spell{}
	}
}

func (r report) attempt(key learn.Key, p plan, how ends) {
	t := learn.At[tried](r.rows, key, planRows+p.id)
	t.Plan, t.Steps, t.Ends = p.id, p.ids, t.Ends.plus(how, r.by)
	t.N, t.Days = t.N+r.by, t.Days+r.by*r.day
	if t.N == 0 {
		*t = tried{}
	}
}

// reuse counts the task for the template that it names. Plans that were learned are
// told by their steps, whatever they are called.
func (r report) reuse() {
	key := templateKey(string(r.Data.Template))
	if key.ID == "" || strings.HasPrefix(key.ID, learnedPlan) || r.gone(events.OneTemplate, key.ID) {
		return
	}
	r.prove(key, ended(&r.Data))
}
