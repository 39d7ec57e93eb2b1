package ingest

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"learnloop.dev/bus"
	"learnloop.dev/events"

	"github.com/go-json-experiment/json"
)

// told returns what was said last about a replay, all processes together.
func (s *site) told(t *testing.T, replay string) (sum Judged) {
	t.Helper()
	said, err := bus.LastPerSubject(t.Context(), s.js, bus.OutStream, bus.NoticeSubject(ReplayJudged, replay)+".*")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range said {
		var j Judged
		if err := json.Unmarshal(e.Data, &j); err != nil {
			t.Fatal(err)
		}
		sum = sum.plus(j)
	}
	return sum
}

// of makes an event one of a replay.
func of(replay string, env events.Envelope) events.Envelope {
	env.Extensions = map[string]string{events.ExtReplay: replay}
	return env
}

func TestWhatAReplayCameToIsToldByWhoeverDecided(t *testing.T) {
	s := open(t, t.TempDir())
	other := *s
	other.Replays = NewReplays(bus.NewNotices(s.js.Conn()), "that process")
	s.take(t, of("r", response("f", "x", "")), response("g", "x", ""))
	s.take(t, of("r", response("f", "x", "")), of("r.2", response("h", "y", "")))
	if got, want := s.told(t, "r"), (Judged{Declined: 1, Waiting: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("told %+v, want %+v", got, want)
	}
	other.take(t, of("r", exchange("x", "jane")))
	if got, want := s.told(t, "r"), (Judged{Declined: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("when it is released: told %+v, want %+v", got, want)
	}
	if got, want := s.told(t, "r.2"), (Judged{Waiting: 1}); !reflect.DeepEqual(got, want) {
		t.Errorf("told %+v, want %+v", got, want)
	}
}

func TestRefusalsAndOptOutsOfAReplayAreCounted(t *testing.T) {
	s := open(t, t.TempDir())
	g := gate(t, defaults())
	var out outcome
	w := worker{s.Stage, g}
	for i, v := range []Verdict{refuse(events.ReasonSchema), refuse(events.ReasonFuture), {Declined: "opt_out"}} {
		if err := w.note(v, origin{stage: stageName}, of("r", envelope(fmt.Sprint(i), "{}")), &out); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := s.store(t.Context(), out); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := s.told(t, "r"), (Judged{Refused: 4, Declined: 2, Letters: []Found{{Letter: 1}, {Letter: 2}}}); !reflect.DeepEqual(got, want) {
		t.Errorf("told %+v, want %+v", got, want)
	}
}

func TestOnlyTheLatestReplaysAreRemembered(t *testing.T) {
	r := NewReplays(quiet{}, "p")
	for i := range 3 * remembered {
		if err := r.tell(t.Context(), judged{fmt.Sprint(i): {Refused: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.byID) != remembered || len(r.order) != remembered || r.byID[fmt.Sprint(3*remembered-1)].Refused != 1 {
		t.Errorf("%d remembered, %d in order", len(r.byID), len(r.order))
	}
}

// quiet tells nobody.
type quiet struct{}

func (quiet) Put(context.Context, []bus.Notice) error { return nil }
