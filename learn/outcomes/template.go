package outcomes

import (
	"errors"
	"fmt"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// Rows of a template.
const (
	provenRow   = "proven"   // ends of the tasks that used it
	wordingRows = "wording/" // wording, by goal and digest
	offerRows   = "offer/"   // offered, by time, the latest first, and record
)

// wording is how a completed task said its goal and the steps of the plan.
type wording struct {
	Goal  string `json:"goal"`
	Steps string `json:"steps"` // []Step, as JSON
	N     int64  `json:"n"`
}

// offered is a template that somebody added.
type offered struct {
	Keywords string `json:"keywords,omitzero"` // as JSON
	Plan     string `json:"plan"`              // []Step, as JSON
	Problem  string `json:"problem,omitzero"`  // why it is never offered
}

// prove counts a task that used a plan.
func (r report) prove(key learn.Key, how ends) {
	sighting(r.rows, key, r.day, r.by)
	e := learn.At[ends](r.rows, key, provenRow)
	*e = e.plus(how, r.by)
}

// word keeps how a completed task said its plan.
func (r report) word(key learn.Key, p plan) {
	if r.Data.Status != events.Completed {
		return
	}
	steps, err := json.Marshal(p.steps)
	if err != nil {
		return // text that JSON cannot say: the plan is counted, and not offered
	}
	goal := kept(r.Data.Goal, longestGoal)
	row := learn.At[wording](r.rows, key, wordingRows+learn.RowPart(r.goal)+"/"+digest(goal, string(steps)))
	row.Goal, row.Steps, row.N = goal, string(steps), row.N+r.by
	if row.N == 0 {
		*row = wording{}
	}
}

// errNoSteps does not say what the plan holds instead.
var errNoSteps = errors.New("the plan is no list of steps")

// longestPlan is how long an added plan may be, in bytes.
const longestPlan = 64 << 10

// offer keeps a template that somebody added, or takes it out.
func offer(rows learn.Rows, f *events.Fact[events.Template], by int64) {
	key := templateKey(f.Data.Name)
	row := learn.At[offered](rows, key, offerRows+backward(f.Time.UnixMicro())+"/"+f.Record)
	is := offered{}
	if by > 0 {
		is = offerOf(&f.Data)
	}
	switch {
	case *row == (offered{}) && by > 0:
		sighting(rows, key, dayOf(f.Time), 1)
	case *row != (offered{}) && by < 0:
		sighting(rows, key, dayOf(f.Time), -1)
	}
	*row = is
}

// added reports whether somebody added a template: it stays, used or not.
func added(rows learn.Rows, key learn.Key) bool {
	for range learn.Scan[offered](rows, key, offerRows) {
		return true
	}
	return false
}

func offerOf(t *events.Template) offered {
	o := offered{Plan: string(t.Plan)}
	if words, err := json.Marshal(t.Keywords); err == nil && len(t.Keywords) > 0 {
		o.Keywords = string(words)
	}
	var steps []Step
	err := json.Unmarshal(t.Plan, &steps)
	if err == nil {
		err = CheckPlan(steps)
	} else {
		err = errNoSteps
	}
	if err == nil && len(o.Plan)+len(o.Keywords) > longestPlan {
		err = fmt.Errorf("the plan is longer than %d bytes", longestPlan)
	}
	if err != nil {
		return offered{Plan: "[]", Problem: err.Error()}
	}
	return o
}

// backward writes a time so that byte order is the latest first.
func backward(micros int64) string { return fmt.Sprintf("%016x", ^(uint64(micros) ^ 1<<63)) }
