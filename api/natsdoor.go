package api

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"
	"golang.org/x/sync/errgroup"
)

const (
	serviceName = "learnloop"
	// instances of the service in one process: each reads requests in order.
	instances = 4
	// atOnce is how many calls are worked on at a time; the others wait in order.
	atOnce = 256
)

// natsDoor makes endpoints of operations.
type natsDoor struct {
	conn    *nats.Conn
	schemas huma.Registry
	busy    sync.RWMutex   // read-locked by every call
	calls   errgroup.Group // bounds them
}

// endpoint is an operation as NATS clients discover it.
type endpoint struct {
	metadata map[string]string
	handle   func(micro.Request)
}

// ServeNATS answers the operations as services of the NATS micro framework until
// stop is called.
func (a *API) ServeNATS(nc *nats.Conn) (stop func() error, err error) {
	life, end := context.WithCancel(context.Background()) // of the calls: ends when the door has closed
	door := &natsDoor{conn: nc, schemas: argumentSchemas()}
	door.calls.SetLimit(atOnce)
	ends := make([]endpoint, len(a.registry.entries)) // of all instances: to describe one takes a while
	for i, e := range a.registry.entries {
		ends[i] = door.serve(life, e, a.registry.operate(e))
	}
	var running []micro.Service
	stop = func() error { return door.close(running, end) }
	for range instances {
		s, err := a.serveInstance(nc, ends)
		if s != nil {
			running = append(running, s)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("serve operations over NATS: %w", err), stop())
		}
	}
	if err := nc.Flush(); err != nil {
		return nil, errors.Join(fmt.Errorf("serve operations over NATS: %w", err), stop())
	}
	return stop, nil
}

// closeTime is how long calls in progress may take at the end.
const closeTime = 5 * time.Second

// close takes no more calls and lets those in progress finish.
func (d *natsDoor) close(running []micro.Service, end context.CancelFunc) error {
	defer end()
	defer time.AfterFunc(closeTime, end).Stop()
	var errs []error
	for _, s := range running {
		errs = append(errs, s.Stop())
	}
	d.busy.Lock() // when the last call has ended
	defer d.busy.Unlock()
	return errors.Join(errs...)
}

func (a *API) serveInstance(nc *nats.Conn, ends []endpoint) (micro.Service, error) {
	s, err := micro.AddService(nc, micro.Config{
		Name: serviceName, Version: semantic(a.deps.Version), Description: "Learning contexts, statistics and capture",
	})
	if err != nil {
		return nil, err
	}
	for i, e := range a.registry.entries {
		err := s.AddEndpoint(strings.ReplaceAll(e.name, ".", "_"), micro.HandlerFunc(ends[i].handle),
			micro.WithEndpointSubject(subjectOf(e.name)), micro.WithEndpointMetadata(ends[i].metadata))
		if err != nil {
			return s, fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return s, nil
}

// semantic returns a version that the framework takes; one of a development
// build becomes 0.0.0 with its text behind.
func semantic(version string) string {
	version = strings.TrimPrefix(version, "v")
	if semver.MatchString(version) {
		return version
	}
	return "0.0.0-" + strings.Trim(foreignRunes.ReplaceAllString("dev."+version, "-"), ".-")
}

var (
	semver       = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
	foreignRunes = regexp.MustCompile(`[^0-9A-Za-z.-]+`)
)

// receiver is an In that takes a message as it is.
type receiver interface {
	receive(header map[string][]string, data []byte)
}

// serve makes the endpoint of one operation; its calls end with life.
func (d *natsDoor) serve(life context.Context, e entry, call operate) endpoint {
	args := arguments(d.schemas, e.in)
	reading := readingOf(d.schemas, args, e.aliases)
	end := endpoint{metadata: metadata(d.schemas, e)}
	answer := func(req micro.Request) {
		in := e.empty()
		if raw, ok := in.(receiver); ok {
			raw.receive(req.Headers(), req.Data())
		} else if p := reading.readAll(req.Data(), in); p != nil {
			d.refuse(req, p)
			return
		}
		ans, p := call(WithVisitor(life, overNATS(req.Headers())), in)
		if p != nil {
			d.refuse(req, p)
			return
		}
		d.respond(req, ans)
	}
	end.handle = func(req micro.Request) {
		d.busy.RLock()
		d.calls.Go(func() error { // waits for a place
			defer d.busy.RUnlock()
			answer(req)
			return nil
		})
	}
	return end
}

// mustWrite encodes schemas made of our own types.
func mustWrite(v any) jsontext.Value {
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("api: encode schema: %v", err))
	}
	return data
}

// readAll decodes arguments that came as one object; nothing means none.
func (g reading) readAll(data []byte, in any) *Problem {
	given := map[string]jsontext.Value{}
	if len(data) > 0 && json.Unmarshal(data, &given) != nil || given == nil {
		return problem(BadRequest, "the arguments are not one JSON object")
	}
	return g.read(given, in)
}

// respond sends an answer.
func (d *natsDoor) respond(req micro.Request, ans answer) {
	msg := nats.Msg{Subject: req.Reply(), Data: ans.data, Header: nats.Header{}}
	for name, value := range ans.headers {
		msg.Header.Set(name, value)
	}
	if err := d.conn.PublishMsg(&msg); errors.Is(err, nats.ErrMaxPayload) {
		d.refuse(req, problem(TooLarge, "the answer is larger than a message may be"))
	}
}

// refuse sends a problem as a service error. The framework's own answers are for
// handlers that have answered when they return: it reads then what they wrote, and
// ours go on in the background.
func (d *natsDoor) refuse(req micro.Request, p *Problem) {
	msg := nats.Msg{Subject: req.Reply(), Data: p.encode(), Header: nats.Header{}}
	msg.Header[micro.ErrorHeader] = []string{p.Error()}
	msg.Header[micro.ErrorCodeHeader] = []string{string(p.Code)}
	_ = d.conn.PublishMsg(&msg) // the caller may have gone
}
