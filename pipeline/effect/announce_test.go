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

	"github.com/nats-io/nats.go/jetstream"
)

// crier has an announcer run on a log, and keeps what it tells.
type crier struct {
	*world
	mu       sync.Mutex
	told     []string             // guarded by mu
	looks    int                  // guarded by mu
	standing map[uint64]Standing  // guarded by mu; Counting where nothing is said
	put      func(told int) error // before something is told
	heard    chan struct{}
}

func (c *crier) Put(_ context.Context, notices []bus.Notice) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.put(len(c.told)); err != nil {
		return err
	}
	for _, n := range notices {
		c.told = append(c.told, n.ID+" "+string(n.Data))
		c.heard <- struct{}{}
	}
	return nil
}

func (c *crier) standings(entries []Place) (list []Standing, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	for _, e := range entries {
		s, said := c.standing[e.Seq]
		if !said {
			s = Counting
		}
		if s == Unfolded {
			c.standing[e.Seq] = Counting // by the next time
		}
		list = append(list, s)
	}
	return list, nil
}

func (c *crier) live() (stop func()) { return c.tells(c, Telling) }

// tells runs an announcer that others follow when it is silent for so long.
func (c *crier) tells(notices Notices, wait time.Duration) (stop func()) {
	samples := bus.NewFacts(c.js, bus.Sharing{Name: "announcer", Filter: "learn.ev.*.sample.captured", Wait: wait, AtOnce: 100})
	a := Announcer{Samples: samples, Standings: c.standings, Notices: notices, Now: time.Now, Every: time.Millisecond}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			c.t.Errorf("run: %v", err)
		}
		samples.Close()
	})
	c.t.Cleanup(stop)
	return stop
}

// store puts a sample into the log.
func (c *crier) store(record, content string) {
	c.t.Helper()
	c.append(c.t.Context(), &events.Fact[events.Sample]{Head: events.Head{ID: record, Record: record, Content: content},
		Data: events.Sample{SampleID: "s-1", SampleFamily: "f", CreatedAt: time.Now(), Input: []byte("{}"), Output: []byte("{}")}})
}

func (c *crier) await(n int) {
	c.t.Helper()
	late := time.After(soon)
	for range n {
		select {
		case <-c.heard:
		case <-late:
			c.t.Fatalf("told %q", c.told)
		}
	}
}

func newCrier(t *testing.T) *crier {
	t.Helper()
	return &crier{world: newWorld(t), standing: map[uint64]Standing{}, heard: make(chan struct{}, 100), put: func(int) error { return nil }}
}

const notice = `{"event_family":"external_integration","event_type":"learning_sample_captured","payload":{"sample_id":"s-1","sample_family":"f"}}`

func TestWhatCountsIsToldOnceAndWhatIsYetToBeFoldedLater(t *testing.T) {
	c := newCrier(t)
	c.standing[2], c.standing[3] = Idle, Unfolded // the second is a duplicate of the first
	c.store("r1", "c1")
	c.store("r1", "c1")
	c.store("r2", "c2")
	c.live()
	c.await(2)
	want := []string{"r1/c1 " + notice, "r2/c2 " + notice}
	if got := slices.Sorted(slices.Values(c.told)); !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
	if c.looks < 2 {
		t.Error("what was not folded was not looked at again")
	}
}

func TestWhatWasToldIsNotToldAgainAfterARestart(t *testing.T) {
	c := newCrier(t)
	failures := 2
	c.put = func(int) error {
		if failures--; failures >= 0 {
			return errors.New("not now")
		}
		return nil
	}
	stop := c.live()
	c.store("r1", "c1")
	c.await(1)
	stop()
	c.store("r2", "c2")
	c.live()
	c.await(1)
	if len(c.told) != 2 {
		t.Errorf("told %q", c.told)
	}
}

// mortal publishes notices, and then is no more: it cannot say that it did.
type mortal struct {
	*bus.Notices
	told chan struct{}
}

func (m mortal) Put(ctx context.Context, notices []bus.Notice) error {
	if err := m.Notices.Put(ctx, notices); err != nil {
		return err
	}
	close(m.told)
	<-ctx.Done()
	return ctx.Err()
}

func TestWhatWasToldByWhoDiedThereuponIsToldOnce(t *testing.T) {
	c := newCrier(t)
	notices, told := bus.NewNotices(c.js.Conn()), make(chan struct{})
	c.store("r1", "c1")
	stop := c.tells(mortal{notices, told}, time.Second)
	<-told
	stop()
	c.store("r2", "c2")
	c.put = func(int) error { return nil }
	c.tells(both{c, notices}, time.Second)
	c.await(2) // the first again, and the second
	subject := bus.NoticeSubject(sampleTopic)
	if n := count(t, c.js, subject); n != 2 {
		t.Errorf("%s holds %d notices", subject, n)
	}
}

// both tells the crier and everybody.
type both struct {
	crier *crier
	all   *bus.Notices
}

func (b both) Put(ctx context.Context, notices []bus.Notice) error {
	if err := b.all.Put(ctx, notices); err != nil {
		return err
	}
	return b.crier.Put(ctx, notices)
}

func count(t *testing.T, js jetstream.JetStream, subject string) uint64 {
	t.Helper()
	s, err := js.Stream(t.Context(), bus.OutStream)
	if err != nil {
		t.Fatal(err)
	}
	info, err := s.Info(t.Context(), jetstream.WithSubjectFilter(subject))
	if err != nil {
		t.Fatal(err)
	}
	return info.State.Subjects[subject]
}
