package inject

import (
	"slices"
	"testing"
	"time"

	"learnloop.dev/bus"
	"learnloop.dev/pipeline"
)

// seen is a marker of partition 0.
func seen(at, position uint64) seenMark {
	return seenMark{at: at, mark: pipeline.Mark{Seq: position}}
}

func TestAMarkerWaitsUntilTheFloorHasPassedIt(t *testing.T) {
	m := newMarks()
	m.hold(seen(10, 100), seen(20, 200), seen(30, 300))
	for _, step := range []struct {
		floor uint64
		want  []seenMark
		more  bool
	}{
		{9, nil, true},
		{10, []seenMark{seen(10, 100)}, true}, // the first: load never starves it
		{29, nil, true},
		{30, []seenMark{seen(30, 300)}, false},
		{99, nil, false},
	} {
		got := m.passed(step.floor)
		if more := m.told(got); !slices.Equal(got, step.want) || more != step.more {
			t.Errorf("floor %d: %v, more %t; want %v, %t", step.floor, got, more, step.want, step.more)
		}
	}
}

func TestAMarkerThatComesWhileOneIsToldWaits(t *testing.T) {
	m := newMarks()
	m.hold(seen(10, 100))
	telling := m.passed(10)
	m.hold(seen(20, 200))
	if more := m.told(telling); !more {
		t.Error("the later marker is forgotten")
	}
	if got := m.passed(20); !slices.Equal(got, []seenMark{seen(20, 200)}) {
		t.Errorf("waits %v", got)
	}
}

func TestAMarkerReadAtTheStartDoesNotHideALaterOne(t *testing.T) {
	m := newMarks()
	m.hold(seen(20, 200))
	m.hold(seen(10, 100))
	if got := m.passed(20); !slices.Equal(got, []seenMark{seen(20, 200)}) {
		t.Errorf("passed %v", got)
	}
}

func TestAMarkerOfAnIncompletePublicationSaysNothing(t *testing.T) {
	m := newMarks()
	m.hold(seen(10, 0))
	if got := m.passed(99); got != nil {
		t.Errorf("passed %v", got)
	}
}

func TestMarkersOfADeadInjectorAreTold(t *testing.T) {
	bubble(t, func(w *world) {
		_ = w.ack(w.mark(0, 100)) // by an injector that told nobody
		_ = w.ack(w.mark(7, 90))
		defer w.inject()()
		w.holds(map[string]string{"settings reflected.0": "100", "settings reflected.7": "90"})
	})
}

func TestAPositionIsToldWhenEverythingBeforeItIsAcknowledged(t *testing.T) {
	bubble(t, func(w *world) {
		defer w.inject()()
		another := w.insight(3, "one", "a", 1) // in another injector's hands
		w.out <- []bus.Delivery{w.mark(0, 100)}
		w.holds(map[string]string{})
		_ = w.ack(another)
		w.holds(map[string]string{"settings reflected.0": "100"})
	})
}

func TestNobodyAsksForTheFloorWhileNothingWaits(t *testing.T) {
	bubble(t, func(w *world) {
		defer w.inject()()
		for n := range 3 { // the wake-up of a marker may come while it is told already
			w.out <- []bus.Delivery{w.mark(n, 100)}
		}
		w.settle()
		for n := range 3 {
			w.out <- []bus.Delivery{w.mark(n, 200)}
		}
		w.settle()
		asked := w.calls["floor"]
		pass(time.Hour)
		w.settle()
		if more := w.calls["floor"] - asked; asked == 0 || more > 1 {
			t.Errorf("asked %d times, and %d times in an idle hour", asked, more)
		}
	})
}
