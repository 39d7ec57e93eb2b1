package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"learnloop.dev/access"
	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline/inject"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
)

// remote has a loop elsewhere do operations, over NATS.
type remote struct {
	client *Client
	who    Visitor // as the loop knows the connection
	offers []offer
}

// discover asks the loop which operations there are.
func (c *Client) discover(ctx context.Context) (found []offer, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	m, err := c.nc.RequestWithContext(ctx, "$SRV.INFO."+serviceName, nil)
	if err != nil {
		return nil, fmt.Errorf("ask what the loop does: %w", unanswered(err))
	}
	var info micro.Info
	if err := json.Unmarshal(m.Data, &info); err != nil {
		return nil, fmt.Errorf("read what the loop does: %w", err)
	}
	for _, e := range info.Endpoints {
		if name, ours := strings.CutPrefix(e.Subject, subjects); ours {
			found = append(found, offer{name, e.Metadata})
		}
	}
	return found, nil
}

func (r remote) admit(http.Header) (Visitor, *Problem) { return r.who, nil }

func (r remote) perform(ctx context.Context, name string, args jsontext.Value) (out jsontext.Value, p *Problem) {
	for _, o := range r.offers { // said here, whatever stands between us and the loop
		if p := r.who.refused(o.access()); o.name == name && p != nil {
			return nil, p
		}
	}
	if len(args) == 0 {
		args = jsontext.Value("{}")
	}
	if err := r.client.Call(ctx, name, args, &out); err != nil {
		return nil, asProblem(err)
	}
	return out, nil
}

// leave puts an event into the inbox.
func (r remote) leave(ctx context.Context, item events.Item) *Problem {
	if err := fitting(item); err != nil {
		return asProblem(err)
	}
	js, err := bus.JetStream(r.client.nc)
	if err == nil {
		err = post(ctx, js, item)
	}
	if err != nil {
		return asProblem(err)
	}
	return nil
}

// Streams lead to one client of the Model Context Protocol, one message a line.
type Streams struct {
	In       io.Reader
	Out      io.Writer
	Operator bool // the connection to the loop is logged in
	Version  string
	Failed   func(operation string, err error) // is told what went wrong on our side; nil drops it
}

// visitor is who the client of the streams is to the loop.
func (s Streams) visitor() Visitor {
	if s.Operator {
		return Visitor{Name: operatorName, Door: doorNATS, Roles: access.Roles{access.Admin}}
	}
	return Visitor{Door: doorNATS, Roles: anybody()}
}

// ServeMCP serves the Model Context Protocol until the client or the context ends it.
func (c *Client) ServeMCP(ctx context.Context, s Streams) error {
	found, err := c.discover(ctx)
	if err != nil {
		return err
	}
	d := &mcpDoor{host: remote{c, s.visitor(), found}, offers: found, failed: s.Failed}
	var o mcp.ServerOptions
	if s.Operator { // others do not hear of changes
		o.SubscribeHandler = func(ctx context.Context, req *mcp.SubscribeRequest) error {
			return d.exists(ctx, req.Params.URI)
		}
		o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	}
	d.furnish(s.Version, o)
	if s.Operator {
		heard, err := d.listen(ctx, c.nc)
		if err != nil {
			return err
		}
		defer func() { _ = heard.Unsubscribe() }()
	}
	in := &closing{Reader: s.In}
	err = d.server.Run(ctx, &mcp.IOTransport{Reader: in, Writer: uncloseable{s.Out}})
	if err == nil || in.ended.Load() || ctx.Err() != nil {
		return nil // the client has gone, or somebody has interrupted
	}
	return fmt.Errorf("serve the protocol: %w", err)
}

// closing is a stream that knows whether its other side has closed it.
type closing struct {
	io.Reader
	ended atomic.Bool
}

// Read reads a part.
func (c *closing) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		c.ended.Store(true)
	}
	return n, err
}

// Close does nothing: the stream is the process's.
func (*closing) Close() error { return nil }

type uncloseable struct{ io.Writer }

// Close does nothing: the stream is the process's.
func (uncloseable) Close() error { return nil }

// listen tells subscribers of changed contexts.
func (d *mcpDoor) listen(ctx context.Context, nc *nats.Conn) (*nats.Subscription, error) {
	s, err := nc.Subscribe(bus.NoticeSubject(inject.ContextChanged), func(m *nats.Msg) { d.changed(ctx, m.Data) })
	if err != nil {
		return nil, fmt.Errorf("hear of changed contexts: %w", err)
	}
	return s, nil
}
