package effect

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/learn/extract"
	"learnloop.dev/pipeline"

	"github.com/nats-io/nats.go/jetstream"
)

const soon = 20 * time.Second

// world is a server with a log, and everything around the stage.
type world struct {
	t  *testing.T
	js jetstream.JetStream

	log *bus.Appender

	mu       sync.Mutex
	calls    int           // guarded by mu; of the extractor
	declined []string      // guarded by mu
	letters  []bus.Letter  // guarded by mu
	told     chan struct{} // something was declined, buried or handed over
	// Before and after handing over a process may be killed.
	before, after func() error
	extract       func(ctx context.Context, n int, d *events.Discovery) (extract.Draft, error)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	server, err := bus.Serve(bus.Options{Dir: t.TempDir(), StoreKey: "a key for tests only"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Shutdown)
	nc, err := server.ConnectStage("effect")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	w := &world{t: t, told: make(chan struct{}, 1000), log: bus.NewAppender(nc, bus.EventsStream)}
	if w.js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.Ensure(t.Context(), w.js, bus.Layout{InboxBytes: 8 << 20, Embedded: true}); err != nil {
		t.Fatal(err)
	}
	w.before = func() error { return nil }
	w.after = w.before
	w.extract = func(_ context.Context, _ int, d *events.Discovery) (extract.Draft, error) {
		return extract.Rules(d), nil
	}
	return w
}

// Extract counts the calls of the extractor.
func (w *world) Extract(ctx context.Context, d *events.Discovery) (extract.Draft, string, error) {
	w.mu.Lock()
	w.calls++
	n := w.calls
	w.mu.Unlock()
	draft, err := w.extract(ctx, n, d)
	return draft, "test", err
}

// Put keeps dead letters.
func (w *world) Put(_ context.Context, letters []bus.Letter) ([]uint64, error) {
	w.mu.Lock()
	w.letters = append(w.letters, letters...)
	w.mu.Unlock()
	w.told <- struct{}{}
	return make([]uint64, len(letters)), nil
}

// Next and Last read learnings: a new reader for each life.
type reader struct {
	*bus.Log
	js jetstream.JetStream
}

func (r reader) Last(ctx context.Context) (uint64, error) {
	e, err := bus.LastMsg(ctx, r.js, bus.EventsStream, "learn.ev.*.learning.>")
	if errors.Is(err, bus.ErrNotFound) {
		return 0, nil
	}
	return e.Seq, err
}

// hand appends as ingest would.
func (w *world) hand(ctx context.Context, list []events.Envelope) error {
	if err := w.before(); err != nil {
		return err
	}
	for _, e := range list {
		spec, _ := events.Lookup(e.Kind)
		payload, refusal := events.Decode(spec, e.Data)
		if refusal.Refused() {
			return &RefusedError{refusal}
		}
		w.append(ctx, spec.Fact(events.Head{ID: e.ID, Record: "r/" + e.ID, Cause: e.Extensions[events.ExtCause]}, payload))
	}
	if err := w.after(); err != nil {
		return err
	}
	w.told <- struct{}{}
	return nil
}

// append puts a fact into the log.
func (w *world) append(ctx context.Context, rec events.Recorded) {
	w.t.Helper()
	h := rec.Header()
	h.SpecVersion, h.Source, h.Group, h.Recorded = "1.0", "/test", events.Learnings, time.Now().UTC()
	for spec := range events.All() {
		if spec.NewPayload() != nil && sameType(spec.NewPayload(), rec.Payload()) {
			h.Type = spec.Name().Type()
		}
	}
	data, err := events.Encode(rec)
	if err == nil {
		_, err = w.log.Append(ctx, []bus.Message{{Subject: pipeline.LogSubject(0, h.Kind()), Data: data}})
	}
	if err != nil {
		w.t.Error(err)
	}
}

// discover puts a discovery into the log.
func (w *world) discover(record string, kind events.DiscoveryType, content string) {
	w.t.Helper()
	w.append(w.t.Context(), &events.Fact[events.Discovery]{Head: events.Head{ID: record, Record: record},
		Data: events.Discovery{DiscoveryID: events.ID("d-" + record), Type: kind, Content: content,
			SourceTaskID: events.ID("t-" + record), SourceOutcomeID: "o"}})
}

// live runs a stage until stop is called.
func (w *world) live(change ...func(*Stage)) (stop func()) {
	w.t.Helper()
	discoveries := bus.NewFacts(w.js, bus.Sharing{Name: "extractor", Filter: "learn.ev.*.discovery.observed", Wait: Hold, AtOnce: 4})
	learnings := bus.ReadLog(w.js, bus.EventsStream, 1, "learn.ev.*.learning.>")
	s := Stage{Discoveries: discoveries, Learnings: reader{learnings, w.js}, Extractor: w, Hand: w.hand, Dead: w, AtOnce: 4,
		Now: func() time.Time { return time.Now().Add(time.Hour) }, // nobody has to wait for the producers' own learnings
		There: func(ctx context.Context, seq uint64) (bool, error) {
			_, err := bus.GetMsg(ctx, w.js, bus.EventsStream, seq)
			return err == nil, nil
		},
		Observe: pipeline.Observer{Declined: func(stage, why string) {
			w.mu.Lock()
			w.declined = append(w.declined, stage+": "+why)
			w.mu.Unlock()
			w.told <- struct{}{}
		}},
	}
	for _, c := range change {
		c(&s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-ended; err != nil {
				w.t.Errorf("run: %v", err)
			}
			discoveries.Close()
			learnings.Close()
		})
	}
	w.t.Cleanup(stop)
	return stop
}

// wait waits until so many things were told.
func (w *world) wait(n int) {
	w.t.Helper()
	late := time.After(soon)
	for range n {
		select {
		case <-w.told:
		case <-late:
			w.t.Fatal("it never came to an end")
		}
	}
}

// facts are those of a kind in the log now.
func facts[P any](w *world, kind *events.Type[P]) (list []*events.Fact[P]) {
	w.t.Helper()
	err := bus.Comb(w.t.Context(), w.js, bus.EventsStream, func(e bus.Entry) error {
		if _, k, _ := pipeline.ParseLog(e.Subject); k != kind.Kind {
			return nil
		}
		rec, err := kind.ReadFact(e.Data)
		if err == nil {
			list = append(list, rec.(*events.Fact[P]))
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// saw is what was declined, in order of the words.
func (w *world) saw() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Sorted(slices.Values(w.declined))
}

func (w *world) called() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls
}
