package app

import (
	"context"
	"os"
	"runtime/debug"

	"learnloop.dev/api"
	"learnloop.dev/bus"
	"learnloop.dev/learn/all"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/privacy"

	"go.uber.org/zap"
)

// Addresses say where a running loop can be reached.
type Addresses struct {
	HTTP string `json:"http"`
	NATS string `json:"nats"`
	PID  int    `json:"pid"`
}

// Addresses returns where the loop can be reached; they are known once it is open.
func (l *Loop) Addresses() Addresses {
	at := Addresses{NATS: l.config.Server, PID: os.Getpid()}
	if l.server != nil {
		at.NATS = l.server.URL()
	}
	if l.http != nil {
		at.HTTP = l.http.url()
	}
	return at
}

// SignInLink makes a link that signs one browser in as an operator.
func (l *Loop) SignInLink() string {
	url, _ := l.operations.SignInLink()
	return url
}

// openAPI opens the doors last: whoever can call finds everything there.
func (l *Loop) openAPI(ctx context.Context) (err error) {
	if l.role.is(Analyzer) {
		if err := l.openQuestions(); err != nil {
			return err
		}
	}
	if l.role == Ingest {
		if err := l.openOrders(); err != nil {
			return err
		}
	}
	if !l.role.is(Ingest, Injector) {
		return nil
	}
	if l.http, err = listenHTTP(l.config.HTTP, l.tls); err != nil {
		return err
	}
	l.onClose(l.http.close)
	if err := l.openTokens(ctx); err != nil {
		return err
	}
	deps, err := l.deps()
	if err != nil {
		return err
	}
	if l.operations, err = api.New(deps); err != nil {
		return err
	}
	l.http.handle(l.operations.Handler(), l.operations.Drain)
	l.rise("http", l.http.run)
	if !l.role.is(Injector) {
		l.openDocuments()
		return nil
	}
	l.openDashboard()
	stop, err := l.operations.ServeNATS(l.nc)
	if err != nil {
		return err
	}
	l.onClose(stop)
	if l.server != nil {
		return nil
	}
	if stop, err = bus.ServeWatches(l.nc); err != nil {
		return err
	}
	l.onClose(stop)
	return nil
}

// entrance says who may come in over HTTP.
func (l *Loop) entrance(admin string) api.Entrance {
	c := l.config
	return api.Entrance{AdminToken: admin, Tokens: &l.tokens, Closed: c.closed(), Secure: l.tls != nil || c.Access.BehindProxy,
		Proxied: c.Access.BehindProxy, PerSecond: c.Access.RequestsPerSecond}
}

// deps are what the operations of the role work with: ingest takes events, the
// injector answers everything else.
func (l *Loop) deps() (api.Deps, error) {
	token, err := openToken(l.config.Data)
	d := api.Deps{
		Ready: l.notReady, Away: func() bool { return !l.nc.IsConnected() },
		Entrance: l.entrance(token), URL: l.config.Access.linkTo(l.http.url()), Journal: bus.NewJournal(l.js),
		Metrics: l.metrics.handler(), Profiles: profiles(), Version: Version(),
		Entitled: func() bool { return l.authority.policy.Load().Entitled },
		Failed: func(operation string, err error) {
			l.log.Error("operation failed", zap.String("operation", operation), zap.Error(err))
		},
	}
	d.Settings = func() privacy.Settings { return l.authority.policy.Load().Privacy }
	d.Absent = func() []string { return absent(l.authority.policy.Load()) }
	if l.role.is(Injector) {
		d.Conn, d.Partitions, d.DeadLetters, d.Issuer = l.nc, l.layout.Partitions, l.dead, l.chancery()
		d.Driver, d.Moved = l.driver(), l.logMove
		d.Importer, d.Installation = l.chancery(), func(ctx context.Context) (string, error) { return bus.KeyOfLog(ctx, l.js) }
		d.Contexts, d.Learnings, d.Recall, d.Terms = l.contexts, l.learnings, l.shelf, l.config.Injection.terms()
		d.Advice, d.Preferences = l.board, l.preferences
	}
	if l.door != nil {
		d.Door, d.Governor, d.Arms, d.Removed = l.door, governor{l}, l.designs.Arms, l.tally.removed
	} else {
		s := api.NewSteward(l.nc)
		d.Governor, d.People, d.Rotate, d.KnownBy = subject{s, l.authority}, s, s.Rotate, s.KnownBy
	}
	if l.labels != nil {
		d.People, d.Rotate, d.KnownBy = people{l}, l.rotate, people{l}.knownBy
	}
	return d, err
}

// openOrders does for other processes what only one can that holds the keys.
func (l *Loop) openOrders() error {
	c := clerk{l.door, l.js}
	o := api.Orders{Governor: governor{l}, Issuer: c, Importer: c, Driver: c, Ends: c.Ends, Party: l.archive(),
		Failed: func(order string, err error) { l.log.Error("order failed", zap.String("order", order), zap.Error(err)) }}
	if l.labels != nil {
		o.People, o.Rotate, o.KnownBy = people{l}, l.rotate, people{l}.knownBy
	}
	stop, err := api.ServeOrders(l.nc, o)
	if err != nil {
		return err
	}
	l.onClose(stop)
	return nil
}

// noteReserved writes into the audit log what operators published straight into the inbox.
func (l *Loop) noteReserved() func(ctx context.Context, done []ingest.Publication) error {
	journal := bus.NewJournal(l.js)
	return func(ctx context.Context, done []ingest.Publication) error {
		return api.NoteReserved(ctx, journal, done)
	}
}

// answerer answers for the partitions of this process: all of them.
func (l *Loop) answerer() analyze.Answerer {
	return analyze.Answerer{Models: all.Models(), Store: l.state, Partitions: l.partitions()}
}

// openQuestions answers other processes' questions about our partitions.
func (l *Loop) openQuestions() error {
	a := l.answerer()
	stop, err := api.ServeQuestions(l.nc, api.Questions{Answerer: a, Tallies: l.replays, Partitions: a.Partitions, Party: l.archive()})
	if err != nil {
		return err
	}
	l.onClose(stop)
	return nil
}

// Version is the version the binary was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
