package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"learnloop.dev/api"
	"learnloop.dev/app"
	"learnloop.dev/bus"
)

// instant is a moment in the life of a loop, as it tells it.
type instant struct {
	replay    api.Replay
	floor     uint64 // of the inbox
	log       uint64
	reflected uint64
}

// history is a loop that goes on whenever the replay is looked at; it stays at the
// last instant.
type history struct {
	instants []instant
	failures []error // come first
}

func (h *history) Call(_ context.Context, name string, _, out any) error {
	if len(h.failures) > 0 {
		err := h.failures[0]
		h.failures = h.failures[1:]
		return err
	}
	is := h.instants[0]
	switch out := out.(type) {
	case *api.Replay:
		*out = is.replay
		if len(h.instants) > 1 {
			h.instants = h.instants[1:]
		}
	case *api.Status:
		*out = api.Status{Log: is.log, Reflected: []uint64{0, is.reflected}, Streams: []api.StreamStatus{
			{Name: bus.InboxStream, Consumers: []api.ConsumerStatus{{Floor: is.floor, Pending: 1000, Unacked: 7}}},
		}}
	default:
		panic("nobody does " + name)
	}
	return nil
}

// waits lets a replay of ten events, the last with sequence 5 in the inbox, wait.
func waits(t *testing.T, operator bool, instants ...instant) fate {
	t.Helper()
	a := await{client: &history{instants: instants}, ship: &shipment{sent: 10, last: 5}, operator: operator, note: func(int) {}}
	f, err := a.until(t.Context())
	if err != nil || !f.Reflected {
		t.Fatalf("%+v %v", f, err)
	}
	return f
}

func stored(n, duplicates int) api.Replay {
	return api.Replay{Stored: n, Duplicates: duplicates, Reflected: true}
}

func TestWaitingIsNotOverWhileSomeAreInTheInbox(t *testing.T) {
	f := waits(t, true,
		instant{stored(5, 5), 3, 5, 5}, // a crash: five count twice
		instant{stored(5, 5), 4, 5, 5},
		instant{stored(8, 5), 5, 13, 5},
		instant{stored(10, 5), 5, 15, 13},
		instant{stored(10, 5), 5, 15, 15})
	if f.Stored != 10 || f.Unknown != 0 {
		t.Errorf("%+v", f)
	}
}

func TestWhatAnEndedProcessCountedIsNotCalledDeclined(t *testing.T) {
	f := waits(t, true, instant{api.Replay{Reflected: true}, 5, 10, 3}, instant{stored(2, 0), 5, 10, 9}, instant{stored(2, 0), 5, 10, 10})
	if f.Stored != 2 || f.Declined != 0 || f.Unknown != 8 {
		t.Errorf("%+v", f)
	}
}

func TestAfterARestartOnlyWhatIsKnownIsTold(t *testing.T) {
	again := stored(0, 10) // all came again: ten were counted by a process that is gone
	again.Counting = .001
	a := await{client: &history{instants: []instant{{again, 5, 10, 10}}}, operator: true, note: func(int) {},
		ship: &shipment{sent: 10, last: 5, began: time.Now().Add(-time.Second)}}
	f, err := a.until(t.Context())
	if err != nil || !f.Restarted || !strings.Contains(f.told(), "started anew meanwhile") {
		t.Errorf("%+v %v\n%s", f, err, f.told())
	}
	again.Counting = 2 // began before the first was sent
	a.client = &history{instants: []instant{{again, 5, 10, 10}}}
	if f, err := a.until(t.Context()); err != nil || f.Restarted || f.told() != "10 sent: 0 stored, 10 duplicates, 0 refused" {
		t.Errorf("%+v %v\n%s", f, err, f.told())
	}
}

func TestOtherTrafficDoesNotProlongTheWaiting(t *testing.T) {
	var busy []instant
	for n := range uint64(100) { // the log is always ahead
		busy = append(busy, instant{stored(10, 0), 5, 20 + 10*n, 15 + 10*n})
	}
	loop := &history{instants: busy}
	a := await{client: loop, ship: &shipment{sent: 10, last: 5}, operator: true, note: func(int) {}}
	if f, err := a.until(t.Context()); err != nil || !f.Reflected || len(loop.instants) < 90 {
		t.Errorf("%+v %v after %d looks", f, err, 100-len(loop.instants))
	}
}

func TestNothingStoredIsReflectedToo(t *testing.T) {
	f := waits(t, true, instant{api.Replay{Refused: 4, Declined: 6, Reflected: true}, 5, 0, 0})
	if f.Refused != 4 || f.Declined != 6 || f.Unknown != 0 {
		t.Errorf("%+v", f)
	}
}

func TestAStrangerGoesByTheCounts(t *testing.T) {
	behind := stored(10, 0)
	behind.Reflected = false
	if f := waits(t, false, instant{stored(9, 0), 0, 0, 0}, instant{behind, 0, 0, 0}, instant{stored(10, 0), 0, 0, 0}); f.Stored != 10 {
		t.Errorf("%+v", f)
	}
}

func TestWaitingOutlastsARestartOfTheServer(t *testing.T) {
	away := fmt.Errorf("call replays.get: %w", &api.Problem{Code: api.Unavailable})
	slow := fmt.Errorf("call replays.get: %w", &api.Problem{Code: api.TimedOut})
	forgotten := fmt.Errorf("call replays.get: %w", &api.Problem{Code: api.NotFound})
	loop := &history{[]instant{{stored(10, 0), 5, 10, 10}}, []error{away, slow, away, forgotten}}
	a := await{client: loop, ship: &shipment{sent: 10, last: 5}, operator: true, note: func(int) {}}
	if f, err := a.until(t.Context()); err != nil || f.Stored != 10 || !f.Reflected {
		t.Errorf("%+v %v", f, err)
	}
}

func TestWhoCannotWaitSaysThatAllWasSent(t *testing.T) {
	loop := &history{nil, []error{&api.Problem{Code: api.LicenseRequired}}}
	a := await{client: loop, ship: &shipment{sent: 10, last: 5}, note: func(int) {}}
	_, err := a.until(t.Context())
	if err == nil || !strings.Contains(err.Error(), "all 10 events were sent") || !strings.Contains(app.HintOf(err), "again is safe") {
		t.Errorf("%v", err)
	}
}

// slow is a loop that knows everything at once, and tells of it for ten minutes.
type slow struct{ since time.Time }

func (s slow) Call(_ context.Context, _ string, _, out any) error {
	told := min(uint64(time.Since(s.since)/time.Second), 600)
	switch out := out.(type) {
	case *api.Replay:
		*out = stored(10, 0)
		out.Reflected = told == 600
	case *api.Status:
		*out = api.Status{Log: 10, Reflected: []uint64{told / 60}, Streams: []api.StreamStatus{
			{Name: bus.InboxStream, Consumers: []api.ConsumerStatus{{Floor: 5}}}, {Name: bus.InsightsStream, Last: told},
		}}
	}
	return nil
}

func TestWaitingGoesOnWhileInsightsAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := await{client: slow{time.Now()}, ship: &shipment{sent: 10, last: 5}, operator: true, note: func(int) {}}
		if f, err := a.until(t.Context()); err != nil || f.Stored != 10 {
			t.Errorf("%+v %v", f, err)
		}
	})
}
