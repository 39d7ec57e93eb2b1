package app

import "learnloop.dev/store"

// InClear has nothing encrypted on disk.
func (c Config) InClear() Config {
	c.inClear = true
	return c
}

// Comb hands every version of every key of the state to take, decrypted.
func (l *Loop) Comb(take func(store.Version) error) error { return l.state.Comb(take) }
