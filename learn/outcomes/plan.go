package outcomes

import (
	"errors"
	"fmt"

	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

// Step is one step of a plan.
type Step struct {
	ID               string   `json:"id"`
	Description      string   `json:"description,omitzero"`
	ModelTier        int64    `json:"model_tier,omitzero"`
	VerificationTier int64    `json:"verification_tier,omitzero"`
	DependsOn        []string `json:"depends_on,omitzero"`
}

// mostSteps is how long a plan may be to be offered again.
const mostSteps = 64

// Plan errors.
var (
	errEmpty = errors.New("a plan needs a step")
	errLong  = fmt.Errorf("a plan of more than %d steps is not offered again", mostSteps)
)

// CheckPlan says what is wrong with a plan: steps without a name or with the same one,
// dependencies on steps that are not there, steps that wait for themselves.
func CheckPlan(steps []Step) error {
	switch {
	case len(steps) == 0:
		return errEmpty
	case len(steps) > mostSteps:
		return errLong
	}
	at := make(map[string]int, len(steps))
	for i, s := range steps {
		if s.ID == "" {
			return fmt.Errorf("step %d has no id", i+1)
		}
		if first, again := at[s.ID]; again {
			return fmt.Errorf("steps %d and %d have the same id", first+1, i+1)
		}
		at[s.ID] = i
	}
	for i, s := range steps {
		for _, on := range s.DependsOn {
			if _, known := at[on]; !known {
				return fmt.Errorf("step %d depends on a step that is not in the plan", i+1)
			}
		}
	}
	return acyclic(steps, at)
}

// acyclic takes steps away that wait for nothing, until none is left.
func acyclic(steps []Step, at map[string]int) error {
	waits, next := make([]int, len(steps)), make([][]int, len(steps))
	var ready []int
	for i, s := range steps {
		if waits[i] = len(s.DependsOn); waits[i] == 0 {
			ready = append(ready, i)
		}
		for _, on := range s.DependsOn {
			next[at[on]] = append(next[at[on]], i)
		}
	}
	done := 0
	for ; len(ready) > 0; done++ {
		first := ready[0]
		ready = ready[1:]
		for _, i := range next[first] {
			if waits[i]--; waits[i] == 0 {
				ready = append(ready, i)
			}
		}
	}
	if done < len(steps) {
		return errors.New("the steps wait for each other in a circle")
	}
	return nil
}

// plan is the plan of a finished task.
type plan struct {
	id    string // by its structure: the steps and what they depend on
	ids   string // of the steps, as JSON
	steps []Step
}

// learnedPlan is what the ids of plans begin with that tasks had.
const learnedPlan = "plan-"

// planOf is the plan of a task, false when it cannot be offered again. A type of step
// may repeat, as in a log of tool calls; such a list is a plan if nothing depends on
// what is there twice.
func planOf(subtasks []events.Subtask) (p plan, ok bool) {
	if len(subtasks) == 0 || len(subtasks) > mostSteps {
		return p, false
	}
	structure := make([]string, 0, 2*len(subtasks))
	ids := make([]string, 0, len(subtasks))
	for i := range subtasks {
		s := &subtasks[i]
		step := Step{ID: kept(string(s.ID), longestName), Description: kept(s.Description, longestDescription),
			ModelTier: s.ModelTier, VerificationTier: s.VerificationTier}
		structure = append(structure, "step", string(s.ID))
		for _, on := range s.DependsOn {
			step.DependsOn = append(step.DependsOn, kept(string(on), longestName))
			structure = append(structure, "on", string(on))
		}
		ids = append(ids, step.ID)
		p.steps = append(p.steps, step)
	}
	data, err := json.Marshal(ids)
	if err != nil || !sound(p.steps) {
		return p, false
	}
	p.id, p.ids = learnedPlan+digest(structure...), string(data)
	return p, true
}

// sound is CheckPlan for the steps of a log, where those without dependencies may repeat.
func sound(steps []Step) bool {
	depends := false
	for _, s := range steps {
		depends = depends || len(s.DependsOn) > 0
	}
	return !depends || CheckPlan(steps) == nil
}
