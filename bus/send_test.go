package bus

import (
	"errors"
	"slices"
	"testing"
)

func TestMessagesBehindAFenceThatMovedAreRefused(t *testing.T) {
	s := NewSender(ensured(t, serve(t)).Conn(), InsightsStream)
	mark := func(expected uint64) error {
		_, err := s.Send(t.Context(), []Message{{Subject: "learn.at.0", ExpectLast: &expected}})
		return err
	}
	insight := func(expected uint64) error {
		_, err := s.Send(t.Context(), []Message{{Subject: "learn.know.0.rules.a", ExpectLast: &expected, ExpectOn: "learn.at.0"}})
		return err
	}
	for i, step := range []struct {
		do     func(uint64) error
		expect uint64
		want   error
	}{
		{insight, 0, nil}, {mark, 0, nil}, // at 1 and 2
		{insight, 0, ErrFenced}, {mark, 0, ErrFenced},
		{insight, 2, nil}, {insight, 2, nil}, {mark, 2, nil},
		{insight, 2, ErrFenced},
	} {
		if err := step.do(step.expect); !errors.Is(err, step.want) {
			t.Errorf("step %d: %v, want %v", i, err, step.want)
		}
	}
}

func TestEveryMessageThatWasSentHasItsSequence(t *testing.T) {
	js := ensured(t, serve(t))
	s := NewSender(js.Conn(), EventsStream)
	got, err := s.Send(t.Context(), facts(0, 2500, 1)) // more than may be under way
	want := make([]uint64, 2500)
	for i := range want {
		want[i] = uint64(i + 1)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%d sequences, %v", len(got), err)
	}
	js.Conn().Close()
	if _, err := s.Send(t.Context(), facts(0, 1, 1)); !errors.Is(err, ErrUnavailable) {
		t.Errorf("without a server: %v", err)
	}
}
