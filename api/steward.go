package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/pipeline/forget"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
)

// Steward has a process that takes events in do what only it can (see ServeOrders).
// Whoever asks learns nothing but the answers: the keys stay where they are.
type Steward struct{ nc *nats.Conn }

// NewSteward returns a steward; the connection stays the caller's.
func NewSteward(nc *nats.Conn) Steward { return Steward{nc} }

// Show returns the shown names of stored ones.
func (s Steward) Show(ctx context.Context, names []string) ([]string, error) {
	shown, err := order[[]string](ctx, s.nc, orderShow, names)
	if err == nil && len(shown) != len(names) {
		return nil, fmt.Errorf("ask for %d shown names: got %d", len(names), len(shown))
	}
	return shown, err
}

// Find tells whom a raw user id or a shown name means.
func (s Steward) Find(ctx context.Context, user string) (Found, error) {
	return order[Found](ctx, s.nc, orderFind, user)
}

// KnownBy lists all that a person may be known by.
func (s Steward) KnownBy(ctx context.Context, user string, names []string) (Known, error) {
	return order[Known](ctx, s.nc, orderKnown, known{user, names})
}

// Rotate shows people under new names.
func (s Steward) Rotate(ctx context.Context, o RotateOrder) (*Rotation, error) {
	return order[*Rotation](ctx, s.nc, orderRotate, o)
}

// Govern changes the settings of privacy.
func (s Steward) Govern(ctx context.Context, c Amendment) (privacy.Settings, error) {
	return order[privacy.Settings](ctx, s.nc, orderGovern, c)
}

// Choose changes what a person chose.
func (s Steward) Choose(ctx context.Context, o Choosing) (privacy.Choice, error) {
	return order[privacy.Choice](ctx, s.nc, orderChoose, o)
}

// Issue appends a control fact in every partition.
func (s Steward) Issue(ctx context.Context, o ingest.Order) (map[int]uint64, error) {
	data, err := json.Marshal(o.Payload, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", o.Kind, err)
	}
	return order[map[int]uint64](ctx, s.nc, string(o.Kind), issue{o.ID, o.At, data})
}

// Import puts imported counts into the log.
func (s Steward) Import(ctx context.Context, facts []*events.DataImported) (map[int]uint64, error) {
	return order[map[int]uint64](ctx, s.nc, orderImport, facts)
}

// Redrive has a log entry appended once more.
func (s Steward) Redrive(ctx context.Context, o RedriveOrder) (map[int]uint64, error) {
	return order[map[int]uint64](ctx, s.nc, orderDrive, o)
}

// Control issues a control fact for who does not mind where it stands.
func (s Steward) Control(ctx context.Context, o ingest.Order) error {
	_, err := s.Issue(ctx, o)
	return err
}

// Ends are the last log sequences of all partitions.
func (s Steward) Ends(ctx context.Context) (map[int]uint64, error) {
	return order[map[int]uint64](ctx, s.nc, orderEnds, struct{}{})
}

// Search has the streams searched that nobody else may read.
func (s Steward) Search(ctx context.Context, q forget.Search) (forget.Finding, error) {
	return order[forget.Finding](ctx, s.nc, orderSearch, q)
}

// order has something done and waits for what comes of it, as long as somebody says
// that it is being done.
func order[Out any](ctx context.Context, nc *nats.Conn, name string, in any) (out Out, err error) {
	data, err := json.Marshal(in, json.Deterministic(true))
	if err != nil {
		return out, fmt.Errorf("encode order %s: %w", name, err)
	}
	sub, err := nc.SubscribeSync(nc.NewRespInbox())
	if err != nil {
		return out, fmt.Errorf("order %s: %w", name, err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := nc.PublishRequest(orders+name, sub.Subject, data); err != nil {
		return out, fmt.Errorf("order %s: %w", name, err)
	}
	r, err := await(ctx, sub)
	switch {
	case err != nil:
		return out, undone(name, err)
	case r.Problem != nil:
		r.Problem.header = r.Headers
		return out, r.Problem
	}
	if err := json.Unmarshal(r.Value, &out); err != nil {
		return out, fmt.Errorf("read the answer to order %s: %w", name, err)
	}
	return out, nil
}

// await waits until an order is carried out.
func await(ctx context.Context, sub *nats.Subscription) (r receipt, err error) {
	for {
		m, err := nextBefore(ctx, sub, stillness)
		if err != nil {
			return r, err
		}
		r = receipt{}
		if err := json.Unmarshal(m.Data, &r); err != nil {
			return r, fmt.Errorf("read an answer: %w", err)
		}
		if !r.Busy {
			return r, nil
		}
	}
}

// nextBefore is the next message, if it comes soon enough.
func nextBefore(ctx context.Context, sub *nats.Subscription, limit time.Duration) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return sub.NextMsgWithContext(ctx)
}

// undone says why an order was not carried out, or may not have been.
func undone(name string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err // nobody waits any more
	}
	p := problem(Unavailable, "no process that takes events in answers")
	switch name {
	case orderShow, orderFind, orderKnown, orderRotate:
		p = p.hint("see that the ingest runs which has pseudonyms.key in its folder")
	default:
		p = p.hint("see that an ingest runs; on a server with accounts, that they are those of this version")
	}
	return p.because(fmt.Errorf("order %s: %w", name, err)).with("Retry-After", "1")
}
