// Package recall answers what was learned before: it keeps the published learnings
// searchable, and chooses which of them a task is given.
package recall

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"

	"learnloop.dev/events"
	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/providers"
	"learnloop.dev/search"

	"github.com/go-json-experiment/json"
	"golang.org/x/sync/errgroup"
)

// Entries are the learnings as they are published, kept in memory.
type Entries interface {
	Get(key string) (kv.Context, bool)
	All(prefix string) iter.Seq[kv.Context]
	// Changes yields what changes from the call on.
	Changes(ctx context.Context, prefix string) iter.Seq[kv.Context]
}

// Shelf keeps learnings in the order in which they can be found. One goroutine, in
// Run, changes the index; everybody else reads how things stood at one moment.
type Shelf struct {
	entries Entries
	retire  Retire
	now     atomic.Pointer[state]
	sense   sense
	weight  float64  // of the sense, beside words
	model   *meaning // the sense, where it is a model
}

// state is how things stood at one moment.
type state struct {
	found *search.Snapshot
	pool  learnings.Pool
}

// NewShelf returns an empty shelf; Run fills it. With a nil retire nothing is taken
// out of use.
func NewShelf(entries Entries, retire Retire) *Shelf {
	s := &Shelf{entries: entries, retire: retire, sense: newSpelling(), weight: search.FuzzyWeight}
	s.now.Store(&state{found: search.New(search.Options{}).Snapshot()})
	return s
}

// Ask has a model tell what texts mean, in the place of how they are spelled. Call it
// before Run.
func (s *Shelf) Ask(model providers.Embedder) {
	s.model = newMeaning(model)
	s.sense, s.weight = s.model, modelWeight
}

// Run keeps the shelf as the entries are, until the context or the entries end. It
// calls up when everything that there was can be found.
func (s *Shelf) Run(ctx context.Context, up func()) error {
	g, ctx := errgroup.WithContext(ctx)
	j := newJudge(s.retire)
	g.Go(func() error { j.run(ctx); return nil })
	asking, stop := context.WithCancel(ctx) // until the entries end
	if s.model != nil {
		g.Go(func() error { s.model.run(asking); return nil })
	}
	g.Go(func() error {
		defer close(j.waiting)
		defer stop()
		s.follow(ctx, up, j)
		return nil
	})
	return g.Wait()
}

func (s *Shelf) follow(ctx context.Context, up func(), j *judge) {
	changes := s.entries.Changes(ctx, "") // from before the first look: nothing lies between
	w := writer{index: search.New(search.Options{}), tried: map[string]*learnings.Learning{}}
	for e := range s.entries.All("") {
		w.take(e)
	}
	s.now.Store(w.state())
	up()
	w.judge(j)
	for e := range changes {
		w.take(e)
		s.now.Store(w.state())
		w.judge(j)
	}
}

// writer is what the one goroutine changes.
type writer struct {
	index *search.Index
	pool  learnings.Pool
	fresh bool // the pool has changed, since learnings were judged
	// tried are the learnings that changed since the pool did, and of which tasks tell:
	// a task that tells of both changes them one after the other.
	tried map[string]*learnings.Learning
	last  *learnings.Learning // the one that changed, if one did
}

func (w *writer) state() *state { return &state{w.index.Snapshot(), w.pool} }

// judge looks at what changed.
func (w *writer) judge(j *judge) {
	if !w.fresh {
		j.look(w.last, w.pool)
		return
	}
	for _, l := range w.tried {
		j.look(l, w.pool)
	}
	clear(w.tried)
	w.fresh = false
}

// take brings an entry up to date. One that nobody can read is not found.
func (w *writer) take(e kv.Context) {
	w.last = nil
	if !kv.IsEntry(e.Key) {
		w.takePool(e)
		return
	}
	delete(w.tried, e.Key)
	l, err := read(e)
	if e.Gone() || err != nil {
		w.index.Remove(e.Key)
		return
	}
	w.index.Put(doc(e.Key, &l))
	if l.Evidence.Tasks != (learnings.Credit{}) {
		w.last, w.tried[e.Key] = &l, &l
	}
}

func (w *writer) takePool(e kv.Context) {
	var p learnings.Pooled
	if e.Key == poolKey && (e.Gone() || json.Unmarshal(e.Value, &p) == nil) {
		w.pool, w.fresh = p.Pool, true
	}
}

// poolKey is where tasks without learnings stand among the entries.
const poolKey = learnings.KindPool + ".all"

func read(e kv.Context) (l learnings.Learning, err error) {
	if err := json.Unmarshal(e.Value, &l); err != nil {
		return l, fmt.Errorf("read learning %s: %w", e.Key, events.Unquoted(err))
	}
	return l, nil
}

// doc is what can be found of a learning; its id is the key of the entry.
func doc(key string, l *learnings.Learning) search.Doc {
	return search.Doc{
		ID: key, Title: l.Title, Context: l.Context, Observation: l.Observation, Implication: l.Implication,
		Action: l.Action, Tags: l.Tags, Domain: l.Domain, Outcome: l.SourceOutcomeID, Status: string(l.Status),
		Confidence: l.Confidence, Posterior: l.Posterior.Mean,
	}
}
