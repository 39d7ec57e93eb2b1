package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/app"
	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"
)

// Size of a batch message: large enough that the disk does not decide the rate.
const (
	batchEvents = 500
	batchBytes  = 512 << 10
)

// patience is how long a replay tries to get one message through.
const patience = 30 * time.Second

// mailbox takes messages in, durably.
type mailbox interface {
	Append(ctx context.Context, msgs []bus.Message) (last uint64, err error)
}

// shipment sends the lines of a replay in order, many in one message, and knows
// that each is on disk before it sends the next.
type shipment struct {
	id       string // of the replay
	hint     string // what to give to publish reserved kinds
	inbox    mailbox
	pack     *packer
	operator bool // may publish reserved kinds
	note     func(sent int)

	sent   int                      // lines that are in the inbox
	broken int                      // of them, lines that are no event
	why    map[place]events.Refusal // of the first of those lines
	unsent int                      // lines too large for any message
	last   uint64                   // sequence in the inbox
	began  time.Time                // when the first was

	here   place              // where the next line is from
	places []place            // of the events of the batch to be
	routes map[uint64][]place // by sequence in the inbox

	body    []byte // of the batch to be
	events  int
	scratch []byte
}

// shipment begins a replay.
func (l *loop) shipment(note func(sent int)) *shipment {
	id := rand.Text()
	return &shipment{id: id, inbox: l.inbox, pack: newPacker(id), operator: l.operator, hint: l.hint, note: note}
}

// add takes one line in.
func (s *shipment) add(ctx context.Context, line []byte) error {
	p := s.pack.pack(line, s.scratch[:0])
	s.scratch = p.body
	if p.subject != batchSubject && !s.operator {
		return app.WithHint(fmt.Errorf("event %d: only an operator may publish on %s", s.sent+s.events+1, p.subject),
			s.hint)
	}
	if p.alone {
		return s.sendAlone(ctx, p)
	}
	if s.events == batchEvents || len(s.body)+len(p.body) > batchBytes {
		if err := s.flush(ctx); err != nil {
			return err
		}
	}
	opening := byte(',')
	if s.events == 0 {
		opening = '['
	}
	s.body = append(append(s.body, opening), p.body...)
	s.events++
	s.places = append(s.places, s.here)
	return nil
}

// flush sends what is waiting.
func (s *shipment) flush(ctx context.Context) error {
	if s.events == 0 {
		return nil
	}
	s.body = append(s.body, ']')
	if err := s.send(ctx, message(batchSubject, events.ContentBatch, s.body), s.places); err != nil {
		return err
	}
	s.sent += s.events
	s.body, s.events, s.places = s.body[:0], 0, nil
	s.note(s.sent)
	return nil
}

// sendAlone sends one line as a message of its own, behind what came before it.
func (s *shipment) sendAlone(ctx context.Context, p parcel) error {
	if err := s.flush(ctx); err != nil {
		return err
	}
	err := s.send(ctx, message(p.subject, events.ContentStructured, p.body), []place{s.here})
	switch {
	case errors.Is(err, bus.ErrTooLarge):
		s.unsent++
		return nil
	case err != nil:
		return err
	}
	s.sent++
	if p.broken {
		s.broken++
		s.blame(p.body)
	}
	s.note(s.sent)
	return nil
}

// blame notes why a line is no event, as ingest will see it: a line that was refused
// before leaves no letter that tells of this time.
func (s *shipment) blame(line []byte) {
	if s.why == nil {
		s.why = map[place]events.Refusal{}
	}
	items := events.Unpack(message(batchSubject, events.ContentStructured, line).Header, line)
	if len(s.why) < mostLetters && len(items) > 0 {
		s.why[s.here] = items[0].Refusal
	}
}

func message(subject, content string, body []byte) bus.Message {
	return bus.Message{Subject: subject, Header: map[string][]string{"Content-Type": {content}}, Data: body}
}

// send tries until the message is stored: a message that is stored twice counts once.
func (s *shipment) send(ctx context.Context, m bus.Message, from []place) error {
	limited, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	defer cancel()
	var last error // says more than that time is over
	err := pipeline.Retry(limited, func() error {
		seq, err := s.inbox.Append(limited, []bus.Message{m})
		s.last = max(s.last, seq)
		if err == nil {
			s.remember(seq, from)
			s.began = cmp.Or(s.began, time.Now())
		}
		return err
	}, hopeless, func(err error) { last = err })
	switch {
	case err == nil:
		return nil
	case context.Cause(ctx) != nil:
		return fmt.Errorf("publish after %d events: %w", s.sent, context.Cause(ctx))
	}
	return app.WithHint(fmt.Errorf("publish after %d events: %w", s.sent, cmp.Or(last, err)),
		"see whether the loop is well: learnloop status; replaying again is safe")
}

// remember keeps where the events of a message are from.
func (s *shipment) remember(seq uint64, from []place) {
	if s.routes == nil {
		s.routes = map[uint64][]place{}
	}
	s.routes[seq] = from
}

var errPatience = fmt.Errorf("no answer within %v", patience)

// hopeless reports whether trying again cannot help.
func hopeless(err error) bool {
	return !errors.Is(err, bus.ErrFull) && !errors.Is(err, bus.ErrUnavailable) && !errors.Is(err, bus.ErrUnknown)
}
