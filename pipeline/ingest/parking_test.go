package ingest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/events"
	"learnloop.dev/pipeline"

	"github.com/nats-io/nats.go/jetstream"
)

// site is an ingest stage at a real server, with a clock of its own.
type site struct {
	Stage
	js    jetstream.JetStream
	clock *time.Time
	stop  func()
}

func open(t *testing.T, dir string) *site {
	t.Helper()
	server, err := bus.Serve(bus.Options{Dir: dir, StoreKey: "a key for tests only"})
	if err != nil {
		t.Fatal(err)
	}
	nc, err := server.ConnectStage(t.Name())
	if err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceFunc(func() { nc.Close(); server.Shutdown() })
	t.Cleanup(stop)
	if _, err := bus.Ensure(t.Context(), js, bus.Layout{Partitions: 32}); err != nil {
		t.Fatal(err)
	}
	clock := now
	return &site{js: js, clock: &clock, stop: stop, Stage: Stage{
		House: house(t, defaults()), Log: bus.NewAppender(nc, bus.EventsStream), Dead: bus.NewDeadLetters(js),
		Owners: bus.NewBucket(js, "learn_owners"), Now: func() time.Time { return clock },
		Replays: NewReplays(bus.NewNotices(nc), "this process"),
		Observe: pipeline.Observer{}.EnsureDefaults(),
	}}
}

// outcome judges events, as if they had come in one batch.
func (s *site) outcome(t *testing.T, list ...events.Envelope) (out outcome) {
	t.Helper()
	policy := defaults()
	h := s.House
	h.Policy = func() *Policy { return &policy }
	g, err := NewGate(h)
	if err != nil {
		t.Fatal(err)
	}
	w := worker{s.Stage, g}
	for _, env := range list {
		v, err := w.decide(pipeline.In+string(env.Kind), events.Item{Envelope: env}, origin{stage: stageName}, &out)
		if err != nil || v.Refusal.Refused() {
			t.Fatalf("decide: %v %+v", err, v.Refusal)
		}
	}
	return out
}

func (s *site) take(t *testing.T, list ...events.Envelope) {
	t.Helper()
	if err := s.store(t.Context(), s.outcome(t, list...)); err != nil {
		t.Fatal(err)
	}
}

// fact is a fact in the log with the partition it lies in.
type fact struct {
	*events.Head
	partition int
}

// log returns the facts of a kind, in order.
func (s *site) log(t *testing.T, kind events.Kind) (facts []fact) {
	t.Helper()
	last, err := bus.Last(t.Context(), s.js, bus.EventsStream)
	if err != nil {
		t.Fatal(err)
	}
	for seq := uint64(1); seq <= last; seq++ {
		e, err := bus.GetMsg(t.Context(), s.js, bus.EventsStream, seq)
		if err != nil {
			t.Fatal(err)
		}
		p, k, _ := pipeline.ParseLog(e.Subject)
		if k != kind {
			continue
		}
		spec, _ := events.Lookup(k)
		rec, err := spec.ReadFact(e.Data)
		if err != nil {
			t.Fatal(err)
		}
		facts = append(facts, fact{rec.Header(), p})
	}
	return facts
}

// parked returns what waits.
func (s *site) parked(t *testing.T) []bus.Cell {
	t.Helper()
	cells, err := s.Owners.Find(t.Context(), anyWaiting)
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

const (
	thumb = "feedback.response"
	talk  = "exchange.recorded"
)

func response(id, exchange, more string) events.Envelope {
	env := envelope(id, `{"exchange_id":"`+exchange+`","feedback_type":"thumbs_up"`+more+`}`)
	env.Kind = thumb
	return env
}

func exchange(id, user string) events.Envelope {
	who := ""
	if user != "" {
		who = `"user_id":"` + user + `",`
	}
	env := envelope("exchange "+id, `{"exchange_id":"`+id+`","session_id":"s",`+who+`"user_text":"","agent_text":""}`)
	env.Kind = talk
	return env
}

// only expects one fact of feedback, which belongs to whom the exchange does.
func (s *site) only(t *testing.T) fact {
	t.Helper()
	got, of := s.log(t, thumb), s.log(t, talk)
	if len(got) != 1 || len(of) == 0 {
		t.Fatalf("%d facts of feedback, %d of exchanges; want one and some", len(got), len(of))
	}
	if got[0].partition != of[0].partition || got[0].Key != of[0].Key || got[0].Person != of[0].Person || got[0].Record == "" {
		t.Errorf("the feedback is %s's (%s) in %d, the exchange %s's (%s) in %d", got[0].Key, got[0].Person,
			got[0].partition, of[0].Key, of[0].Person, of[0].partition)
	}
	return got[0]
}

func TestFeedbackThatNamesItsExchangeIsThePersonsWhoAsked(t *testing.T) {
	s := open(t, t.TempDir())
	s.take(t, exchange("x.1", "jane"))
	s.take(t, response("f", "x.1", ""))
	a := s.only(t)
	s.take(t, response("f", "x.1", `,"user_id":"jane"`))
	if b := s.log(t, thumb)[1]; a.Record != b.Record || a.partition != b.partition {
		t.Error("the same feedback is another record when it names its person")
	}
}

func TestFeedbackWaitsForItsExchangeAndIsReleasedAtOnce(t *testing.T) {
	s := open(t, t.TempDir())
	s.take(t, response("jane.roe@example.com", "x.1", `,"feedback_text":"I am jane.roe@example.com"`))
	cells := s.parked(t)
	if len(cells) != 1 || len(s.log(t, thumb)) > 0 {
		t.Fatalf("%d wait, %d in the log; want one and none", len(cells), len(s.log(t, thumb)))
	}
	if c := cells[0]; !strings.HasPrefix(c.Key, "wait.x=2E1.") || strings.Contains(c.Key+string(c.Value), "roe") {
		t.Errorf("it waits as %s: %s", c.Key, c.Value)
	}
	s.take(t, exchange("x.1", "jane"))
	s.only(t)
	if cells := s.parked(t); len(cells) > 0 {
		t.Errorf("%d still wait", len(cells))
	}
}

func TestAnExchangeAndItsFeedbackInOneBatchFindEachOther(t *testing.T) {
	for _, list := range [][]events.Envelope{
		{exchange("x", "jane"), response("f", "x", "")},
		{response("f", "x", ""), exchange("x", "jane"), exchange("x", "jane")},
	} {
		s := open(t, t.TempDir())
		s.take(t, list...)
		s.only(t)
	}
}

func TestFeedbackOfASessionIsTheSessions(t *testing.T) {
	s := open(t, t.TempDir())
	s.take(t, response("f", "x", ""), exchange("x", ""))
	if f := s.only(t); f.Person != "" || f.Key == "" {
		t.Errorf("key %q, person %q; want the session's and none", f.Key, f.Person)
	}
}

func TestFeedbackThatWaitedTenMinutesIsTheLocalUsers(t *testing.T) {
	s := open(t, t.TempDir())
	s.take(t, response("f", "x", ""))
	*s.clock = now.Add(5 * time.Minute)
	s.take(t, response("f", "x", ""))
	*s.clock = now.Add(waitsFor - time.Second)
	if err := s.sweep(t.Context()); err != nil || len(s.parked(t)) != 1 {
		t.Fatalf("before its time: %v, %d wait", err, len(s.parked(t)))
	}
	*s.clock = now.Add(waitsFor)
	if err := s.sweep(t.Context()); err != nil || len(s.parked(t)) > 0 {
		t.Fatalf("in time: %v, %d wait", err, len(s.parked(t)))
	}
	s.take(t, exchange("late", "local"), exchange("x", "jane"), response("f", "x", ""), response("g", "x", ""))
	local, facts := s.log(t, talk)[0], s.log(t, thumb)
	for i, f := range facts {
		if f.partition != local.partition || f.Key != local.Key || f.Person != local.Person {
			t.Errorf("feedback %d is %s's in %d, want the local user's", i, f.Key, f.partition)
		}
	}
	if len(facts) != 3 || facts[0].Record != facts[1].Record || facts[1].Record == facts[2].Record {
		t.Errorf("%d facts; want one record twice, and another", len(facts))
	}
}

func TestWhatWaitsSurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	s.take(t, response("f", "x", ""))
	s.stop()
	s = open(t, dir)
	s.take(t, exchange("x", "jane"))
	s.only(t)
}

// forgetful is a bucket that a process loses before it removed anything.
type forgetful struct {
	Owners
	lost bool
}

func (f *forgetful) Remove(ctx context.Context, c bus.Cell) error {
	if !f.lost {
		f.lost = true
		return errors.New("the process ends here")
	}
	return f.Owners.Remove(ctx, c)
}

func TestACrashBetweenAppendingAndRemovingDoublesNothing(t *testing.T) {
	for name, again := range map[string]func(s *site) error{
		"the exchange comes again": func(s *site) error { return s.store(t.Context(), s.outcome(t, exchange("x", "jane"))) },
		"somebody looks after it":  func(s *site) error { return s.sweep(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, t.TempDir())
			s.take(t, response("f", "x", ""))
			s.Owners = &forgetful{Owners: s.Owners}
			if err := s.store(t.Context(), s.outcome(t, exchange("x", "jane"))); err == nil {
				t.Fatal("the bucket forgot nothing")
			}
			*s.clock = now.Add(waitsFor)
			if err := again(s); err != nil {
				t.Fatal(err)
			}
			facts := s.log(t, thumb)
			if len(facts) != 2 || facts[0].Record != facts[1].Record || facts[0].partition != facts[1].partition {
				t.Errorf("facts %+v, want one record twice", facts)
			}
			if len(s.parked(t)) > 0 {
				t.Error("something still waits")
			}
		})
	}
}

// Whoever comes first, the exchange or the end of the wait: everything that waited
// is one's alone, and nothing is lost.
func TestNoFeedbackIsGivenToTwo(t *testing.T) {
	s := open(t, t.TempDir())
	*s.clock = now.Add(-waitsFor)
	const rounds, each = 20, 3
	for i := range rounds {
		x := fmt.Sprint("x", i)
		*s.clock = now.Add(-waitsFor)
		s.take(t, response(x+"a", x, ""), response(x+"b", x, ""))
		early, late := s.outcome(t, exchange(x, "jane")), s.outcome(t, response(x+"c", x, ""))
		*s.clock = now
		var all sync.WaitGroup
		for _, do := range []func() error{
			func() error { return s.store(t.Context(), early) },
			func() error { return s.store(t.Context(), late) },
			func() error { return s.sweep(t.Context()) },
		} {
			all.Go(func() {
				if err := do(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
	if err := s.sweep(t.Context()); err != nil || len(s.parked(t)) > 0 {
		t.Fatalf("sweep: %v, %d wait", err, len(s.parked(t)))
	}
	records := map[string]bool{}
	for _, f := range s.log(t, thumb) {
		records[f.Record] = true
	}
	if len(records) != rounds*each {
		t.Errorf("%d records of %d events", len(records), rounds*each)
	}
}

func TestWhatNobodyCanReadDoesNotStandInTheWay(t *testing.T) {
	s := open(t, t.TempDir())
	s.take(t, response("f", "x", ""), response("g", "y", ""))
	garbage := []bus.Cell{
		{Key: "x", Value: []byte("{")}, {Key: "wait.x.garbage", Value: []byte("jane.roe")},
		{Key: "wait.z.garbage", Value: []byte(`{"exchange":"x"}`)},
	}
	if err := s.Owners.Put(t.Context(), garbage); err != nil {
		t.Fatal(err)
	}
	s.take(t, exchange("x", "jane"))
	s.only(t)
	if err := s.sweep(t.Context()); err != nil || len(s.parked(t)) != 1 {
		t.Errorf("sweep: %v, %d wait; want the one for y", err, len(s.parked(t)))
	}
	letters, err := bus.NewDeadLetters(s.js).List(t.Context(), 10, 0)
	if err != nil || len(letters) != 2 {
		t.Fatalf("%v, %d letters; want two", err, len(letters))
	}
	for _, l := range letters {
		if strings.Contains(string(l.Data), "jane") {
			t.Errorf("a payload in a dead letter: %s", l.Data)
		}
	}
}

func TestAnOwnerIsRememberedForSevenDaysAndHoldsNoID(t *testing.T) {
	s := open(t, t.TempDir())
	s.take(t, exchange("x", "jane.roe"))
	e, err := bus.LastMsg(t.Context(), s.js, "KV_learn_owners", "$KV.learn_owners.x")
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Header["Nats-TTL"]; len(got) != 1 || got[0] != ownedFor.String() && got[0] != "604800" {
		t.Errorf("kept for %q", got)
	}
	if strings.Contains(string(e.Data), "jane") || !strings.Contains(string(e.Data), s.log(t, talk)[0].Key) {
		t.Errorf("%s, want a pseudonym", e.Data)
	}
}
