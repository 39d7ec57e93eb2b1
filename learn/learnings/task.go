package learnings

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Rows of tasks: which arm each is in, how it ended, and what of both counts.
const (
	placedRows = "arm/"    // placed, by task, time and record
	endRows    = "end/"    // ended, by task, time (the latest first) and record
	courseRows = "course/" // course, by task
	armsRow    = "arms"    // Arms; of all tasks
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

// course is a task's first injection and its last end, with the records that say so.
// It is kept, so that who gives the same name to all tasks is not looked through with
// every fact.
type course struct {
	First    placed `json:"first,omitzero"`
	FirstBy  string `json:"first_by,omitzero"`
	Ending   ended  `json:"ending,omitzero"`
	EndingBy string `json:"ending_by,omitzero"`
}

// placed is the course with one more injection.
func (c course) placed(p placed, by string) course {
	if c.First.Arm == "" || p.At < c.First.At || p.At == c.First.At && by < c.FirstBy {
		c.First, c.FirstBy = p, by
	}
	return c
}

// ended is the course with one more end.
func (c course) ended(e ended, by string) course {
	if c.Ending.Status == "" || e.At > c.Ending.At || e.At == c.Ending.At && by < c.EndingBy {
		c.Ending, c.EndingBy = e, by
	}
	return c
}

func tasksKey() learn.Key { return learn.Key{Kind: kindTasks} }

// draw notes the arm of a task.
func draw(rows learn.Rows, f fact, p *events.Injection) {
	name := learn.RowPart(string(p.TaskID))
	row, is := learn.At[placed](rows, tasksKey(), placedRows+name+"/"+f.at.order()+"/"+f.record), known(rows, name)
	*row = placed{}
	switch {
	case f.by > 0:
		*row = placed{f.at, p.Treated()}
		is = is.placed(*row, f.record)
	case is.FirstBy == f.record:
		is.First, is.FirstBy = placed{}, ""
		if by, other, found := first[placed](rows, tasksKey(), placedRows+name+"/"); found {
			is = is.placed(other, by[orderWidth+1:])
		}
	}
	tell(rows, name, is)
}

// finish notes how a task ended.
func finish(rows learn.Rows, f fact, p *events.Task) {
	name := learn.RowPart(string(p.TaskID))
	row, is := learn.At[ended](rows, tasksKey(), endRows+name+"/"+f.at.backward()+"/"+f.record), known(rows, name)
	*row = ended{}
	switch {
	case f.by > 0:
		*row = ended{f.at, p.Status}
		is = is.ended(*row, f.record)
	case is.EndingBy == f.record:
		is.Ending, is.EndingBy = ended{}, ""
		if by, other, found := first[ended](rows, tasksKey(), endRows+name+"/"); found {
			is = is.ended(other, by[orderWidth+1:])
		}
	}
	tell(rows, name, is)
	conclude(rows, name)
}

// known is the course that a task took so far.
func known(rows learn.Rows, name string) course {
	return learn.Peek[course](rows, tasksKey(), courseRows+name)
}

// tell counts a task for its arm, once it is known in which it was and how it ended.
func tell(rows learn.Rows, name string, is course) {
	was := learn.At[course](rows, tasksKey(), courseRows+name)
	before, after := was.told(), is.told()
	*was = is
	if before == after {
		return
	}
	arms := learn.At[Arms](rows, allKey(), armsRow)
	if before.Arm != "" {
		arms.TakeBack(before.Arm, before.Success)
	}
	if after.Arm != "" {
		arms.Observe(after.Arm, after.Success)
	}
}

// told is what a task tells of its arm.
type told struct {
	Arm     events.Arm
	Success bool
}

// told is of the first injection and the last end. A task that somebody stopped says
// nothing.
func (c course) told() told {
	switch {
	case c.First.Arm == "":
	case c.Ending.Status == events.Completed:
		return told{c.First.Arm, true}
	case c.Ending.Status == events.Failed:
		return told{c.First.Arm, false}
	}
	return told{}
}

// lastEnd is how a task ended, by the last word about it.
func lastEnd(rows learn.Rows, name string) ended { return known(rows, name).Ending }
