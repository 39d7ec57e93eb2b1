package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/kv"

	"github.com/go-json-experiment/json"
)

// Connections and batches of the measurements over HTTP.
const (
	manyConnections = 64
	mostConnections = 256
	fewConnections  = 4
	batchOfEvents   = 250
	readsPerSecond  = 1000
	mostOverHTTP    = 40_000 // events in a run; more tell nothing more
)

// throng is how events come over HTTP.
type throng struct {
	run              string
	connections, per int // per request
	aim              string
}

// overHTTP measures how fast events are taken in over HTTP, and how fast contexts are
// read once all of that is learned.
func (m *meter) overHTTP(ctx context.Context) error {
	reader, err := m.loop.watch(ctx, kv.Summary)
	if err != nil {
		return err
	}
	defer reader.Close()
	known, _ := reader.Get(kv.Summary)
	count := benchCount(known)
	for _, c := range []throng{
		{"64 connections, one event each", manyConnections, 1, "≥ 4000"},
		{"256 connections, one event each", mostConnections, 1, ""},
		{"4 connections, batches of 250", fewConnections, batchOfEvents, "≥ 10000"},
	} {
		n := min(m.events, mostOverHTTP)
		if c.per > 1 {
			n *= 2
		}
		took, cpu, err := m.capture(ctx, c, n)
		if err != nil {
			return err
		}
		count += n / c.per * c.per
		if err := reached(ctx, reader, kv.Summary, count); err != nil {
			return err
		}
		m.add("HTTP, "+c.run+", on disk", rate(n, took), "events/s", c.aim)
		m.add("HTTP, "+c.run+", CPU", micros(cpu, n), "µs/event", "")
	}
	return m.reads(ctx)
}

// capture sends n events, each connection waiting for its answers. The loop learns from
// them at the same time.
func (m *meter) capture(ctx context.Context, c throng, n int) (took, cpu time.Duration, err error) {
	bodies := make([][]byte, n/c.per)
	for i := range bodies {
		if bodies[i], err = m.postOf(strings.ReplaceAll(c.run, " ", "-"), i, c.per); err != nil {
			return 0, 0, err
		}
	}
	wires, err := m.dialAll(ctx, c.connections)
	if err != nil {
		return 0, 0, err
	}
	defer hangUp(wires)
	var next atomic.Int64
	watch := startWatch()
	err = together(wires, func(_ int, w *wire) error {
		for i := next.Add(1) - 1; i < int64(len(bodies)) && ctx.Err() == nil; i = next.Add(1) - 1 {
			if err := w.ask(bodies[i]); err != nil {
				return err
			}
		}
		return context.Cause(ctx)
	})
	took, cpu = watch.stop()
	return took, cpu, err
}

// postOf is a request that brings so many events, as it goes over the wire.
func (m *meter) postOf(run string, first, per int) ([]byte, error) {
	var list []map[string]any
	names := benchRules(m.rules)
	for i := range per {
		n := first*per + i
		id := fmt.Sprintf("http-%s-%07d", run, n)
		list = append(list, map[string]any{
			"specversion": "1.0", "id": id, "source": "/bench", "type": events.FeedbackFix.Kind.Type(),
			"data": benchFix("http-"+run, n, n/len(names), names[n%len(names)]),
		})
	}
	content, body := events.ContentBatch, any(list)
	if per == 1 {
		content, body = events.ContentStructured, list[0]
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encode events: %w", err)
	}
	return fmt.Appendf(nil, "POST /v1/events HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", m.host, content, len(data), data), nil
}

// reads measures how long a context is waited for while many are asked for each second.
func (m *meter) reads(ctx context.Context) error {
	seconds := 5
	if m.quick {
		seconds = 1
	}
	wires, err := m.dialAll(ctx, fewConnections)
	if err != nil {
		return err
	}
	defer hangUp(wires)
	took := make([][]time.Duration, len(wires))
	err = together(wires, func(i int, w *wire) (err error) {
		took[i], err = m.readSteadily(ctx, w, seconds*readsPerSecond/len(wires))
		return err
	})
	if err != nil {
		return err
	}
	all := slices.Concat(took...)
	slices.Sort(all)
	m.add("HTTP, 1000 contexts read each second, p50", millis(quantile(all, 0.5)), "ms", "")
	m.add("HTTP, 1000 contexts read each second, p99", millis(quantile(all, 0.99)), "ms", "≤ 2")
	return nil
}

// readSteadily asks n times, as often as its share of the rate; what is asked late
// because an answer was is measured from when it was due. How late a timer is, is not.
func (m *meter) readSteadily(ctx context.Context, w *wire, n int) (took []time.Duration, err error) {
	names := benchRules(m.rules)
	due := time.Now()
	for i := range n {
		due = due.Add(fewConnections * time.Second / readsPerSecond)
		begin := due
		if early := time.Until(due); early > 0 {
			if err := pause(ctx, early); err != nil {
				return nil, err
			}
			begin = time.Now()
		}
		get := fmt.Appendf(nil, "GET /api/contexts/rule/%s HTTP/1.1\r\nHost: %s\r\n\r\n", url.PathEscape(names[i%len(names)]), m.host)
		if err := w.ask(get); err != nil {
			return nil, err
		}
		took = append(took, time.Since(begin))
	}
	return took, nil
}

// together does something with all wires at a time.
func together(wires []*wire, do func(i int, w *wire) error) error {
	var g sync.WaitGroup
	errs := make([]error, len(wires))
	for i, w := range wires {
		g.Go(func() { errs[i] = do(i, w) })
	}
	g.Wait()
	return errors.Join(errs...)
}

// wire is a connection that asks, and reads no more of an answer than it must: what is
// measured is the loop.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
}

func (m *meter) dialAll(ctx context.Context, n int) (wires []*wire, err error) {
	var d net.Dialer
	for range n {
		conn, err := d.DialContext(ctx, "tcp", m.host)
		if err != nil {
			hangUp(wires)
			return nil, fmt.Errorf("connect to the loop: %w", err)
		}
		wires = append(wires, &wire{conn, bufio.NewReader(conn)})
	}
	return wires, nil
}

func hangUp(wires []*wire) {
	for _, w := range wires {
		_ = w.conn.Close()
	}
}

// ask sends a request and waits for its answer, which has to be a good one.
func (w *wire) ask(request []byte) error {
	if _, err := w.conn.Write(request); err != nil {
		return fmt.Errorf("ask over HTTP: %w", err)
	}
	status, size := "", 0
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return fmt.Errorf("read an answer: %w", err)
		}
		name, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(": "))
		switch {
		case status == "":
			status = string(line)
		case len(name) == 0:
			if _, err := io.CopyN(io.Discard, w.in, int64(size)); err != nil {
				return fmt.Errorf("read an answer: %w", err)
			}
			return goodStatus(status)
		case http.CanonicalHeaderKey(string(name)) == "Content-Length":
			_, _ = fmt.Sscan(string(value), &size) // or the next line is none
		}
	}
}

func goodStatus(line string) error {
	if _, rest, _ := strings.Cut(line, " "); !strings.HasPrefix(rest, "2") {
		return fmt.Errorf("the loop answered %s", strings.TrimSpace(rest))
	}
	return nil
}
