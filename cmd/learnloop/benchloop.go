package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"learnloop.dev/app"
	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/events/capture"
	"learnloop.dev/kv"
)

// wholeLoop measures a loop from the agent's call to the context in the bucket.
func (b *bench) wholeLoop(ctx context.Context) (err error) {
	config, err := b.config()
	if err != nil {
		return err
	}
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
	m := meter{bench: b, loop: l, publisher: p, host: strings.TrimPrefix(r.Addresses().HTTP, "http://")}
	for _, part := range []func(context.Context) error{m.through, m.single, m.steady, m.learned, m.tasks, m.agent, m.overHTTP} {
		if err = part(ctx); err != nil {
			break
		}
	}
	err = errors.Join(err, p.Close(ctx))
	a.close()
	l.close()
	if err = errors.Join(err, r.stop()); err != nil {
		return err
	}
	return b.again(ctx, config, m.total)
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
	total     int    // events sent so far
}

// send hands one decision to the publisher.
func (m *meter) send(run string, i int, rule string) error {
	m.total++
	return capture.Publish(m.publisher, events.FeedbackFix, benchFix(run, i, rule))
}

// through measures how fast events go through the loop.
func (m *meter) through(ctx context.Context) error {
	reader, err := m.loop.watch(ctx, kv.Summary)
	if err != nil {
		return err
	}
	defer reader.Close()
	names := benchRules()
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

// again measures how fast the log is folded anew by a loop that lost its state.
func (b *bench) again(ctx context.Context, config app.Config, total int) error {
	if err := os.RemoveAll(filepath.Join(config.Data, "state")); err != nil {
		return err
	}
	watch := startWatch()
	r, err := start(ctx, config)
	if err != nil {
		return err
	}
	err = folded(ctx, r.Addresses().HTTP, total)
	took, _ := watch.stop()
	b.add("log folded again, with start", rate(total, took), "events/s", "≥ 50000")
	return errors.Join(err, r.stop())
}

// folded waits until a loop has folded so many entries since its start. It reads
// the metrics, which cost the loop next to nothing.
func folded(ctx context.Context, url string, n int) error {
	const counter = "learnloop_folded_total "
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/metrics", http.NoBody)
		if err != nil {
			return err
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(res.Body)
		if err = errors.Join(err, res.Body.Close()); err != nil {
			return err
		}
		_, rest, _ := strings.Cut(string(text), "\n"+counter)
		value, _, _ := strings.Cut(rest, "\n")
		if done, err := strconv.ParseFloat(value, 64); err != nil || done >= float64(n) {
			return err
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}
