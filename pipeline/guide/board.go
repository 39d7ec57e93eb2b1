// Package guide answers which model should do a step, and which plan fits a goal: it
// keeps what is published of finished tasks in memory.
package guide

import (
	"context"
	"iter"
	"strings"
	"sync"

	"learnloop.dev/kv"
	"learnloop.dev/learn/outcomes"
	"learnloop.dev/search"

	"github.com/go-json-experiment/json"
)

// Contexts are the contexts as they are published, kept in memory.
type Contexts interface {
	All(prefix string) iter.Seq[kv.Context]
	// Changes yields what changes from the call on.
	Changes(ctx context.Context, prefix string) iter.Seq[kv.Context]
}

// What the keys of contexts begin with that the board keeps.
const (
	taskPrefix     = outcomes.KindTask + "."
	templatePrefix = outcomes.KindTemplate + "."
)

// Board keeps what is known of types of steps and of templates. One goroutine, in Run,
// brings it up to date; anybody asks.
type Board struct {
	contexts Contexts
	shipped  []outcomes.Template

	mu        sync.RWMutex
	types     map[string]*typeKnown        // guarded by mu; by key of the context
	runs      book                         // guarded by mu; of all types
	templates map[string]outcomes.Template // guarded by mu; by id

	changed chan struct{} // guarded by mu; closed with the next publication

	typeIndex, templateIndex *search.Index    // of the goroutine in Run
	typesFound, plansFound   *search.Snapshot // guarded by mu
}

// typeKnown is what is known of a type of step.
type typeKnown struct {
	id       string
	recent   []outcomes.Period
	retry    *outcomes.RetryPattern
	defaults outcomes.Defaults
}

// NewBoard returns a board that knows the templates that are shipped; Run adds what
// was learned.
func NewBoard(contexts Contexts, shipped []outcomes.Template) *Board {
	b := &Board{
		contexts: contexts, shipped: shipped, types: map[string]*typeKnown{}, runs: noRuns(), changed: make(chan struct{}),
		templates: map[string]outcomes.Template{}, typeIndex: search.New(search.Options{}), templateIndex: search.New(search.Options{}),
	}
	for _, t := range shipped {
		b.templates[t.ID] = t
		b.templateIndex.Put(docOf(t))
	}
	b.publish()
	return b
}

// Run keeps the board as the contexts are, until the context or they end. It calls up
// when everything that there was is known.
func (b *Board) Run(ctx context.Context, up func()) error {
	changes := b.contexts.Changes(ctx, "") // from before the first look: nothing lies between
	for c := range b.contexts.All("") {
		b.take(c)
	}
	b.publish()
	up()
	for c := range changes {
		if b.take(c) {
			b.publish()
		}
	}
	return nil
}

// publish lets readers find what changed.
func (b *Board) publish() {
	types, plans := b.typeIndex.Snapshot(), b.templateIndex.Snapshot()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.typesFound, b.plansFound = types, plans
	b.runs.rank()
	close(b.changed)
	b.changed = make(chan struct{})
}

// Until waits until something holds that hangs on what the board knows, or the context
// ends.
func (b *Board) Until(ctx context.Context, holds func() bool) error {
	for {
		b.mu.RLock()
		changed := b.changed
		b.mu.RUnlock()
		if holds() {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// take brings one context up to date, and reports whether it is one of ours. One that
// nobody can read is not there.
func (b *Board) take(c kv.Context) bool {
	switch {
	case strings.HasPrefix(c.Key, taskPrefix):
		var t outcomes.TypeContext
		gone := c.Gone() || json.Unmarshal(c.Value, &t) != nil
		b.takeType(c.Key, t, gone)
	case strings.HasPrefix(c.Key, templatePrefix):
		var t outcomes.Template
		gone := c.Gone() || json.Unmarshal(c.Value, &t) != nil
		if gone {
			t.ID = b.templateOf(c.Key)
		}
		b.takeTemplate(t, gone)
	default:
		return false
	}
	return true
}

func (b *Board) takeType(key string, t outcomes.TypeContext, gone bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if was := b.types[key]; was != nil {
		b.runs.count(was.recent, -1)
		delete(b.types, key)
	}
	if gone {
		b.typeIndex.Remove(key)
		return
	}
	b.types[key] = &typeKnown{id: t.ID, recent: t.Evidence.Recent, retry: t.RetryPattern, defaults: t.Defaults}
	b.runs.count(t.Evidence.Recent, 1)
	b.typeIndex.Put(search.Doc{ID: key, Title: t.ID, Posterior: 1})
}
