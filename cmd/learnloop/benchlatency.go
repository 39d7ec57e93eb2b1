package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"learnloop.dev/kv"
)

// single measures one event in a loop that has nothing else to do.
func (m *meter) single(ctx context.Context) error {
	reader, err := m.loop.watch(ctx, "rule.>")
	if err != nil {
		return err
	}
	defer reader.Close()
	rule := "bench/single"
	key := kv.Key("rule", rule)
	var took []time.Duration
	for i := range m.singles() {
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
		sent := time.Now()
		if err := m.send("single", i, rule); err != nil {
			return err
		}
		if err := reached(ctx, reader, key, i+1); err != nil {
			return err
		}
		took = append(took, time.Since(sent))
	}
	slices.Sort(took)
	m.add("one event, idle: to changed context, p50", millis(quantile(took, 0.5)), "ms", "≤ 40")
	m.add("one event, idle: the slowest", millis(took[len(took)-1]), "ms", "≤ 40")
	return nil
}

func (m *meter) singles() int {
	if m.quick {
		return 10
	}
	return 40
}

// pause waits, so that the loop comes to rest too.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ledger knows when each decision was sent, by context.
type ledger struct {
	mu   sync.Mutex
	sent map[string][]time.Time // guarded by mu
}

func (l *ledger) note(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent[key] = append(l.sent[key], time.Now())
}

// since returns how long ago the decisions from one to another were sent.
func (l *ledger) since(key string, from, to int) (ages []time.Duration) {
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, at := range l.sent[key][from:min(to, len(l.sent[key]))] {
		ages = append(ages, now.Sub(at))
	}
	return ages
}

const steadyRate = 1000 // events each second

// steady measures from feedback to changed context while feedback keeps coming.
func (m *meter) steady(ctx context.Context) error {
	reader, err := m.loop.watch(ctx, "rule.>")
	if err != nil {
		return err
	}
	defer reader.Close()
	n := 10 * steadyRate
	if m.quick {
		n = 2 * steadyRate
	}
	book := &ledger{sent: map[string][]time.Time{}}
	ctx, cancel := context.WithTimeoutCause(ctx, time.Minute, errors.New("the loop did not keep up"))
	defer cancel()
	changes := reader.Changes(ctx, "rule.")
	var producer sync.WaitGroup
	var failed error
	producer.Go(func() {
		if failed = m.drip(ctx, n, book); failed != nil {
			cancel()
		}
	})
	took := collect(changes, book, n)
	producer.Wait()
	if err := errors.Join(failed, context.Cause(ctx)); len(took) < n {
		return fmt.Errorf("measure latency: %w", err)
	}
	slices.Sort(took)
	m.add("at 1000 events/s: to changed context, p50", millis(quantile(took, 0.5)), "ms", "≤ 40")
	m.add("at 1000 events/s: to changed context, p99", millis(quantile(took, 0.99)), "ms", "≤ 120")
	return nil
}

// drip sends n decisions at the steady rate, about rules of their own.
func (m *meter) drip(ctx context.Context, n int, book *ledger) error {
	tick := time.NewTicker(time.Second / steadyRate)
	defer tick.Stop()
	begin := time.Now()
	for i := 0; i < n; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		for due := int(time.Since(begin).Seconds() * steadyRate); i < min(n, due); i++ {
			rule := fmt.Sprintf("steady/rule-%03d", i%200)
			book.note(kv.Key("rule", rule))
			if err := m.send("steady", i, rule); err != nil {
				return err
			}
		}
	}
	return nil
}

// collect notes the age of every decision when it first shows in a context.
func collect(changes func(func(kv.Context) bool), book *ledger, n int) (took []time.Duration) {
	shown := map[string]int{}
	for c := range changes {
		count := benchCount(c)
		if ages := book.since(c.Key, shown[c.Key], count); count > shown[c.Key] {
			took = append(took, ages...)
			shown[c.Key] += len(ages)
		}
		if len(took) >= n {
			break
		}
	}
	return took
}

// quantile is that of a sorted list.
func quantile(sorted []time.Duration, q float64) time.Duration {
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
