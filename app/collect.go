package app

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"
)

// collect gives space back now and then: on disk, and in memory.
func (l *Loop) collect(ctx context.Context) error {
	t := time.NewTicker(collectEvery)
	defer t.Stop()
	held := heldBytes()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := l.state.Collect(); err != nil {
				return err
			}
			held = relieve(held)
		}
	}
}

// relief is how much more memory than last time is worth the work of giving it back.
const relief = 64 << 20

// relieve gives the system back what is only held because a load once needed it. The
// runtime would, little by little, but what is garbage stays until the next collection,
// which may never come. It returns how much is held now.
func relieve(before uint64) uint64 {
	held := heldBytes()
	if held < before+relief {
		return min(before, held)
	}
	debug.FreeOSMemory()
	return heldBytes()
}

// heldBytes is what the heap has from the system.
func heldBytes() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapSys - m.HeapReleased
}
