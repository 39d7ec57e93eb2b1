// Package api offers the loop to the outside: every operation is defined once,
// in one registry, and reached through several doors: HTTP, NATS services, and
// the client that the commands use.
package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/agent"
	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline/guide"
	"learnloop.dev/pipeline/recall"
	"learnloop.dev/privacy"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Deps are what the operations work with. Conn, Partitions, Entitled and Ready
// are needed by all but a process that only ingests; what is nil closes the
// operations that need it.
type Deps struct {
	// Conn reaches streams, buckets and analyzers; nil serves capture and health alone.
	Conn       *nats.Conn
	Partitions int // of the log
	// Door takes events; nil closes events.publish.
	Door Door
	// Learnings are those that are published; nil closes the operations on them.
	Learnings Entries
	// Contexts are those that are published; nil closes rules.list.
	Contexts Contexts
	// Recall finds learnings; nil closes learnings.search and inject.
	Recall *recall.Shelf
	// Terms are those of injections.
	Terms recall.Terms
	// Advice chooses models and finds templates; nil closes route and templates.
	Advice *guide.Board
	// Preferences are those of people; nil closes prompt, rerank and calibrate.
	Preferences *agent.Preferences
	// Arms are what running experiments have a raw unit get; nil: no experiment takes effect.
	Arms func(unit string, at time.Time) []events.Enrolment
	// DeadLetters are read by dlq.list and dlq.get; nil closes them.
	DeadLetters DeadLetters
	// Entitled says whether calls about rule feedback are answered; nil means yes.
	Entitled func() bool
	// Ready tells what does not run yet; nil means everything does.
	Ready func() error
	// Away says whether the NATS server is: what waits for it is given up then. Nil: it never is.
	Away func() bool
	// People knows stored from shown names; nil where nobody holds the keys.
	People People
	// Settings are those of privacy in force; nil closes privacy.get, privacy.history and rules.share.
	Settings func() privacy.Settings
	// Absent are the keyed hashes of people who are left out of what is shared; nil: nobody is.
	Absent func() []string
	// Governor changes them; nil closes the operations that do.
	Governor Governor
	// Rotate shows people under new names; nil closes privacy.rotate-key.
	Rotate func(ctx context.Context, o RotateOrder) (*Rotation, error)
	// KnownBy lists all that a person may be known by: what becomes of a raw user id,
	// and the shown names, former ones too, of that and of stored names that were found
	// besides. Nil closes forgetting.
	KnownBy func(ctx context.Context, user string, names []string) (Known, error)
	// Issuer gives orders to all partitions; nil closes clearing and forgetting.
	Issuer Issuer
	// Importer takes in what was learned elsewhere; nil closes import.
	Importer Importer
	// Driver drives what the analyzer refused again; nil closes dlq.redrive.
	Driver Driver
	// Moved is told of exports and imports that are done; nil: nobody is.
	Moved func(m Moved)
	// Installation is the name that exports give; nil closes export and import.
	Installation func(ctx context.Context) (string, error)
	// Entrance says who may come in over HTTP.
	Entrance Entrance
	// URL is where browsers reach this process; links begin with it.
	URL string
	// Removed tells what ingest removed; nil where another process ingests.
	Removed func() *Removed
	// Journal keeps what people change; nil: nothing is kept, and audit.list is closed.
	Journal Journal
	// Metrics and Profiles answer /metrics and, to operators, /debug/pprof/; nil: not there.
	Metrics, Profiles http.Handler
	Version           string
	// Failed is told what went wrong on our side, never a payload; nil drops it.
	Failed func(operation string, err error)
	// Now is the clock; nil is the machine's.
	Now func() time.Time
}

// API holds the operations and makes doors of them.
type API struct {
	deps     Deps
	porter   *porter
	registry Registry
	http     http.Handler
	mcp      *mcpHTTP

	js       jetstream.JetStream
	contexts jetstream.KeyValue
	settings jetstream.KeyValue
	asker    asker
	pledges  pledges

	importing sync.Mutex // imports come one at a time

	catalogue catalogue
	rulebook  rulebook
	overlook  time.Duration

	editing   chan struct{} // held by a change that was made from a state
	listeners listeners     // who hears of changes
	closing   chan struct{} // closed by Drain
	drain     sync.Once
	mux       *http.ServeMux
	astray    astray
	indoors   indoors
}

// New opens what the operations read; the connection stays the caller's.
func New(d Deps) (*API, error) {
	a := &API{deps: d.complete(), overlook: overlook,
		registry: Registry{failed: d.Failed, rounds: newRounds(), away: d.Away,
			attempts: access.Limit{PerSecond: attemptsPerSecond, Burst: attemptsAtOnce}},
		editing: make(chan struct{}, 1), closing: make(chan struct{})}
	if d.Conn != nil {
		if err := a.connect(d.Conn); err != nil {
			return nil, err
		}
	}
	a.registry.journal, a.registry.now = a.deps.Journal, a.deps.Now
	a.porter = newPorter(a.deps.Entrance, a.deps.Now)
	a.register(&a.registry)
	handler, err := a.routes()
	a.http = handler
	return a, err
}

// complete fills in what a caller may leave out.
func (d Deps) complete() Deps {
	if d.Entitled == nil {
		d.Entitled = func() bool { return true }
	}
	if d.Ready == nil {
		d.Ready = func() error { return nil }
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	return d
}

// connectTime is how long opening the buckets may take.
const connectTime = 30 * time.Second

func (a *API) connect(nc *nats.Conn) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	a.asker = asker{nc, a.deps.Partitions}
	if a.js, err = bus.JetStream(nc); err != nil {
		return fmt.Errorf("open operations: %w", err)
	}
	if a.contexts, err = a.js.KeyValue(ctx, learn.Contexts); err != nil {
		return fmt.Errorf("open bucket %s: %w", learn.Contexts, err)
	}
	if a.settings, err = a.js.KeyValue(ctx, learn.Settings); err != nil {
		return fmt.Errorf("open bucket %s: %w", learn.Settings, err)
	}
	settings := bus.NewBucket(a.js, learn.Settings)
	a.pledges = pledges{a.deps.Now, settings}
	a.registry.receipts = &receipts{a.deps.Now, bus.NewBucket(a.js, kv.Receipts)}
	return nil
}

// Drain ends what would go on for ever: the streams of changes, and the sessions of agents.
func (a *API) Drain() {
	a.drain.Do(func() {
		close(a.closing)
		if a.mcp != nil {
			a.mcp.close()
		}
	})
}

// Handler serves everything over HTTP.
func (a *API) Handler() http.Handler { return a.http }

// Handle serves something else beside the operations, behind the same guard: its handlers
// know who calls from VisitorOf, and Admit keeps others out.
func (a *API) Handle(pattern string, h http.Handler) { a.mux.Handle(pattern, h) }

// HandleAstray serves a page, with its status, to people who ask for a path that is not
// there: those whose browsers accept HTML. Programs get a problem.
func (a *API) HandleAstray(page http.Handler) { a.astray.page = page }

// routes makes the HTTP door.
func (a *API) routes() (_ http.Handler, err error) {
	d := newHTTPDoor(a.deps.Version)
	a.mux = d.mux
	for _, e := range a.registry.entries {
		d.mount(e, &a.registry)
	}
	if err := d.describe(); err != nil {
		return nil, err
	}
	if a.deps.Conn != nil {
		if a.mcp, err = a.mcpOverHTTP(); err != nil {
			return nil, err
		}
		d.mux.Handle("/mcp", a.mcp)
	}
	if a.deps.Metrics != nil {
		d.mux.Handle("GET /metrics", Admit(Read, a.deps.Metrics))
	}
	if a.deps.Profiles != nil {
		d.mux.Handle("GET /debug/pprof/", Admit(Admin, a.deps.Profiles))
	}
	return guard{d.mux, a.porter, http.NewCrossOriginProtection(), a.deps.Failed, &a.astray}, nil
}

const licenseHint = "rule feedback needs tier teams or enterprise and the learning_loop flag: " +
	"serve --set entitlement.tier=teams --set entitlement.learning_loop=true"

// licensed refuses calls about rule feedback that the deployment does not include.
func (a *API) licensed(kind string) error {
	switch kind {
	case kindRule, kindCategory, kindSummary:
		if !a.deps.Entitled() {
			return problem(LicenseRequired, "").hint(licenseHint)
		}
	}
	return nil
}

// outOfReach is unreachable, unless the error tells callers something already.
func outOfReach(err error) error {
	if _, told := errors.AsType[*Problem](err); told {
		return err
	}
	return unreachable(err)
}

// unreachable is what callers are told when streams or buckets do not answer.
func unreachable(err error) error {
	return problem(Unavailable, "").with("Retry-After", "1").because(err)
}
