package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/pipeline/forget"
	"learnloop.dev/pipeline/ingest"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
)

// orders is where a process that takes events in is told what only it can do,
// because it holds the keys and writes the log: each order on a subject of its own,
// so that permissions can tell who may give which.
const orders = "_LL.order."

// What can be ordered besides control facts, whose orders are named by their kind.
const (
	orderShow   = "show"
	orderFind   = "find"
	orderKnown  = "known"
	orderRotate = "rotate"
	orderGovern = "govern"
	orderChoose = "choose"
	orderEnds   = "ends"
	orderSearch = "search"
	orderImport = "import"
	orderDrive  = "redrive"
)

// issuable are the control facts that other processes may have issued.
var issuable = []events.Kind{
	events.ControlCleared.Kind, events.ControlForgotten.Kind, // as operators want
	events.ControlReset.Kind, events.ControlPatternDeleted.Kind, // likewise
	events.ControlPreferenceCorrected.Kind,                                                     // as a person wants
	events.ControlExperimentChanged.Kind,                                                       // likewise
	events.ControlExpired.Kind, events.ControlExperimentExpired.Kind, events.ControlPrior.Kind, // as the analyzers find out
}

// Orders are what a process that holds the keys does for those that do not. What is
// nil is left to another process.
type Orders struct {
	People   People
	KnownBy  func(ctx context.Context, user string, names []string) (Known, error)
	Rotate   func(ctx context.Context, o RotateOrder) (*Rotation, error)
	Governor Governor
	Issuer   Issuer
	Importer Importer
	Driver   Driver
	// Ends are the last log sequences of all partitions.
	Ends func(ctx context.Context) (map[int]uint64, error)
	// Party searches the streams that nobody else may read.
	Party forget.Party
	// Failed is told what went wrong on our side, never a payload; nil drops it.
	Failed func(order string, err error)
}

// known is a question about what a person may be known by.
type known struct {
	User  string   `json:"user"`
	Names []string `json:"names"`
}

// issue is a control fact to be issued; its kind stands in the subject.
type issue struct {
	ID   string         `json:"id"`
	At   time.Time      `json:"at"`
	Data jsontext.Value `json:"data"`
}

// carry carries out an order, and returns what is answered.
type carry func(ctx context.Context, data []byte) (any, error)

// carrying decodes an order for who carries it out.
func carrying[In, Out any](do func(context.Context, In) (Out, error)) carry {
	return func(ctx context.Context, data []byte) (any, error) {
		var in In
		if err := json.Unmarshal(data, &in); err != nil {
			return nil, errors.New("the order cannot be read") // the decoder's own words could quote it
		}
		return do(ctx, in)
	}
}

// list is everything that can be ordered here, by name.
func (o Orders) list() map[string]carry {
	all := map[string]carry{}
	if o.People != nil {
		all[orderShow] = carrying(o.People.Show)
		all[orderFind] = carrying(o.People.Find)
	}
	if o.KnownBy != nil {
		all[orderKnown] = carrying(func(ctx context.Context, k known) (Known, error) { return o.KnownBy(ctx, k.User, k.Names) })
	}
	if o.Rotate != nil {
		all[orderRotate] = carrying(o.Rotate)
	}
	if o.Governor != nil {
		all[orderGovern] = carrying(o.Governor.Govern)
		all[orderChoose] = carrying(o.Governor.Choose)
	}
	if o.Issuer != nil {
		for _, kind := range issuable {
			all[string(kind)] = carrying(func(ctx context.Context, i issue) (map[int]uint64, error) { return o.issue(ctx, kind, i) })
		}
	}
	if o.Importer != nil {
		all[orderImport] = carrying(o.Importer.Import)
	}
	if o.Driver != nil {
		all[orderDrive] = carrying(o.Driver.Redrive)
	}
	if o.Ends != nil {
		all[orderEnds] = carrying(func(ctx context.Context, _ struct{}) (map[int]uint64, error) { return o.Ends(ctx) })
	}
	if o.Party != nil {
		all[orderSearch] = carrying(o.Party.Search)
	}
	return all
}

// issue reads the payload of a control fact and has it issued.
func (o Orders) issue(ctx context.Context, kind events.Kind, i issue) (map[int]uint64, error) {
	spec, _ := events.Lookup(kind)
	payload, refusal := events.Decode(spec, i.Data)
	if refusal.Refused() {
		return nil, fmt.Errorf("issue %s: refused: %s %v", kind, refusal.Reason, refusal.Violations)
	}
	return o.Issuer.Issue(ctx, ingest.Order{ID: i.ID, Kind: kind, At: i.At, Payload: payload})
}

// ServeOrders carries out what other processes order until stop is called, which
// returns when the last one is carried out. Of several processes that serve an order
// one gets it.
func ServeOrders(nc *nats.Conn, o Orders) (stop func() error, err error) {
	life, end := context.WithCancel(context.Background())
	var desks []desk
	stop = func() error {
		end()
		return closeAll(desks)
	}
	for name, do := range o.list() {
		d, err := openDesk(nc, orders+name, orders, func(m *nats.Msg) { o.take(life, m, name, do) })
		if err != nil {
			return nil, errors.Join(fmt.Errorf("serve orders: %w", err), stop())
		}
		desks = append(desks, d)
	}
	if err := nc.Flush(); err != nil {
		return nil, errors.Join(fmt.Errorf("serve orders: %w", err), stop())
	}
	return stop, nil
}

// receipt is what comes back of an order: while it takes long, again and again that
// somebody is at it.
type receipt struct {
	Busy    bool                `json:"busy,omitzero"`
	Value   jsontext.Value      `json:"value,omitzero"`
	Problem *Problem            `json:"problem,omitzero"`
	Headers map[string][]string `json:"headers,omitzero"` // of the problem
}

// take carries out one order.
func (o Orders) take(life context.Context, m *nats.Msg, name string, do carry) {
	beating(func() { _ = m.Respond(encodedReceipt(receipt{Busy: true})) }, func() {
		value, err := o.carryOut(life, m.Data, do)
		r := receipt{Value: value}
		if err != nil {
			r.Problem = asProblem(err)
			r.Headers = r.Problem.header
			if r.Problem.cause != nil && o.Failed != nil {
				o.Failed(name, r.Problem.cause)
			}
		}
		_ = m.Respond(encodedReceipt(r)) // who ordered may have gone, and asks again
	})
}

func encodedReceipt(r receipt) []byte {
	data, err := json.Marshal(r, json.Deterministic(true))
	if err != nil { // only a caller's value can be to blame
		data, _ = json.Marshal(receipt{Problem: problem(Internal, "")})
	}
	return data
}

// carryOut does it; a panic is a failure like any other, and its value, which may
// hold payload text, goes no further.
func (o Orders) carryOut(life context.Context, data []byte, do carry) (value jsontext.Value, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = panicked(v)
		}
	}()
	out, err := do(life, data)
	if err != nil {
		return nil, err
	}
	return json.Marshal(out, json.Deterministic(true))
}
