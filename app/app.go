package app

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/agent"
	"learnloop.dev/api"
	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/learn/all"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/guide"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/pipeline/recall"
	"learnloop.dev/privacy"
	"learnloop.dev/store"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// Role is what a process does of the loop.
type Role string

// The roles. Everything is the loop in one process, with an embedded server; the
// others are one stage each, against a server elsewhere.
const (
	Everything Role = "everything"
	Ingest     Role = "ingest"
	Analyzer   Role = "analyzer"
	Injector   Role = "injector"
)

// is reports whether the role includes one of the others.
func (r Role) is(roles ...Role) bool { return r == Everything || slices.Contains(roles, r) }

// Loop is the loop, or one stage of it, in this process.
type Loop struct {
	role    Role
	config  Config
	log     *zap.Logger
	metrics *metrics
	tally   *tally
	spans   *spans // nil where nobody asked for them
	// scarcity warns of rules about which too little is known.
	scarcity *scarcity
	keys     *privacy.Keys
	labels   *labels // of who holds the keys and shows people; else nil
	server   *bus.Server
	killed   bool        // the server, when it was last up
	tls      *tls.Config // of addresses that others reach; nil without
	nc       *nats.Conn
	js       jetstream.JetStream
	layout   bus.Layout
	state    *store.Store
	whole    atomic.Bool // the state has come as far as the log went at the start
	// authority is who says what is set; bucketAt the revision of the bucket that it knows.
	authority   *authority
	bucketAt    uint64
	governing   sync.Mutex // held while somebody changes what is set
	dead        *bus.DeadLetters
	facts       *bus.Appender
	tap         *bus.Tap // what facts stores, for an analyzer in the same process; else nil
	intake      ingest.Stage
	door        *ingest.Door
	replays     *analyze.Replays
	contexts    *kv.Reader         // as they are published; nil where nothing is injected
	learnings   *kv.Reader         // likewise
	shelf       *recall.Shelf      // in which they are found; nil likewise
	board       *guide.Board       // what is known of tasks; nil likewise
	nameplates  *nameplates        // contexts of people; nil likewise
	preferences *agent.Preferences // what is known of people; nil likewise
	tokens      access.Book        // in force
	operations  *api.API           // once the doors are open
	tombstones  *ingest.Tombstones // those in the log
	designs     *ingest.Designs    // of experiments, likewise
	stages      []stage
	rising      *rising
	ready       chan struct{}
	http        *httpServer
	closers     []func() error // called last first
}

// Open builds the whole loop; nothing is folded before Run. Whoever opens closes.
func Open(ctx context.Context, c Config, log *zap.Logger) (*Loop, error) {
	return OpenRole(ctx, Everything, c, log)
}

// OpenRole builds what a role needs.
func OpenRole(ctx context.Context, role Role, c Config, log *zap.Logger) (*Loop, error) {
	boundMemory()
	if err := forbidDumps(); err != nil {
		return nil, err
	}
	l := &Loop{role: role, config: c, log: log, metrics: newMetrics(), tally: newTally(time.Now()), scarcity: newScarcity(log, attended(os.Stderr)),
		replays:    analyze.NewReplays(), // before anybody can send one
		ready:      make(chan struct{}),
		rising:     &rising{all: make(chan struct{})},
		tombstones: ingest.NewTombstones(), designs: ingest.NewDesigns()}
	if c.Telemetry.OTLP != "" {
		l.spans = newSpans(c.Telemetry.OTLP, role, log, func(n int) { l.metrics.spans.Add(float64(n)) })
	}
	steps := []func(context.Context) error{
		l.openFolder, l.openCertificate, l.openServer, l.openKeys, l.openStreams, l.openSettings, l.openLabels, l.openStages, l.openAPI,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, errors.Join(advise(err, c), l.Close())
		}
	}
	return l, nil
}

// Close unwinds what Open built, last first. Run must have returned.
func (l *Loop) Close() error {
	var errs []error
	for _, f := range slices.Backward(l.closers) {
		errs = append(errs, f())
	}
	l.closers = nil
	return errors.Join(errs...)
}

func (l *Loop) onClose(f func() error) { l.closers = append(l.closers, f) }

// openFolder makes the data folder ours, and takes back what a killed process said
// of being ready.
func (l *Loop) openFolder(context.Context) error {
	if err := makeFolder(l.config.Data); err != nil {
		return fmt.Errorf("create data folder: %w", err)
	}
	release, err := holdFolder(l.config.Data)
	if err != nil {
		return err
	}
	l.onClose(release)
	return errors.Join(l.withdrawReady(), l.withdrawAddress())
}

// openCertificate reads the one that others than this machine are shown.
func (l *Loop) openCertificate(context.Context) (err error) {
	l.tls, err = l.config.Access.serverTLS(func(err error) { l.log.Warn("certificate stays as it was", zap.Error(err)) })
	return err
}

// makeFolder makes a folder, and those it is in, so that their names outlive a power
// cut: what is in it would be lost with the name, and the key first of all.
func makeFolder(dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return os.MkdirAll(dir, 0o700) // which tells when it is none
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := makeFolder(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	return syncDir(parent)
}

// openServer starts the embedded server, or connects to the one elsewhere.
func (l *Loop) openServer(context.Context) (err error) {
	if l.role != Everything {
		l.nc, err = bus.Connect(l.config.Server, l.config.Creds, "learnloop "+string(l.role))
	} else {
		err = l.serve()
	}
	if err != nil {
		return err
	}
	l.onClose(func() error { l.nc.Close(); return nil })
	l.nc.SetErrorHandler(l.complain)
	if l.js, err = bus.JetStream(l.nc); err == nil {
		l.metrics.watchStreams(l.js)
	}
	return err
}

// complain logs what the server says beside its answers; else it would stand on
// standard error.
func (l *Loop) complain(_ *nats.Conn, _ *nats.Subscription, err error) {
	if !errors.Is(err, nats.ErrBadHeaderMsg) { // of a stranger: the dead letter tells
		l.log.Warn("nats", zap.Error(err))
	}
}

func (l *Loop) serve() (err error) {
	if l.keys, err = openKeys(l.config.Data); err != nil {
		return err
	}
	admin, err := openAdmin(l.config.Data)
	if err != nil {
		return err
	}
	host, port, err := splitAddress(l.config.NATS)
	if err != nil {
		return err
	}
	warn := &serverWarnings{log: l.log}
	l.server, err = bus.Serve(bus.Options{
		Dir: filepath.Join(l.config.Data, natsDir), Host: host, Port: port,
		StoreKey: hex.EncodeToString(l.keys.Derive("store/nats", keySize)),
		InClear:  l.config.inClear,
		Admins:   []string{admin}, AnonymousServices: api.AnonymousSubjects(),
		Warn: warn.pass,
		TLS:  l.outerTLS(), Closed: !loopback(l.config.NATS),
	})
	l.killed = warn.started()
	if err != nil {
		return err
	}
	l.onClose(func() error { l.server.Shutdown(); return nil })
	if err := l.tellAddress(); err != nil {
		return err
	}
	l.nc, err = l.server.ConnectStage("learnloop")
	return err
}

// outerTLS encrypts NATS where others reach it: on this machine nobody listens in.
func (l *Loop) outerTLS() *tls.Config {
	if loopback(l.config.NATS) {
		return nil
	}
	return l.tls
}

func (l *Loop) openStreams(ctx context.Context) (err error) {
	want := bus.Layout{Partitions: l.config.Partitions, Embedded: l.server != nil}
	if l.keys != nil {
		want.Key = nameOf(l.keys)
	}
	if l.layout, err = bus.Ensure(ctx, l.js, want); err != nil {
		return err
	}
	l.dead = bus.NewDeadLetters(l.js)
	l.facts = bus.NewAppender(l.nc, bus.EventsStream)
	if l.server != nil { // nobody else appends
		l.tap = bus.NewTap()
		l.facts.Tell(l.tap)
	}
	return nil
}

func (l *Loop) openState(context.Context) (err error) {
	key, err := l.stateKey()
	if err != nil {
		return err
	}
	l.state, err = store.Open(store.Options{
		Dir: filepath.Join(l.config.Data, stateDir), Key: key, InClear: l.config.inClear,
		Logger: func(msg string) { l.log.Warn("state", zap.String("message", msg)) },
	})
	if err != nil {
		return err
	}
	l.log.Debug("learning database initialized", zap.String("folder", l.config.Data))
	l.onClose(l.state.Close)
	return nil
}

// openSettings finds out which settings are in force, and lets the log know of
// those a person gave just now.
func (l *Loop) openSettings(ctx context.Context) error {
	now, differ, err := l.config.inForce(ctx, l.js, l.role.is(Ingest))
	if err != nil {
		return err
	}
	l.authority, l.bucketAt = newAuthority(now, l.role == Everything, l.log), now.revision
	if !l.role.is(Ingest) {
		return nil
	}
	l.intake = ingest.Stage{House: l.house(), Log: l.facts, Dead: l.dead, Observe: l.observer(),
		Owners: bus.NewBucket(l.js, kv.Owners), Now: time.Now, Changed: l.authority.hear,
		Replays: ingest.NewReplays(bus.NewNotices(l.nc), rand.Text()), Reserved: l.noteReserved(), Apart: l.role != Everything}
	l.door = ingest.NewDoor("http", l.intake)
	fresh, err := untouched(ctx, l.js)
	if err != nil {
		return err
	}
	if fresh {
		differ = groups() // the log has to hear of the defaults too
	}
	return announce(ctx, l.door, now, differ)
}

func (l *Loop) house() ingest.House {
	return ingest.House{Keys: l.keys, Models: all.Models(), Partitions: l.layout.Partitions,
		Policy: l.authority.policy.Load, Settable: settable, Forgotten: l.tombstones.Before, Designs: l.designs,
		StrictSamples: l.config.Samples.Strict}
}

// splitAddress reads host and port.
func splitAddress(addr string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("address %q: %w", addr, err)
	}
	if port, err = strconv.Atoi(text); err != nil {
		return "", 0, fmt.Errorf("address %q: the port is not a number", addr)
	}
	return host, port, nil
}
