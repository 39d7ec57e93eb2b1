package app

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/bus"
	"learnloop.dev/learn/all"
	"learnloop.dev/pipeline/analyze"
	"learnloop.dev/pipeline/ingest"
	"learnloop.dev/privacy"
	"learnloop.dev/store"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// Loop is everything in one process: the embedded server, the three stages and
// the doors, on one data folder.
type Loop struct {
	config  Config
	log     *zap.Logger
	metrics *metrics
	keys    *privacy.Keys
	server  *bus.Server
	nc      *nats.Conn
	js      jetstream.JetStream
	layout  bus.Layout
	state   *store.Store
	policy  atomic.Pointer[ingest.Policy]
	// settings belongs to followSettings once the loop runs.
	settings settings
	dead     *bus.DeadLetters
	facts    *bus.Appender
	intake   ingest.Stage
	door     *ingest.Door
	replays  *analyze.Replays
	stages   []stage
	ready    chan struct{}
	http     *httpServer
	closers  []func() error // called last first
}

// stage is one part that runs until its context ends.
type stage struct {
	name string
	run  func(context.Context) error
}

// Open builds a loop; nothing is folded before Run. Whoever opens closes.
func Open(ctx context.Context, c Config, log *zap.Logger) (*Loop, error) {
	l := &Loop{config: c, log: log, metrics: newMetrics(), ready: make(chan struct{})}
	steps := []func(context.Context) error{
		l.openKeys, l.openServer, l.openState, l.openDoor, l.openStages, l.openAPI,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, errors.Join(explainOpen(err, c), l.Close())
		}
	}
	return l, nil
}

// Close unwinds what Open built, last first. Run must have returned.
func (l *Loop) Close() error {
	var errs []error
	for i := len(l.closers) - 1; i >= 0; i-- {
		errs = append(errs, l.closers[i]())
	}
	l.closers = nil
	return errors.Join(errs...)
}

func (l *Loop) onClose(f func() error) { l.closers = append(l.closers, f) }

func (l *Loop) openKeys(context.Context) (err error) {
	l.keys, err = openKeys(l.config.Data)
	return err
}

func (l *Loop) openServer(ctx context.Context) error {
	admin, err := openAdmin(l.config.Data)
	if err != nil {
		return err
	}
	host, port, err := splitAddress(l.config.NATS)
	if err != nil {
		return err
	}
	l.server, err = bus.Serve(bus.Options{
		Dir: filepath.Join(l.config.Data, natsDir), Host: host, Port: port,
		StoreKey: hex.EncodeToString(l.keys.Derive("store/nats", 32)),
		Admins:   []string{admin}, AnonymousServices: api.AnonymousSubjects(),
		Warn: func(msg string) { l.log.Warn("nats server", zap.String("message", msg)) },
	})
	if err != nil {
		return err
	}
	l.onClose(func() error { l.server.Shutdown(); return nil })
	if l.nc, err = l.server.ConnectStage("learnloop"); err != nil {
		return err
	}
	l.onClose(func() error { l.nc.Close(); return nil })
	if l.js, err = jetstream.New(l.nc); err != nil {
		return fmt.Errorf("open jetstream: %w", err)
	}
	l.layout, err = bus.Ensure(ctx, l.js, bus.Layout{Partitions: l.config.Partitions})
	return err
}

func (l *Loop) openState(context.Context) (err error) {
	l.state, err = store.Open(store.Options{
		Dir: filepath.Join(l.config.Data, stateDir), Key: l.keys.Derive("store/state", 32),
		Logger: func(msg string) { l.log.Warn("state", zap.String("message", msg)) },
	})
	if err == nil {
		l.onClose(l.state.Close)
	}
	return err
}

// openDoor builds what takes events in process, under the settings in force.
func (l *Loop) openDoor(ctx context.Context) error {
	now, differ, err := l.config.inForce(ctx, l.js)
	if err != nil {
		return err
	}
	l.settings = now
	l.policy.Store(now.policy())
	l.dead = bus.NewDeadLetters(l.js)
	l.facts = bus.NewAppender(l.nc, bus.EventsStream)
	l.intake = ingest.Stage{House: l.house(), Log: l.facts, Dead: l.dead, Observe: l.observer()}
	l.door = ingest.NewDoor("http", l.intake)
	return announce(ctx, l.door, now, differ, time.Now())
}

func (l *Loop) house() ingest.House {
	return ingest.House{Keys: l.keys, Models: all.Models(), Partitions: l.layout.Partitions, Policy: l.policy.Load}
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
