package app

import (
	"context"
	"strings"

	"learnloop.dev/learn/extract"
	"learnloop.dev/privacy"
	"learnloop.dev/store"

	"github.com/prometheus/client_golang/prometheus"
)

// InClear has nothing encrypted on disk.
func (c Config) InClear() Config {
	c.inClear = true
	return c
}

// Stored is the name under which a person is stored.
func (l *Loop) Stored(user string) string { return l.keys.Pseudonym(privacy.Users, user) }

// Comb hands every version of every key of the state to take, decrypted, after
// writing what is pending.
func (l *Loop) Comb(take func(store.Version) error) error {
	if err := l.state.View(func(*store.View) error { return nil }); err != nil {
		return err
	}
	return l.state.Comb(take)
}

// Recurring lists what keeps coming back.
func (l *Loop) Recurring(ctx context.Context) ([]extract.Recurrence, error) {
	return (&recurring{js: l.js, state: l.state, partitions: l.layout.Partitions}).list(ctx)
}

// MetricNames are those of all metrics that a process may have.
func MetricNames() (names []string) {
	m := newMetrics()
	m.watchStreams(nil)
	all := make(chan *prometheus.Desc)
	go func() {
		defer close(all)
		m.registry.Describe(all)
	}()
	for d := range all {
		_, name, _ := strings.Cut(d.String(), `fqName: "`)
		name, _, _ = strings.Cut(name, `"`)
		names = append(names, name)
	}
	return names
}

// MissTokens looks once for tokens that went without a word.
func (l *Loop) MissTokens(ctx context.Context, before []string) ([]string, error) {
	return l.missTokens(ctx, before)
}
