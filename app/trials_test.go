package app

import (
	"errors"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline/ingest"

	"github.com/nats-io/nats.go/jetstream"
)

// site is a settings bucket at a real server, and a clock.
type site struct {
	bucket *bus.Bucket
	clock  time.Time
}

func openSite(t *testing.T) *site {
	t.Helper()
	server, err := bus.Serve(bus.Options{Dir: t.TempDir(), StoreKey: "a key for tests only"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Shutdown)
	nc, err := server.ConnectStage(t.Name())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err == nil {
		_, err = bus.Ensure(t.Context(), js, bus.Layout{Partitions: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	return &site{bucket: bus.NewBucket(js, learn.Settings), clock: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}
}

func (s *site) process(name string) trials {
	return trials{bucket: s.bucket, owner: name, now: func() time.Time { return s.clock }}
}

// begins expects a trial of message 7, delivered so often, to begin after so many that were fatal.
func begins(t *testing.T, p trials, delivery uint64, fatal int) {
	t.Helper()
	if got, err := p.Begin(t.Context(), 7, delivery); err != nil || got != fatal {
		t.Fatalf("%d fatal trials, %v; want %d", got, err, fatal)
	}
}

func TestATrialThatGoesOnElsewhereIsNoCrash(t *testing.T) {
	s := openSite(t)
	a, b := s.process("a"), s.process("b")
	begins(t, a, 3, 0)
	for n := range uint64(3) {
		for _, p := range []trials{a, b} {
			if _, err := p.Begin(t.Context(), 7, 4+n); !errors.Is(err, ingest.ErrTried) {
				t.Fatalf("%s: %v", p.owner, err)
			}
		}
		s.clock = s.clock.Add(ingest.Lease - time.Second)
		if err := errors.Join(a.Extend(t.Context(), 7), b.Extend(t.Context(), 7)); err != nil {
			t.Fatal(err)
		}
	}
	s.clock = s.clock.Add(ingest.Lease)
	begins(t, b, 7, 1) // a said nothing any more
	if err := errors.Join(a.End(t.Context(), 7), b.End(t.Context(), 7)); err != nil {
		t.Fatal(err)
	}
	begins(t, a, 8, 0)
}

func TestATrialWhoseNoteIsStoredThoughItsAnswerWasLostGoesOn(t *testing.T) {
	s := openSite(t)
	begins(t, s.process("a"), 3, 0)
	s.clock = s.clock.Add(ingest.Lease)
	b := s.process("b")
	begins(t, b, 4, 1)
	begins(t, b, 4, 1) // again, for the same delivery
	if _, err := s.process("a").Begin(t.Context(), 7, 4); !errors.Is(err, ingest.ErrTried) {
		t.Errorf("the trial of another process: %v", err)
	}
}

func TestAProcessDoesNotTakeItselfForDead(t *testing.T) {
	s := openSite(t)
	a := s.process("a")
	begins(t, a, 3, 0)
	s.clock = s.clock.Add(ingest.Lease) // its end was not written
	begins(t, a, 4, 0)
}

func TestWhoIsAloneKnowsAtOnceThatItsFormerLifeDied(t *testing.T) {
	s := openSite(t)
	for life := range 3 {
		p := s.process(string(rune('a' + life)))
		p.alone = true
		begins(t, p, 3, life)
	}
}
