package access

import (
	"sync"
	"time"
)

// mostKnown is how many callers a limit remembers. Beyond it all are forgotten who have
// been quiet, and if nobody has, all: memory is bounded, strictness is not owed.
const mostKnown = 10_000

// Limit says how often each caller may come: Burst at once, and PerSecond on. It is safe
// for concurrent use. A limit of nothing per second lets everybody pass.
type Limit struct {
	PerSecond float64
	Burst     float64

	mu    sync.Mutex
	known map[string]credit // guarded by mu; by caller
}

// credit is how often a caller may still come, as of a time.
type credit struct {
	left float64
	at   time.Time
}

// Take lets a caller pass, or says how long to wait.
func (l *Limit) Take(who string, now time.Time) (wait time.Duration, ok bool) {
	if l.PerSecond <= 0 {
		return 0, true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c, known := l.known[who]
	if !known {
		l.makeRoom(now)
		c = credit{l.Burst, now}
	}
	c = l.refilled(c, now)
	if ok = c.left >= 1; ok {
		c.left--
	} else {
		wait = time.Duration((1 - c.left) / l.PerSecond * float64(time.Second))
	}
	l.known[who] = c
	return wait, ok
}

func (l *Limit) refilled(c credit, now time.Time) credit {
	if passed := now.Sub(c.at); passed > 0 {
		return credit{min(l.Burst, c.left+passed.Seconds()*l.PerSecond), now}
	}
	return c
}

// makeRoom forgets callers when there are many: whoever has all credit back is as a
// newcomer is.
func (l *Limit) makeRoom(now time.Time) {
	if l.known == nil {
		l.known = map[string]credit{}
	}
	if len(l.known) < mostKnown {
		return
	}
	for who, c := range l.known {
		if l.refilled(c, now).left >= l.Burst {
			delete(l.known, who)
		}
	}
	if len(l.known) >= mostKnown {
		clear(l.known)
	}
}
