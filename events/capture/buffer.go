package capture

import "sync"

const (
	batchEvents = 128
	batchBytes  = 512 << 10
)

// buffer holds events until the server has them: those that wait, and the count
// of those under way. Its numbers always add up.
type buffer struct {
	maxEvents, maxBytes int

	mu      sync.Mutex
	ready   sync.Cond // something waits, or the end has come
	ring    []item
	head, n int
	closed  bool
	aborted bool
	counts  Stats
	bytes   int

	next     uint64          // number of the first waiting event, counting from 0
	underway map[uint64]bool // numbers of the first events of what is under way
	waiters  []waiter
}

// waiter is somebody who waits until every event below a number is settled.
type waiter struct {
	below uint64
	done  chan struct{}
}

// load is what one sender takes: events for one message.
type load struct {
	items []item
	first uint64
	bytes int

	redactor *redactor // the sender's own; nil when it sends events as they are
}

func newBuffer(maxEvents, maxBytes int) *buffer {
	b := &buffer{maxEvents: maxEvents, maxBytes: maxBytes, underway: map[uint64]bool{}}
	b.ready.L = &b.mu
	return b
}

// push keeps an event, unless there is no room or the end has come.
func (b *buffer) push(it *item) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts.Captured++
	switch {
	case b.closed:
		b.counts.Dropped++
		return ErrClosed
	case b.counts.Pending >= uint64(b.maxEvents) || b.bytes+it.size() > b.maxBytes:
		b.counts.Dropped++
		return ErrFull
	}
	if b.n == len(b.ring) {
		b.grow()
	}
	b.ring[(b.head+b.n)%len(b.ring)] = *it
	b.n++
	b.bytes += it.size()
	b.counts.Pending++
	b.ready.Signal()
	return nil
}

func (b *buffer) grow() {
	ring := make([]item, min(max(2*len(b.ring), 64), b.maxEvents))
	for i := range b.n {
		ring[i] = b.ring[(b.head+i)%len(b.ring)]
	}
	b.ring, b.head = ring, 0
}

// take waits for events and moves what fits one message into l; false at the end.
func (b *buffer) take(l *load) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.n == 0 && !b.closed {
		b.ready.Wait()
	}
	if b.n == 0 || b.aborted {
		return false
	}
	l.items, l.first, l.bytes = l.items[:0], b.next, 0
	for b.n > 0 && b.fits(l) {
		l.bytes += b.ring[b.head].size()
		l.items = append(l.items, b.ring[b.head])
		b.ring[b.head] = item{}
		b.head = (b.head + 1) % len(b.ring)
		b.n--
		b.next++
	}
	b.underway[l.first] = true
	return true
}

// fits reports whether the first waiting event may join the load.
func (b *buffer) fits(l *load) bool {
	if len(l.items) == 0 {
		return true
	}
	it := &b.ring[b.head]
	return len(l.items) < batchEvents && l.bytes+it.size() <= batchBytes &&
		l.items[0].own() == "" && it.own() == ""
}

// settle records what became of a load.
func (b *buffer) settle(l *load, sent, dropped int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts.Sent += uint64(sent)
	b.counts.Dropped += uint64(dropped)
	b.counts.Pending -= uint64(sent + dropped)
	b.bytes -= l.bytes
	delete(b.underway, l.first)
	b.release()
}

// release lets those go whose events are settled.
func (b *buffer) release() {
	low := b.next
	for first := range b.underway {
		low = min(low, first)
	}
	var left []waiter
	for _, w := range b.waiters {
		if w.below > low {
			left = append(left, w)
			continue
		}
		close(w.done)
	}
	b.waiters = left
}

// settled returns a channel that is closed when every event pushed so far is
// sent or dropped.
func (b *buffer) settled() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := waiter{b.next + uint64(b.n), make(chan struct{})}
	b.waiters = append(b.waiters, w)
	b.release()
	return w.done
}

func (b *buffer) stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.counts
}

// close takes no more events; those that wait are still taken.
func (b *buffer) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.ready.Broadcast()
}

// abort lets nobody take events any more.
func (b *buffer) abort() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.aborted = true
	b.ready.Broadcast()
}

// abandon drops what still waits and returns how much that was.
func (b *buffer) abandon() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	lost := uint64(b.n)
	b.next += lost
	b.counts.Dropped += lost
	b.counts.Pending -= lost
	b.ring, b.head, b.n = nil, 0, 0
	b.release()
	return lost
}
