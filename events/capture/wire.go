package capture

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
)

// patience is how long one try waits for the server's acknowledgement.
const patience = 5 * time.Second

var errAway = errors.New("not connected")

// wire carries messages to the inbox.
type wire interface {
	// publish returns nil when the server has stored the message.
	publish(ctx context.Context, m *nats.Msg) error
	// room is how many bytes the body of a message may have.
	room() int
	// watch ends tries whose connection is lost, until the context ends.
	watch(ctx context.Context)
}

// connection is the wire that agents use.
type connection struct {
	nc *nats.Conn

	mu    sync.Mutex
	tries map[*try]struct{} // those that wait for an answer
}

// try is one attempt to publish.
type try struct{ end context.CancelCauseFunc }

func newConnection(nc *nats.Conn) *connection {
	return &connection{nc: nc, tries: map[*try]struct{}{}}
}

func (c *connection) publish(ctx context.Context, m *nats.Msg) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer c.begin(&try{end})()
	switch {
	case c.nc.IsClosed():
		return nats.ErrConnectionClosed
	case !c.nc.IsConnected():
		return errAway // or the client would keep a copy of every try
	}
	ask := c.nc.RequestMsgWithContext
	if m.Subject != batch { // reserved, perhaps
		ask = c.petition
	}
	reply, err := ask(ctx, m)
	if err != nil {
		return errors.Join(err, context.Cause(ctx))
	}
	return stored(reply.Data)
}

// petition asks on a subject that may not be permitted. A server that forbids it says
// so beside the answer that never comes, and before it confirms what was sent.
func (c *connection) petition(ctx context.Context, m *nats.Msg) (*nats.Msg, error) {
	sub, err := c.nc.SubscribeSync(c.nc.NewRespInbox())
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	sent := *m
	sent.Reply = sub.Subject
	if err := c.nc.PublishMsg(&sent); err != nil {
		return nil, err
	}
	if err := c.nc.FlushWithContext(ctx); err != nil {
		if errors.Is(err, nats.ErrConnectionClosed) && !c.nc.IsClosed() {
			err = errAway // a flush calls a lost connection a closed one
		}
		return nil, err
	}
	said := c.nc.LastError()
	if errors.Is(said, nats.ErrPermissionViolation) && strings.Contains(said.Error(), `"`+m.Subject+`"`) {
		return nil, ErrNotAllowed
	}
	return sub.NextMsgWithContext(ctx)
}

// begin notes a try; it is over when done is called.
func (c *connection) begin(t *try) (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tries[t] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.tries, t)
	}
}

func (c *connection) watch(ctx context.Context) {
	lost := c.nc.StatusChanged(nats.RECONNECTING, nats.CLOSED)
	defer c.nc.RemoveStatusListener(lost)
	for {
		select {
		case <-lost:
			c.interrupt()
		case <-ctx.Done():
			return
		}
	}
}

// interrupt ends the tries that wait: their answers went with the connection.
func (c *connection) interrupt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for t := range c.tries {
		t.end(errAway)
	}
}

func (c *connection) room() int {
	const headers = 1024
	return min(batchBytes, int(c.nc.MaxPayload())-headers)
}

// stored reads JetStream's answer.
func stored(answer []byte) error {
	const tooLarge = 10054 // message size exceeds maximum allowed
	var ack struct {
		Stream string `json:"stream"`
		Error  *struct {
			Code        int    `json:"err_code"`
			Description string `json:"description"`
		} `json:"error"`
	}
	switch err := json.Unmarshal(answer, &ack); {
	case err != nil:
		return errors.New("the answer is not an acknowledgement")
	case ack.Error != nil && ack.Error.Code == tooLarge:
		return nats.ErrMaxPayload
	case ack.Error != nil:
		return fmt.Errorf("refused: %s", ack.Error.Description)
	case ack.Stream == "":
		return errors.New("the answer is not an acknowledgement")
	}
	return nil
}
