package learnings

import (
	"learnloop.dev/events"
	"learnloop.dev/learn"
)

// alarm is when the next period of any learning ends, and when the last one ended.
type alarm struct {
	Due  instant `json:"due,omitzero"`
	Past instant `json:"past,omitzero"`
}

const alarmRow = "alarm" // alarm

// setting is an alarm that is being set. What comes after one that goes is looked for
// once, when all is set: where many periods end at once each would look past those
// before it.
type setting struct {
	rows learn.Rows
	was  alarm
	alarm
	dueGone, pastGone bool
}

func alarmed(rows learn.Rows) *setting {
	set := learn.Peek[alarm](rows, allKey(), alarmRow)
	return &setting{rows: rows, was: set, alarm: set}
}

// keep writes down what was set.
func (s *setting) keep() {
	if s.dueGone {
		s.Due = s.first(dueRows, momentIn)
	}
	if s.pastGone {
		s.Past = s.first(pastRows, func(row string) moment { return readBackward(row[:orderWidth]) })
	}
	if s.alarm != s.was {
		*learn.At[alarm](s.rows, allKey(), alarmRow) = s.alarm
	}
}

// first is the moment of the first of some rows.
func (s *setting) first(prefix string, read func(string) moment) instant {
	if row, _, found := first[mention](s.rows, dueKey(), prefix); found {
		return instant{read(row), true}
	}
	return instant{}
}

// due notes that a learning's period ends then, or with nothing that it does not.
func (s *setting) due(end moment, id string, note mention) {
	*learn.At[mention](s.rows, dueKey(), dueRows+end.order()+"/"+events.Token(id)) = note
	switch {
	case note.Is && (!s.Due.Is || end < s.Due.At):
		s.Due = instant{end, true}
	case !note.Is && end == s.Due.At:
		s.dueGone = true
	}
}

// past is the same for the last period that ended.
func (s *setting) past(end moment, id string, note mention) {
	*learn.At[mention](s.rows, dueKey(), pastRows+end.backward()+"/"+events.Token(id)) = note
	switch {
	case note.Is && (!s.Past.Is || end > s.Past.At):
		s.Past = instant{end, true}
	case !note.Is && end == s.Past.At:
		s.pastGone = true
	}
}

// schedule notes when periods of a learning end, or with nothing that they do not.
func (i idle) schedule(set *setting, id string, note mention) {
	if !i.Active {
		return
	}
	end := i.Since + moment(i.Periods)*unusedTime
	if i.Periods > 0 {
		set.past(end, id, note)
	}
	if i.Periods < mostPeriods {
		set.due(end+unusedTime, id, note)
	}
}
