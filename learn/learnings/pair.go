package learnings

import (
	"slices"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Rows of a learning that say what happened to it in tasks. Any number of facts may
// say so of one task; together they are one use and one vote.
const (
	usedRows = "in/"   // instant of one injection, by task, time and record
	castRows = "vote/" // cast, by task, time (the latest first) and record
	pairRows = "pair/" // pair, by task
	usageRow = "usage" // usage: of all tasks

	usedSet   = "used"   // latest: when it was used last in each task
	helpedSet = "helped" // latest: when it helped
)

// patience is how much later than a vote its injection may have happened. The
// clocks of agents differ; what a task was given days later it did not judge.
const patience = 7 * day

// cast is a vote as somebody gave it.
type cast struct {
	At      moment `json:"at"`
	Is      bool   `json:"is"`
	Helpful bool   `json:"helpful"`
}

// pair is what one task contributes to a learning.
type pair struct {
	Used  int64  `json:"used,omitzero"` // how many injections say so
	First moment `json:"first,omitzero"`
	Last  moment `json:"last,omitzero"`

	Voted   bool   `json:"voted,omitzero"`
	Helpful bool   `json:"helpful,omitzero"`
	Vote    string `json:"vote,omitzero"` // names the vote, in the order of time
	At      moment `json:"at,omitzero"`   // of the vote
	By      string `json:"by,omitzero"`   // its record
}

// counts reports whether the vote counts: of a learning that the task was given.
func (p pair) counts() bool { return p.Voted && p.Used > 0 && p.First <= p.At+patience }

// waits reports whether the vote has not found its injection.
func (p pair) waits() bool { return p.Voted && !p.counts() }

// usage is what all tasks together say of a learning.
type usage struct {
	Injected int64 `json:"injected,omitzero"` // tasks
	Helpful  int64 `json:"helpful,omitzero"`
	Bad      int64 `json:"bad,omitzero"`
	Waiting  int64 `json:"waiting,omitzero"` // votes without injection
}

// task is one learning in one task.
type task struct {
	rows learn.Rows
	key  learn.Key
	name string // of the task, as part of a row's name
}

func taskOf(rows learn.Rows, id, taskID events.ID) task {
	return task{rows, learningKey(string(id)), learn.RowPart(string(taskID))}
}

// inject takes in what a task was given, and what chance decided about that.
func inject(rows learn.Rows, f fact, p *events.Injection) {
	use(rows, f, p)
	deal(rows, f, p)
}

// use counts an injection for every learning it names, once for each task. What
// was held back, or replaced by a placebo, was not used.
func use(rows learn.Rows, f fact, p *events.Injection) {
	draw(rows, f, p)
	if p.Treated() != events.ArmTreatment {
		return
	}
	var seen []events.ID
	for _, item := range p.Items {
		if item.LearningID == "" || item.LeftOut || slices.Contains(seen, item.LearningID) {
			continue
		}
		seen = append(seen, item.LearningID)
		taskOf(rows, item.LearningID, p.TaskID).use(f)
		age(rows, string(item.LearningID))
	}
}

func (t task) use(f fact) {
	row, known := learn.At[instant](t.rows, t.key, usedRows+t.name+"/"+f.at.order()+"/"+f.record), t.known()
	if f.by < 0 {
		*row = instant{}
		t.settle(known, t.unused(*known, f.at))
		return
	}
	*row = instant{f.at, true}
	t.settle(known, known.used(f.at))
}

// unused is the pair with one injection less, of which the row is gone.
func (t task) unused(p pair, at moment) pair {
	if p.Used--; p.Used == 0 {
		p.First, p.Last = 0, 0
		return p
	}
	if at > p.First && at < p.Last {
		return p
	}
	first := true
	for _, other := range learn.Scan[instant](t.rows, t.key, usedRows+t.name+"/") {
		if first {
			p.First, first = other.At, false
		}
		if at < p.Last {
			break // which is taken back from the oldest on does not look at all the others
		}
		p.Last = other.At
	}
	return p
}

// vote takes a vote of one learning in.
func vote(rows learn.Rows, f fact, p *events.Vote) {
	taskOf(rows, p.LearningID, p.TaskID).cast(f, p.Helpful)
}

// voteByOutput takes in what an agent wrote about the learnings it was given; of
// two words about one the later counts.
func voteByOutput(rows learn.Rows, f fact, p *events.AgentOutput) {
	if p.Derived == nil {
		return
	}
	var seen []events.ID
	for _, v := range slices.Backward(p.Derived.Votes) {
		if slices.Contains(seen, v.LearningID) {
			continue
		}
		seen = append(seen, v.LearningID)
		taskOf(rows, v.LearningID, p.TaskID).cast(f, v.Helpful)
	}
}

func (t task) cast(f fact, helpful bool) {
	row, known := learn.At[cast](t.rows, t.key, castRows+t.name+"/"+f.at.backward()+"/"+f.record), t.known()
	if f.by < 0 {
		*row = cast{}
		t.settle(known, t.unvoted(*known, f.record))
		return
	}
	*row = cast{f.at, true, helpful}
	t.settle(known, known.voted(*row, t.name, f.record))
}

// unvoted is the pair without a vote, of which the row is gone.
func (t task) unvoted(p pair, record string) pair {
	if p.By != record {
		return p
	}
	p.Voted, p.Helpful, p.Vote, p.At, p.By = false, false, "", 0, ""
	if name, c, found := first[cast](t.rows, t.key, castRows+t.name+"/"); found {
		return p.voted(c, t.name, name[orderWidth+1:])
	}
	return p
}

// known is what the task contributes now.
func (t task) known() *pair { return learn.At[pair](t.rows, t.key, pairRows+t.name) }

// settle makes the task contribute something else.
func (t task) settle(was *pair, is pair) {
	if *was == is {
		return
	}
	if was.Used == 0 || is.Used == 0 || was.Last != is.Last {
		t.countUse(is, 1)
		t.countUse(*was, -1)
	}
	if was.counts() != is.counts() || was.Vote != is.Vote || was.Helpful != is.Helpful || was.Voted != is.Voted {
		t.countVote(*was, -1)
		t.countVote(is, 1)
	}
	*was = is
}

// used is the pair with one more injection.
func (p pair) used(at moment) pair {
	if p.Used == 0 || at < p.First {
		p.First = at
	}
	if p.Used == 0 || at > p.Last {
		p.Last = at
	}
	p.Used++
	return p
}

// voted is the pair with one more vote: of several the last one in time counts.
func (p pair) voted(c cast, task, record string) pair {
	if !p.Voted || c.At > p.At || c.At == p.At && record < p.By {
		p.Voted, p.Helpful, p.At, p.By = true, c.Helpful, c.At, record
		p.Vote = c.At.order() + "/" + task + "/" + record
	}
	return p
}

// countUse adds the use to the sums of its learning, or takes it out.
func (t task) countUse(p pair, by int64) {
	if p.Used == 0 {
		return
	}
	learn.At[usage](t.rows, t.key, usageRow).Injected += by
	latest{t.rows, t.key, usedSet}.add(p.Last, by)
}

// countVote is the same for the vote.
func (t task) countVote(p pair, by int64) {
	if p.waits() {
		learn.At[usage](t.rows, t.key, usageRow).Waiting += by
		*learn.At[int64](t.rows, allKey(), waitingRow) += by
	}
	if !p.counts() {
		return
	}
	u := learn.At[usage](t.rows, t.key, usageRow)
	if p.Helpful {
		u.Helpful += by
		latest{t.rows, t.key, helpedSet}.add(p.At, by)
	} else {
		u.Bad += by
	}
	step{Helpful: p.Helpful, Bad: !p.Helpful}.add(t.rows, t.key, p.Vote, by)
}

// waitingRow is how many votes, of all learnings, have not found their injection.
const waitingRow = "waiting" // int64
