package recall

import (
	"context"

	"learnloop.dev/learn/learnings"
)

// Retire takes a learning out of use that is shown to harm, and reports whether that
// is on its way; else it is asked again when the learning changes.
type Retire func(ctx context.Context, l *learnings.Learning, because learnings.Retirement) (done bool)

// mostWaiting is how many learnings wait to be retired; others come back when they change.
const mostWaiting = 256

// judge finds the learnings that are shown to harm. What it does about them takes
// longer than searches may wait, so that it does it beside.
type judge struct {
	retire  Retire
	waiting chan sentence
}

// sentence is a learning that is shown to harm.
type sentence struct {
	learning *learnings.Learning
	because  learnings.Retirement
}

func newJudge(retire Retire) *judge { return &judge{retire, make(chan sentence, mostWaiting)} }

// look judges a learning, or none.
func (j *judge) look(l *learnings.Learning, without learnings.Pool) {
	if j.retire == nil || l == nil || l.Status != learnings.Active {
		return
	}
	_, effect := l.Standing(without)
	because, harmful := learnings.Retire(l.Evidence.Tasks, effect)
	if !harmful {
		return
	}
	select {
	case j.waiting <- sentence{l, because}:
	default:
	}
}

// run retires one learning after the other, each once: a person who takes it up again
// has the last word.
func (j *judge) run(ctx context.Context) {
	retired := map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			return
		case s, more := <-j.waiting:
			switch {
			case !more:
				return
			case !retired[s.learning.ID]:
				retired[s.learning.ID] = j.retire(ctx, s.learning, s.because)
			}
		}
	}
}
