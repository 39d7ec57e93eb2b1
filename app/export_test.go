package app

import (
	"context"

	"learnloop.dev/learn/extract"
	"learnloop.dev/privacy"
	"learnloop.dev/store"
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
