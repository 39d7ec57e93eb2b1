package app

import (
	"context"
	"os"
	"runtime/debug"
	gauges "runtime/metrics"
	"time"
)

// What the collector aims at unless the environment says otherwise: most of what is
// allocated is short-lived, and little of it stays.
const (
	memoryLimit = 280 << 20       // bytes, as long as leeway is left of them
	leeway      = 112 << 20       // for garbage, where more than that stays
	garbage     = 200             // percent of what stays
	rush        = 400             // the same while the log is folded again: memory is there for the taking
	tuneEvery   = 5 * time.Second // how often the limit is looked after
)

// mindMemory keeps the limit above what stays, whatever that is: a process that needs
// more must not spend its time collecting. What only the start needed it gives back to
// the system soon after it, and now and then what is only held because a load once
// needed it.
func (l *Loop) mindMemory(ctx context.Context) error {
	tune, tidy := time.NewTicker(tuneEvery), time.NewTicker(collectEvery)
	defer tune.Stop()
	defer tidy.Stop()
	housekeeper{ready: l.ready, after: time.After, tune: tune.C, tidy: tidy.C}.run(ctx)
	return nil
}

// housekeeper minds memory when it is told that it is time.
type housekeeper struct {
	ready      <-chan struct{}
	after      func(time.Duration) <-chan time.Time
	tune, tidy <-chan time.Time
}

func (h housekeeper) run(ctx context.Context) {
	before := readHeap()
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.ready:
			allowGarbage(garbage)
			h.ready, settled = nil, h.after(tuneEvery)
		case <-settled:
			debug.FreeOSMemory()
			before = readHeap()
		case <-h.tune:
			limitMemory(readHeap().live)
		case <-h.tidy:
			before = readHeap().relieve(before)
		}
	}
}

// boundMemory tells the collector what to aim at.
func boundMemory() {
	limitMemory(0)
	allowGarbage(rush)
}

func allowGarbage(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// limitMemory sets the limit by what stays, in bytes.
func limitMemory(live uint64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(memoryLimit, int64(live+max(leeway, live/2))))
	}
}

// heap is how much memory there is, in bytes, and how often it was collected.
type heap struct{ held, live, cycles uint64 }

func readHeap() heap {
	s := []gauges.Sample{
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"}, {Name: "/gc/heap/live:bytes"}, {Name: "/gc/cycles/total:gc-cycles"},
	}
	gauges.Read(s)
	return heap{held: s[0].Value.Uint64() + s[1].Value.Uint64() + s[2].Value.Uint64(),
		live: s[3].Value.Uint64(), cycles: s[4].Value.Uint64()}
}

// relief is how much has to be held in vain to be worth the work of giving it back,
// and busy how many collections since the last look mean that it will be needed.
const (
	relief = 16 << 20
	busy   = 5
)

// relieve gives back what is held in vain, unless it is in use. The runtime would,
// little by little, but what is garbage stays until the next collection, which may be
// far off. It returns how things stand.
func (h heap) relieve(before heap) heap {
	if h.held < h.live+relief || h.cycles >= before.cycles+busy {
		return h
	}
	debug.FreeOSMemory()
	return readHeap()
}
