package recall

import (
	"context"
	"sync"

	"learnloop.dev/search"
)

// sense tells what texts mean: how they are spelled, or what a model makes of them.
type sense interface {
	// ofQuery is the vector of a query, none when it cannot be told.
	ofQuery(ctx context.Context, in *search.Snapshot, text string) search.Vector
	// of is the vector of a learning, none when it is not known yet.
	of(key string, revision uint64, doc func() (search.Doc, bool)) search.Vector
	// missed says why no match could be compared with a query.
	missed(query search.Vector) search.Note
}

// mostVectors is how many vectors of spelling are remembered, of half a kilobyte each.
const mostVectors = 1 << 16

// spelling tells that texts are spelled alike, without a model. It is filled as it is
// asked for: only a hybrid search does, and of its hundred best matches alone. Safe for
// concurrent use.
type spelling struct {
	mu    sync.Mutex
	fuzzy *search.Fuzzy         // guarded by mu
	known map[string]remembered // guarded by mu; by key
}

type remembered struct {
	revision uint64
	vector   search.Vector
}

func newSpelling() *spelling {
	return &spelling{fuzzy: search.NewFuzzy(search.Options{}), known: map[string]remembered{}}
}

func (*spelling) ofQuery(_ context.Context, in *search.Snapshot, text string) search.Vector {
	return in.Fuzzy(text)
}

func (*spelling) missed(search.Vector) search.Note { return search.NoVectors }

// of is the vector of an entry, none when it cannot be read.
func (s *spelling) of(key string, revision uint64, doc func() (search.Doc, bool)) search.Vector {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.known[key]; ok && r.revision == revision {
		return r.vector
	}
	d, ok := doc()
	if !ok {
		return search.Vector{}
	}
	if len(s.known) >= mostVectors {
		clear(s.known)
	}
	vector := s.fuzzy.Doc(d)
	s.known[key] = remembered{revision, vector}
	return vector
}
