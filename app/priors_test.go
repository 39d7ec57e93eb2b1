package app_test

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

func TestThePriorIsToldOnceADayAndOnlyWhenItMoved(t *testing.T) {
	all, dir := lines(t, testdata(t, "golint_cli.jsonl")), t.TempDir()
	sent := 0
	for life, told := range []int{0, 1, 1, 1} { // nothing is known; it moved; it did not; it moved, but the day has its prior
		a := meet(t, dir, "clock.ticks=true")
		a.log.await(t, func() bool { return strings.Contains(a.log.read(), `"calibration compared"`) })
		if got := a.count(t, "learn.ev.*.control.prior"); got != told*32 {
			t.Errorf("life %d: %d entries in the log, want %d", life, got, told*32)
		}
		if life == 0 || life == 2 {
			half := all[len(all)/2*life/2:][:len(all)/2]
			a.living.publish(t, half)
			sent += len(half)
		}
		a.reflected(t, sent)
		if got := a.total(t); got != sent && life > 0 {
			t.Errorf("life %d: %d events count, want %d", life, got, sent)
		}
		a.stop()
	}
}

// count is how many entries the log has on matching subjects.
func (l *living) count(t *testing.T, filter string) (n int) {
	t.Helper()
	stream, err := l.js.Stream(t.Context(), "LEARN_EVENTS")
	if err != nil {
		t.Fatal(err)
	}
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(filter))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range info.State.Subjects {
		n += int(c)
	}
	return n
}
