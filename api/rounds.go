package api

import (
	"context"
	"errors"
	"sync"
)

// rounds lets callers who ask the same at one time share an answer. It is begun after
// the last of them asked, so that nobody hears what was true before; who comes later
// waits for the next.
type rounds struct {
	mu   sync.Mutex
	next map[string]*round // guarded by mu; by question: those that have not begun
	now  map[string]*round // guarded by mu; those that have, until they end
}

// round is one answer in the making.
type round struct {
	question string
	before   *round // has to end first; nil: none
	done     chan struct{}
	ans      answer // set, like err, before done is closed
	err      error
}

func newRounds() *rounds { return &rounds{next: map[string]*round{}, now: map[string]*round{}} }

// share does something, or waits for somebody else who is about to do the same.
func (r *rounds) share(ctx context.Context, question string, do func(context.Context) (answer, error)) (answer, error) {
	for {
		mine, first := r.join(question)
		if first {
			r.lead(ctx, mine, do)
			return mine.ans, mine.err
		}
		select {
		case <-mine.done:
		case <-ctx.Done():
			return answer{}, ctx.Err()
		}
		if ctx.Err() != nil || !errors.Is(mine.err, context.Canceled) {
			return mine.ans, mine.err
		} // else whoever worked has gone
	}
}

// join finds the round that a caller who comes now takes part in, and whether the caller
// is the first.
func (r *rounds) join(question string) (mine *round, first bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if mine, ok := r.next[question]; ok {
		return mine, false
	}
	mine = &round{question: question, before: r.now[question], done: make(chan struct{})}
	r.next[question] = mine
	return mine, true
}

// lead ends a round, however it ends.
func (r *rounds) lead(ctx context.Context, mine *round, do func(context.Context) (answer, error)) {
	defer r.end(mine)
	mine.err = context.Canceled // of who panics, too
	if mine.before != nil {
		select {
		case <-mine.before.done:
		case <-ctx.Done():
			mine.err = ctx.Err()
			return
		}
	}
	r.begin(mine)
	mine.ans, mine.err = do(ctx)
}

// begin lets who comes from now on wait for another round.
func (r *rounds) begin(mine *round) {
	r.mu.Lock()
	defer r.mu.Unlock()
	mine.before = nil // else each would hold all that came before
	delete(r.next, mine.question)
	r.now[mine.question] = mine
}

func (r *rounds) end(mine *round) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next[mine.question] == mine { // it was not begun
		delete(r.next, mine.question)
	}
	if r.now[mine.question] == mine {
		delete(r.now, mine.question)
	}
	close(mine.done)
}
