package kv

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Context is what a generator knows about one key. Value and Header are shared:
// read them, do not change them.
type Context struct {
	Key      string
	Value    []byte      // canonical JSON; nil when the key is gone
	Prompt   string      // the value's "prompt", ready to inject
	Header   nats.Header // what is known beside the value
	Revision uint64      // the bucket's revision of the key
	Insight  uint64      // stream sequence of the insight it was made from; 0 when unknown
	Changed  time.Time   // when the bucket stored this revision
}

// Gone reports whether the key has been deleted.
func (c Context) Gone() bool { return c.Value == nil }

// ReaderOptions choose what a Reader keeps; the zero value keeps every context.
type ReaderOptions struct {
	Bucket string   // Contexts when empty
	Keys   []string // patterns such as "rule.>" or "user.u1"; every key when empty
}

// Reader keeps a bucket in memory and up to date. Its methods may be called from
// any goroutine; none of them waits for the network, and while the server is
// away they answer from what was known last.
type Reader struct {
	feed   feed
	cancel context.CancelFunc
	ended  chan struct{} // closed when the reader no longer follows
	first  chan error    // how the first load went

	entries sync.Map // key to *Context, deleted ones too
	live    atomic.Bool
	taken   atomic.Uint64 // the last revision among the entries
	lives   atomic.Uint64 // how many different buckets were loaded under this name

	// of the goroutine that follows the bucket
	seen     incarnation
	unseen   map[string]bool // keys that the current load has not confirmed
	failures int             // sessions in a row that loaded nothing

	mu       sync.Mutex
	watchers map[*watcher]struct{}
}

// NewReader returns a Reader that has loaded the bucket, or the reason why it
// cannot be loaded before the context ends. The connection stays the caller's;
// let it reconnect for ever (nats.MaxReconnects(-1)). An anonymous client needs
// the permission to publish on $JS.API.STREAM.INFO.KV_<bucket>,
// $JS.API.CONSUMER.CREATE.KV_<bucket>.> and $JS.FC.KV_<bucket>.>, and to
// subscribe to _INBOX.>.
func NewReader(ctx context.Context, nc *nats.Conn, opts ReaderOptions) (*Reader, error) {
	f, err := newFeed(nc, opts)
	if err != nil {
		return nil, err
	}
	r := &Reader{
		feed:     f,
		ended:    make(chan struct{}),
		first:    make(chan error, 1),
		watchers: map[*watcher]struct{}{},
	}
	var life context.Context
	life, r.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go r.run(life)
	select {
	case err = <-r.first:
	case <-ctx.Done():
		err = fmt.Errorf("load bucket %s: %w", f.bucket, ctx.Err())
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func newFeed(nc *nats.Conn, opts ReaderOptions) (feed, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return feed{}, fmt.Errorf("read contexts: %w", err)
	}
	if opts.Bucket == "" {
		opts.Bucket = Contexts
	}
	return feed{nc: nc, js: js, bucket: opts.Bucket, keys: opts.Keys}, nil
}

// Close stops following the bucket and ends every Changes; what is known can
// still be read.
func (r *Reader) Close() {
	r.cancel()
	<-r.ended
}

// Get returns what is known under a key, without waiting and without allocating.
func (r *Reader) Get(key string) (Context, bool) {
	if c := r.last(key); c != nil && !c.Gone() {
		return *c, true
	}
	return Context{}, false
}

// Live reports whether the reader follows the bucket: what it knows is at most as old as
// a message is on its way, or as the silence by which a dead connection is noticed. Else it knows what was there when the server was last heard.
func (r *Reader) Live() bool { return r.live.Load() && r.feed.nc.IsConnected() }

// CatchUp returns when the reader knows everything that its keys held at the time of the
// call: it asks the server what came last, and waits for that.
func (r *Reader) CatchUp(ctx context.Context) error {
	last, err := r.feed.last(ctx)
	if err != nil {
		return err
	}
	w := r.watch("")
	defer r.forget(w)
	for r.taken.Load() < last {
		select {
		case <-w.wake:
			continue
		case <-ctx.Done():
			err = ctx.Err()
		case <-r.ended:
			err = errClosed
		}
		return fmt.Errorf("catch up with bucket %s: %w", r.feed.bucket, err)
	}
	return nil
}

var errClosed = errors.New("the reader is closed")

// last returns the last revision of a key, a deletion too; nil when it has none.
func (r *Reader) last(key string) *Context {
	v, _ := r.entries.Load(key)
	c, _ := v.(*Context)
	return c
}

// Prompt returns what to inject about a rule, a person, a task …, "" when
// nothing is known: r.Prompt("rule", "passive-voice").
func (r *Reader) Prompt(kind, id string) string {
	c, _ := r.Get(Key(kind, id))
	return c.Prompt
}

// All yields what is known under keys that begin with the prefix, in no order.
func (r *Reader) All(prefix string) iter.Seq[Context] {
	return func(yield func(Context) bool) {
		r.entries.Range(func(_, v any) bool {
			c, _ := v.(*Context)
			return c.Gone() || !strings.HasPrefix(c.Key, prefix) || yield(*c)
		})
	}
}

// begin prepares for a load. A bucket that was replaced or restored is believed
// as it is; in the one known already everything up to the last revision was seen.
func (r *Reader) begin(now incarnation) {
	if !now.created.Equal(r.seen.created) || now.last < r.seen.last {
		r.seen = incarnation{created: now.created}
		r.taken.Store(0)
		r.lives.Add(1)
	}
	r.unseen = map[string]bool{}
	r.entries.Range(func(_, v any) bool {
		c, _ := v.(*Context)
		r.unseen[c.Key] = true
		return true
	})
}

// take keeps an entry unless it was seen before: a replica may lag behind.
func (r *Reader) take(s stored) {
	delete(r.unseen, s.key)
	if s.revision <= r.seen.last {
		return
	}
	r.seen.last = s.revision
	c := &Context{
		Key: s.key, Value: s.value, Prompt: prompt(s.value), Header: s.header,
		Revision: s.revision, Insight: s.insight, Changed: s.at,
	}
	before, _ := r.entries.Swap(s.key, c)
	r.taken.Store(s.revision)
	if before != nil || !c.Gone() {
		r.announce(*c)
	} else {
		r.rouse() // who catches up waits for a revision that nobody is told of
	}
}

// loaded forgets what the bucket no longer has.
func (r *Reader) loaded() {
	for key := range r.unseen {
		r.entries.Delete(key)
		r.announce(Context{Key: key})
	}
	r.unseen, r.failures = nil, 0
	r.live.Store(true)
	r.report(nil)
}

// prompt returns the "prompt" of a context, "" when there is none.
func prompt(value []byte) string {
	var c struct {
		Prompt string `json:"prompt"`
	}
	if json.Unmarshal(value, &c) != nil {
		return ""
	}
	return c.Prompt
}
