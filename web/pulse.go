package web

import (
	"context"
	"slices"
	"sync"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/api"

	"github.com/go-json-experiment/json"
)

const (
	glance   = time.Second // how often the streams are looked at while a page is open
	mostSeen = 90          // looks that are remembered
)

// Streams that pages tell of.
const (
	streamLetters = "LEARN_DLQ"
	streamInbox   = "LEARN_INBOX"
)

// pulse is what the streams did lately. Safe for concurrent use.
type pulse struct {
	mu   sync.Mutex
	seen []sight // guarded by mu; the oldest first
}

// sight is how the streams stood at a time.
type sight struct {
	at      time.Time
	log     uint64 // its last sequence
	behind  uint64 // events of the log that contexts do not reflect yet
	waiting uint64 // events in the inbox
	letters uint64 // the last sequence of the dead letters
}

// ourselves are who looks when nobody does.
func ourselves() api.Visitor {
	return api.Visitor{Name: "dashboard", Roles: access.Roles{access.Admin}}
}

// look notes how the streams stand, and tells pages when that is not as before.
func (s *Site) look(ctx context.Context) {
	data, err := s.deps.Loop.Do(api.WithVisitor(ctx, ourselves()), api.Call{Name: "status"})
	if err != nil {
		return // whoever opens a page is told
	}
	var now api.Status
	if json.Unmarshal(data, &now) != nil {
		return
	}
	before, after := s.pulse.note(sightOf(&now, s.deps.Now()))
	if before.letters != after.letters {
		s.Tell(topicLetter)
	}
	if before.log != after.log || before.behind != after.behind || before.waiting != after.waiting {
		s.Tell(topicPulse)
	}
}

func sightOf(st *api.Status, at time.Time) sight {
	now := sight{at: at, log: st.Log, behind: behind(st)}
	for _, stream := range st.Streams {
		switch stream.Name {
		case streamInbox:
			now.waiting = stream.Messages
		case streamLetters:
			now.letters = stream.Last
		}
	}
	return now
}

// behind is how many events of the log no context reflects yet: partitions are folded
// together, in the order of the log.
func behind(st *api.Status) uint64 {
	if len(st.Reflected) == 0 {
		return 0
	}
	if last := slices.Max(st.Reflected); last > 0 && st.Log > last {
		return st.Log - last
	}
	return 0
}

// note remembers a sight and returns the one before, or the same when it is the first.
func (p *pulse) note(now sight) (before, after sight) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before = now
	if n := len(p.seen); n > 0 {
		before = p.seen[n-1]
	}
	p.seen = append(p.seen, now)
	if len(p.seen) > mostSeen {
		p.seen = append(p.seen[:0], p.seen[len(p.seen)-mostSeen:]...)
	}
	return before, now
}

// rates are events per second between looks, the oldest first. What lies further apart
// than a few looks was not watched, and tells nothing.
func (p *pulse) rates() (list []float64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := 1; i < len(p.seen); i++ {
		a, b := p.seen[i-1], p.seen[i]
		if d := b.at.Sub(a.at); d > 0 && d < 5*glance && b.log >= a.log {
			list = append(list, float64(b.log-a.log)/d.Seconds())
		}
	}
	return list
}
