package api

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

// Client calls operations over NATS.
type Client struct{ nc *nats.Conn }

// NewClient returns a client; the connection stays the caller's.
func NewClient(nc *nats.Conn) *Client { return &Client{nc: nc} }

// ErrUnanswered means that no process does the operation.
var ErrUnanswered = errors.New("nobody answers this")

// Call does the operation of that name with arguments that marshal to a JSON
// object, nil for none, and decodes its answer into out, nil to drop it. Every
// error of the operation is a *Problem. Without a deadline of its own a call
// waits for half a minute.
func (c *Client) Call(ctx context.Context, name string, in, out any) error {
	args := []byte("{}")
	if in != nil {
		var err error
		if args, err = json.Marshal(in); err != nil {
			return fmt.Errorf("call %s: encode arguments: %w", name, err)
		}
	}
	m, err := c.request(ctx, name, args)
	if err != nil {
		return fmt.Errorf("call %s: %w", name, err)
	}
	if code := m.Header.Get(micro.ErrorCodeHeader); code != "" {
		return fmt.Errorf("call %s: %w", name, readProblem(code, m))
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(m.Data, out, jsontext.AllowDuplicateNames(true)); err != nil { // our own words
		return fmt.Errorf("call %s: decode answer: %w", name, err)
	}
	return nil
}

// readProblem reads a service error; one that is not ours keeps its code.
func readProblem(code string, m *nats.Msg) *Problem {
	p := problem(Code(code), m.Header.Get(micro.ErrorHeader))
	var told Problem
	if json.Unmarshal(m.Data, &told) == nil && told.Code != "" {
		return &told
	}
	return p
}

// request asks and waits. A server that forbids the call says so beside the
// answer that never comes, and before it confirms what was sent.
func (c *Client) request(ctx context.Context, name string, args []byte) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	subject := subjectOf(name)
	sub, err := c.nc.SubscribeSync(c.nc.NewRespInbox())
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := c.nc.PublishRequest(subject, sub.Subject, args); err != nil {
		return nil, err
	}
	if err := c.nc.FlushWithContext(ctx); err != nil {
		return nil, unanswered(err)
	}
	if err := c.nc.LastError(); errors.Is(err, nats.ErrPermissionViolation) && strings.Contains(err.Error(), `"`+subject+`"`) {
		return nil, problem(NotAllowed, name+" needs the admin credential").
			hint(credentialHint)
	}
	m, err := sub.NextMsgWithContext(ctx)
	if err != nil {
		return nil, unanswered(err)
	}
	return m, nil
}

const credentialHint = "give the server's data folder with --data, or its admin.creds with --creds"

// unanswered explains why nothing came back.
func unanswered(err error) error {
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return problem(Unavailable, ErrUnanswered.Error()).hint("is learnloop serve running there?").
			because(fmt.Errorf("%w: %w", ErrUnanswered, err))
	case errors.Is(err, context.DeadlineExceeded):
		return problem(TimedOut, "").because(err)
	case errors.Is(err, nats.ErrConnectionClosed), errors.Is(err, nats.ErrDisconnected):
		return problem(Unavailable, "the server went away").hint("is learnloop serve running there?").because(err)
	}
	return err
}
