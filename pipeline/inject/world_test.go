package inject

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var errNotNow = errors.New("not now")

// world stands in for the server: one stream of insights, and buckets.
type world struct {
	t   *testing.T
	out chan []bus.Delivery

	mu       sync.Mutex
	fails    map[string]int // steps that fail so often first
	calls    map[string]int
	entries  []bus.Entry // the last per subject, in log order
	seq      uint64      // the last of the stream
	behind   uint64      // how much the replica that is asked lacks
	acked    map[uint64]bool
	contexts map[string]string // bucket and key to value
	order    []string          // of the puts
	unfit    string            // a key that no bucket takes
	held     chan struct{}     // puts wait for it; nil: they do not
}

// step counts a call and fails if it has to.
func (w *world) step(name string) error {
	w.calls[name]++
	if w.fails[name] > 0 {
		w.fails[name]--
		return fmt.Errorf("%s: %w", name, errNotNow)
	}
	return nil
}

func (w *world) Next(ctx context.Context) ([]bus.Delivery, error) {
	select {
	case batch := <-w.out:
		return batch, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (w *world) Floor(context.Context) (bus.Floor, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	floor := uint64(0)
	for floor < w.seq && w.acked[floor+1] {
		floor++
	}
	return bus.Floor{Acked: floor}, w.step("floor")
}

func (w *world) PerSubject(_ context.Context, since uint64, filters ...string) (found []bus.Entry, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.step("gather"); err != nil {
		return nil, err
	}
	if w.behind > 0 && since+w.behind > w.seq {
		w.behind--
		return nil, bus.ErrBehind
	}
	for _, e := range w.entries {
		if slices.ContainsFunc(filters, func(f string) bool { return matches(f, e.Subject) }) {
			found = append(found, e)
		}
	}
	return found, nil
}

func matches(filter, subject string) bool {
	return slices.EqualFunc(strings.Split(filter, "."), strings.Split(subject, "."), func(f, s string) bool { return f == "*" || f == s })
}

func (w *world) ack(d bus.Delivery) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.acked[d.Seq] = true
	return w.step("ack")
}

// publish puts a message into the stream and returns it as it is delivered.
func (w *world) publish(subject string, value any) bus.Delivery {
	data, err := json.Marshal(value)
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seq++
	w.entries = slices.DeleteFunc(w.entries, func(e bus.Entry) bool { return e.Subject == subject })
	w.entries = append(w.entries, bus.Entry{Seq: w.seq, Subject: subject, Data: data})
	return bus.Delivery{Seq: w.seq, Subject: subject, Data: data}
}

// insight publishes that a partition has counted n.
func (w *world) insight(partition int, kind, id string, n int) bus.Delivery {
	return w.insightOf(version, partition, learn.Key{Kind: kind, ID: id}, jsontext.Value(fmt.Sprint(n)))
}

func (w *world) insightOf(version, partition int, key learn.Key, value jsontext.Value) bus.Delivery {
	return w.publish(pipeline.KnowSubject(partition, counter, key),
		pipeline.Insight{Partition: partition, Model: counter, Version: version, Kind: key.Kind, ID: key.ID, Value: value})
}

// mark publishes that a partition's insights are out up to a log position.
func (w *world) mark(partition int, at uint64) bus.Delivery {
	return w.publish(pipeline.MarkSubject(partition), pipeline.Mark{Partition: partition, Seq: at})
}

// shelf is a bucket of the world.
type shelf struct {
	*world
	name string
}

func (s shelf) Put(ctx context.Context, entries []kv.Entry) (changed []kv.Change, err error) {
	if s.held != nil {
		select {
		case <-s.held:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.step("put " + s.name); err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Key == s.unfit {
			err = kv.ErrUnfit
			continue
		}
		s.contexts[s.name+" "+e.Key] = string(e.Value)
		s.order = append(s.order, e.Key+"="+string(e.Value))
		changed = append(changed, kv.Change{Key: e.Key, Revision: e.Insight})
	}
	return changed, err
}

func (s shelf) Keep(ctx context.Context) error {
	s.mu.Lock()
	err := s.step("keep " + s.name)
	s.mu.Unlock()
	if err == nil {
		<-ctx.Done()
	}
	return err
}

const (
	counter = "counter"
	version = 3
)

// model counts: of "one" a partition has all, of "all" each has a part.
func model() learn.Model {
	return learn.Define(learn.Spec[int]{
		Name: counter, Version: version, Kinds: []string{"one", "all", learn.KindPerson},
		Know:   func(learn.Rows, learn.Key) (int, bool) { return 0, false },
		Spread: func(k learn.Key) bool { return k.Kind == "all" },
		Render: func(_ learn.Key, parts []int) (any, bool) { return parts, len(parts) > 0 },
	})
}

// inject runs an injector over the world, in a bubble, until end is called.
func (w *world) inject(change ...func(*Stage)) (end func()) {
	buckets := map[string]Bucket{learn.Contexts: shelf{w, "contexts"}, learn.Settings: shelf{w, "settings"}}
	s := Stage{Models: []learn.Model{model()}, Insights: w, Parts: w, Buckets: buckets, ack: w.ack,
		Reflect: Reflector{Bucket: buckets[learn.Settings], Every: 25 * time.Millisecond}}
	for _, f := range change {
		f(&s)
	}
	ctx, cancel := context.WithCancel(w.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Error(err)
		}
	}
}

// settle lets an injector work until it waits, and returns what the buckets hold.
func (w *world) settle() map[string]string {
	pass(time.Minute)
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.contexts)
}

func (w *world) holds(want map[string]string) {
	w.t.Helper()
	if got := w.settle(); !maps.Equal(got, want) {
		w.t.Errorf("the buckets hold %v, want %v", got, want)
	}
}
