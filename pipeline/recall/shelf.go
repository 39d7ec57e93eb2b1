// Package recall answers what was learned before: it keeps the published learnings
// searchable, and chooses which of them a task is given.
package recall

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"

	"learnloop.dev/kv"
	"learnloop.dev/learn/learnings"
	"learnloop.dev/search"

	"github.com/go-json-experiment/json"
)

// Entries are the learnings as they are published, kept in memory.
type Entries interface {
	Get(key string) (kv.Context, bool)
	All(prefix string) iter.Seq[kv.Context]
	// Changes yields what changes from the call on.
	Changes(ctx context.Context, prefix string) iter.Seq[kv.Context]
}

// Shelf keeps learnings in the order in which they can be found. One goroutine, in
// Run, changes the index; everybody else reads what it was at one moment.
type Shelf struct {
	entries Entries
	found   atomic.Pointer[search.Snapshot]
	vectors *vectors
}

// NewShelf returns an empty shelf; Run fills it.
func NewShelf(entries Entries) *Shelf {
	s := &Shelf{entries: entries, vectors: newVectors()}
	s.found.Store(search.New(search.Options{}).Snapshot())
	return s
}

// Run keeps the shelf as the entries are, until the context or the entries end. It
// calls up when everything that there was can be found.
func (s *Shelf) Run(ctx context.Context, up func()) error {
	changes := s.entries.Changes(ctx, "") // from before the first look: nothing lies between
	index := search.New(search.Options{})
	for e := range s.entries.All("") {
		shelve(index, e)
	}
	s.found.Store(index.Snapshot())
	up()
	for e := range changes {
		shelve(index, e)
		s.found.Store(index.Snapshot())
	}
	return nil
}

// shelve brings an entry up to date in the index. One that nobody can read is not found.
func shelve(index *search.Index, e kv.Context) {
	if !e.Gone() {
		if l, err := read(e); err == nil {
			index.Put(doc(e.Key, &l))
			return
		}
	}
	index.Remove(e.Key)
}

func read(e kv.Context) (l learnings.Learning, err error) {
	if err := json.Unmarshal(e.Value, &l); err != nil {
		return l, fmt.Errorf("read learning %s: %w", e.Key, err)
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
