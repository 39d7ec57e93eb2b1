package inject

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/inorder"
	"learnloop.dev/kv"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
)

// ContextChanged is the kind of the notice that a context has changed: its key
// and the revision of it in the bucket.
const ContextChanged events.Kind = "context.changed"

// contextChanged is its data. Who wants to know more reads the bucket.
type contextChanged struct {
	Key      string `json:"key"`
	Revision uint64 `json:"revision"`
}

// Notices publishes what whoever listens may want to know.
type Notices interface {
	Put(ctx context.Context, notices []bus.Notice) error
}

// Herald tells which contexts have changed, beside their way into the bucket and
// never in it.
type Herald struct {
	// Notices takes what is told; nil tells nothing.
	Notices Notices
	// Every is how long changes are collected: of those of one key the last is told.
	Every time.Duration

	news *news
}

// news is what has not been told yet: the last revision of every key that changed.
type news struct {
	wake chan struct{}

	mu     sync.Mutex
	latest map[string]uint64 // guarded by mu
}

func newNews() *news { return &news{wake: make(chan struct{}, 1), latest: map[string]uint64{}} }

// add never waits.
func (n *news) add(changes []kv.Change) {
	if len(changes) == 0 {
		return
	}
	n.mu.Lock()
	for _, c := range changes {
		n.latest[c.Key] = max(n.latest[c.Key], c.Revision)
	}
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// take returns all of it in the order of the revisions, and forgets it.
func (n *news) take() []contextChanged {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := make([]contextChanged, 0, len(n.latest))
	for key, revision := range n.latest {
		list = append(list, contextChanged{key, revision})
	}
	clear(n.latest)
	inorder.Sort(list, func(a, b contextChanged) int { return cmp.Compare(a.Revision, b.Revision) })
	return list
}

// run tells the news until the context ends. What is not told then is lost: the
// bucket has it.
func (h Herald) run(ctx context.Context, observe pipeline.Observer) error {
	if h.Notices == nil {
		return nil
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-h.news.wake:
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(h.Every):
		}
		notices, err := notices(h.news.take())
		if err != nil {
			return err
		}
		if len(notices) == 0 {
			continue // taken with those before
		}
		err = pipeline.Retry(ctx, func() error { return h.Notices.Put(ctx, notices) },
			pipeline.Never, func(err error) { observe.Retried("publish notices", err) })
		if err != nil {
			return nil //nolint:nilerr // asked to stop: it is tried until then
		}
	}
}

func notices(list []contextChanged) ([]bus.Notice, error) {
	out := make([]bus.Notice, len(list))
	for i, c := range list {
		data, err := json.Marshal(c)
		if err != nil {
			return nil, fmt.Errorf("encode notice about %s: %w", c.Key, err)
		}
		out[i] = bus.Notice{Kind: ContextChanged, ID: c.Key + "@" + strconv.FormatUint(c.Revision, 10), Data: data}
	}
	return out, nil
}
