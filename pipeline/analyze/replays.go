package analyze

import (
	"maps"
	"sync"
	"time"

	"learnloop.dev/events"
)

// Tally counts what became of the events of one replay. It is for the person
// who waits for it: it does not survive the process.
type Tally struct {
	Stored     int `json:"stored"`
	Replaced   int `json:"replaced"`
	Duplicates int `json:"duplicates"`
	// Expired had no effect: behind a retention boundary, cleared, or of a forgotten person.
	Expired int `json:"expired"`
	// Last is the last log sequence the replay reached, by partition.
	Last map[int]uint64 `json:"last,omitzero"`
	// Counting is how many seconds this process has counted: what it folded, and who
	// folded before cannot be asked any more.
	Counting float64 `json:"counting"`
}

// Replays keeps the tallies of the latest replays. Safe for concurrent use.
type Replays struct {
	began time.Time

	mu    sync.Mutex
	byID  map[string]*Tally // guarded by mu
	order []string          // guarded by mu; oldest first
}

// remembered is how many replays are kept.
const remembered = 64

// NewReplays returns an empty set of tallies.
func NewReplays() *Replays { return &Replays{began: time.Now(), byID: map[string]*Tally{}} }

// Of returns a copy of a replay's tally.
func (r *Replays) Of(id string) Tally {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := Tally{}
	if t, ok := r.byID[id]; ok {
		c = *t
	}
	c.Last = maps.Clone(c.Last)
	c.Counting = time.Since(r.began).Seconds()
	return c
}

// tally collects the fates of one batch.
type tally []counted

type counted struct {
	replay    string
	partition int
	seq       uint64
	fate      fate
}

// count notes a fact's fate; an event split into several facts counts once.
func (t *tally) count(h *events.Head, partition int, f fate) {
	if h.Replay != "" && h.Part == 0 {
		*t = append(*t, counted{h.Replay, partition, h.Seq, f})
	}
}

func (r *Replays) add(t tally) {
	if len(t) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range t {
		r.tallyOf(c.replay).add(c)
	}
}

func (r *Replays) tallyOf(id string) *Tally {
	if t, ok := r.byID[id]; ok {
		return t
	}
	if len(r.order) == remembered {
		delete(r.byID, r.order[0])
		r.order = r.order[1:]
	}
	t := &Tally{Last: map[int]uint64{}}
	r.byID[id] = t
	r.order = append(r.order, id)
	return t
}

func (t *Tally) add(c counted) {
	switch c.fate {
	case stored:
		t.Stored++
	case replaced:
		t.Replaced++
	case duplicate:
		t.Duplicates++
	case expired, cleared, forgotten:
		t.Expired++
	}
	t.Last[c.partition] = max(t.Last[c.partition], c.seq)
}
