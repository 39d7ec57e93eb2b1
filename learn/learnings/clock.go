package learnings

import (
	"time"

	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// clock is the time that the facts tell: that of the latest one, or the latest day
// that has begun. No other time passes for learnings.
type clock struct{ rows learn.Rows }

const (
	heardSet = "heard" // latest: when facts happened
	tickRow  = "tick"  // instant: the last day that was told
	nowRow   = "now"   // instant: the later of both

	dueRows  = "due/"  // mention of a learning, by when its next period without use ends
	pastRows = "past/" // mention of a learning, by when its last such period ended, the latest first
)

// hear moves the time, forward with a fact and back when the latest is taken back.
func (c clock) hear(at moment, by int64) {
	latest{c.rows, allKey(), heardSet}.add(at, by)
	now := learn.Peek[instant](c.rows, allKey(), nowRow)
	if !now.Is || at > now.At || by < 0 && at == now.At {
		c.set()
	}
}

// tick begins a day.
func tick(rows learn.Rows, f *events.Fact[events.Tick]) {
	at := momentOf(f.Time)
	if day, err := time.Parse(time.DateOnly, f.Data.Date); err == nil {
		at = momentOf(day)
	}
	row := learn.At[instant](rows, allKey(), tickRow)
	if !row.Is || at > row.At {
		*row = instant{at, true}
		clock{rows}.set()
	}
}

// set finds out what time it is, and has the learnings age that it passes for.
func (c clock) set() {
	is := learn.Peek[instant](c.rows, allKey(), tickRow)
	if at, ok := (latest{c.rows, allKey(), heardSet}).last(); ok && (!is.Is || at > is.At) {
		is = instant{at, true}
	}
	was := learn.At[instant](c.rows, allKey(), nowRow)
	if *was == is {
		return
	}
	*was = is
	for _, id := range c.passed(is.At) {
		age(c.rows, id)
	}
}

// passed lists the learnings of which a period has ended by now, or has no longer.
func (c clock) passed(now moment) (ids []string) {
	for row, m := range learn.Scan[mention](c.rows, allKey(), dueRows) {
		if row[len(dueRows):len(dueRows)+orderWidth] > now.order() {
			break
		}
		ids = append(ids, m.ID)
	}
	for row, m := range learn.Scan[mention](c.rows, allKey(), pastRows) {
		if row[len(pastRows):len(pastRows)+orderWidth] >= now.backward() {
			break
		}
		ids = append(ids, m.ID)
	}
	return ids
}

// mention is a learning, named in a row.
type mention struct {
	ID string `json:"id"`
	Is bool   `json:"is"`
}

// idle is how long a learning has not been used.
type idle struct {
	Active  bool   `json:"active"`
	Since   moment `json:"since"`
	Periods int64  `json:"periods,omitzero"` // that have ended
}

const idleRow = "idle" // idle, of a learning

// mostPeriods are as many as take any confidence to the floor.
const mostPeriods = int64((full - floor) / -unusedStep)

// age finds out how long a learning has not been used now, and when that changes.
func age(rows learn.Rows, id string) {
	key := learningKey(id)
	was, is := learn.At[idle](rows, key, idleRow), idleOf(rows, key)
	if *was == is {
		return
	}
	was.schedule(rows, id, mention{})
	is.schedule(rows, id, mention{id, true})
	*was = is
}

// idleOf is until now, or until the entry went out of use.
func idleOf(rows learn.Rows, key learn.Key) idle {
	s := learn.Peek[standing](rows, key, standRow)
	i := idle{Active: s.Status == Active}
	until := s.Ended
	switch s.Status {
	case Active:
		until = learn.Peek[instant](rows, allKey(), nowRow).At
	case Archived, Superseded:
	default:
		return i
	}
	i.Since = s.Created
	if last, ok := (latest{rows, key, usedSet}).last(); ok {
		i.Since = max(i.Since, last)
	}
	i.Periods = min(max(int64((until-i.Since)/unusedTime), 0), mostPeriods)
	return i
}

// schedule notes when periods of a learning end, or with nothing that they do not.
func (i idle) schedule(rows learn.Rows, id string, note mention) {
	if !i.Active {
		return
	}
	token := "/" + events.Token(id)
	end := i.Since + moment(i.Periods)*unusedTime
	if i.Periods > 0 {
		*learn.At[mention](rows, allKey(), pastRows+end.backward()+token) = note
	}
	if i.Periods < mostPeriods {
		*learn.At[mention](rows, allKey(), dueRows+(end+unusedTime).order()+token) = note
	}
}

// decayed is a confidence after periods without use.
func (l level) decayed(periods int64) level {
	if l <= floor {
		return l
	}
	return max(floor, l+level(periods)*unusedStep)
}
