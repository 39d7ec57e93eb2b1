package api

import (
	"context"
	"strconv"
	"testing"

	"learnloop.dev/bus"
	"learnloop.dev/learn"
	"learnloop.dev/pipeline"
	"learnloop.dev/pipeline/inject"
)

// Redrive appends as ingest does. The house folds at once: contexts reflect it.
func (h *house) Redrive(ctx context.Context, o RedriveOrder) (map[int]uint64, error) {
	e, err := bus.GetMsg(ctx, h.js, bus.EventsStream, o.Sequence)
	if err != nil {
		return nil, nil //nolint:nilerr // it is not there
	}
	seq, err := bus.NewAppender(h.nc, bus.EventsStream).Append(ctx, []bus.Message{{Subject: e.Subject, Data: e.Data}})
	if err != nil {
		return nil, err
	}
	if refusing := string(e.Data) == "bad"; refusing {
		err = h.write(ctx, pipeline.Letter{Stage: "analyze", Reason: "crashed", Sequence: seq, Redriven: o.Letter})
	}
	if settings, kerr := h.js.KeyValue(ctx, learn.Settings); err == nil && kerr == nil {
		_, err = settings.Put(ctx, inject.Reflected(1), []byte(strconv.FormatUint(seq, 10)))
	}
	return map[int]uint64{1: seq}, err
}

// write leaves a dead letter.
func (h *house) write(ctx context.Context, l pipeline.Letter) error {
	data, err := l.Encode()
	if err != nil {
		return err
	}
	_, err = bus.NewDeadLetters(h.js).Put(ctx, []bus.Letter{{Stage: l.Stage, Reason: string(l.Reason), Cause: l.Cause(), Data: data}})
	return err
}

// refused puts an entry into the log of which a dead letter says that it cannot be folded.
func (h *house) refused(t *testing.T, data string) {
	t.Helper()
	seq, err := bus.NewAppender(h.nc, bus.EventsStream).Append(t.Context(), []bus.Message{{Subject: "learn.ev.1.feedback.fix", Data: []byte(data)}})
	if err == nil {
		err = h.write(t.Context(), pipeline.Letter{Stage: "analyze", Reason: "crashed", Sequence: seq, SHA256: pipeline.Digest([]byte(data))})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatTheAnalyzerRefusedIsDrivenAgain(t *testing.T) {
	h := build(t)
	h.refused(t, "good")
	var first, second Redriven
	h.do(t, "POST /api/dlq/1/redrive", "", asAdmin).read(t, &first)
	h.do(t, "POST /api/dlq/1/redrive", "", asAdmin).read(t, &second)
	if first != (Redriven{Number: 1, Sequence: 2, Folded: true}) || second != (Redriven{Number: 1, Sequence: 3, Folded: true}) {
		t.Errorf("%+v, then %+v", first, second)
	}
}

func TestWhatIsRefusedAgainSaysWhere(t *testing.T) {
	h := build(t)
	h.refused(t, "bad")
	var got Redriven
	h.do(t, "POST /api/dlq/1/redrive", "", asAdmin).read(t, &got)
	if got != (Redriven{Number: 1, Sequence: 2, Refused: 2}) {
		t.Errorf("%+v", got)
	}
	var l Letter
	h.get(t, "/api/dlq/2", asAdmin).read(t, &l)
	if l.Redriven != 1 || l.Sequence != 2 {
		t.Errorf("%+v", l)
	}
}

func TestWhatIsRefusedAgainIsFoundBehindManyOtherLetters(t *testing.T) {
	h := build(t)
	h.refused(t, "bad")
	if err := h.write(t.Context(), pipeline.Letter{Stage: "analyze", Reason: "crashed", Sequence: 2, Redriven: 1}); err != nil {
		t.Fatal(err)
	}
	var others []bus.Letter
	for i := range mostLetters + 500 {
		l := pipeline.Letter{Stage: "ingest", Reason: "malformed", SHA256: pipeline.Digest([]byte(strconv.Itoa(i)))}
		data, err := l.Encode()
		if err != nil {
			t.Fatal(err)
		}
		others = append(others, bus.Letter{Stage: l.Stage, Reason: string(l.Reason), Cause: strconv.Itoa(i), Data: data})
	}
	if _, err := bus.NewDeadLetters(h.js).Put(t.Context(), others); err != nil {
		t.Fatal(err)
	}
	for sequence, want := range map[uint64]uint64{2: 2, 3: 0} {
		if got, err := h.api.refusedAgain(t.Context(), 1, sequence); got != want || err != nil {
			t.Errorf("entry %d: letter %d, %v", sequence, got, err)
		}
	}
}

func TestOnlyWhatTheLogHasIsDrivenAgainAndOnlyByOperators(t *testing.T) {
	h := build(t)
	h.do(t, "POST /v1/events", `{}`, "Content-Type: application/cloudevents+json") // refused at the door
	if err := h.write(t.Context(), pipeline.Letter{Stage: "analyze", Reason: "crashed", Sequence: 99}); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]Code{
		"POST /api/dlq/1/redrive":  Conflict,
		"POST /api/dlq/2/redrive":  Conflict, // the log has let it go
		"POST /api/dlq/98/redrive": NotFound,
	} {
		if p := h.do(t, line, "", asAdmin).problem(t); p.Code != want {
			t.Errorf("%s: %+v", line, p)
		}
	}
	if p := h.do(t, "POST /api/dlq/1/redrive", "").problem(t); p.Code != Unauthorized {
		t.Errorf("without a token: %+v", p)
	}
	if last := h.last(t, bus.EventsStream); last != 0 {
		t.Errorf("%d entries in the log", last)
	}
}
