package learnings

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Rows of tasks: which arm each is in, how it ended, and what of both is counted.
const (
	placedRows = "arm/"  // placed, by task and record
	endRows    = "end/"  // ended, by task and record
	toldRows   = "told/" // told, by task
	armsRow    = "arms"  // Arms; of all tasks
)

// placed is the arm that one injection says a task is in.
type placed struct {
	At  moment     `json:"at"`
	Arm events.Arm `json:"arm"`
}

// ended is how a task ended.
type ended struct {
	At     moment            `json:"at"`
	Status events.TaskStatus `json:"status"`
}

// told is what a task tells of its arm.
type told struct {
	Arm     events.Arm `json:"arm"`
	Success bool       `json:"success"`
}

func tasksKey() learn.Key { return learn.Key{Kind: kindTasks} }

// draw notes the arm of a task.
func draw(rows learn.Rows, f fact, p *events.Injection) {
	name := events.Token(string(p.TaskID))
	row := learn.At[placed](rows, tasksKey(), placedRows+name+"/"+f.record)
	*row = placed{}
	if f.by > 0 {
		*row = placed{f.at, p.Treated()}
	}
	tell(rows, name)
}

// finish notes how a task ended.
func finish(rows learn.Rows, f fact, p *events.Task) {
	name := events.Token(string(p.TaskID))
	row := learn.At[ended](rows, tasksKey(), endRows+name+"/"+f.record)
	*row = ended{}
	if f.by > 0 {
		*row = ended{f.at, p.Status}
	}
	tell(rows, name)
}

// tell counts a task for its arm, once it is known in which it was and how it ended.
func tell(rows learn.Rows, name string) {
	was, is := learn.At[told](rows, tasksKey(), toldRows+name), toldBy(rows, name)
	if *was == is {
		return
	}
	arms := learn.At[Arms](rows, allKey(), armsRow)
	if was.Arm != "" {
		arms.TakeBack(was.Arm, was.Success)
	}
	if is.Arm != "" {
		arms.Observe(is.Arm, is.Success)
	}
	*was = is
}

// toldBy goes by the first injection and the last end. A task that somebody stopped
// says nothing.
func toldBy(rows learn.Rows, name string) told {
	var arm placed
	for _, d := range learn.Scan[placed](rows, tasksKey(), placedRows+name+"/") {
		if arm.Arm == "" || d.At < arm.At {
			arm = d
		}
	}
	var end ended
	for _, e := range learn.Scan[ended](rows, tasksKey(), endRows+name+"/") {
		if end.Status == "" || e.At > end.At {
			end = e
		}
	}
	switch {
	case arm.Arm == "":
	case end.Status == events.Completed:
		return told{arm.Arm, true}
	case end.Status == events.Failed:
		return told{arm.Arm, false}
	}
	return told{}
}
