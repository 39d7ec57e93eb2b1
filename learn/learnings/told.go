package learnings

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// Rows of what finished tasks tell of effects. Injection and end of a task come in
// any order, and any number of facts may say either; the last one in time counts.
const (
	drawnRows  = "drawn/"   // lot, by task, time (the latest first) and record; of all tasks
	playerRows = "player/"  // player: a learning with a chance in a task, by task and learning
	weighRows  = "weighed/" // weighed, by task; of all tasks

	chanceRows = "chance/" // chance, by task, time (the latest first) and record; of one learning
	turnRows   = "turn/"   // turned, by task; of one learning
	creditRow  = "credit"  // Credit, of one learning

	poolRow = "pool"  // Pool, of all learnings
	sumRows = "arms/" // Arms, by the shares; of all tasks
)

// KindPool is the kind of the one key that tells what tasks do without learnings.
const KindPool = "pool"

// PoolKey is that key.
func PoolKey() learn.Key { return learn.Key{Kind: KindPool, ID: "all"} }

// ending is how a task ended.
type ending struct {
	At      moment `json:"at"`
	Is      bool   `json:"is"`
	Success bool   `json:"success,omitzero"`
}

// lot is the arm of a task, as one record of an injection says.
type lot struct {
	At     moment     `json:"at"`
	Is     bool       `json:"is"`
	Arm    events.Arm `json:"arm"`
	Shares ArmShares  `json:"shares"`
}

// weighed is what a task contributes to the arms.
type weighed struct {
	Is      bool       `json:"is"`
	Arm     events.Arm `json:"arm"`
	Shares  ArmShares  `json:"shares"`
	Success bool       `json:"success,omitzero"`
}

// chance is what chance made of a learning in a task, as one record says.
type chance struct {
	At      moment `json:"at"`
	Is      bool   `json:"is"`
	LeftOut bool   `json:"left_out,omitzero"`
	Beside  int64  `json:"beside,omitzero"`
}

// turned is what a task tells of a learning.
type turned struct {
	Is      bool  `json:"is"`
	LeftOut bool  `json:"left_out,omitzero"`
	Success bool  `json:"success,omitzero"`
	Beside  int64 `json:"beside,omitzero"`
}

func (t turned) turn() Turn { return Turn{t.LeftOut, t.Success, t.Beside} }

// conclude has a task tell what it can, when how it ended changes.
func conclude(rows learn.Rows, task string) {
	weigh(rows, task)
	for _, id := range players(rows, task) {
		turn(rows, id, task)
	}
}

// player is a learning with a chance in a task, and how many facts say so.
type player struct {
	ID   string `json:"id"`
	Said int64  `json:"said"`
}

// players are the learnings with a chance in a task.
func players(rows learn.Rows, task string) (ids []string) {
	for _, p := range learn.Scan[player](rows, tasksKey(), playerRows+task+"/") {
		ids = append(ids, p.ID)
	}
	return ids
}

// play counts who says that a learning has a chance in a task.
func play(rows learn.Rows, id, task string, by int64) {
	p := learn.At[player](rows, tasksKey(), playerRows+task+"/"+events.Token(id))
	if p.ID, p.Said = id, p.Said+by; p.Said == 0 {
		*p = player{}
	}
}

// deal takes in what chance decided about a task.
func deal(rows learn.Rows, f fact, p *events.Injection) {
	task := learn.RowPart(string(p.TaskID))
	if p.Shares != nil {
		row := learn.At[lot](rows, tasksKey(), drawnRows+task+"/"+f.at.backward()+"/"+f.record)
		*row = lot{}
		if f.by > 0 {
			*row = lot{f.at, true, p.Treated(), sharesOf(*p.Shares)}
		}
		weigh(rows, task)
	}
	if p.Treated() != events.ArmTreatment {
		return
	}
	var seen []events.ID
	for _, item := range p.Items {
		if item.LearningID == "" || !random(item) || slices.Contains(seen, item.LearningID) {
			continue
		}
		seen = append(seen, item.LearningID)
		id := string(item.LearningID)
		c := learn.At[chance](rows, learningKey(id), chanceRows+task+"/"+f.at.backward()+"/"+f.record)
		*c = chance{}
		if f.by > 0 {
			*c = chance{f.at, true, item.LeftOut, item.Beside}
		}
		play(rows, id, task, f.by)
		turn(rows, id, task)
	}
}

// random reports whether chance could have decided either way about an item.
func random(i events.InjectedItem) bool {
	return i.Propensity != nil && *i.Propensity > 0 && *i.Propensity < 1
}

// sharesOf rounds shares, so that those that differ by a rounding are one period.
func sharesOf(s events.ArmShares) ArmShares {
	return ArmShares{level(millionths(s.Holdout)).share(), level(millionths(s.Placebo)).share()}
}

// endingOf is how a task ended; one that was cancelled tells nothing.
func endingOf(rows learn.Rows, task string) ending {
	e := lastEnd(rows, task)
	if e.Status != events.Completed && e.Status != events.Failed {
		return ending{}
	}
	return ending{e.At, true, e.Status == events.Completed}
}

// after reports whether an injection at a time can have been for a task that ended so.
func (e ending) after(at moment) bool { return e.Is && at <= e.At+patience }

// weigh has a task contribute to the arms what its facts say now.
func weigh(rows learn.Rows, task string) {
	_, d, _ := first[lot](rows, tasksKey(), drawnRows+task+"/")
	var is weighed
	if e := endingOf(rows, task); d.Is && e.after(d.At) {
		is = weighed{true, d.Arm, d.Shares, e.Success}
	}
	was := learn.At[weighed](rows, tasksKey(), weighRows+task)
	if *was == is {
		return
	}
	if was.Is {
		armsOf(rows, was.Shares).TakeBack(was.Arm, was.Success)
	}
	if is.Is {
		armsOf(rows, is.Shares).Observe(is.Arm, is.Success)
	}
	*was = is
}

func armsOf(rows learn.Rows, s ArmShares) *Arms {
	return learn.At[Arms](rows, PoolKey(), sumRows+strconv.FormatInt(millionths(s.Holdout), 10)+"/"+strconv.FormatInt(millionths(s.Placebo), 10))
}

// periods are the arms by their shares.
func periods(rows learn.Rows) (all []ArmPeriod) {
	for row, arms := range learn.Scan[Arms](rows, PoolKey(), sumRows) {
		holdout, placebo, _ := strings.Cut(row[len(sumRows):], "/")
		all = append(all, ArmPeriod{ArmShares{fromMillionths(holdout), fromMillionths(placebo)}, arms})
	}
	return all
}

func millionths(share float64) int64 { return int64(math.Round(share * float64(full))) }

func fromMillionths(text string) float64 {
	n, _ := strconv.ParseInt(text, 10, 64) // we wrote it
	return level(n).share()
}

// turn has a task tell of a learning what its facts say now.
func turn(rows learn.Rows, id, task string) {
	key := learningKey(id)
	_, c, _ := first[chance](rows, key, chanceRows+task+"/")
	var is turned
	if e := endingOf(rows, task); c.Is && e.after(c.At) {
		is = turned{true, c.LeftOut, e.Success, c.Beside}
	}
	was := learn.At[turned](rows, key, turnRows+task)
	if *was == is {
		return
	}
	credit := learn.At[Credit](rows, key, creditRow)
	before := *credit
	if was.Is {
		credit.TakeBack(was.turn())
	}
	if is.Is {
		credit.Observe(is.turn())
	}
	*was = is
	learn.At[Pool](rows, PoolKey(), poolRow).Move(before, *credit)
}
