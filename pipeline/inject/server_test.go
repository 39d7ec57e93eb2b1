package inject

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/kv"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"

	"github.com/nats-io/nats.go/jetstream"
)

// loop is a server with the streams and buckets.
func loop(tb testing.TB) jetstream.JetStream {
	tb.Helper()
	server, err := bus.Serve(bus.Options{Dir: tb.TempDir(), StoreKey: "a key for tests only"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(server.Shutdown)
	nc, err := server.ConnectStage("inject")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := bus.Ensure(tb.Context(), js, bus.Layout{InboxBytes: 8 << 20, Embedded: true}); err != nil {
		tb.Fatal(err)
	}
	return js
}

// stage is an injector of some models.
func stage(tb testing.TB, js jetstream.JetStream, models ...learn.Model) Stage {
	tb.Helper()
	queue := bus.NewInsights(js)
	tb.Cleanup(queue.Close)
	s := Stage{Models: models, Insights: queue, Parts: bus.NewLatest(js, bus.InsightsStream), Buckets: map[string]Bucket{}}
	for _, name := range []string{learn.Contexts, learn.Settings} {
		w, err := kv.NewWriter(tb.Context(), reader(tb, js, name))
		if err != nil {
			tb.Fatal(err)
		}
		s.Buckets[name] = w
	}
	s.Reflect = Reflector{Bucket: s.Buckets[learn.Settings], Every: 25 * time.Millisecond}
	return s
}

func reader(tb testing.TB, js jetstream.JetStream, bucket string) *kv.Reader {
	tb.Helper()
	r, err := kv.NewReader(tb.Context(), js.Conn(), kv.ReaderOptions{Bucket: bucket})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(r.Close)
	return r
}

// run runs an injector until the test ends.
func run(tb testing.TB, s Stage) {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	var group sync.WaitGroup
	group.Go(func() {
		if err := s.Run(ctx); err != nil {
			tb.Error(err)
		}
	})
	tb.Cleanup(func() { cancel(); group.Wait() })
}

func TestInjectorsThatShareTheWorkEndUpWithWhatIsKnown(t *testing.T) {
	js := loop(t)
	contexts := reader(t, js, learn.Contexts)
	for range 3 {
		run(t, stage(t, js, model()))
	}
	analyzer := bus.NewSender(js.Conn(), bus.InsightsStream)
	var w world // makes insights
	w.t = t
	for round := range 60 { // most values are those of the round before: they confirm
		var msgs []bus.Message
		for p := range 8 {
			for _, d := range []bus.Delivery{w.insight(p, "all", "", round/9), w.insight(p, "all", "x", round/7), w.insight(p, "one", string(rune('a'+p)), round/8)} {
				msgs = append(msgs, bus.Message{Subject: d.Subject, Data: d.Data})
			}
		}
		if _, err := analyzer.Send(t.Context(), msgs); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	changes := contexts.Changes(ctx, "")
	want := whatIsKnown(t, js)
	if differ(contexts, want) == "" {
		return
	}
	for range changes {
		if differ(contexts, want) == "" {
			return
		}
	}
	t.Errorf("%s is not what is known", differ(contexts, want))
}

// whatIsKnown renders the last insights of all.
func whatIsKnown(t *testing.T, js jetstream.JetStream) []kv.Entry {
	t.Helper()
	known, err := bus.LastPerSubject(t.Context(), js, bus.InsightsStream, pipeline.Known+">")
	if err != nil {
		t.Fatal(err)
	}
	var batch []bus.Delivery
	for _, e := range known {
		batch = append(batch, bus.Delivery{Seq: e.Seq, Subject: e.Subject, Data: e.Data})
	}
	r, err := stage(t, js, model()).read(t.Context(), batch)
	if err != nil || len(r.entries[learn.Contexts]) == 0 {
		t.Fatalf("nothing is known: %v", err)
	}
	return r.entries[learn.Contexts]
}

// differ names a key that does not hold what it should, or "".
func differ(contexts *kv.Reader, want []kv.Entry) string {
	i := slices.IndexFunc(want, func(e kv.Entry) bool {
		c, _ := contexts.Get(e.Key)
		return !bytes.Equal(c.Value, e.Value)
	})
	if i < 0 {
		return ""
	}
	return want[i].Key
}
