package web

import (
	"slices"
	"sync"
	"time"

	"learnloop.dev/api"
)

const (
	glance   = 2 * time.Second // how often a page that shows the streams asks anew
	mostSeen = 60              // looks that are remembered
)

// Streams that pages tell of.
const (
	streamLetters = "LEARN_DLQ"
	streamInbox   = "LEARN_INBOX"
)

// pulse is what the streams did lately, as far as somebody looked. Safe for concurrent use.
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
}

func sightOf(st *api.Status, at time.Time) sight {
	now := sight{at: at, log: st.Log, behind: behind(st)}
	for _, stream := range st.Streams {
		if stream.Name == streamInbox {
			now.waiting = stream.Messages
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

// note remembers a sight. Of several pages that look at about the same time one counts.
func (p *pulse) note(now sight) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.seen); n > 0 && now.at.Sub(p.seen[n-1].at) < glance/2 {
		return
	}
	p.seen = append(p.seen, now)
	if len(p.seen) > mostSeen {
		p.seen = append(p.seen[:0], p.seen[len(p.seen)-mostSeen:]...)
	}
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
