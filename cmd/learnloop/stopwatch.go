package main

import "time"

// stopwatch measures time, and the CPU time of this process, of all its cores.
type stopwatch struct {
	begin time.Time
	cpu   time.Duration
}

func startWatch() stopwatch { return stopwatch{time.Now(), cpuTime()} }

func (w stopwatch) stop() (took, cpu time.Duration) { return time.Since(w.begin), cpuTime() - w.cpu }
