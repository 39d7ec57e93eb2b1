// Package low is pure and breaks it in every way.
package low

import (
	_ "context"       // breaks: purity
	_ "io/fs"         // breaks: purity
	_ "math"          // allowed: arithmetic
	_ "math/rand/v2"  // breaks: purity
	_ "net/http"      // breaks: purity
	_ "net/netip"     // allowed: it parses
	_ "os"            // breaks: purity
	_ "sync/atomic"   // breaks: purity
	clock "time"      // allowed: durations
	_ "vendor.one/v2" // breaks: owners
)

// Day is fine: a length of time asks no clock.
const Day = 24 * clock.Hour

func now() clock.Time { return clock.Now() } // breaks: purity

var wait = clock.Sleep // breaks: purity sleep

func start() {
	go now() // breaks: goroutines
}

func startAll(g interface{ Go(func()) }) { g.Go(start) } // breaks: goroutines
