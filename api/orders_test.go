package api

import (
	"context"
	"errors"
	"testing"
	"time"

	"learnloop.dev/events"
	"learnloop.dev/pipeline/forget"
	"learnloop.dev/pipeline/ingest"
)

// obey carries out orders until the test ends.
func (h *house) obey(t *testing.T, o Orders) Steward {
	t.Helper()
	stop, err := ServeOrders(h.nc, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return NewSteward(h.nc)
}

// scribe notes what it is to issue.
type scribe struct{ got []ingest.Order }

func (s *scribe) Issue(_ context.Context, o ingest.Order) (map[int]uint64, error) {
	s.got = append(s.got, o)
	return map[int]uint64{0: 7, 3: 9}, nil
}

func TestAnOrderArrivesAsItWasGiven(t *testing.T) {
	h, c := governed(t)
	s := &scribe{}
	steward := h.obey(t, Orders{People: capitals{}, Governor: c, Issuer: s})
	if shown, err := steward.Show(t.Context(), []string{"s_anna", "other"}); err != nil || shown[0] != "p_ANNA" || shown[1] != "other" {
		t.Errorf("%v %v", shown, err)
	}
	if found, err := steward.Find(t.Context(), "old_ANNA"); err != nil || found != (Found{"s_anna", true}) {
		t.Errorf("%+v %v", found, err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	want := &events.DataCleared{Rules: []events.ID{"r"}, To: at, Actor: "anna"}
	seqs, err := steward.Issue(t.Context(), ingest.Order{ID: "cleared/x", Kind: events.ControlCleared.Kind, At: at, Payload: want})
	if err != nil || seqs[3] != 9 {
		t.Fatalf("%v %v", seqs, err)
	}
	got := s.got[0]
	if cleared, ok := got.Payload.(*events.DataCleared); !ok || got.ID != "cleared/x" || !got.At.Equal(at) || !cleared.To.Equal(at) || cleared.Rules[0] != "r" {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsWrongWithAnOrderIsToldToWhoGaveIt(t *testing.T) {
	h, c := governed(t)
	steward := h.obey(t, Orders{Governor: c})
	for patch, code := range map[string]Code{`{"text_mode":"loud"}`: Invalid, `[`: Invalid, ``: Invalid} {
		_, err := steward.Govern(t.Context(), Amendment{Patch: []byte(patch)})
		if p, ok := errors.AsType[*Problem](err); !ok || p.Code != code {
			t.Errorf("%s: %v", patch, err)
		}
	}
	_, err := steward.Govern(t.Context(), Amendment{Match: `"x"`, Patch: []byte(`{}`)})
	if p, ok := errors.AsType[*Problem](err); !ok || p.Code != Outdated || p.header.Get("ETag") == "" {
		t.Errorf("another state: %v", err)
	}
	_, err = steward.Show(t.Context(), []string{"a"})
	if p, ok := errors.AsType[*Problem](err); !ok || p.Code != Unavailable || p.Hint == "" {
		t.Errorf("nobody does it: %v", err)
	}
}

// slow searches until it is told to end.
type slow struct{ end chan struct{} }

func (s slow) Search(ctx context.Context, q forget.Search) (forget.Finding, error) {
	select {
	case <-s.end:
		return forget.Finding{Scan: forget.Scan{Messages: len(q.Job.Names)}}, nil
	case <-ctx.Done():
		return forget.Finding{}, ctx.Err()
	}
}

func TestWhoIsBusySaysSo(t *testing.T) {
	h := build(t)
	s := slow{make(chan struct{})}
	steward := h.obey(t, Orders{Party: s})
	beats, err := h.nc.SubscribeSync("_LL.>")
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan forget.Finding, 1)
	go func() {
		f, err := steward.Search(t.Context(), forget.Search{Job: forget.Job{Names: []string{"a", "b"}}})
		if err != nil {
			t.Error(err)
		}
		answered <- f
	}()
	for busy := false; !busy; {
		m, err := beats.NextMsg(patience)
		if err != nil {
			t.Fatal(err)
		}
		busy = string(m.Data) == `{"busy":true}`
	}
	close(s.end)
	if f := <-answered; f.Scan.Messages != 2 {
		t.Errorf("%+v", f)
	}
}
