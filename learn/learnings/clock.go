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
	if was, is := (latest{c.rows, allKey(), heardSet}).add(at, by); was != is {
		c.set(is)
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
		clock{rows}.set(latest{rows, allKey(), heardSet}.last())
	}
}

// set finds out what time it is, now that the latest fact is one, and has the learnings
// age that it passes for.
func (c clock) set(heard instant) {
	is := learn.Peek[instant](c.rows, allKey(), tickRow)
	if heard.Is && (!is.Is || heard.At > is.At) {
		is = heard
	}
	was := learn.At[instant](c.rows, allKey(), nowRow)
	if *was == is {
		return
	}
	*was = is
	age(c.rows, c.passed(is.At)...)
}

// passed lists the learnings of which a period has ended by now, or has no longer.
func (c clock) passed(now moment) (ids []string) {
	set := learn.Peek[alarm](c.rows, allKey(), alarmRow)
	if set.Due.Is && set.Due.At <= now {
		ids = append(ids, c.upTo(dueRows, now.order()+"0")...) // "0" is behind "/"
	}
	if set.Past.Is && set.Past.At > now {
		ids = append(ids, c.upTo(pastRows, now.backward())...)
	}
	return ids
}

// upTo lists the learnings of rows that lie before a limit.
func (c clock) upTo(rows, limit string) (ids []string) {
	for row, m := range learn.Scan[mention](c.rows, dueKey(), rows) {
		if row[len(rows):] >= limit {
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

func mentionOf(id string, is bool) mention {
	if !is {
		return mention{}
	}
	return mention{id, true}
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

// age finds out how long learnings have not been used now, and when that changes.
func age(rows learn.Rows, ids ...string) {
	set := alarmed(rows)
	for _, id := range ids {
		key := learningKey(id)
		was, is := learn.At[idle](rows, key, idleRow), idleOf(rows, key)
		if *was != is {
			was.schedule(set, id, mention{})
			is.schedule(set, id, mention{id, true})
			*was = is
		}
	}
	set.keep()
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
	if used := (latest{rows, key, usedSet}).last(); used.Is {
		i.Since = max(i.Since, used.At)
	}
	i.Periods = min(max(int64((until-i.Since)/unusedTime), 0), mostPeriods)
	return i
}

// decayed is a confidence after periods without use.
func (l level) decayed(periods int64) level {
	if l <= floor {
		return l
	}
	return max(floor, l+level(periods)*unusedStep)
}
