package app

import (
	"bytes"
	"context"
	"runtime/debug"
	"testing"
	"time"
)

func TestMemoryThatALoadNeededIsGivenBack(t *testing.T) {
	debug.FreeOSMemory() // what other tests needed would do for the load
	before := readHeap()
	load := bytes.Repeat([]byte{1}, 3*relief)
	after := readHeap()
	if after.held < before.held+2*relief || load[relief] == 0 {
		t.Fatalf("the load took %d bytes", after.held-before.held)
	}
	load = nil
	after.live = before.live // nothing was collected since
	if h := after.relieve(heap{cycles: after.cycles}); h.held > before.held+relief {
		t.Errorf("%d bytes are held, before the load it were %d", h.held, before.held)
	}
	if h := after.relieve(heap{cycles: after.cycles - busy}); h != after {
		t.Error("memory is given back under load")
	}
	_ = load
}

func TestWhatOnlyTheStartNeededIsGivenBack(t *testing.T) {
	t.Setenv("GOGC", "off") // nothing else collects
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	debug.FreeOSMemory() // what other tests needed would do for the start
	before := readHeap()
	load := bytes.Repeat([]byte{1}, 3*relief)
	if h := readHeap(); h.held < before.held+2*relief || load[relief] == 0 {
		t.Fatalf("the start took %d bytes", h.held-before.held)
	}
	load = nil
	ready, settled, tune := make(chan struct{}), make(chan time.Time), make(chan time.Time)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		housekeeper{ready: ready, after: func(time.Duration) <-chan time.Time { return settled }, tune: tune}.run(ctx)
		close(done)
	}()
	close(ready)
	settled <- time.Time{}
	tune <- time.Time{} // taken when the memory is given back
	stop()
	<-done
	if h := readHeap(); h.held > before.held+relief {
		t.Errorf("%d bytes are held, before the start it were %d", h.held, before.held)
	}
	_ = load
}

func TestTheMemoryLimitStaysAboveWhatIsInUse(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	for live, want := range map[uint64]int64{0: memoryLimit, 100 << 20: memoryLimit, 180 << 20: 292 << 20, 1 << 30: 3 << 29} {
		if limitMemory(live); debug.SetMemoryLimit(-1) != want {
			t.Errorf("with %d bytes in use the limit is %d, want %d", live, debug.SetMemoryLimit(-1), want)
		}
	}
}
