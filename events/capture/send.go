package capture

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"

	"learnloop.dev/events"
)

const (
	inbox      = "learn.in."
	batch      = inbox + "batch"
	firstPause = 20 * time.Millisecond // before another try, doubled each time
	lastPause  = time.Second
	tries      = 5 // without an answer on an event's own subject: it may not be permitted
)

// parcel is one message in the making.
type parcel struct {
	subject string
	body    []byte
	events  int
}

// work sends what waits, one message after the other. What came in while one
// was under way forms the next.
func (p *Publisher) work(ctx context.Context) {
	l := load{redactor: newRedactor(p.opts)}
	for p.buffer.take(&l) {
		sent, dropped := p.deliver(ctx, &l)
		clear(l.items)
		p.buffer.settle(&l, sent, dropped)
	}
}

// deliver sends a load, mostly as one message, and returns what became of it.
func (p *Publisher) deliver(ctx context.Context, l *load) (sent, dropped int) {
	post := func(parcel parcel) {
		if err := p.send(ctx, parcel); err != nil {
			p.losses.add(uint64(parcel.events), err)
			dropped += parcel.events
			return
		}
		sent += parcel.events
	}
	next := parcel{subject: batch}
	for i := range l.items {
		one, err := p.encode(&l.items[i], l.redactor)
		if err != nil {
			p.losses.add(1, err)
			dropped++
			continue
		}
		if own := l.items[i].own(); own != "" {
			post(parcel{own, one, 1})
			continue
		}
		if next.events > 0 && len(next.body)+len(one)+2 > p.wire.room() {
			post(next)
			next = parcel{subject: batch}
		}
		next.add(one)
	}
	if next.events > 0 {
		post(next)
	}
	return sent, dropped
}

func (m *parcel) add(event []byte) {
	m.body = append(m.body, ',')
	m.body = append(m.body, event...)
	m.events++
}

// message closes the parcel.
func (m *parcel) message() *nats.Msg {
	msg := nats.NewMsg(m.subject)
	if m.subject != batch {
		msg.Header.Set("Content-Type", events.ContentStructured)
		msg.Data = m.body
		return msg
	}
	msg.Header.Set("Content-Type", events.ContentBatch)
	m.body = append(m.body, ']')
	m.body[0] = '['
	msg.Data = m.body
	return msg
}

// send repeats a message until the server has stored it or never will.
func (p *Publisher) send(ctx context.Context, m parcel) error {
	msg := m.message()
	unanswered := 0
	for try := 0; ; try++ {
		err := p.wire.publish(ctx, msg)
		if errors.Is(err, context.DeadlineExceeded) {
			unanswered++
		}
		switch {
		case err == nil:
			return nil
		case errors.Is(err, nats.ErrMaxPayload):
			return ErrInvalid
		case errors.Is(err, ErrNotAllowed):
			return ErrNotAllowed
		case errors.Is(err, nats.ErrConnectionClosed):
			return nats.ErrConnectionClosed
		case unanswered == tries && m.subject != batch:
			return ErrUnanswered
		}
		if !pause(ctx, try) {
			return ErrClosed
		}
	}
}

// pause waits before another try, longer each time; false when there is none.
func pause(ctx context.Context, try int) bool {
	select {
	case <-time.After(min(firstPause<<min(try, 16), lastPause)):
		return true
	case <-ctx.Done():
		return false
	}
}
