package capture

import (
	"errors"
	"sync"

	"github.com/nats-io/nats.go"
)

// losses collects what was lost until somebody has been told.
type losses struct {
	told func(n uint64, why error)

	mu    sync.Mutex
	news  sync.Cond
	count map[error]uint64
	cut   uint64 // lost because the connection was closed
	ended bool
}

func newLosses(told func(n uint64, why error)) *losses {
	l := &losses{told: told, count: map[error]uint64{}}
	l.news.L = &l.mu
	return l
}

func (l *losses) add(n uint64, why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.Is(why, nats.ErrConnectionClosed) {
		l.cut += n
	}
	if n == 0 || l.told == nil {
		return
	}
	l.count[why] += n
	l.news.Signal()
}

// cutOff is how many events went with the connection.
func (l *losses) cutOff() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cut
}

// tell reports losses until the end, and what was lost until then.
func (l *losses) tell() {
	for {
		count, more := l.wait()
		for why, n := range count {
			l.told(n, why)
		}
		if !more {
			return
		}
	}
}

func (l *losses) wait() (count map[error]uint64, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.count) == 0 && !l.ended {
		l.news.Wait()
	}
	count, l.count = l.count, map[error]uint64{}
	return count, !l.ended
}

func (l *losses) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.news.Signal()
}
