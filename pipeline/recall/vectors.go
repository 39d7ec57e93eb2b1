package recall

import (
	"sync"

	"learnloop.dev/kv"
	"learnloop.dev/search"
)

// mostVectors is how many vectors are remembered, of half a kilobyte each.
const mostVectors = 1 << 16

// vectors remembers what learnings mean. It is filled as they are asked for: only a
// hybrid search does, and of its hundred best matches alone. Safe for concurrent use.
type vectors struct {
	mu    sync.Mutex
	fuzzy *search.Fuzzy         // guarded by mu
	known map[string]remembered // guarded by mu; by key
}

type remembered struct {
	revision uint64
	vector   search.Vector
}

func newVectors() *vectors {
	return &vectors{fuzzy: search.NewFuzzy(search.Options{}), known: map[string]remembered{}}
}

// of is the vector of an entry, none when it cannot be read.
func (v *vectors) of(e kv.Context, doc func(kv.Context) (search.Doc, bool)) search.Vector {
	v.mu.Lock()
	defer v.mu.Unlock()
	if r, ok := v.known[e.Key]; ok && r.revision == e.Revision {
		return r.vector
	}
	d, ok := doc(e)
	if !ok {
		return search.Vector{}
	}
	if len(v.known) >= mostVectors {
		clear(v.known)
	}
	vector := v.fuzzy.Doc(d)
	v.known[e.Key] = remembered{e.Revision, vector}
	return vector
}
