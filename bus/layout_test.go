package bus

import (
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// small keeps the reservation of the inbox low.
var small = Layout{InboxBytes: 8 << 20}

func ensured(tb testing.TB, s *Server) jetstream.JetStream {
	tb.Helper()
	js := stage(tb, s)
	if _, err := Ensure(tb.Context(), js, small); err != nil {
		tb.Fatal(err)
	}
	return js
}

func TestEnsureTwiceChangesNothing(t *testing.T) {
	js := ensured(t, serve(t))
	configs := func() (all []jetstream.StreamConfig) {
		for info := range js.ListStreams(t.Context()).Info() {
			all = append(all, info.Config)
		}
		return all
	}
	before := configs()
	if len(before) != 11 {
		t.Fatalf("%d streams", len(before))
	}
	if _, err := Ensure(t.Context(), js, small); err != nil {
		t.Fatal(err)
	}
	for i, c := range configs() {
		if c.Name != before[i].Name || c.MaxBytes != before[i].MaxBytes || len(c.Metadata) != len(before[i].Metadata) {
			t.Errorf("%s changed", c.Name)
		}
	}
}

func TestALogKeepsThePartitionsItWasCreatedWith(t *testing.T) {
	js := stage(t, serve(t))
	first, err := Ensure(t.Context(), js, Layout{InboxBytes: 1 << 20, Partitions: 4})
	if err != nil || first.Partitions != 4 {
		t.Fatalf("%+v %v", first, err)
	}
	again, err := Ensure(t.Context(), js, Layout{InboxBytes: 1 << 20, Partitions: 64})
	if err != nil || again.Partitions != 4 {
		t.Fatalf("%+v %v", again, err)
	}
}

func TestALogKeepsTheKeyItWasFirstGiven(t *testing.T) {
	js := ensured(t, serve(t)) // by who holds none
	with := func(key string) (Layout, error) {
		return Ensure(t.Context(), js, Layout{InboxBytes: 8 << 20, Key: key})
	}
	for _, key := range []string{"ours", "", "ours"} {
		if l, err := with(key); err != nil || l.Key != "ours" {
			t.Fatalf("with %q: %+v %v", key, l, err)
		}
	}
	if _, err := with("theirs"); !errors.Is(err, ErrForeignKey) {
		t.Errorf("another key: %v", err)
	}
	if name, err := KeyOfLog(t.Context(), js); err != nil || name != "ours" {
		t.Errorf("the key is %q, %v", name, err)
	}
}

func TestANewLogIsMadeWithItsKey(t *testing.T) {
	js := stage(t, serve(t))
	if name, err := KeyOfLog(t.Context(), js); err != nil || name != "" {
		t.Fatalf("of no log: %q, %v", name, err)
	}
	if l, err := Ensure(t.Context(), js, Layout{InboxBytes: 8 << 20, Key: "ours"}); err != nil || l.Key != "ours" {
		t.Errorf("%+v %v", l, err)
	}
}

func TestEnsureRefusesAStreamOfSomebodyElse(t *testing.T) {
	for name, foreign := range map[string]jetstream.StreamConfig{
		"other subjects":  {Name: EventsStream, Subjects: []string{"theirs.>"}},
		"in memory":       {Name: EventsStream, Subjects: []string{"learn.ev.>"}, Storage: jetstream.MemoryStorage},
		"not partitioned": {Name: EventsStream, Subjects: []string{"learn.ev.>"}},
	} {
		t.Run(name, func(t *testing.T) {
			js := stage(t, serve(t))
			if _, err := js.CreateStream(t.Context(), foreign); err != nil {
				t.Fatal(err)
			}
			if _, err := Ensure(t.Context(), js, small); !errors.Is(err, ErrForeignStream) {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestEnsureKeepsWhatAnOperatorTuned(t *testing.T) {
	js := ensured(t, serve(t))
	s, err := js.Stream(t.Context(), LettersStream)
	if err != nil {
		t.Fatal(err)
	}
	tuned := s.CachedInfo().Config
	tuned.MaxAge = 30 * 24 * time.Hour
	tuned.AllowDirect = false
	if _, err := js.UpdateStream(t.Context(), tuned); err != nil {
		t.Fatal(err)
	}
	if _, err := Ensure(t.Context(), js, small); err != nil {
		t.Fatal(err)
	}
	if s, err = js.Stream(t.Context(), LettersStream); err != nil {
		t.Fatal(err)
	}
	if got := s.CachedInfo().Config; got.MaxAge != tuned.MaxAge || !got.AllowDirect {
		t.Fatalf("age %v, direct %v", got.MaxAge, got.AllowDirect)
	}
}

func TestBucketsAreKeyValueBucketsToEveryClient(t *testing.T) {
	js := ensured(t, serve(t))
	for bucket, history := range map[string]int64{"learn_contexts": 1, "learn_learnings": 1, "learn_owners": 1, "learn_settings": 10, "learn_receipts": 1} {
		kv, err := js.KeyValue(t.Context(), bucket)
		if err != nil {
			t.Fatal(err)
		}
		status, err := kv.Status(t.Context())
		if err != nil || status.History() != history {
			t.Fatalf("%s: %v %v", bucket, status, err)
		}
		revision, err := kv.Create(t.Context(), "rule.a", []byte("1"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kv.Update(t.Context(), "rule.a", []byte("2"), revision); err != nil {
			t.Fatal(err)
		}
		watch, err := kv.WatchAll(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if e := <-watch.Updates(); e == nil || string(e.Value()) != "2" {
			t.Fatalf("%s: watched %v", bucket, e)
		}
		if err := errors.Join(kv.Purge(t.Context(), "rule.a"), watch.Stop()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAnOwnerEntryCanExpire(t *testing.T) {
	js := ensured(t, serve(t))
	kv, err := js.KeyValue(t.Context(), "learn_owners")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.Create(t.Context(), "e1", []byte("group"), jetstream.KeyTTL(time.Hour)); err != nil {
		t.Fatal(err)
	}
}

func TestAPlanIsWhatEnsureDoes(t *testing.T) {
	js := stage(t, serve(t))
	plan := func(l Layout) []Change {
		t.Helper()
		changes, err := Plan(t.Context(), js, l)
		if err != nil {
			t.Fatal(err)
		}
		return changes
	}
	first := plan(small)
	if len(first) != 11 || !first[0].Create || first[0].Stream != InboxStream || len(first[0].Settings) == 0 {
		t.Fatalf("of nothing: %+v", first)
	}
	if names := js.StreamNames(t.Context()); len(names.Name()) > 0 {
		t.Fatal("a plan made a stream")
	}
	if _, err := Ensure(t.Context(), js, small); err != nil {
		t.Fatal(err)
	}
	if left := plan(small); len(left) > 0 {
		t.Errorf("left to do: %+v", left)
	}
	s, err := js.Stream(t.Context(), InboxStream)
	if err != nil {
		t.Fatal(err)
	}
	spoiled := s.CachedInfo().Config
	spoiled.Discard, spoiled.MaxMsgs = jetstream.DiscardOld, 1000 // what the code relies on, and what is a matter of taste
	if _, err := js.UpdateStream(t.Context(), spoiled); err != nil {
		t.Fatal(err)
	}
	left := plan(small)
	if len(left) != 1 || left[0].Create || len(left[0].Settings) != 1 {
		t.Fatalf("of a spoiled stream: %+v", left)
	}
	if set := left[0].Settings[0]; set.Name != "discard" || string(set.Is) != `"old"` || string(set.Will) != `"new"` {
		t.Errorf("%s: %s, then %s", set.Name, set.Is, set.Will)
	}
}

func TestAPlanForAServerThatIsEmbeddedIsEmpty(t *testing.T) {
	js := stage(t, serve(t))
	if _, err := Ensure(t.Context(), js, Layout{InboxBytes: small.InboxBytes, Embedded: true}); err != nil {
		t.Fatal(err)
	}
	if left, err := Plan(t.Context(), js, small); err != nil || len(left) > 0 {
		t.Errorf("%v: %+v", err, left)
	}
}
