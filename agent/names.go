package agent

import (
	"context"
	"sync"
	"time"
)

// names finds the keys of contexts by user ids. It asks in the background, one after
// the other.
type names struct {
	ask    func(ctx context.Context, user string) (string, error)
	cancel context.CancelFunc
	ended  chan struct{}
	wanted chan string

	mu    sync.Mutex
	known map[string]*name // guarded by mu
}

// name is what is known about where somebody's context stands.
type name struct {
	key   string        // "" while nobody answered
	until time.Time     // it is not asked for again
	done  chan struct{} // closed by an answer; nil while nobody is asked
}

// How names are kept.
const (
	mostNames = 100_000         // then all are asked for again
	waiting   = 1024            // names that wait to be asked for
	asking    = 2 * time.Second // longest for one of them
	renewed   = 5 * time.Minute // until it is asked again where a context stands
	doubted   = 5 * time.Second // likewise, where none stands there
	retried   = time.Second     // when nobody answered
)

func newNames(ask func(ctx context.Context, user string) (string, error)) *names {
	n := &names{ask: ask, ended: make(chan struct{}), wanted: make(chan string, waiting), known: map[string]*name{}}
	var ctx context.Context
	ctx, n.cancel = context.WithCancel(context.Background())
	go n.run(ctx)
	return n
}

func (n *names) close() {
	n.cancel()
	<-n.ended
}

func (n *names) run(ctx context.Context) {
	defer close(n.ended)
	for {
		select {
		case <-ctx.Done():
			return
		case user := <-n.wanted:
			n.answer(user, n.find(ctx, user))
		}
	}
}

// find asks for a key, "" when nobody answers.
func (n *names) find(ctx context.Context, user string) string {
	ctx, cancel := context.WithTimeout(ctx, asking)
	defer cancel()
	key, err := n.ask(ctx, user)
	if err != nil {
		return ""
	}
	return key
}

// answer keeps what was answered. Who is not found any more stands where they stood.
func (n *names) answer(user, key string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now, ok := n.known[user]
	if !ok || now.done == nil {
		return
	}
	close(now.done)
	now.done, now.until = nil, time.Now().Add(retried)
	if key != "" {
		now.key, now.until = key, time.Now().Add(renewed)
	}
}

// of returns the key of a user's context, "" when it is not known in time.
func (n *names) of(ctx context.Context, user string, patience time.Duration) string {
	key, done := n.look(user)
	if key != "" || done == nil {
		return key
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-ctx.Done():
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if now, ok := n.known[user]; ok {
		return now.key
	}
	return ""
}

// look returns what is known, and has it asked for when that is nothing or old; done
// is closed by the answer.
func (n *names) look(user string) (key string, done <-chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	now, ok := n.known[user]
	if !ok {
		if len(n.known) >= mostNames {
			clear(n.known)
		}
		now = &name{}
		n.known[user] = now
	}
	if now.done == nil && time.Now().After(now.until) {
		select {
		case n.wanted <- user:
			now.done = make(chan struct{})
		default: // too many wait already
		}
	}
	return now.key, now.done
}

// doubt has a name asked for again before long.
func (n *names) doubt(user string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if now, ok := n.known[user]; ok && now.done == nil {
		if soon := time.Now().Add(doubted); soon.Before(now.until) {
			now.until = soon
		}
	}
}
