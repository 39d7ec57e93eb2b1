package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	window       = 1000     // messages asked for ahead of the reader, and returned at once at most
	windowBytes  = 32 << 20 // of them
	inboxBytes   = 4 << 20  // of messages that hold many events each: they wait for seconds else
	inboxBatch   = 1 << 20  // of such messages returned at once
	lineBytes    = 64 << 10 // of a message beside its payload; a request must have room for the largest
	pullExpires  = 30 * time.Second
	pullBeat     = 5 * time.Second
	restartFirst = 50 * time.Millisecond // pause after a failed start, doubles
	restartLast  = 2 * time.Second
	flushTime    = 250 * time.Millisecond // that a restart waits for what is on its way
)

// puller receives the messages of one consumer, asking for more before it runs dry and starting anew
// after a reconnect, silence, or the loss of its consumer. One goroutine uses it.
type puller struct {
	nc     *nats.Conn
	stream string
	bytes  int                                                // asked for at a time
	batch  int                                                // bytes returned at once
	open   func(context.Context) (consumer string, err error) // finds or creates the consumer

	consumer string
	sub      *nats.Subscription // nil while stopped
	msgs     chan *nats.Msg
	early    []*nats.Msg // that came before those in msgs
	status   chan nats.Status
	asked    int       // messages asked for that have not come
	failures int       // starts without a message since
	again    time.Time // when the next start may be
}

// next blocks until there are messages and returns all that are there, up to window.
// Its errors are final: ctx is done, the stream is gone, the filters are wrong, the connection is closed.
func (p *puller) next(ctx context.Context) ([]*nats.Msg, error) {
	for {
		if left, err := p.renew(); err != nil || len(left) > 0 {
			return left, err
		}
		if err := p.ready(ctx); err != nil {
			return nil, err
		}
		if err := p.ask(); err != nil {
			return nil, err
		}
		first, err := p.wait(ctx)
		if err != nil {
			return nil, err
		}
		if batch := p.collect(first); len(batch) > 0 {
			p.failures = 0
			return batch, nil
		}
	}
}

// renew gives up a subscription from before a reconnect ahead of asking for more on it, and returns
// what had arrived.
func (p *puller) renew() (left []*nats.Msg, err error) {
	select {
	case status := <-p.status: // nil while stopped
		if left = p.stop(); status == nats.CLOSED {
			err = nats.ErrConnectionClosed
		}
	default:
	}
	return left, err
}

// wait returns a message, or nil when the puller has to start anew.
func (p *puller) wait(ctx context.Context) (*nats.Msg, error) {
	silence := time.NewTimer(2*pullBeat + pullBeat/2)
	defer silence.Stop()
	if m := p.arrived(); m != nil {
		return m, nil
	}
	select {
	case m := <-p.msgs:
		return m, nil
	case status := <-p.status:
		if status == nats.CLOSED {
			p.stop()
			return nil, nats.ErrConnectionClosed
		}
		return nil, nil
	case <-silence.C:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// collect drains what has arrived, beginning with m, and stops the puller when it has to start anew.
func (p *puller) collect(m *nats.Msg) (batch []*nats.Msg) {
	alive, size := m != nil, 0
	for m != nil {
		if isData(m) {
			p.asked--
			size += len(m.Data)
			batch = append(batch, m)
		} else if !p.control(m) {
			alive = false
		}
		if len(batch) == window || size >= p.batch {
			break
		}
		m = p.arrived()
	}
	if !alive {
		batch = append(batch, p.stop()...) // what came is ours, wherever it came from
	}
	return batch
}

// arrived is the next message that is there, nil for none.
func (p *puller) arrived() (m *nats.Msg) {
	if len(p.early) > 0 {
		m, p.early = p.early[0], p.early[1:]
		return m
	}
	select {
	case m = <-p.msgs:
	default:
	}
	return m
}

// ahead are the messages that have come and that next has not returned.
func (p *puller) ahead() []*nats.Msg {
	for {
		select {
		case m := <-p.msgs:
			p.early = append(p.early, m)
		default:
			return p.early
		}
	}
}

const statusHeader = "Status"

func isData(m *nats.Msg) bool { return len(m.Header[statusHeader]) == 0 || len(m.Data) > 0 }

// control reads a status message and reports whether the puller can go on.
func (p *puller) control(m *nats.Msg) bool {
	switch m.Header.Get(statusHeader) {
	case "100": // a heartbeat
		return true
	case "404", "408", "409": // the end of one request; what it leaves unfulfilled is asked for again
		left, err := strconv.Atoi(m.Header.Get("Nats-Pending-Messages"))
		p.asked -= left
		return err == nil
	}
	return false
}

// ask keeps at least half a window on request.
func (p *puller) ask() error {
	p.asked = max(p.asked, 0)
	if p.asked > window/2 || !p.nc.IsConnected() { // after a reconnect a new start asks
		return nil
	}
	request, err := json.Marshal(pullRequest{
		Batch: window - p.asked, MaxBytes: max(p.bytes, int(p.nc.MaxPayload())+lineBytes), Expires: pullExpires.Nanoseconds(), Heartbeat: pullBeat.Nanoseconds(),
	})
	if err != nil {
		return err
	}
	subject := "$JS.API.CONSUMER.MSG.NEXT." + p.stream + "." + p.consumer
	if err := p.nc.PublishRequest(subject, p.sub.Subject, request); err != nil {
		return fmt.Errorf("pull from %s: %w", p.stream, err)
	}
	p.asked = window
	return nil
}

type pullRequest struct {
	Batch     int   `json:"batch"`
	MaxBytes  int   `json:"max_bytes"`
	Expires   int64 `json:"expires"`
	Heartbeat int64 `json:"idle_heartbeat"`
}

// ready starts what is stopped.
func (p *puller) ready(ctx context.Context) error {
	if p.sub != nil {
		return nil
	}
	return p.start(ctx)
}

// start opens the consumer and listens, as long as it takes. Every start has an inbox of its own, so
// that requests from before have nowhere to deliver to.
func (p *puller) start(ctx context.Context) error {
	for {
		if err := p.pause(ctx); err != nil {
			return err
		}
		err := p.listen(ctx)
		if err == nil {
			return nil
		}
		if final(err) || ctx.Err() != nil {
			return fmt.Errorf("read %s: %w", p.stream, err)
		}
	}
}

// final tells a refusal from trouble that passes.
func final(err error) bool {
	var refusal jetstream.JetStreamError
	if errors.As(err, &refusal) && refusal.APIError() != nil {
		return refusal.APIError().Code/100 == 4
	}
	return errors.Is(err, nats.ErrConnectionClosed)
}

// pause waits until the next start may be, each time longer. Who gives up meanwhile and
// comes back has waited that long.
func (p *puller) pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Until(p.again)):
	}
	p.again = time.Now().Add(min(restartFirst<<min(p.failures, 10), restartLast))
	p.failures++
	return nil
}

func (p *puller) listen(ctx context.Context) (err error) {
	// Listen for the reconnect first: one that happens during the next lines must not be missed.
	p.status = p.nc.StatusChanged(nats.CONNECTED, nats.CLOSED)
	p.msgs = make(chan *nats.Msg, 2*window) // a full channel would drop
	p.asked = 0
	if p.consumer, err = p.open(ctx); err == nil {
		p.sub, err = p.nc.ChanSubscribe(p.nc.NewInbox(), p.msgs)
	}
	if err != nil {
		p.nc.RemoveStatusListener(p.status)
	}
	return err
}

// stop forgets everything under way and returns the messages that had arrived.
func (p *puller) stop() (left []*nats.Msg) {
	if p.sub == nil {
		return nil
	}
	if p.nc.IsConnected() {
		_ = p.nc.FlushTimeout(flushTime) // what the server has sent arrives first: it would come again only after a while
	}
	_ = p.sub.Unsubscribe() // fails only when the connection is gone, and the subscription with it
	p.nc.RemoveStatusListener(p.status)
	p.sub, p.status = nil, nil
	for m := p.arrived(); m != nil; m = p.arrived() {
		if isData(m) {
			left = append(left, m)
		}
	}
	return left
}
