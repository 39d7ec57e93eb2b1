package ingest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
)

// Publication is a kind of events, reserved to operators, that one of them published straight into the inbox.
type Publication struct {
	Kind     events.Kind
	Sequence uint64 // of the inbox message
	At       time.Time
}

const (
	tellTime  = 2 * time.Second // how long telling of publications may take
	tellAgain = time.Second     // later, when it could not be told, then after twice as long
	tellLast  = 8 * time.Second // at most: before whoever is told forgets that it heard
)

// byOperator reports whether an event came straight from an operator: what the loop concludes, and what
// operations were asked for, comes on subjects that only stages may publish on, where stages run apart.
func (s Stage) byOperator(d bus.Delivery, kind events.Kind) bool {
	return kind.Reserved() && (!s.Apart || !events.OfStages(d.Subject))
}

// publish adds a publication to the outcome, once for each message and kind.
func (out *outcome) publish(d bus.Delivery, kind events.Kind) {
	p := Publication{kind, d.Seq, d.Stored}
	if !slices.Contains(out.reserved, p) {
		out.reserved = append(out.reserved, p)
	}
}

// tell says which publications the log has now. Nobody waits for it: a message that could not be told of is
// handed back, and comes again until it is.
func (w worker) tell(ctx context.Context, out outcome) (told bool) {
	if w.Reserved == nil || len(out.reserved) == 0 {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, tellTime)
	defer cancel()
	if err := w.Reserved(ctx, out.reserved); err != nil {
		w.Observe.Retried("tell what operators did", fmt.Errorf("tell of %d publications: %w", len(out.reserved), err))
		return false
	}
	return true
}

// settleDelivery acknowledges a message, or hands it back when it was not told of.
func (w worker) settleDelivery(d bus.Delivery, out outcome, told bool) {
	what, answer := "acknowledge", d.Ack
	if !told && slices.ContainsFunc(out.reserved, func(p Publication) bool { return p.Sequence == d.Seq }) {
		what, answer = "hand back", func() error { return d.Nak(min(tellAgain<<min(d.Tries-1, 8), tellLast)) }
	}
	if err := answer(); err != nil {
		w.Observe.Retried(what, err) // it will be delivered again
	}
}
