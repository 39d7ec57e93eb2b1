package bus

import (
	"cmp"
	"sync"
	"time"

	"learnloop.dev/inorder"
)

// tapBytes is how much a tap holds for a reader that is busy. More is dropped with all of it: it is in
// the stream.
const tapBytes = 4 << 20

// Tap hands what an Appender has stored to a Follower in the same process, which spares the way back
// from the server. It is safe for concurrent use.
type Tap struct {
	wake chan struct{} // something changed

	mu      sync.Mutex
	entries []Entry
	bytes   int
	doubt   bool // something may be in the stream that never came by
}

// NewTap returns a tap for Appender.Tell and Follow.
func NewTap() *Tap { return &Tap{wake: make(chan struct{}, 1)} }

func (t *Tap) put(entries []Entry, doubt bool) {
	t.mu.Lock()
	t.doubt = t.doubt || doubt
	for _, e := range entries {
		if t.bytes += len(e.Data); t.bytes > tapBytes {
			t.entries, t.doubt = nil, true
			break
		}
		t.entries = append(t.entries, e)
	}
	t.mu.Unlock()
	signal(t.wake)
}

// take empties the tap.
func (t *Tap) take() (entries []Entry, doubt bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	entries, doubt = t.entries, t.doubt
	t.entries, t.bytes, t.doubt = nil, 0, false
	return entries, doubt
}

// tell hands over what became of a group.
func (a *Appender) tell(group []*request) {
	if a.tap == nil {
		return
	}
	var entries []Entry
	doubt := false
	now := time.Now()
	for _, r := range group {
		if r.err != nil {
			doubt = true // some of it may be stored
			continue
		}
		for i, m := range r.msgs {
			entries = append(entries, Entry{Seq: r.seqs[i], Subject: m.Subject, Header: m.Header, Data: m.Data, Value: m.Value, Stored: now})
		}
	}
	inorder.Sort(entries, func(a, b Entry) int { return cmp.Compare(a.Seq, b.Seq) })
	a.tap.put(entries, doubt)
}
