package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"learnloop.dev/app"
	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/events/capture"
	"learnloop.dev/kv"
)

// wholeLoop measures a loop from the agent's call to the context in the bucket; then a
// log of decisions alone, folded again; then what else the loop does.
func (b *bench) wholeLoop(ctx context.Context) error {
	config, err := b.config()
	if err != nil {
		return err
	}
	total := 0
	err = b.meet(ctx, config, func(m *meter) error {
		defer func() { total = m.total }()
		return m.each(ctx, m.through, m.single, m.steady)
	})
	if err != nil {
		return err
	}
	if err := b.again(ctx, config.Data, total); err != nil {
		return err
	}
	return b.meet(ctx, config, func(m *meter) error {
		return m.each(ctx, m.learned, m.injected, m.tasks, m.agent, m.overHTTP)
	})
}

// meet starts a loop, has it measured and stops it.
func (b *bench) meet(ctx context.Context, config app.Config, measure func(*meter) error) error {
	r, err := start(ctx, config)
	if err != nil {
		return err
	}
	own := b.operator(r, config)
	l, err := own.connect()
	if err != nil {
		return errors.Join(err, r.stop())
	}
	a, err := connectAgent(own.server)
	if err != nil {
		l.close()
		return errors.Join(err, r.stop())
	}
	p := a.publisher(capture.Options{Source: "/bench", MaxEvents: b.events + 1, MaxBytes: 1 << 30})
	err = measure(&meter{bench: b, loop: l, publisher: p, host: strings.TrimPrefix(r.Addresses().HTTP, "http://")})
	err = errors.Join(err, p.Close(ctx))
	a.close()
	l.close()
	return errors.Join(err, r.stop())
}

// agent is connected as agents are: without a credential.
type agent struct {
	publisher func(o capture.Options) *capture.Publisher
	close     func()
}

func connectAgent(server string) (*agent, error) {
	nc, err := bus.Connect(server, "", "learnloop bench")
	if err != nil {
		return nil, err
	}
	return &agent{func(o capture.Options) *capture.Publisher { return capture.New(nc, o) }, nc.Close}, nil
}

func (b *bench) config() (app.Config, error) {
	return app.Load("", nil, []string{"data=" + filepath.Join(b.dir, "loop"), "http=127.0.0.1:0", "nats=127.0.0.1:0", "log=error",
		"access.requests_per_second=0"}) // it is one caller
}

// operator is a shell that talks to a loop of ours.
func (b *bench) operator(r *running, config app.Config) *shell {
	own := *b.sh
	own.server, own.data, own.creds = r.Addresses().NATS, config.Data, ""
	return &own
}

// ahead is how many events are captured before those before them must be in the inbox.
const ahead = 2000

// meter measures a running loop.
type meter struct {
	*bench

	loop      *loop
	publisher *capture.Publisher
	host      string // of the HTTP door
	total     int    // decisions sent so far
}

// each measures one thing after the other.
func (m *meter) each(ctx context.Context, parts ...func(context.Context) error) error {
	for _, part := range parts {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// send hands one decision to the publisher.
func (m *meter) send(run string, i int, rule string) error {
	m.total++
	return capture.Publish(m.publisher, events.FeedbackFix, benchFix(run, i, i/m.rules, rule))
}

// through measures how fast events go through the loop.
func (m *meter) through(ctx context.Context) error {
	reader, err := m.loop.watch(ctx, kv.Summary)
	if err != nil {
		return err
	}
	defer reader.Close()
	names := benchRules(m.rules)
	for i := range names { // warm up, and have every rule known
		if err := m.send("warm", i, names[i]); err != nil {
			return err
		}
	}
	if err := reached(ctx, reader, kv.Summary, m.total); err != nil {
		return err
	}
	watch := startWatch()
	for i := range m.events {
		if err := m.send("through", i, names[i%len(names)]); err != nil {
			return err
		}
		if i%ahead == ahead-1 { // what waits here takes memory from the loop
			if err := m.publisher.Flush(ctx); err != nil {
				return err
			}
		}
	}
	if err := reached(ctx, reader, kv.Summary, m.total); err != nil {
		return err
	}
	took, cpu := watch.stop()
	m.add("end to end", rate(m.events, took), "events/s", "≥ 8000")
	m.add("end to end, CPU", micros(cpu, m.events), "µs/event", "≤ 130")
	return nil
}

// reached waits until a context rests on so many decisions.
func reached(ctx context.Context, r *kv.Reader, key string, n int) error {
	ctx, cancel := context.WithTimeoutCause(ctx, 5*time.Minute, errors.New("the loop did not get there"))
	defer cancel()
	changes := r.Changes(ctx, key)
	if c, ok := r.Get(key); ok && benchCount(c) >= n {
		return nil
	}
	for c := range changes {
		if benchCount(c) >= n {
			return nil
		}
	}
	return fmt.Errorf("wait for %d decisions in %s: %w", n, key, context.Cause(ctx))
}
