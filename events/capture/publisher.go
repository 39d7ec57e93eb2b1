// Package capture reports what an agent sees to the learning loop without ever
// making the agent wait.
package capture

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"learnloop.dev/events"
)

// Why an event was not captured, or was lost later.
var (
	ErrFull       = errors.New("the buffer is full")
	ErrClosed     = errors.New("the publisher is closed")
	ErrInvalid    = errors.New("the event cannot be sent")
	ErrNotAllowed = errors.New("the server does not allow the event's subject")
	ErrUnanswered = errors.New("the server does not answer on the event's subject")
)

const (
	defaultEvents = 8192
	defaultBytes  = 32 << 20
	inFlight      = 4 // messages on their way at the same time
)

// Options adjust a Publisher; the zero value is a good one.
type Options struct {
	Source    string // CloudEvents source of events that name none
	MaxEvents int    // how many may wait for the server; 8 192 when 0
	MaxBytes  int    // how much data they may hold; 32 MiB when 0
	// Redact takes people and secrets out of an event's texts before it leaves the
	// process, as the loop does before it stores anything (package privacy, default
	// settings). Ids go as they are: only the loop has the key to replace them by.
	// The subject and foreign extensions stay behind. What cannot be examined is not
	// sent but dropped as ErrInvalid. It costs the senders time, not the agent.
	Redact bool
	// OnDrop is told how many events were lost and why. Calls follow one another,
	// away from the agent's path.
	OnDrop func(n uint64, why error)
}

// Publisher sends events to the loop in the background. Its methods may be
// called from any goroutine.
type Publisher struct {
	opts   Options
	wire   wire
	buffer *buffer
	losses *losses
	cancel context.CancelFunc
	ended  chan struct{}
}

// Stats counts events since the start. Captured = Sent + Dropped + Pending.
type Stats struct {
	Captured uint64 // accepted by Capture, or dropped by it because there was no room
	Sent     uint64 // acknowledged by the server
	Dropped  uint64 // lost
	Pending  uint64 // waiting for the server
}

// New returns a Publisher that runs until Close. The connection stays the
// caller's; let it reconnect for ever (nats.MaxReconnects(-1)).
func New(nc *nats.Conn, opts Options) *Publisher { return start(newConnection(nc), opts) }

func start(w wire, opts Options) *Publisher {
	if opts.MaxEvents <= 0 {
		opts.MaxEvents = defaultEvents
	}
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = defaultBytes
	}
	p := &Publisher{
		opts: opts, wire: w, ended: make(chan struct{}),
		buffer: newBuffer(opts.MaxEvents, opts.MaxBytes),
		losses: newLosses(opts.OnDrop),
	}
	var ctx context.Context
	ctx, p.cancel = context.WithCancel(context.Background())
	go p.run(ctx)
	return p
}

// run owns the goroutines: those that send, one that tells about losses, and
// one that watches the connection.
func (p *Publisher) run(ctx context.Context) {
	defer close(p.ended)
	var senders, others sync.WaitGroup
	others.Go(p.losses.tell)
	others.Go(func() { p.wire.watch(ctx) })
	for range inFlight {
		senders.Go(func() { p.work(ctx) })
	}
	senders.Wait()
	p.losses.add(p.buffer.abandon(), ErrClosed)
	p.losses.end()
	p.cancel()
	others.Wait()
}

// Capture takes an event over and returns at once: nil when it will be sent,
// ErrFull or ErrClosed when it is lost, or ErrInvalid with what is wrong with its
// kind, its source or its size. Its data is not looked into: the loop checks it against
// the kind's schema, and what it refuses is among its dead letters. The event may be
// changed afterwards. A missing id, time or source is filled in. Events of the official
// CloudEvents SDK become such events with package cloudevents.
func (p *Publisher) Capture(e events.Envelope) error {
	if why := p.check(e); why != "" {
		return fmt.Errorf("capture an event of kind %q: %w: %s", e.Kind, ErrInvalid, why)
	}
	it := newItem(e)
	return p.push(&it)
}

// Publish captures an event of a kind: Publish(p, events.FeedbackFix, feedback).
// It costs the encoding of the payload on top of Capture, checks no more than that
// does, and names the publisher's source. Kinds that operators reserve (control and
// reviewed learnings) need a connection with a credential; else the event is dropped
// as ErrNotAllowed, which OnDrop is told. The connection's own error handler hears of
// it too: one that has none writes to standard error.
func Publish[P any](p *Publisher, kind *events.Type[P], payload P) error {
	data, err := json.Marshal(&payload)
	if err != nil {
		return fmt.Errorf("publish %s: %w: its payload is not valid JSON", kind.Kind, ErrInvalid)
	}
	return p.Capture(events.Envelope{Kind: kind.Kind, Data: data})
}

func (p *Publisher) push(it *item) error {
	err := p.buffer.push(it)
	if err != nil {
		p.losses.add(1, err)
	}
	return err
}

// Stats returns the counts of this moment.
func (p *Publisher) Stats() Stats { return p.buffer.stats() }

// Flush waits until every event captured before it is sent or dropped.
func (p *Publisher) Flush(ctx context.Context) error {
	select {
	case <-p.buffer.settled():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("flush: %d events wait for the server: %w", p.Stats().Pending, ctx.Err())
	}
}

// Close sends what is waiting and stops. What cannot be sent before the context
// ends, or because the connection was closed, is dropped, counted and reported as
// an error.
func (p *Publisher) Close(ctx context.Context) error {
	p.buffer.close()
	select {
	case <-p.ended:
		if lost := p.losses.cutOff(); lost > 0 {
			return fmt.Errorf("close publisher: %d events are lost: %w", lost, nats.ErrConnectionClosed)
		}
		return nil
	case <-ctx.Done():
	}
	p.buffer.abort()
	before := p.Stats()
	p.cancel()
	<-p.ended
	if lost := before.Pending - (p.Stats().Sent - before.Sent); lost > 0 {
		return fmt.Errorf("close publisher: %d events are lost: %w", lost, ctx.Err())
	}
	return nil
}
