package agent

import (
	"sync"
	"sync/atomic"

	"learnloop.dev/kv"
	"learnloop.dev/learn/conversations"
	"learnloop.dev/persona"

	"github.com/go-json-experiment/json"
)

const kindUser = conversations.KindUser

// Preferences reads the contexts of people, each revision once. Its methods may be
// called from any goroutine.
type Preferences struct {
	contexts Contexts
	read     sync.Map     // key to *reading
	held     atomic.Int64 // bytes of contexts that were read
}

// reading is a context as it was read.
type reading struct {
	of kv.Context
	p  *persona.Preferences // nil when nobody can read it
}

// NewPreferences returns the preferences that contexts tell.
func NewPreferences(c Contexts) *Preferences { return &Preferences{contexts: c} }

// mostHeld is how many bytes of contexts are kept as read (003, max_preference_cache_mb).
const mostHeld = 10 << 20

// Of returns the preferences under a key of the bucket, without waiting; nil when there
// are none, or none that anybody can read. They are shared: read them, do not change them.
func (ps *Preferences) Of(key string) *persona.Preferences {
	c, known := ps.contexts.Get(key)
	last, _ := ps.read.Load(key)
	was, _ := last.(*reading)
	switch {
	case !known:
		if was != nil && ps.read.CompareAndDelete(key, last) {
			ps.held.Add(-int64(len(was.of.Value)))
		}
		return nil
	case was != nil && was.of.Revision == c.Revision && was.of.Changed.Equal(c.Changed):
		return was.p
	}
	return ps.take(c)
}

// take reads a context and keeps it. When too much is held all is let go: it is read
// again when somebody asks.
func (ps *Preferences) take(c kv.Context) *persona.Preferences {
	r := &reading{of: c}
	var p persona.Preferences
	if json.Unmarshal(c.Value, &p) == nil && p.Kind == kindUser {
		r.p = &p
	}
	if ps.held.Load() > mostHeld {
		ps.read.Clear()
		ps.held.Store(0)
	}
	grown := int64(len(c.Value))
	if before, _ := ps.read.Swap(c.Key, r); before != nil {
		was, _ := before.(*reading)
		grown -= int64(len(was.of.Value))
	}
	ps.held.Add(grown)
	return r.p
}
