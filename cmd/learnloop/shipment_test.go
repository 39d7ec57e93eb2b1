package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"learnloop.dev/bus"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// shelf is a mailbox that keeps what it is given, after some failures.
type shelf struct {
	failures []error
	kept     []bus.Message
}

func (s *shelf) Append(_ context.Context, msgs []bus.Message) (uint64, error) {
	if len(s.failures) > 0 {
		err := s.failures[0]
		s.failures = s.failures[1:]
		return 0, err
	}
	for _, m := range msgs {
		m.Data = slices.Clone(m.Data)
		s.kept = append(s.kept, m)
	}
	return uint64(len(s.kept)), nil
}

func ship(t *testing.T, s *shelf, lines ...string) (*shipment, error) {
	t.Helper()
	out := &shipment{inbox: s, pack: newPacker("R"), operator: true, note: func(int) {}}
	for _, line := range lines {
		if err := out.add(t.Context(), []byte(line)); err != nil {
			return out, err
		}
	}
	return out, out.flush(t.Context())
}

func TestEventsTravelTogetherAndStayInOrder(t *testing.T) {
	var lines []string
	for i := range batchEvents + 3 {
		lines = append(lines, fmt.Sprintf(`{"id":"%d"}`, i))
	}
	lines = append(lines, "broken", `{"id":"last"}`)
	box := &shelf{}
	s, err := ship(t, box, lines...)
	if err != nil {
		t.Fatal(err)
	}
	if s.sent != len(lines) || s.broken != 1 {
		t.Errorf("%d sent, %d broken", s.sent, s.broken)
	}
	var sizes []int
	var ids []string
	for _, m := range box.kept {
		var events []struct {
			ID string `json:"id"`
		}
		if m.Header["Content-Type"][0] == "application/cloudevents+json" {
			sizes, ids = append(sizes, -1), append(ids, string(m.Data))
			continue
		}
		if err := json.Unmarshal(m.Data, &events, jsontext.AllowDuplicateNames(false)); err != nil {
			t.Fatalf("%s: %v", m.Data, err)
		}
		sizes = append(sizes, len(events))
		for _, e := range events {
			ids = append(ids, e.ID)
		}
	}
	if want := []int{batchEvents, 3, -1, 1}; !slices.Equal(sizes, want) {
		t.Errorf("messages of %v events, want %v", sizes, want)
	}
	if ids[0] != "0" || ids[batchEvents+2] != strconv.Itoa(batchEvents+2) || ids[batchEvents+3] != "broken" || ids[batchEvents+4] != "last" {
		t.Errorf("out of order: %v", ids)
	}
}

func TestABatchStaysSmallEnough(t *testing.T) {
	line := `{"data":"` + strings.Repeat("x", 200<<10) + `"}`
	box := &shelf{}
	if _, err := ship(t, box, line, line, line, line, line); err != nil {
		t.Fatal(err)
	}
	if len(box.kept) != 3 {
		t.Errorf("%d messages, want 3", len(box.kept))
	}
	for _, m := range box.kept {
		if len(m.Data) > batchBytes+10 {
			t.Errorf("a message of %d bytes", len(m.Data))
		}
	}
}

func TestAShipmentTriesAgainUnlessItIsHopeless(t *testing.T) {
	again := &shelf{failures: []error{bus.ErrUnavailable, bus.ErrUnknown, fmt.Errorf("append: %w", bus.ErrFull)}}
	if s, err := ship(t, again, `{"id":"1"}`); err != nil || s.sent != 1 || len(again.kept) != 1 {
		t.Errorf("%d sent, %d kept, %v", s.sent, len(again.kept), err)
	}
	refused := errors.New("refused")
	if s, err := ship(t, &shelf{failures: []error{refused}}, `{"id":"1"}`); !errors.Is(err, refused) || s.sent != 0 {
		t.Errorf("%d sent, %v", s.sent, err)
	}
}

func TestAnEventTooLargeForAnyMessageIsCountedAndLeftOut(t *testing.T) {
	box := &shelf{failures: []error{bus.ErrTooLarge}}
	s, err := ship(t, box, "this one", `{"id":"1"}`)
	if err != nil || s.sent != 1 || s.unsent != 1 {
		t.Errorf("%d sent, %d unsent, %v", s.sent, s.unsent, err)
	}
}

func TestReservedKindsNeedTheOperator(t *testing.T) {
	s := &shipment{inbox: &shelf{}, hint: "give one", pack: newPacker("R"), note: func(int) {}}
	err := s.add(t.Context(), []byte(`{"type":"dev.learnloop.control.data.cleared.v1"}`))
	if err == nil || hintOf(err) == "" {
		t.Errorf("got %v, hint %q", err, hintOf(err))
	}
}
