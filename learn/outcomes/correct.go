package outcomes

import (
	"fmt"
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"

	"github.com/go-json-experiment/json"
)

// Rows of what people said about tasks.
const (
	saidRows  = "said/"  // said, by time, the latest first, and record; of a tag, a goal, a type of step
	endRow    = "end/"   // end, by task; of all tasks
	steerRows = "steer/" // said, by task, time and record; of all tasks
)

// said is one thing that somebody said.
type said struct {
	Text string `json:"text"`
	Tag  string `json:"tag"`  // the first
	Tags string `json:"tags"` // all, as JSON
	Task string `json:"task"` // token
	Day  int64  `json:"day"`
}

// end is what a finished task tells of who was steered: its goal and its first types
// of steps.
type end struct {
	Goal  string `json:"goal"`
	Types string `json:"types"` // as JSON
}

// mostTypes is how many types of steps of one task hear what was said about it.
const mostTypes = 8

// Untagged is the tag of what was said under none.
const Untagged = "untagged"

// instruction is what was said, with the tags it was said under.
type instruction struct {
	row  string // by time and record
	is   said
	tags []string
}

// instructionOf is what was said of a task in a fact, the n-th thing.
func instructionOf(h *events.Head, n int, task events.ID, what events.TaskInstruction) instruction {
	i := instruction{row: fmt.Sprintf("%s/%s/%d", backward(h.Time.UnixMicro()), h.Record, n)}
	for _, tag := range what.Tags {
		if tag = kept(tag, longestName); tag != "" && !slices.Contains(i.tags, tag) {
			i.tags = append(i.tags, tag)
		}
	}
	if len(i.tags) == 0 {
		i.tags = []string{Untagged}
	}
	all, _ := json.Marshal(i.tags)
	i.is = said{kept(what.Instruction, longestInstruction), i.tags[0], string(all), learn.RowPart(string(task)), dayOf(h.Time)}
	return i
}

// alone is what was said in an event of its own.
func alone(f *events.Fact[events.TaskCorrection]) instruction {
	return instructionOf(&f.Head, 0, f.Data.TaskID, events.TaskInstruction{Tags: f.Data.Tags, Instruction: f.Data.Instruction})
}

// correct takes in what somebody said about a task, before it ended or after.
func correct(rows learn.Rows, f *events.Fact[events.TaskCorrection], by int64) {
	i := alone(f)
	i.put(rows, by > 0)
	row := learn.At[said](rows, tasksKey(), steerRows+i.is.Task+"/"+i.row)
	*row = said{}
	if by > 0 {
		*row = i.is
	}
	i.tell(rows, learn.Peek[end](rows, tasksKey(), endRow+i.is.Task), by > 0)
}

// without leaves out the tags under which what was said was wiped since.
func (i instruction) without(rows learn.Rows, seq uint64) instruction {
	i.tags = slices.DeleteFunc(slices.Clone(i.tags), func(tag string) bool { return wiped(rows, events.UserCorrection, tag, seq) })
	return i
}

// put files what was said under its tags, or takes it out.
func (i instruction) put(rows learn.Rows, in bool) {
	for _, tag := range i.tags {
		key := tagKey(tag)
		row := learn.At[said](rows, key, saidRows+i.row)
		switch was := *row != (said{}); {
		case in && !was:
			sighting(rows, key, i.is.Day, 1)
		case !in && was:
			sighting(rows, key, i.is.Day, -1)
		}
		*row = said{}
		if in {
			*row = i.is
		}
	}
}

// tell files what was said under the goal and the steps of its task, if it ended.
func (i instruction) tell(rows learn.Rows, e end, in bool) {
	if e == (end{}) {
		return
	}
	var types []string
	_ = json.Unmarshal([]byte(e.Types), &types) // we wrote it
	var keys []learn.Key
	if e.Goal != "" {
		keys = append(keys, goalKey(e.Goal))
	}
	for _, id := range types {
		keys = append(keys, typeKey(id))
	}
	for _, key := range keys {
		row := learn.At[said](rows, key, saidRows+i.row)
		switch was := *row != (said{}); {
		case in && !was:
			beside(rows, key, 1)
		case !in && was:
			beside(rows, key, -1)
		}
		*row = said{}
		if in {
			*row = i.is
		}
	}
}

// steer takes in how people steered the task: what it reports itself, and what was
// said of it elsewhere.
func (r report) steer() {
	task := learn.RowPart(string(r.Data.TaskID))
	e := end{r.goal, typesOf(r.Data.Subtasks)}
	row := learn.At[end](r.rows, tasksKey(), endRow+task)
	*row = end{}
	if r.by > 0 {
		*row = e
	}
	for n, c := range r.Data.Corrections {
		i := instructionOf(&r.Head, n, r.Data.TaskID, c)
		if r.late {
			i = i.without(r.rows, r.Seq)
		}
		i.put(r.rows, r.by > 0)
		i.tell(r.rows, e, r.by > 0)
	}
	prefix := steerRows + task + "/"
	var others []instruction
	for name, is := range learn.Scan[said](r.rows, tasksKey(), prefix) {
		others = append(others, instruction{row: name[len(prefix):], is: is})
	}
	for _, i := range others {
		i.tell(r.rows, e, r.by > 0)
	}
}

// typesOf lists the first types of steps that were run, as JSON.
func typesOf(subtasks []events.Subtask) string {
	types := make([]string, 0, mostTypes)
	for i := range subtasks {
		id := string(subtasks[i].ID)
		if len(types) == mostTypes {
			break
		}
		if subtasks[i].Success != nil && !slices.Contains(types, id) {
			types = append(types, id)
		}
	}
	data, _ := json.Marshal(types) // ids that were JSON
	return string(data)
}
