package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/events/capture"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/learn/rules"
	"learnloop.dev/privacy"

	"github.com/go-json-experiment/json"
)

// repeat measures one call of do: time and allocations, those of other
// goroutines included.
func repeat(n int, do func(i int)) (each time.Duration, allocations float64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	begin := time.Now()
	for i := range n {
		do(i)
	}
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	return took / time.Duration(n), float64(after.Mallocs-before.Mallocs) / float64(n)
}

// agent measures what an agent pays for capturing and for asking.
func (m *meter) agent(ctx context.Context) error {
	if err := m.captureCost(ctx); err != nil {
		return err
	}
	reader, err := m.loop.watch(ctx, "rule.>")
	if err != nil {
		return err
	}
	defer reader.Close()
	keys := make([]string, 0, m.rules)
	for _, rule := range benchRules(m.rules) {
		keys = append(keys, kv.Key("rule", rule))
	}
	missing := 0
	each, allocations := repeat(2_000_000, func(i int) {
		if _, ok := reader.Get(keys[i%len(keys)]); !ok {
			missing++
		}
	})
	if missing > 0 {
		return fmt.Errorf("%d contexts are missing", missing)
	}
	m.add("Reader.Get", float64(each.Nanoseconds()), "ns", "≤ 200")
	m.add("Reader.Get, allocations", allocations, "", "0")
	return nil
}

// captureCost captures while the server is away, so that only the agent's own
// path is measured.
func (m *meter) captureCost(ctx context.Context) error {
	a, err := m.gone()
	if err != nil {
		return err
	}
	defer a.close()
	fix := benchFix("capture", 0, 0, "bench/capture")
	data, err := json.Marshal(&fix)
	if err != nil {
		return err
	}
	event := events.Envelope{ID: "1", Source: "/bench", Kind: events.FeedbackFix.Kind, Time: time.Now(), Data: data}
	const rounds, n = 20, 8_000
	var each time.Duration
	var allocations float64
	for range rounds {
		p := a.publisher(capture.Options{Source: "/bench"})
		took, allocated := repeat(n, func(int) {
			if e := p.Capture(event); e != nil {
				err = e
			}
		})
		each, allocations = each+took/rounds, allocations+allocated/rounds
		ended, cancel := context.WithCancel(ctx)
		cancel()
		_ = p.Close(ended) // there is nowhere to send them
	}
	m.add("Publisher.Capture", float64(each.Nanoseconds()), "ns", "≤ 2000")
	m.add("Publisher.Capture, allocations", allocations, "", "≤ 2")
	return err
}

// gone is an agent whose server is no longer there.
func (m *meter) gone() (*agent, error) {
	server, err := bus.Serve(bus.Options{Dir: filepath.Join(m.dir, "gone"), StoreKey: rand.Text()})
	if err != nil {
		return nil, err
	}
	defer server.Shutdown()
	return connectAgent(server.URL())
}

// fold measures the model alone, in memory, on one core.
func (b *bench) fold(ctx context.Context) error {
	facts, err := benchFacts(10_000, b.rules)
	if err != nil {
		return err
	}
	model, table := rules.Model(), &learn.Memory{}
	n := max(b.events, len(facts))
	begin := time.Now()
	for i := range n {
		model.Apply(table, facts[i%len(facts)])
		if i%1000 == 999 {
			table.Commit()
		}
	}
	b.add("fold in memory, one core", rate(n, time.Since(begin)), "events/s", "≥ 100000")
	return ctx.Err()
}

// benchFacts are decisions as the log keeps them.
func benchFacts(n, about int) ([]events.Recorded, error) {
	keys, err := privacy.NewKeys(make([]byte, 32))
	if err != nil {
		return nil, err
	}
	model, names := rules.Model(), benchRules(about)
	lens := learn.Lens{Mode: privacy.Pattern, Blind: keys.Blind}
	facts := make([]events.Recorded, n)
	for i := range facts {
		fix := benchFix("fold", i, i/about, names[i%about])
		model.Prepare(lens, &fix)
		head := events.Head{SpecVersion: "1.0", ID: string(fix.FeedbackID), Source: "/bench", Type: events.FeedbackFix.Kind.Type(),
			Time: time.Unix(1_750_000_000+int64(i), 0).UTC(), Group: events.ByRule, Key: string(fix.RuleID)}
		spec, _ := events.Lookup(events.FeedbackFix.Kind)
		facts[i] = spec.Fact(head, &fix)
	}
	return facts, nil
}
