package conversations

import (
	"cmp"
	"slices"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/inorder"
)

// What is looked at in a session.
const (
	sessionGap     = int64(30 * time.Minute / time.Microsecond) // without a question; then a session has ended
	feedbackWindow = int64(30 * time.Second / time.Microsecond) // in which explicit signs belong to the answer at once (003)
	outOfOrder     = int64(10 * time.Minute / time.Microsecond) // how far exchanges may come behind later ones without being late
	rephrasing     = events.Milli(600)                          // of its words a question shares with the one before that it repeats
	shortQuestion  = 60                                         // characters of a question that asks back
)

// readSessions derives from each session what nobody reported. Order and delays are
// those of event time: a clock that jumps back only changes which question is next.
func (all evidence) readSessions() {
	if len(all) == 0 {
		return
	}
	by := map[string]evidence{}
	for _, x := range all {
		if x.recorded {
			by[x.Session] = append(by[x.Session], x)
		}
	}
	last := all.last()
	for _, s := range by {
		for i, x := range s[:len(s)-1] {
			if !s[i+1].Off.Tracking {
				x.derive(s[i+1])
				x.derived.Off = s[i+1].Off
			}
		}
		if end := s[len(s)-1]; !end.Off.Tracking {
			end.expect(last)
		}
		s.findLate()
	}
	all.meanDelays()
}

// findLate marks the exchanges that were stored behind others which happened more than
// ten minutes after them. They count like all; how many there are is told.
func (all evidence) findLate() {
	order := slices.Clone(all)
	inorder.Sort(order, func(a, b *exchange) int { return cmp.Compare(a.Stored, b.Stored) })
	newest := order[0].At
	for _, x := range order {
		x.late = x.At < newest-outOfOrder
		newest = max(newest, x.At)
	}
}

// last is when something was last heard of the person.
func (all evidence) last() int64 {
	last := all[len(all)-1].At
	for _, x := range all {
		if len(x.signs) > 0 {
			last = max(last, x.signs[0].At)
		}
		if len(x.deeds) > 0 {
			last = max(last, x.deeds[0].At)
		}
	}
	return last
}

// derive reads from the next question of the session what the person did.
func (x *exchange) derive(next *exchange) {
	delay := next.At - x.At
	if delay > sessionGap {
		x.derived = x.gone()
		return
	}
	alike := x.Sketch.sketch().Alike(next.Sketch.sketch())
	x.rephrased = alike >= rephrasing
	x.derived = deed{
		ID: x.ID, At: next.At, Session: x.Session, Position: x.Position, FollowUp: x.follows(next, alike),
		Delay: micros{true, delay}, Length: length{next.Asked > 0, next.Asked},
	}
}

// gone is that of a session the person has left.
func (x *exchange) gone() deed {
	return deed{ID: x.ID, At: x.At + sessionGap, Session: x.Session, Position: x.Position, FollowUp: events.End}
}

// expect closes a session when something was heard later than it lasts.
func (x *exchange) expect(last int64) {
	if last > x.At+sessionGap {
		x.derived = x.gone()
	}
}

// follows sorts the next question by its words, topics and length.
func (x *exchange) follows(next *exchange, alike events.Milli) events.FollowUp {
	shared := slices.ContainsFunc(next.topics(), func(t string) bool { return slices.Contains(x.topics(), t) })
	switch {
	case alike >= rephrasing:
		return events.Clarification
	case shared || alike > 0:
		return events.Continuation
	case next.Asked > 0 && next.Asked <= shortQuestion:
		return events.Clarification
	case next.Asked > 0:
		return events.NewTopic
	}
	return "" // nothing is known of the question
}

// meanDelays tells every exchange the mean delay of its session.
func (all evidence) meanDelays() {
	type sum struct{ n, micros int64 }
	sums := map[string]sum{}
	for _, x := range all {
		if d := x.deed(); d.Delay.Known {
			s := sums[x.Session]
			sums[x.Session] = sum{s.n + 1, s.micros + d.Delay.Value}
		}
	}
	for _, x := range all {
		if s := sums[x.Session]; s.n > 0 {
			x.mean = float64(s.micros) / float64(s.n)
		}
	}
}
