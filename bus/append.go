package bus

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/nats-io/nats.go"
)

var (
	// ErrFull means that the stream takes no more: what it refused is not stored.
	ErrFull = errors.New("stream is full")
	// ErrFenced means that a subject was not at its expected sequence: nothing of the batch was stored.
	ErrFenced = errors.New("subject has moved on")
	// ErrUnknown means that the answer never came: a batch is stored whole or not at all, and of messages
	// that go one by one some may be.
	ErrUnknown = errors.New("outcome unknown")
	// ErrUnavailable means that the stream could not be reached or was busy: what failed is not stored, try again.
	ErrUnavailable = errors.New("stream is unavailable")
)

const (
	batchMessages = 1000    // the server's limit for an atomic batch
	batchBytes    = 8 << 20 // what we put into one at most
)

// Appender appends to one stream, durably: a few messages one by one, more in atomic batches. Callers
// that arrive while others are on their way to the disk go next together, so that many small appends
// cost few flushes.
// It is safe for concurrent use and owns no goroutine: one of the callers commits for all.
type Appender struct {
	nc     *nats.Conn
	sender *Sender
	stream string
	tap    *Tap          // nil: nobody listens
	id     string        // begins the ids of its batches
	turn   chan struct{} // held by the caller that commits
	count  uint64        // of batches, guarded by turn

	mu      sync.Mutex
	waiting []*request // in order of arrival
}

// request is what one caller wants appended at once.
type request struct {
	msgs   []Message
	bytes  int
	fenced bool // commits alone, so that its fence fails nobody else

	done chan struct{} // closed when seqs and err are set
	seqs []uint64
	err  error
}

// NewAppender returns an appender to a stream that allows atomic batches.
func NewAppender(nc *nats.Conn, stream string) *Appender {
	return &Appender{nc: nc, sender: NewSender(nc, stream), stream: stream, id: rand.Text()[:10], turn: make(chan struct{}, 1)}
}

// Tell hands everything that is stored from now on to a tap too. Call it before the first Append; the
// data of the messages must not be changed afterwards.
func (a *Appender) Tell(t *Tap) { a.tap = t }

// Append stores the messages in order and returns the sequence of the last one when all are on disk.
// Up to twenty messages are stored one by one. More, up to 1000 and 8 MiB, are one atomic batch with
// consecutive sequences; still more are several. When something fails, what came before it stays: whoever
// appends again must be able to tell what is there already. A fenced append is stored whole or not at all.
// It fails with ErrFull, ErrFenced, ErrUnavailable, ErrTooLarge, ErrSubject, all of which mean that
// what failed left nothing behind, or with ErrUnknown, after which the messages may still be read.
// When ctx is done while the messages wait for their turn, they are not appended.
func (a *Appender) Append(ctx context.Context, msgs []Message) (last uint64, err error) {
	for len(msgs) > 0 {
		r, err := a.next(msgs)
		if err == nil {
			last, err = a.submit(ctx, r)
		}
		if err != nil {
			return 0, fmt.Errorf("append to %s: %w", a.stream, err)
		}
		msgs = msgs[len(r.msgs):]
	}
	return last, nil
}

// next cuts the first request off msgs.
func (a *Appender) next(msgs []Message) (*request, error) {
	r := &request{done: make(chan struct{})}
	for i := range msgs {
		if err := msgs[i].check(a.nc.MaxPayload()); err != nil {
			return nil, err
		}
		size := msgs[i].size()
		if i > 0 && !fits(i+1, r.bytes+size) {
			break
		}
		r.msgs, r.bytes = msgs[:i+1], r.bytes+size
	}
	r.fenced = slices.ContainsFunc(msgs, func(m Message) bool { return m.ExpectLast != nil })
	if r.fenced && len(r.msgs) < len(msgs) {
		return nil, fmt.Errorf("fenced batch of %d messages: %w", len(msgs), ErrTooLarge)
	}
	return r, nil
}

func fits(messages, bytes int) bool { return messages <= batchMessages && bytes <= batchBytes }

// submit waits until somebody committed r: this caller, when it gets the turn, or another.
func (a *Appender) submit(ctx context.Context, r *request) (uint64, error) {
	a.mu.Lock()
	a.waiting = append(a.waiting, r)
	a.mu.Unlock()
	for {
		select {
		case <-r.done:
			return r.last(), r.err
		case a.turn <- struct{}{}:
			if !r.finished() {
				a.commitNext()
			}
			<-a.turn
		case <-ctx.Done():
			if a.withdraw(r) {
				return 0, ctx.Err()
			}
			if !r.finished() {
				return 0, fmt.Errorf("%w: %w", ErrUnknown, ctx.Err())
			}
		}
	}
}

func (r *request) finished() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// withdraw takes back a request that nobody began to commit.
func (a *Appender) withdraw(r *request) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.Index(a.waiting, r)
	if i < 0 {
		return false
	}
	a.waiting = slices.Delete(a.waiting, i, i+1)
	return true
}

// commitNext commits the requests at the head of the queue that fit into one batch.
func (a *Appender) commitNext() {
	runtime.Gosched() // callers that the last commit woke may join
	group := a.take()
	if len(group) == 0 {
		return
	}
	switch {
	case !a.nc.IsConnected(): // it would wait in the client's buffer, and nobody would know for how long
		for _, r := range group {
			r.finish(0, fmt.Errorf("%w: %w", ErrUnavailable, nats.ErrDisconnected))
		}
	case few(group):
		a.singly(group)
	default:
		a.together(group)
	}
	a.tell(group)
	for _, r := range group {
		close(r.done)
	}
}

// together stores a group as one atomic batch.
func (a *Appender) together(group []*request) {
	last, err := a.commit(group)
	if len(group) > 1 && errors.Is(err, errRefused) {
		a.commitEach(group) // one of them is to blame
		return
	}
	for _, r := range slices.Backward(group) {
		r.finish(last, err)
		last -= uint64(len(r.msgs))
	}
}

func (a *Appender) commitEach(group []*request) {
	for _, r := range group {
		r.finish(a.commit([]*request{r}))
	}
}

// singles is how many messages are cheaper to store one by one than as an atomic batch: see
// BenchmarkAppendFew.
const singles = 20

func few(group []*request) bool {
	messages := 0
	for _, r := range group {
		messages += len(r.msgs)
		if r.fenced {
			return false
		}
	}
	return messages <= singles
}

// singly stores every message of a group by itself, all under way at the same time.
func (a *Appender) singly(group []*request) {
	sent := make([]sending, len(group))
	for i, r := range group {
		sent[i] = a.sender.begin(r.msgs)
	}
	for i, r := range group {
		r.seqs, r.err = sent[i].await(context.Background())
	}
}

// finish notes what became of a request that was stored in one piece.
func (r *request) finish(last uint64, err error) {
	if r.err = err; err != nil {
		return
	}
	r.seqs = make([]uint64, len(r.msgs))
	for i := range r.seqs {
		r.seqs[i] = last - uint64(len(r.msgs)-1-i)
	}
}

// last is the sequence of the last message, 0 after an error.
func (r *request) last() uint64 {
	if r.err != nil {
		return 0
	}
	return r.seqs[len(r.seqs)-1]
}

func (a *Appender) take() []*request {
	a.mu.Lock()
	defer a.mu.Unlock()
	n, messages, bytes := 0, 0, 0
	for _, r := range a.waiting {
		messages, bytes = messages+len(r.msgs), bytes+r.bytes
		if n > 0 && (r.fenced || a.waiting[0].fenced || !fits(messages, bytes)) {
			break
		}
		n++
	}
	group := a.waiting[:n:n]
	a.waiting = a.waiting[n:]
	return group
}
