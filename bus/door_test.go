package bus

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"learnloop.dev/events"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// stranger connects without credentials and collects what it is refused.
type stranger struct {
	*nats.Conn
	refused chan error
}

func connectStranger(t *testing.T, s *Server) stranger {
	t.Helper()
	refused := make(chan error, 100)
	nc, err := nats.Connect(s.URL(), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return stranger{nc, refused}
}

func (c stranger) wantRefused(t *testing.T, what string) {
	t.Helper()
	select {
	case err := <-c.refused:
		if !errors.Is(err, nats.ErrPermissionViolation) {
			t.Fatalf("%s: got %v", what, err)
		}
	case <-time.After(soon):
		t.Fatalf("%s was not refused", what)
	}
}

// product sets up the streams that a stranger meets.
func product(t *testing.T, s *Server) jetstream.JetStream {
	t.Helper()
	js := stage(t, s)
	for _, cfg := range []jetstream.StreamConfig{
		{Name: "LEARN_INBOX", Subjects: []string{"learn.in.>"}},
		{Name: "LEARN_EVENTS", Subjects: []string{"learn.ev.>"}},
		bucket("learn_contexts", 1), bucket("learn_learnings", 1),
	} {
		if _, err := js.CreateStream(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
	}
	return js
}

func lastSeq(t *testing.T, js jetstream.JetStream, stream string) uint64 {
	t.Helper()
	s, err := js.Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.LastSeq
}

func TestAStrangerReadsAndWatchesContextsAndLearnings(t *testing.T) {
	for _, name := range []string{"learn_contexts", "learn_learnings"} {
		t.Run(name, func(t *testing.T) { readAndWatch(t, name) })
	}
}

func readAndWatch(t *testing.T, name string) {
	t.Helper()
	s := serve(t)
	ours := product(t, s)
	put := func(key, value string) {
		if _, err := ours.Publish(t.Context(), "$KV."+name+"."+key, []byte(value)); err != nil {
			t.Fatal(err)
		}
	}
	put("rule.passive", "one")
	put("rule.active", "two")

	js := newJetStream(t, connectStranger(t, s).Conn)
	kv, err := js.KeyValue(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	entry, err := kv.Get(t.Context(), "rule.passive")
	if err != nil || string(entry.Value()) != "one" {
		t.Fatalf("get: %v %v", entry, err)
	}
	keys, err := kv.Keys(t.Context())
	if err != nil || !slices.Equal(keys, []string{"rule.active", "rule.passive"}) {
		t.Fatalf("keys: %v %v", keys, err)
	}
	if _, err := kv.Status(t.Context()); err != nil {
		t.Fatal(err)
	}
	history, err := kv.History(t.Context(), "rule.active")
	if err != nil || len(history) != 1 {
		t.Fatalf("history: %v %v", history, err)
	}
	watch, err := kv.Watch(t.Context(), "rule.*", jetstream.UpdatesOnly())
	if err != nil {
		t.Fatal(err)
	}
	put("rule.passive", "three")
	select {
	case e := <-watch.Updates():
		if e.Key() != "rule.passive" || string(e.Value()) != "three" {
			t.Fatalf("watch: %s %s", e.Key(), e.Value())
		}
	case <-time.After(soon):
		t.Fatal("no update")
	}
	if err := watch.Stop(); err != nil {
		t.Fatal(err)
	}
}

func TestAStrangerPublishesEventsWithAcknowledgement(t *testing.T) {
	s := serve(t)
	product(t, s)
	js := newJetStream(t, connectStranger(t, s).Conn)
	ack, err := js.Publish(t.Context(), "learn.in.feedback.fix", []byte("{}"))
	if err != nil || ack.Stream != "LEARN_INBOX" {
		t.Fatalf("%v %v", ack, err)
	}
}

func TestEveryKindThatNotEverybodyMayPublishIsReserved(t *testing.T) {
	for spec := range events.All() {
		kind := spec.Name()
		denied := slices.ContainsFunc(reserved(), func(pattern string) bool {
			prefix, all := strings.CutSuffix(pattern, ">")
			return kind.Subject() == pattern || all && strings.HasPrefix(kind.Subject(), prefix)
		})
		if denied != (kind.Control() || kind.Reviewed()) {
			t.Errorf("%s is denied to strangers: %t", kind, denied)
		}
	}
}

func TestAClusterReservesTheSameKinds(t *testing.T) {
	conf, err := os.ReadFile("../deploy/nats/accounts.conf")
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(slices.Values(reserved()))
	roles := 0
	for line := range strings.Lines(string(conf)) {
		list, ok := strings.CutPrefix(strings.TrimSpace(line), "deny: ")
		if !ok || !strings.Contains(list, events.InboxPrefix) {
			continue
		}
		roles++
		subjects := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(`[]", `, r) })
		if got := slices.Sorted(slices.Values(subjects)); !slices.Equal(got, want) {
			t.Errorf("denies %q, want %q", got, want)
		}
	}
	if roles != 2 {
		t.Errorf("%d roles are denied something, want agents and strangers", roles)
	}
}
